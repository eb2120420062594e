"""Spark SQL in sessions whose catalog caches the table, on the real Iceberg: what they plan on, step by step."""

import pytest

from sim.iceberg.built_in.cached import CACHED
from sim.iceberg.workload import (
    Delete,
    Insert,
    InsertOverwrite,
    Merge,
    RemoveOrphanFiles,
    RewriteDataFiles,
    Select,
    Truncate,
    Update,
)
from tests.live.iceberg.agreement import both, scenario_of

pytestmark = pytest.mark.live
HELD = [scenario for scenario in CACHED if scenario.broken is None and scenario.live is not None]
COMMANDS = {
    "insert": Insert(((3, "x"),)),
    "delete": Delete(1),
    "update": Update(1, "A"),
    "merge": Merge(((1, "x"), (3, "y"))),
    "merge missing": Merge(((3, "x"),), "nothing"),
    "overwrite": InsertOverwrite(((1, "A"),)),
    "truncate": Truncate(),
    "delete all": Truncate("DELETE FROM"),
    "rewrite": RewriteDataFiles(),
    "read": Select(),
    "remove orphans": RemoveOrphanFiles(),
}


@pytest.mark.parametrize("schedule", ["w2:end w1:end", "w1.load w2:end w1:end"])
@pytest.mark.parametrize("scenario", HELD, ids=[scenario.name for scenario in HELD])
def test_what_holds_with_a_cache_ends_alike(sql, scenario, schedule):
    """The other one before, between reading and the statement, and before its commit."""
    both(sql, scenario, schedule)


@pytest.mark.parametrize(("name", "mode"), [
    *[(name, "merge-on-read") for name in COMMANDS],
    *[(name, "copy-on-write") for name in ("delete", "update", "merge")],
])  # fmt: skip
def test_a_command_on_a_cached_table_asks_the_catalog_as_the_model_says(sql, name, mode):
    """Its session has read the table; another one has inserted a row since, and nobody is under way."""
    writers = {"w1": [Select(), COMMANDS[name], Select()], "w2": [Insert(((4, "z"),))]}
    scenario = scenario_of(writers, mode=mode, cached=("w1",), properties=("readable",))
    both(sql, scenario, "w1.load w2:end w1:end")
