"""Schemas that a table had before: which id each has, which snapshot names it, and when an expiry removes it."""

import pytest

from model.iceberg.changes import AddSchema, changes_between
from model.iceberg.errors import InvalidOperation
from model.iceberg.metadata import Schema, TableMetadata
from model.iceberg.requirements import requirements_of
from model.iceberg.rules import SHIPPED
from model.iceberg.schemas import RemoveSchemas, with_schema, without_unused
from sim.kernel.schedule import steps_of
from sim.search.run import Runner
from tests.mutants.iceberg_specs import BY_NAME as MUTANTS
from tests.unit.iceberg.schema_vectors import READS, VECTORS, read_of, scenario_of

FIRST = TableMetadata(7)
ID_V, WITH_X = ("id", "v"), ("id", "v", "x")
LONG = (("x", "long"),)
STAY, READ = "unused-schemas-stay", "snapshots-of-no-schema-read"


def left_by(name):
    """Who has committed, and the schemas at the end."""
    run = Runner(scenario_of(name), yield_points=frozenset({"load", "commit"})).play(steps_of("w1:end w2:end"))
    end = run.left.metadata
    ids = tuple([one.schema_id for one in end.past_schemas])
    made = [row[1] for row in run.trace if row[2] == "commit"]
    return made, (end.schema_id, ids, tuple([each.schema_id for each in end.snapshots]))


@pytest.mark.parametrize("name", VECTORS)
def test_an_expiry_leaves_the_schemas_that_the_vector_says(name):
    """And whoever has nothing to remove commits nothing."""
    _, _, commits, schemas = VECTORS[name]
    assert left_by(name) == (commits, schemas)


def told_to_the_reader(name):
    """What it is told, if it is not ok."""
    scenario, schedule, _ = read_of(name)
    run = Runner(scenario, yield_points=frozenset({"load", "commit"})).play(steps_of(schedule))
    return {event.process: event.error for event in run.events if event.type != "invoke"}["w3"]


@pytest.mark.parametrize("name", READS)
def test_who_names_a_snapshot_of_no_schema_is_refused(name):
    """And nobody else is."""
    _, _, refused = read_of(name)
    assert (told_to_the_reader(name) or "").startswith("UnknownSchema") == refused


def test_a_read_kills_the_mutant():
    """Who does not look at the schema reads the snapshot."""
    with MUTANTS[READ].alive():
        assert [told_to_the_reader(name) for name, (_, _, refused) in READS.items() if refused] == [None]


def test_vectors_kill_the_mutant():
    """Whoever leaves schemas commits nothing where another one removes them."""
    with MUTANTS[STAY].alive():
        changed = [name for name in VECTORS if left_by(name) != VECTORS[name][2:]]
    assert changed == ["one that no snapshot was made under", "those of snapshots that go", "taken up again"]


def test_a_schema_keeps_its_id():
    """And is taken up again, where names, their order and their types are the same."""
    wider = with_schema(with_schema(FIRST, WITH_X, (), 0), WITH_X, LONG, 0)
    assert (wider.schema_id, wider.past_schemas) == (2, (Schema(0, ID_V), Schema(1, WITH_X)))
    again = with_schema(wider, ID_V, (), 1)
    assert (again.schema_id, again.dropped_columns) == (0, 1)
    assert again.past_schemas == (Schema(1, WITH_X), Schema(2, WITH_X, LONG))
    assert with_schema(again, ID_V, (), 1) == again


def test_over_rest_each_schema_of_a_transaction_is_added():
    """So that the server gives it the id that the client has given it."""
    updated = with_schema(with_schema(FIRST, WITH_X, (), 0), WITH_X, LONG, 0)
    changes = changes_between(FIRST, updated)
    assert changes == (AddSchema(WITH_X, 3), AddSchema(WITH_X, 3, LONG))
    served = FIRST
    for change in changes:
        served = change.applied_to(served)
    assert served == updated


def test_over_rest_the_current_schema_may_not_have_changed():
    """Nor any branch but main; the server does not ask which snapshot is of one."""
    two = with_schema(FIRST, WITH_X, (), 0)._replace(refs=(("b", 1), ("main", 2), ("t", 1)), tags=("t",))
    changes = changes_between(two, without_unused(two))
    assert changes == (RemoveSchemas((0,)),)
    asked = [(one.kind, one.ref) for one in requirements_of(two, changes, SHIPPED)]
    assert asked == [("assert-table-uuid", ""), ("assert-current-schema-id", ""), ("assert-ref-snapshot-id", "b")]
    assert changes[0].applied_to(two).past_schemas == ()
    with pytest.raises(InvalidOperation, match=r"remove schemas \(1,\): expected none that is the current one"):
        RemoveSchemas((1,)).applied_to(two)
