"""A table whose sort order and columns change: what is left of it, and what a workload may not ask for."""

from typing import Any

import pytest

from model.iceberg import plans
from model.iceberg.api import read
from model.iceberg.orphans import remove_orphans
from model.iceberg.tables import create_table
from sim.iceberg.built_in.layout import LAYOUT
from sim.iceberg.columns import MoveColumn, RenameColumn, WidenColumn
from sim.iceberg.layout import DropColumn, MoveTo, RemoveStatistics, SetStatistics, SortBy
from sim.iceberg.left import in_words
from sim.iceberg.scenarios import race
from sim.iceberg.statements import AddColumn, Append
from sim.iceberg.workload import IcebergWorkload
from sim.kernel.schedule import steps_of
from sim.search.explore import default_plan, exhaustive
from sim.search.run import Runner
from tests.mutants.iceberg_layout import LAYOUT as OF_LAYOUT
from tests.mutants.iceberg_manage_several import UNSET
from tests.mutants.iceberg_schema import SCHEMA
from tests.mutants.iceberg_statistics import STATISTICS
from tests.unit.iceberg.direct_world import Services, actor
from tests.unit.iceberg.killing import spared
from tests.unit.iceberg.layout_vectors import BY_NAME, VECTORS, run

MUTANTS = {mutant.name: mutant for mutant in (*OF_LAYOUT, *STATISTICS, *UNSET, *SCHEMA)}
Raced = tuple[Any, str, tuple[Any, ...]]
WIDENED: Raced = ({"w1": [WidenColumn("c")], "w2": [WidenColumn("d")]}, "rest", (AddColumn("c"), AddColumn("d")))
TWICE: Raced = ({"w1": [SortBy(("v",))], "w2": [SortBy(("v",)), SortBy()]}, "rest", ())
RACED: dict[str, Raced] = {
    "types-not-asserted": WIDENED,
    "sort-order-not-asserted": TWICE,
    "added-order-taken-up": TWICE,
    "moves-look-again": ({"w1": [MoveTo("elsewhere")], "w2": [Append(((3, "x"),))]}, "java-api", ()),
}  # fmt: skip
"""Mutants that only races show."""


@pytest.mark.parametrize("name", BY_NAME)
def test_a_table_is_left_as_the_vector_says(name):
    """Each statement's outcome, columns, and sort orders."""
    assert run(BY_NAME[name]) == BY_NAME[name]["expect"]


@pytest.mark.parametrize("name", [name for name in MUTANTS if name not in RACED])
def test_a_vector_kills_each_mutant(name):
    """It is named by the vectors that do."""
    assert spared(MUTANTS[name], VECTORS, run) == []


def answers(scenario):
    """How a race may end: what each client is told."""
    seen = set()
    exhaustive(scenario, each=lambda run: seen.add(tuple([(one.process, one.type) for one in run.events])))
    return seen


@pytest.mark.parametrize("name", RACED)
def test_a_race_kills_each_other_mutant(name):
    """Somebody is answered otherwise: who sorts beside one who sorts alike, and takes it back; who moves the table."""
    writers, catalog, before = RACED[name]
    scenario = race("layout", "", writers, catalog=catalog, history=before, properties=("readable",))
    usual = answers(scenario)
    with MUTANTS[name].alive():
        assert answers(scenario) != usual


def test_orphans_of_a_table_that_was_moved_are_looked_for_where_it_is():
    """What is left in the old place, nobody finds."""
    services = Services(tables={"t": {}})
    table = create_table(actor(services, "w1", 1), "t", ((1, "a"),), catalog="java-api")
    plans.update_location(table, "elsewhere").update.commit()
    for folder in ("t", "elsewhere"):
        table.world.store.put(f"{folder}/data/left", ((9, "z"),))
    remove_orphans(table, ("t/data/left", "elsewhere/data/left"))
    assert [path for path in services.objects if path.endswith("/left")] == ["t/data/left"]
    assert read(table).reads == ((1, "a"),)


def test_statistics_that_are_set_again_come_back():
    """Over REST the very same file is asked for again, and so it is there though somebody has removed it meanwhile."""
    writers: dict[str, list[Any]] = {"w1": [RemoveStatistics()], "w2": [SetStatistics("A")]}
    scenario = race("any", "", writers, catalog="rest", history=(SetStatistics("A"),), properties=("readable",))
    played = Runner(scenario).play(steps_of("w2:commit w1:end w2:end"))
    assert "statistics of number 1: A" in list(in_words(played.left) or ())


def test_a_search_sees_a_table_sorted_by_a_column_that_it_has_not():
    """The metadata could not be built."""
    for scenario in LAYOUT[:2]:
        with MUTANTS["sorted-columns-dropped"].alive():
            assert [*default_plan(scenario).failures] == ["table-invariants/metadata"]


@pytest.mark.parametrize(("given", "message"), [
    ({"history": (DropColumn("v"),)}, "DropColumn: expected a column that was added, got 'v'"),
    ({"history": (AddColumn("c"), DropColumn("c"), AddColumn("c"))},
     "DropColumn: expected a column that is added once, got 'c'"),
    ({"history": (MoveTo("a"),), "catalog": "hive-lock"}, "rest or jdbc or hadoop or hadoop-replacing for MoveTo"),
    ({"history": (MoveTo("a/b"),)}, "MoveTo: expected the name of a folder, got 'a/b'"),
    ({"history": (RenameColumn("v", "w"),)}, "RenameColumn: expected a column that was added, got 'v'"),
    ({"history": (WidenColumn("id"),)}, "WidenColumn: expected a column that was added, got 'id'"),
    ({"history": (MoveColumn("s.a", "v"),)}, "MoveColumn: expected names without dots, got MoveColumn"),
    ({"history": (AddColumn("c"), SortBy(("c",)), RenameColumn("c", "d"))},
     "RenameColumn: expected columns that nobody drops or sorts by, got ['c']"),
    ({"history": (SortBy(("v", "v")),)}, "SortBy: expected columns that differ, got ('v', 'v')"),
])  # fmt: skip
def test_what_is_not_simulated_is_refused(given, message):
    """One line that names the argument."""
    with pytest.raises(ValueError, match=r"^workload: ") as refused:
        IcebergWorkload((("w1", (Append(((3, "x"),)),)),), **{"catalog": "java-api"} | given)
    assert message in str(refused.value)
