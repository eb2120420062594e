"""The published model's rows with two file groups, recomputed: verdicts and shapes; and why those hold that hold."""

import pytest

from model.hudi import coverage
from sim.hudi.formal import ROWS, Recomputed, Row, recompute, scenarios
from sim.hudi.study_formal import BOUNDS, HEADS, NOTES
from sim.search.explore import exhaustive
from tests.search.formal import line, page
from tests.search.hudi.formal_page import HEAD, PAGE

pytestmark = pytest.mark.search
LINES = PAGE.read_text(encoding="utf-8").splitlines()
TOLD = [[cell.strip() for cell in each.split("|")[1:-1]] for each in LINES if each.startswith("| H")]
DONE: dict[int, Recomputed] = {}
KIND = {
    "S1": "no-lost-update/lost-update",
    "S2": "acknowledged-writes-survive/duplicated-row",
    "S3": "no-aborted-reads/aborted-read",
    "S4": "acknowledged-writes-survive/commit-not-in-lineage",
}
APART = ("H7", "H17")
"""Rows in which a key is there twice in the specification alone, whose new keys go into one of two file groups."""


def result(number: int) -> Recomputed:
    """A row with three operations, searched once for all tests."""
    if number not in DONE:
        DONE[number] = recompute(ROWS[number])
    return DONE[number]


def _id(number: int) -> str:
    row = ROWS[number]
    means = [name for name, on in (("put-if-absent", row.put_if_absent), ("salt", row.salt)) if on]
    return "-".join([row.name, *means])


NUMBERS = [pytest.param(number, id=_id(number)) for number in range(len(ROWS))]


@pytest.mark.parametrize("number", NUMBERS)
def test_three_operations_come_to_what_was_published(number: int) -> None:
    """Every schedule of every workload; the page has the same figures."""
    row, done = ROWS[number], result(number)
    assert done.reads == row.reads
    assert done.keys == ("holds" if row.name in APART else row.keys)
    assert TOLD[number][-3:-1] == [f"{done.schedules:,}", f"{done.states:,}"]
    shapes = [each for each in KIND if each in row.shape] if "-" not in row.shape else []
    assert all(KIND[each] in done.anomalies or (row.name, each) == ("H17", "S3") for each in shapes)


@pytest.mark.parametrize(("row", "operations"), BOUNDS, ids=lambda each: getattr(each, "name", each))
def test_the_page_says_what_was_published_and_what_came_of_it(row: Row, operations: int) -> None:
    """In its order; what was searched with four operations holds, as it does in the specification."""
    told = TOLD[BOUNDS.index((row, operations))]
    assert told[0] == row.name
    assert told[6] == str(operations)
    assert told[7:9] == [row.reads, row.reads]
    assert told[9:11] == ["holds" if row.name in APART else row.keys, row.keys]
    assert told[-1] == (f"{row.states:,}" if operations == 4 else "-")


def test_a_row_is_safe_if_its_means_are() -> None:
    """Control, a check of keys, and instants that cannot meet or overwrite each other: all of them, and no less."""
    for number, row in enumerate(ROWS):
        safe = row.control != "none" and row.checks_keys and (row.monotonic or row.put_if_absent or row.salt)
        assert (TOLD[number][7] == "holds") == safe, row


@pytest.mark.parametrize(
    ("name", "counters"),
    [
        ("H1", (coverage.CONFLICT_FOUND, coverage.KEY_INDEXED)),
        ("H3", (coverage.GROUP_LOCKED, coverage.KEY_INDEXED)),
    ],
)
def test_a_row_holds_because_somebody_is_refused_or_waits(name: str, counters: tuple[str, ...]) -> None:
    """What its means are for happens in some schedules."""
    row = next(each for each in ROWS if each.name == name)
    done = [exhaustive(each) for each in scenarios(row, 3)]
    assert all(sum(each.coverage.get(counter, 0) for each in done) for counter in counters)


def test_the_page_says_how_it_was_made() -> None:
    """Its head and its notes are the study's."""
    text = PAGE.read_text(encoding="utf-8")
    assert text.startswith(HEAD)
    assert text.endswith(page(HEAD, HEADS, [], NOTES)[len(HEAD) :].partition("\n\n")[2])
    assert line(HEADS) in LINES
