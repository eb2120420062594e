"""Hudi in the simulator: workload, scenarios, claims, studies."""

import checkers.hudi  # noqa: F401 (its properties are known by name from here on)
