"""Databases that are to get other names, and lists of what was cleaned, on live metastores: as the simulation says."""

import pytest

from tests.live.hive.agreement import both, found, scenario_of

pytestmark = pytest.mark.live


@pytest.mark.parametrize(
    "name",
    [
        "database-renamed-as-shipped",
        "database-renamed-unlisted",
        "database-renamed-synchronized",
        "cleaned-higher-id-as-shipped",
    ],
)
def test_what_the_search_finds_happens_live(hive, name):
    """Step by step, with the same lists and the same property broken."""
    both(hive, scenario_of(name), *found(name))
