"""A table whose sort order and columns change: what is left of it, and what a workload may not ask for."""

import pytest

from sim.iceberg.layout import DropColumn, SortBy
from sim.iceberg.layout_scenarios import LAYOUT
from sim.iceberg.scenarios import race
from sim.iceberg.statements import AddColumn, Append
from sim.iceberg.workload import IcebergWorkload
from sim.search.explore import default_plan, exhaustive
from tests.mutants.iceberg_layout import BY_NAME as MUTANTS
from tests.unit.iceberg.layout_vectors import BY_NAME, VECTORS, run

RACED = ("sort-order-not-asserted", "added-order-taken-up")
"""Mutants that only races show."""
TWICE = {"w1": [SortBy(("v",))], "w2": [SortBy(("v",)), SortBy()]}


@pytest.mark.parametrize("name", BY_NAME)
def test_a_table_is_left_as_the_vector_says(name):
    """Each statement's outcome, columns, and sort orders."""
    assert run(BY_NAME[name]) == BY_NAME[name]["expect"]


@pytest.mark.parametrize("name", [name for name in MUTANTS if name not in RACED])
def test_a_vector_kills_each_mutant(name):
    """It is named by the vectors that do."""
    killing = [vector for vector in VECTORS if name in vector["kills"]]
    assert killing
    with MUTANTS[name].alive():
        assert all(run(vector) != vector["expect"] for vector in killing)


def answers(scenario):
    """How a race may end: what each client is told."""
    seen = set()
    exhaustive(scenario, each=lambda run: seen.add(tuple([(one.process, one.type) for one in run.events])))
    return seen


@pytest.mark.parametrize("name", RACED)
def test_a_race_over_rest_kills_each_other_mutant(name):
    """Who sorts beside one who sorts alike, and takes it back, is answered otherwise."""
    scenario = race("sorts", "", TWICE, catalog="rest", properties=("readable",))
    usual = answers(scenario)
    with MUTANTS[name].alive():
        assert answers(scenario) != usual


def test_a_search_sees_a_table_sorted_by_a_column_that_it_has_not():
    """The metadata could not be built."""
    for scenario in LAYOUT[:2]:
        with MUTANTS["sorted-columns-dropped"].alive():
            assert [*default_plan(scenario).failures] == ["table-invariants/metadata"]


@pytest.mark.parametrize(("given", "message"), [
    ({"history": (DropColumn("v"),)}, "DropColumn: expected a column that was added, got 'v'"),
    ({"history": (AddColumn("c"), DropColumn("c"), AddColumn("c"))},
     "DropColumn: expected a column that is added once, got 'c'"),
    ({"history": (SortBy(("v", "v")),)}, "SortBy: expected columns that differ, got ('v', 'v')"),
])  # fmt: skip
def test_what_is_not_simulated_is_refused(given, message):
    """One line that names the argument."""
    with pytest.raises(ValueError, match=r"^workload: ") as refused:
        IcebergWorkload((("w1", (Append(((3, "x"),)),)),), **{"catalog": "java-api"} | given)
    assert message in str(refused.value)
