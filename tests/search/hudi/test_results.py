"""The recomputed table of results agrees with a search of the TLA+ specification, row by row, at two sizes."""

import pytest

from sim.hudi.build import Writers
from sim.hudi.results import (
    CHANGES,
    ROWS,
    THREE_OPERATIONS,
    TODAY,
    TWO_OPERATIONS,
    Recomputed,
    Row,
    recompute,
)
from sim.search.run import Run

pytestmark = pytest.mark.search
SIZES: dict[str, tuple[Writers, tuple[str, ...] | None]] = {
    "two operations": (TWO_OPERATIONS, None),
    "three operations": (THREE_OPERATIONS, CHANGES),
}
DONE: dict[tuple[int, str], Recomputed] = {}
# At these bounds and yield points; a change of the write path changes them, and must be able to say why.
COUNTS = {
    "two operations": {0: (3688, 3687), 5: (7434, 7431), 6: (9202, 9199), 7: (7434, 7431)},
    "three operations": {0: (6438, 6437), 5: (2335, 2332), 6: (4049, 4046), 7: (2335, 2332)},
}


def _id(row: Row) -> str:
    flags = [name for name, on in (("put-if-absent", row.put_if_absent), ("salt", row.salt)) if on]
    return "-".join(["monotonic" if row.monotonic else "clocks", row.control, *flags])


def result(row: Row, size: str) -> Recomputed:
    """A row at a size, searched once for all tests."""
    key = (ROWS.index(row), size)
    if key not in DONE:
        DONE[key] = recompute(row, *SIZES[size])
    return DONE[key]


def outcomes(run: Run) -> list[tuple[str, str]]:
    """(writer, ok or fail) in the order of the answers."""
    return [(e.process, e.type) for e in run.events if e.f == "upsert" and e.type in ("ok", "fail")]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("row", ROWS, ids=_id)
def test_row_has_the_verdict_of_the_other_search(row: Row, size: str) -> None:
    """Lock, put-if-absent and salt make the difference that the specification says."""
    assert result(row, size).verdict == row.expected


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("number", [0, 5, 6, 7])
def test_rows_that_hold_were_searched_completely(number: int, size: str) -> None:
    """The counts of schedules and distinct states of the rows without a counterexample."""
    done = result(ROWS[number], size)
    assert (done.schedules, done.states) == COUNTS[size][number]


def test_without_control_the_second_commit_goes_over_the_first() -> None:
    """Anomaly of hudi/5.1: both read the same slice, both commit, and one of them is lost."""
    done = result(ROWS[1], "two operations")
    assert done.anomaly == "no-lost-update/lost-update"
    assert done.run is not None
    assert [kind for _, kind in outcomes(done.run)] == ["ok", "ok"]


def test_equal_timestamps_overwrite_the_slice_of_a_committed_operation() -> None:
    """Anomaly of hudi/5.1: the one commits, the other writes its slice over it and is then refused."""
    done = result(ROWS[4], "two operations")
    assert done.anomaly == "no-aborted-reads/aborted-read"
    assert done.run is not None
    assert [kind for _, kind in outcomes(done.run)] == ["ok", "fail"]
    written = [row[3] for row in done.run.trace if row[2] == "create" and row[3].startswith("p1/")]
    assert len(written) == 2
    assert len(set(written)) == 1


def test_shipped_hudi_breaks_where_the_specification_holds() -> None:
    """1.2.0 has no check of the merge slice against the instant: monotonic timestamps and the lock are not enough."""
    done = recompute(TODAY[0], TWO_OPERATIONS)
    assert done.verdict == "violated"
    assert done.run is not None
    assert [kind for _, kind in outcomes(done.run)] == ["ok", "ok"]
