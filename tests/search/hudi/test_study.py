"""The study of early detection says what its sentences say, and says it again in every run."""

import pytest

from lakeproof.protocols import studies, study_at
from sim.hudi.study_early_detection import TRIES
from sim.search.study import Cell, Table

pytestmark = pytest.mark.search


@pytest.fixture(scope="module")
def table() -> Table:
    return study_at(studies()["hudi-early-detection"]).run(None)


def figure(table: Table, begins: str, overlap: int, detection: str, column: str) -> Cell:
    """One cell."""
    row = next(row for row in table.rows if row[:2] == (f"{begins}, {overlap} % shared", detection))
    return row[table.columns.index(column)]


def test_without_detection_all_work_is_done_before_the_refusal(table: Table) -> None:
    """RFC-56's motive: every file is written and thrown away."""
    assert figure(table, "early", 100, "off", "files thrown away") == 50


def test_detection_refuses_before_the_first_shared_file(table: Table) -> None:
    """Nothing is thrown away in the first try, and the answer comes in a tenth of the time."""
    assert figure(table, "early", 100, "direct, check commit", "files thrown away") == 0
    off, direct = (
        figure(table, "early", 100, name, "seconds to B's first answer") for name in ("off", "direct, check commit")
    )
    assert isinstance(off, float)
    assert isinstance(direct, float)
    assert direct * 8 < off


def test_a_losers_own_markers_keep_it_out_until_its_heartbeat_expires(table: Table) -> None:
    """F-12 makes detection slower than none: false alarms, and more seconds to the commit."""
    assert figure(table, "early", 50, "direct", "false alarms") == 8
    assert figure(table, "early", 50, "direct, dead at once", "false alarms") == 0
    off, direct = (figure(table, "early", 50, name, "seconds to B's commit") for name in ("off", "direct"))
    assert isinstance(off, float)
    assert isinstance(direct, float)
    assert direct > 2 * off


def test_files_written_side_by_side_make_tries_refuse_each_other_without_end(table: Table) -> None:
    """What a refused try has marked differs from try to try, so that one of the last two is always in the way."""
    assert figure(table, "early", 50, "direct, all at once", "refusals of B") == TRIES
    assert figure(table, "early", 50, "direct, all at once", "false alarms") == TRIES - 1
    assert figure(table, "early", 50, "direct, all at once", "seconds to B's commit") is None
    assert figure(table, "early", 0, "direct, all at once", "refusals of B") == 0


def test_detection_costs_a_writer_that_conflicts_with_nobody(table: Table) -> None:
    """Listing others' markers before each file: some, but less than a fifth."""
    off, direct = (figure(table, "early", 0, name, "seconds to B's commit") for name in ("off", "direct"))
    assert isinstance(off, float)
    assert isinstance(direct, float)
    assert off < direct < 1.2 * off


def test_equal_runs_give_equal_tables(table: Table) -> None:
    """All draws come from the seeds."""
    assert study_at(studies()["hudi-early-detection"]).run(None) == table
