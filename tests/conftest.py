"""For all tests: what Hypothesis generates is judged, and not how fast it is generated and run.

`tests/thorough.txt` names the cases that take longest, while cases of the same tests or files show the like: `make
test` leaves them to `make thorough`, and CI runs both.
"""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("lakeproof", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("lakeproof")

THOROUGH = (Path(__file__).parent / "thorough.txt").read_text(encoding="utf-8").splitlines()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: Sequence[pytest.Item]) -> None:
    """Mark what `make test` leaves out. Raises: `UsageError` for a name that no test has."""
    for item in items:
        if item.nodeid in THOROUGH:
            item.add_marker(pytest.mark.thorough)
    if not any("::" in argument for argument in config.args):
        refuse_unknown(THOROUGH, [item.nodeid for item in items])


def refuse_unknown(names: Sequence[str], collected: Sequence[str]) -> None:
    """Raise `UsageError` for a name of a file that was collected, and that has no such test."""
    files = {name.split("::")[0] for name in collected}
    unknown = [name for name in names if name.split("::")[0] in files and name not in collected]
    if unknown:
        raise pytest.UsageError(f"tests/thorough.txt: expected names of tests, got {unknown[0]}; take it out")
