"""Study: the published formal model of Iceberg's commits, recomputed by Lakeproof's own protocol code."""

from __future__ import annotations

from sim.iceberg.formal import COLUMNS, LARGER, ROWS, recompute
from sim.search.study import Cell, Progress, Study, Table

HEADS = (
    "row", "UPDATE", "DELETE", "isolation", "rules", "bounds", "verdict", "published", "counterexample", "schedules",
    "states",
)  # fmt: skip
PUBLISHED = {"S6": "S6: a DELETE commits after an UPDATE of its row, which stays", "": ""}

NOTES = (
    "No seeds and no intervals: every row is a search of all schedules, up to its first violation.",
    "2 writers, one row; an insert, which is made before, counts as a write; steps are loads and commits.",
    "published: the verdicts of a run of the FizzBee specification, 609 to 747 distinct states a row; with 3 writes"
    f" and a compaction {LARGER['I2']:,} for I2 and {LARGER['I3']:,} for I3; -: it was not run so.",
    "A compaction begins at the table before the race.",
)


def run(progress: Progress | None = None) -> Table:
    """Recompute every row, in every column."""
    rows: list[tuple[Cell, ...]] = []
    for column in COLUMNS:
        for row in ROWS:
            done = recompute(row, column)
            rules = "DELETE validates delete files" if row.rules.delete_validates_new_delete_files else "shipped"
            rows.append((
                row.name, row.update, row.delete, row.isolation, rules, column, done.verdict, row.said(column),
                PUBLISHED.get(done.shape, done.shape), done.schedules, done.states,
            ))  # fmt: skip
            if progress is not None:
                progress(1)
    return Table("Two Iceberg writers of one row", HEADS, tuple(rows), NOTES)


STUDY = Study(
    name="iceberg-formal",
    summary="Which modes and isolation levels keep what two writers do to one row: the published model, recomputed.",
    steps=len(ROWS) * len(COLUMNS),
    run=run,
    charts=(),
)
