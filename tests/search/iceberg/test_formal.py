"""The published model's rows, recomputed: verdict, property and counterexample; and why those hold that hold."""

import pytest

from model.iceberg import coverage
from sim.iceberg.formal import COLUMNS, ROWS, Row, recompute, scenarios
from sim.iceberg.study_formal import HEADS, NOTES
from sim.search.explore import exhaustive
from sim.search.run import Run
from tests.mutants.iceberg import BY_NAME
from tests.search.formal import line, page
from tests.search.iceberg.formal_page import HEAD, PAGE

pytestmark = pytest.mark.search
BY_ROW = {row.name: row for row in ROWS}
LINES = PAGE.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_three_writes_come_to_what_was_published(row: Row) -> None:
    """Every schedule of every choice of statements; the page has the same figures."""
    done = recompute(row)
    assert (done.verdict, done.shape) == (row.writes, row.shape)
    assert done.anomaly.split("/")[0] == ("acknowledged-writes-survive" if row.shape else "")
    told = [each for each in LINES if each.startswith(f"| {row.name} |") and "| 3 writes |" in each]
    assert [each.split("|")[-3:-1] for each in told] == [line((done.schedules, done.states)).split("|")[1:-1]]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_compaction_beside_one_statement_undoes_nothing(row: Row) -> None:
    """Two writes and a compaction; it commits in some schedules, and is refused in others."""
    assert recompute(row, "2 writes, 1 compaction").verdict == "holds"
    done = [exhaustive(one) for one in scenarios(row, "2 writes, 1 compaction")]
    assert sum(each.coverage.get(coverage.RETRY, 0) for each in done) > 0


def test_the_counterexample_is_a_delete_that_commits_after_an_update() -> None:
    """Both are acknowledged; the DELETE began before the UPDATE had committed, and commits last."""
    run = recompute(BY_ROW["I1"]).run
    assert run is not None
    assert _acknowledged(run) == ["update", "delete"]


@pytest.mark.parametrize("name", ["I2", "I9"])
def test_a_row_holds_because_its_validation_refuses(name: str) -> None:
    """I2 by the data file that an UPDATE adds, I9 by its delete file; without that check they break as I1 does."""
    check = {"I2": "no-added-data-files-check", "I9": "no-new-delete-files-check"}[name]
    refused = {"I2": coverage.ADDED_DATA_FILES_REFUSED, "I9": coverage.NEW_DELETE_FILES_REFUSED}[name]
    assert sum(exhaustive(one).coverage.get(refused, 0) for one in scenarios(BY_ROW[name], "3 writes")) > 0
    with BY_NAME[check].alive():
        assert recompute(BY_ROW[name]).verdict == "violated"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_page_says_of_each_row_what_was_published_and_what_came_of_it(row: Row) -> None:
    """In the order of the page; what is wider than what was published breaks where three writes do."""
    told = [[cell.strip() for cell in each.split("|")[1:-1]] for each in LINES if each.startswith(f"| {row.name} |")]
    wider = "violated" if row.shape else "holds"
    verdicts = [row.writes, "holds", wider, wider]
    said = [row.said(column) for column in COLUMNS]
    assert [each[5:8] for each in told] == [list(each) for each in zip(COLUMNS, verdicts, said, strict=True)]
    assert all(one in ("-", verdict) for one, verdict in zip(said, verdicts, strict=True))


def test_the_page_says_how_it_was_made() -> None:
    """Its head and its notes are the study's."""
    text = PAGE.read_text(encoding="utf-8")
    assert text.startswith(HEAD)
    assert text.endswith(page(HEAD, HEADS, [], NOTES)[len(HEAD) :].partition("\n\n")[2])


def _acknowledged(run: Run) -> list[str]:
    return [event.f for event in run.events if event.type == "ok" and event.process in ("w1", "w2")]
