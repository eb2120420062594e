"""Tables whose partition spec changes, on the real Iceberg: vectors, and every interleaving beside other operations."""

import pytest

from sim.iceberg.statements import (
    AddColumn,
    Append,
    ChangeRow,
    Compact,
    DeleteRow,
    ReplacePartitions,
    Transaction,
    UpdateSpec,
)
from sim.iceberg.workload import FORMAT, Upsert
from sim.search.projection import projection
from sim.search.run import Runner
from sim.search.strategies import FirstCome
from tests.live.iceberg.agreement import failures_of_all, workload_of
from tests.live.iceberg.agreement import scenario_of as race_of
from tests.unit.iceberg.spec_vectors import BY_NAME, scenario_of

pytestmark = pytest.mark.live
TWO_SPECS = {"partition_width": 2, "history": (UpdateSpec(4), Append(((5, "e"),)))}
EVOLVED = {"partition_width": 2, "history": (UpdateSpec(4),)}
BACK = {**EVOLVED, "catalog": "rest"}
VOID = {**TWO_SPECS, "history": (UpdateSpec(0), Append(((5, "e"),))), "table_properties": ((FORMAT, "1"),)}
ADDED, REPLACED = Append(((7, "x"),)), ReplacePartitions(((1, "A"), (2, "B")), "serializable")
CHANGED = Transaction((UpdateSpec(8), Append(((6, "x"),))))
RACES = {
    "a replacement, an append": (REPLACED, Append(((3, "x"),)), TWO_SPECS),
    "a replacement, a change of the spec": (REPLACED, UpdateSpec(0), TWO_SPECS),
    "a replacement, a delete of the old spec": (REPLACED, DeleteRow(2), TWO_SPECS),
    "a replacement of everything, a change": (ReplacePartitions(((1, "A"),), "snapshot"), ChangeRow(5, "E"), VOID),
    "deletes of two specs, a change of the spec": (DeleteRow(1, "serializable", (5,)), UpdateSpec(0), TWO_SPECS),
    "deletes of two specs, a compaction": (DeleteRow(1, "snapshot", (5,)), Compact(), TWO_SPECS),
    "an upsert, a compaction": (Upsert(1, "A"), Compact("starting"), EVOLVED),
    "two changes": (UpdateSpec(8), UpdateSpec(0), EVOLVED),
    "two changes over REST": (UpdateSpec(2), UpdateSpec(0), BACK),
    "a way back over REST, an append": (UpdateSpec(2), ADDED, BACK),
    "a transaction, an append": (CHANGED, ADDED, EVOLVED),
    "a transaction over REST, a column": (CHANGED, AddColumn("c"), BACK),
}


@pytest.mark.parametrize("name", BY_NAME)
def test_java_leaves_what_the_vector_says(java, name):
    """Rows, specs, and the spec and the sequence number of each file."""
    scenario = scenario_of(BY_NAME[name])
    found = projection(Runner(scenario).run(FirstCome()))
    assert found is not None
    seen = java.run(workload_of(scenario), found.schedule)
    assert {"rows": [list(row) for row in seen.rows], "left": list(seen.left)} == BY_NAME[name]["expect"]


@pytest.mark.parametrize("name", RACES)
def test_model_and_java_agree_on_every_interleaving(java, name):
    """In steps, outcomes, lineage, specs, files and rows, and in what breaks."""
    first, second, table = RACES[name]
    failures_of_all(java, race_of({"w1": [first], "w2": [second]}, **{"catalog": "java-api"} | table))
