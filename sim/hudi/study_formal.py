"""Study: the published formal model of Hudi's writers with two file groups, recomputed by Lakeproof's own code."""

from __future__ import annotations

from sim.hudi.formal import ROWS, Row, recompute
from sim.hudi.results import ANOMALIES, CHANGES
from sim.search.study import Cell, Progress, Study, Table

HEADS = (
    "row", "timestamps", "control", "keys checked", "put-if-absent", "salt", "operations", "consistent reads",
    "published", "no key twice", "published", "shape", "counterexamples", "schedules", "states", "published",
)  # fmt: skip
SHAPES = ANOMALIES | {
    "acknowledged-writes-survive/commit-not-in-lineage": "the completed instant of one is overwritten by the other's",
    "acknowledged-writes-survive/duplicated-row": "both begin a file group for one new key",
}
NOTES = (
    "No seeds and no intervals: every row is a search of all schedules of each of its workloads.",
    "2 writers, 2 keys; the first operation, which makes one of both keys, is made before; a new key begins a file"
    " group of its own.",
    f"Steps are {', '.join(CHANGES)}.",
    "published: verdicts, shapes and distinct states of runs of the TLA+ specification, by two of its invariants; -:"
    " not run with so many operations, or its states are not given: 26 k to 166 k for three.",
    "H7 and H17 keep keys apart here: in the specification a new key goes into one of two file groups, so that two"
    " writes of one instant can mean one group; here each begins a group that nobody else means.",
)


def run(progress: Progress | None = None) -> Table:
    """Recompute every row with three operations, and with four those that were published so."""
    rows: list[tuple[Cell, ...]] = []
    for row, operations in BOUNDS:
        rows.append(told(row, operations))
        if progress is not None:
            progress(1)
    return Table("Two Hudi writers of two keys", HEADS, tuple(rows), NOTES)


BOUNDS = (*[(row, 3) for row in ROWS], *[(row, 4) for row in ROWS if row.states])


def told(row: Row, operations: int) -> tuple[Cell, ...]:
    """A line of the table, which is searched."""
    done = recompute(row, operations)
    clock = "monotonic" if row.monotonic else "own clocks"
    means = ["yes" if each else "no" for each in (row.checks_keys, row.put_if_absent, row.salt)]
    shown = "; ".join([SHAPES.get(each, each) for each in sorted(done.anomalies)])
    published = row.states if operations == 4 else "-"
    return (
        row.name, clock, row.control, *means, operations, done.reads, row.reads, done.keys, row.keys, row.shape, shown,
        done.schedules, done.states, published,
    )  # fmt: skip


STUDY = Study(
    name="hudi-formal",
    summary="Which of lock, index, put-if-absent, salt and monotonic timestamps keep two keys: the published model.",
    steps=len(BOUNDS),
    run=run,
    charts=(),
)
