"""Sort orders and columns that change, on the real Iceberg: vectors, and every interleaving beside other operations."""

from typing import Any

import pytest

from real_backend.iceberg.conformance import conform
from sim.iceberg.columns import AddField, AddStruct, AddTyped, ChangeType, MoveColumn, RenameColumn, WidenColumn
from sim.iceberg.layout import DropColumn, Layout, MoveTo, RemoveStatistics, SetStatistics, SortBy
from sim.iceberg.managing import Expire
from sim.iceberg.statements import AddColumn, Append, ChangeRow, Transaction, steps_of
from sim.search.projection import projection
from sim.search.run import Runner
from sim.search.strategies import FirstCome
from tests.live.iceberg.agreement import failures_of_all, scenario_of, workload_of
from tests.live.iceberg.drawn_races import done_in, drawn
from tests.unit.iceberg import layout_vectors
from tests.unit.iceberg.layout_vectors import BY_NAME

pytestmark = pytest.mark.live
EACH = 24
WIDER = {"history": (AddColumn("c"),)}
OVER_REST = {**WIDER, "catalog": "rest"}
BY_C, BY_V, DROP = SortBy(("c",)), SortBy(("v",)), DropColumn("c")
ADDED, OTHER = Append(((3, "x"),)), Append(((4, "y"),))
BOTH_OVER_REST = {"history": (AddColumn("c"), AddColumn("d")), "catalog": "rest"}
OF_TYPES = {"history": (AddTyped("f", "float"), AddTyped("d", "decimal(9, 2)")), "catalog": "rest"}
STRUCT = {"history": (AddColumn("c"), AddStruct("t", "x"))}
OF_SCHEMA = Transaction((RenameColumn("t", "u"), AddField("u", "y"), MoveColumn("u", "id"), WidenColumn("c"), ADDED))
OF_PARTITIONS = SetStatistics("P", of_partitions=True)
TWO, OLD = {"history": (Append(((5, "e"),)),)}, SetStatistics("B", back=1)
NAMED = {"history": (SetStatistics("A"), Append(((5, "e"),)))}
SEEN = ("readable", "no-aborted-reads", "acknowledged-writes-survive", "no-lost-update")
"""What is asked live; files that are left, or gone, are told among what is left."""
RACES: dict[str, tuple[list[Any], list[Any], dict[str, Any]]] = {
    "a sort, the drop of its column": ([BY_C], [DROP], WIDER),
    "a sort, the drop of its column, over REST": ([BY_C], [DROP], OVER_REST),
    "a drop, another column, over REST": ([DROP], [AddColumn("d")], OVER_REST),
    "two sorts": ([BY_V], [SortBy(("id",), descending=True)], {"retries": 1}),
    "two sorts on JDBC": ([BY_V], [SortBy(("id",))], {"retries": 1, "catalog": "jdbc"}),
    "a sort, the same, and back, over REST": ([BY_V], [BY_V, SortBy()], {"catalog": "rest"}),
    "a transaction that sorts, a change": ([Transaction((BY_V, ADDED))], [ChangeRow(1, "A")], {}),
    "a rename, another column": ([RenameColumn("c", "e")], [AddColumn("d")], WIDER),
    "a rename, another column, over REST": ([RenameColumn("c", "e")], [AddColumn("d")], OVER_REST),
    "two renames to one name, over REST": ([RenameColumn("c", "e")], [RenameColumn("d", "e")], BOTH_OVER_REST),
    "two that widen, over REST": ([WidenColumn("c")], [WidenColumn("d")], BOTH_OVER_REST),
    "a wider column, an append, over REST": ([WidenColumn("c")], [ADDED], OVER_REST),
    "a wider float, an append, over REST": ([ChangeType("f", "double")], [ADDED], OF_TYPES),
    "a wider decimal, a wider float": ([ChangeType("d", "decimal(11, 2)")], [ChangeType("f", "double")], OF_TYPES),
    "a move, a struct": ([MoveColumn("c", "id")], [AddStruct("s", "a")], WIDER),
    "two fields of a struct": ([AddField("t", "a")], [AddField("t", "b")], STRUCT),
    "two fields of a struct, over REST": ([AddField("t", "a")], [AddField("t", "b")], {**STRUCT, "catalog": "rest"}),
    "a transaction of a schema, an append": ([OF_SCHEMA], [OTHER], STRUCT),
    "a transaction of a schema, an append, over REST": ([OF_SCHEMA], [OTHER], {**STRUCT, "catalog": "rest"}),
    "a transaction of a schema, an append, on JDBC": ([OF_SCHEMA], [OTHER], {**STRUCT, "catalog": "jdbc"}),
    "a move, an append": ([MoveTo("elsewhere")], [ADDED], {"retries": 1}),
    "a move, an append, over REST": ([MoveTo("elsewhere")], [ADDED], {"catalog": "rest"}),
    "a move, an append, on JDBC": ([MoveTo("elsewhere")], [ADDED], {"retries": 0, "catalog": "jdbc"}),
    "a transaction that moves, an append": ([Transaction((ADDED, MoveTo("elsewhere")))], [OTHER], {}),
    "statistics, an expiry": ([OLD], [Expire(1)], TWO),
    "statistics, an expiry, over REST": ([OLD], [Expire(1)], {**TWO, "catalog": "rest"}),
    "statistics named again, an expiry": ([SetStatistics("A")], [Expire(1)], NAMED),
    "statistics named again, an expiry by id": ([SetStatistics("A")], [Expire(0)], {**NAMED, "catalog": "rest"}),
    "statistics of partitions, an append": ([OF_PARTITIONS], [ADDED], {}),
    "a transaction with statistics, an append": ([Transaction((OF_PARTITIONS, ADDED))], [OTHER], {}),
    "statistics set and removed": ([SetStatistics("B")], [RemoveStatistics()], NAMED),
    "statistics set again, and removed": ([SetStatistics("A")], [RemoveStatistics()], {**NAMED, "catalog": "rest"}),
    "a transaction that drops, a sort, over REST": ([Transaction((DROP, ADDED))], [BY_C], OVER_REST),
}  # fmt: skip


@pytest.mark.parametrize("name", BY_NAME)
def test_java_answers_and_leaves_what_the_vector_says(java, name):
    """Each statement's outcome, columns, and sort orders."""
    scenario = layout_vectors.scenario_of(BY_NAME[name])
    found = projection(Runner(scenario).run(FirstCome()))
    assert found is not None
    seen = java.run(workload_of(scenario), found.schedule)
    result = conform(found.run, seen)
    assert result.agrees, f"{result}: {seen.outcomes}"
    assert list(seen.left) == BY_NAME[name]["expect"]["left"]


@pytest.mark.parametrize("name", RACES)
def test_model_and_java_agree_on_every_interleaving(java, name):
    """In steps, outcomes, lineage, columns and sort orders."""
    first, second, table = RACES[name]
    given = {"catalog": "java-api", "properties": SEEN} | table
    failures_of_all(java, scenario_of({"w1": first, "w2": second}, **given))


def changes_layout(work):
    """Whether somebody changes what the table says of itself, alone or in a transaction."""
    return any(isinstance(step, Layout) for step in steps_of(*done_in(work)))


def test_drawn_races_end_alike(java):
    """By one writer more, and by another one in a transaction, or beside an expiry."""
    for seed, (schedule, run) in drawn("Java API", changes_layout, EACH):
        seen = java.run(workload_of(run.scenario), schedule)
        result = conform(run, seen)
        assert result.agrees, f"{seed}: {result}\n{run.scenario.summary}\nlive: {seen.outcomes}"


def test_drawn_races_with_types_end_alike(java):
    """By two writers more, alone or in transactions; some are refused whoever is there."""
    for seed, (schedule, run) in drawn("Java API, types changed", changes_layout, EACH // 3):
        seen = java.run(workload_of(run.scenario), schedule)
        result = conform(run, seen)
        assert result.agrees, f"{seed}: {result}\n{run.scenario.summary}\nlive: {seen.outcomes}"
