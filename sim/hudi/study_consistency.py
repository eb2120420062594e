"""Study: which means make two Hudi writers of one file group consistent, by exhaustive search (Vanlightly's table)."""

from __future__ import annotations

from sim.hudi.results import ANOMALIES, CHANGES, ROWS, THREE_OPERATIONS, TODAY, TWO_OPERATIONS, recompute
from sim.search.study import Cell, Progress, Study, Table

OPERATIONS = ((2, TWO_OPERATIONS, None), (3, THREE_OPERATIONS, CHANGES))
COLUMNS = (
    "operations", "timestamps", "control", "put-if-absent", "salt", "protocol", "verdict", "other search",
    "schedules", "states", "counterexample",
)  # fmt: skip


def run(progress: Progress | None = None) -> Table:
    """Recompute all rows, for two operations at every port call and for three at the calls that matter."""
    rows: list[tuple[Cell, ...]] = []
    for operations, writers, yield_points in OPERATIONS:
        for row in (*ROWS, *TODAY):
            done = recompute(row, writers, yield_points)
            rows.append((
                operations, "monotonic" if row.monotonic else "own clocks", row.control,
                "yes" if row.put_if_absent else "no", "yes" if row.salt else "no",
                "shipped 1.2.0" if row in TODAY else "TLA+ specification", done.verdict, row.expected or "-",
                done.schedules, done.states, ANOMALIES.get(done.anomaly, done.anomaly),
            ))  # fmt: skip
            if progress is not None:
                progress(1)
    notes = (
        "No seeds and no intervals: every row is a search of all schedules.",
        "2 writers, one file group; a violation ends the search of its row.",
        f"3 operations: steps are {', '.join(CHANGES)}; 2 operations: every port call is a step.",
        "other search: the verdicts of a breadth-first search of the TLA+ specification itself, one file group.",
        "The specification refuses a merge slice that is not older than the write; shipped Hudi does not look.",
    )
    return Table("Consistency of two Hudi writers", COLUMNS, tuple(rows), notes)


STUDY = Study(
    name="hudi-consistency",
    summary="Which of lock, put-if-absent, salt and monotonic timestamps make two writers consistent.",
    steps=len(OPERATIONS) * (len(ROWS) + len(TODAY)),
    run=run,
    charts=(),
)
