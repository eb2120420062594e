"""Idempotency keys that are busy are drawn where that is asked for, of who sends any and of catalogs that may fail."""

import pytest

from sim.generation.draws import PinError, seeded
from sim.iceberg.generate import GENERATOR

CONFIGURATIONS = ("keys busy", "Java API, REST catalog, keys busy")


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
@pytest.mark.parametrize(("rules", "expected"), [("idempotent", {"busy"}), (None, {"kept"})])
def test_busy_keys_are_drawn_where_they_are_asked_for(configuration, rules, expected):
    """Wherever something may fail, and keys are sent; a race's name makes it again."""
    found = []
    for seed in range(40):
        scenario = GENERATOR.make(seeded(seed), GENERATOR.configurations[configuration], rules)
        again = GENERATOR.again(scenario.name)
        assert (again.program, again.faults, again.keys) == (scenario.program, scenario.faults, scenario.keys)
        if scenario.faults.limit:
            found.append(scenario.keys)
    assert len(found) > 10
    assert set(found) == expected


def test_they_are_refused_where_no_catalog_keeps_any():
    """A JDBC catalog, say."""
    with pytest.raises(PinError, match="calls: expected usual with client=spark-sql, type=jdbc, got keys busy"):
        GENERATOR.make(seeded(0), {"client": "spark-sql", "type": "jdbc", "calls": "keys busy"})
