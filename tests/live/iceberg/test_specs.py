"""Tables whose partition spec changes, on the real Iceberg: vectors, and every interleaving beside other operations."""

from typing import Any

import pytest
from py4j.protocol import Py4JJavaError

from model.iceberg.buckets import Bucket, bucket_of
from model.iceberg.expressions import TRUE, IdBetween, either, id_equals
from model.iceberg.files import DeleteFile
from real_backend.iceberg.conformance import conform
from sim.iceberg.checked_specs import changes_spec
from sim.iceberg.statements import (
    AddColumn,
    Append,
    ChangeRow,
    Compact,
    DeleteRow,
    RemoveWhere,
    ReplacePartitions,
    Transaction,
    UpdateSpec,
    steps_of,
)
from sim.iceberg.workload import FORMAT, Upsert
from sim.search.projection import projection
from sim.search.run import Runner
from sim.search.strategies import FirstCome
from tests.live.iceberg.agreement import breaks_alike, failures_of_all, workload_of
from tests.live.iceberg.agreement import scenario_of as race_of
from tests.live.iceberg.drawn_races import done_in, drawn
from tests.live.iceberg.live_table import LiveTable
from tests.unit.iceberg.spec_vectors import BY_NAME, scenario_of

pytestmark = pytest.mark.live
EACH, OF_BUCKETS, JAVA = 20, 6, "Java API"
HASHES = (34, (1 << 31) - 1, -(1 << 31))
TWO_SPECS = {"partition_width": 2, "history": (UpdateSpec(4), Append(((5, "e"),)))}
EVOLVED = {"partition_width": 2, "history": (UpdateSpec(4),)}
BACK = {**EVOLVED, "catalog": "rest"}
VOID = {**TWO_SPECS, "history": (UpdateSpec(0), Append(((5, "e"),))), "table_properties": ((FORMAT, "1"),)}
BUCKETS = {
    "rows": ((3, "c"), (4, "d"), (6, "f"), (10, "j")), "partition_width": 2,
    "history": (UpdateSpec(2, "bucket"), Compact()),
}  # fmt: skip
ADDED, REPLACED = Append(((7, "x"),)), ReplacePartitions(((1, "A"), (2, "B")), "serializable")
CHANGED = Transaction((UpdateSpec(8), Append(((6, "x"),))))
RACES: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "a replacement, an append": (REPLACED, Append(((3, "x"),)), TWO_SPECS),
    "a replacement, a change of the spec": (REPLACED, UpdateSpec(0), TWO_SPECS),
    "a replacement, a delete of the old spec": (REPLACED, DeleteRow(2), TWO_SPECS),
    "a replacement of everything, a change": (ReplacePartitions(((1, "A"),), "snapshot"), ChangeRow(5, "E"), VOID),
    "deletes of two specs, a change of the spec": (DeleteRow(1, "serializable", (5,)), UpdateSpec(0), TWO_SPECS),
    "deletes of two specs, a compaction": (DeleteRow(1, "snapshot", (5,)), Compact(), TWO_SPECS),
    "a row filter, a delete": (RemoveWhere((1,)), DeleteRow(1), {"partition_width": 1}),
    "an upsert, a compaction": (Upsert(1, "A"), Compact("starting"), EVOLVED),
    "changes in two buckets": (ChangeRow(6, "F", "serializable"), ChangeRow(4, "D", "serializable"), BUCKETS),
    "a delete in buckets, a replacement": (DeleteRow(6, "serializable", (4,)), ReplacePartitions(((3, "C"),)), BUCKETS),
    "an upsert in buckets, a change of the spec": (Upsert(6, "F"), UpdateSpec(2), BUCKETS),
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


def test_java_hashes_ids_as_the_model_does(java):
    """Their buckets, of as many as there can be."""
    iceberg, most = java._jvm.iceberg, (1 << 31) - 1
    bucket = iceberg.transforms.Transforms.bucket(most).bind(iceberg.types.Types.IntegerType.get())
    ids = (*range(-9, 64), *HASHES)
    assert [bucket.apply(key) for key in ids] == [bucket_of(key, most) for key in ids]


def test_java_projects_filters_on_buckets_as_the_model_does(java):
    """Of `=` and their disjunction alone."""
    iceberg = java._jvm.iceberg
    of, schema = iceberg.expressions.Expressions, java._files.schema
    spec = iceberg.PartitionSpec.builderFor(schema).bucket("id", 2).build()
    both = getattr(of, "or")(of.equal("id", 3), of.equal("id", 4))
    between = getattr(of, "and")(of.greaterThanOrEqual("id", 3), of.lessThanOrEqual("id", 5))
    filters = {
        id_equals(3): of.equal("id", 3), id_equals(4): of.equal("id", 4), TRUE: of.alwaysTrue(),
        either(id_equals(3), id_equals(4)): both, IdBetween(3, 5): between,
    }  # fmt: skip
    key = iceberg.PartitionKey(spec, schema)
    for number in (0, 1):
        key.set(0, number)
        deletes = DeleteFile("d", 1, "f", "g", Bucket(number, 2))
        for ours, theirs in filters.items():
            may = iceberg.expressions.Projections.inclusive(spec).project(theirs)
            must = iceberg.expressions.Projections.strict(spec).project(theirs)
            said = [iceberg.expressions.Evaluator(spec.partitionType(), one).eval(key) for one in (may, must)]
            assert said == [ours.may_match_delete(deletes), ours.must_match_delete(deletes)], (number, ours)


def test_a_spec_id_that_is_given_away_again_hides_rows(java):
    """A writer loads the table; its spec is changed back and removed, and another one takes its id. What he commits is
    there for who reads all, and for no filter; a delete of it succeeds, and leaves it."""
    live = LiveTable(java)
    live.change_spec(8)
    append = live.loaded().append(((7, "x"),))
    live.change_spec(2)
    live.expire_with_metadata()
    assert live.specs == {0}
    live.change_spec(3)
    append.commit()
    assert live.specs == {0, 1}
    assert live.rows() == ((1, "a"), (7, "x"))
    assert live.rows_of(7) == ()
    live.delete_where(7)
    assert live.rows() == ((1, "a"), (7, "x"))


@pytest.mark.parametrize("width", [8, 3])
def test_a_spec_that_is_added_again_hides_rows_and_a_roll_back_helps(java, width):
    """A table that cannot be read for want of a spec can be, when another one has taken its id, but for filters."""
    live = LiveTable(java)
    live.change_spec(8)
    append = live.loaded().append(((7, "x"),))
    append.apply()  # a first attempt, which loses the race
    live.change_spec(2)
    live.expire_with_metadata()
    append.commit()
    with pytest.raises(Py4JJavaError, match="NullPointerException"):
        live.rows()
    live.change_spec(width)
    assert (live.rows(), live.rows_of(7)) == (((1, "a"), (7, "x")), ())
    live.roll_back()
    assert live.rows() == ((1, "a"),)


def makes_buckets(work):
    """Whether somebody partitions by buckets."""
    return any(isinstance(step, UpdateSpec) and step.transform == "bucket" for step in steps_of(*done_in(work)))


def changes(work):
    """Whether somebody changes the spec."""
    return changes_spec(done_in(work))


def test_drawn_races_end_alike(java):
    """Their specs change before them, in them, in transactions, or are taken back and removed; some to buckets."""
    for seed, (schedule, run) in (*drawn(JAVA, changes, EACH), *drawn(JAVA, makes_buckets, OF_BUCKETS)):
        seen = java.run(workload_of(run.scenario), schedule)
        result = conform(run, seen)
        assert result.agrees, f"{seed}: {result}"
        assert breaks_alike(seen, run), seed
