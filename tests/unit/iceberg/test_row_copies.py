"""Row ids that Spark SQL copies: what statements keep, what is found amiss, and which scenarios and vectors tell."""

import pytest

from sim.iceberg.built_in.row_copy import ROW_COPIES
from sim.iceberg.kept_ids import IdentifiedRow, Made, changed_in_place, findings_of
from sim.iceberg.workload import Insert, Merge, Update
from sim.search.explore import default_plan
from tests.mutants.iceberg_row_copies import ROW_COPIES as MUTANTS
from tests.unit.iceberg.killing import spared
from tests.unit.iceberg.row_copy_vectors import BY_NAME, VECTORS, run

BY_SCENARIO = {scenario.name.removeprefix("iceberg/row-ids-"): scenario for scenario in ROW_COPIES}
WAS = (((1, "a"), 0, 1), ((2, "b"), 1, 1))
CHANGED = {(1, "A")}


@pytest.mark.parametrize("name", BY_NAME)
def test_statements_keep_what_the_vector_says(name):
    """Outcomes, and each row's id and last change."""
    assert run(BY_NAME[name]) == BY_NAME[name]["expect"]


@pytest.mark.parametrize("name", [mutant.name for mutant in MUTANTS])
def test_a_vector_kills_each_mutant(name):
    """It is named by the vectors that do."""
    mutant = next(mutant for mutant in MUTANTS if mutant.name == name)
    assert spared(mutant, VECTORS, run) == []


@pytest.mark.parametrize(("rows", "kinds"), [
    ((((1, "a"), 0, 1), ((2, "b"), 1, 1), ((3, "c"), 2, 2)), []),
    ((((1, "A"), 0, 2), ((2, "b"), 1, 1)), []),
    ((((1, "A"), 2, 2), ((2, "b"), 1, 1)), ["row-id-lost"]),
    ((((1, "A"), 0, 1), ((2, "b"), 1, 1)), ["last-change-missed"]),
    ((((1, "O"), 2, 2), ((2, "P"), 3, 2)), []),
    ((((1, "a"), 2, 2),), ["row-id-lost"]),
    ((((1, "a"), None, None),), ["row-id-lost"]),
    ((((1, "a"), 0, 2),), ["last-change-moved"]),
    ((*WAS, ((3, "c"), 2, 1)), ["last-change-missed"]),
    ((*WAS, ((3, "c"), 1, 2)), ["row-id-shared"]),
])  # fmt: skip
def test_a_row_that_is_written_again_keeps_its_id(rows, kinds):
    """One that nobody has touched keeps its last change, too; what is new or changed was changed last by its commit."""
    made = {1: Made(1, None, identified(WAS), 0), 2: Made(2, 1, identified(rows), 2)}
    assert [text.partition(":")[0] for text in findings_of(made, CHANGED)] == kinds


def test_rows_of_an_earlier_format_have_no_ids_to_lose():
    """Nor a last change; of a parent that has expired nothing is known."""
    before, after = identified([(row, None, None) for row, _, _ in WAS]), identified((((1, "a"), 5, 2),))
    assert findings_of({1: Made(1, None, before, None), 2: Made(2, 1, after, 4)}, ()) == []
    assert findings_of({2: Made(2, 1, after, 4)}, ()) == []


def test_a_row_that_is_older_than_its_id_comes_from_an_earlier_format():
    """What is lost of it is told by another name."""
    given, lost = Made(2, 1, identified(WAS), 0), Made(3, 2, identified((((1, "a"), 5, 3),)), 2)
    before = Made(1, None, identified([(row, None, None) for row, _, _ in WAS]), None)
    found = findings_of({1: before, 2: given, 3: lost}, ())
    assert [text.partition(":")[0] for text in found] == ["upgraded-row-id-lost"]


def test_update_and_merge_change_rows_in_place():
    """With the values that they have when they are sent again; what inserts does not."""
    sent = (Update(1, "x"), Merge(((2, "y"),)), Merge(((3, "z"),), "nothing"), Insert(((4, "w"),)))
    assert changed_in_place(sent, 1) == {(1, "x"), (1, "x-1"), (2, "y"), (2, "y-1")}


@pytest.mark.parametrize(("mutant", "scenario", "failure"), [
    ("changed-rows-take-new-ids", "update-merge", "row-id-lost"),
    ("copied-rows-take-new-ids", "delete-merge-copies", "row-id-lost"),
    ("copied-rows-count-as-changed", "delete-merge-copies", "last-change-moved"),
    ("changed-rows-count-as-copied", "update-merge", "last-change-missed"),
    ("changed-rows-take-the-first-id", "update-merge", "row-id-shared"),
    ("compacted-rows-take-new-ids", "rewrite-insert", "row-id-lost"),
    ("compacted-rows-count-as-changed", "rewrite-insert", "last-change-moved"),
    ("row-ids-by-position-alone", "rewrite-insert", "row-id-lost"),
])  # fmt: skip
def test_a_search_kills_each_mutant(mutant, scenario, failure):
    """By the property."""
    with next(each for each in MUTANTS if each.name == mutant).alive():
        found = default_plan(BY_SCENARIO[scenario]).failures
    assert [key for key in found if key.startswith("row-lineage")] == [f"row-lineage/{failure}"]


def identified(rows):
    return [IdentifiedRow(*row) for row in rows]
