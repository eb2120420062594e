"""For all tests: what Hypothesis generates is judged, and not how fast it is generated and run."""

from hypothesis import HealthCheck, settings

settings.register_profile("lakeproof", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("lakeproof")
