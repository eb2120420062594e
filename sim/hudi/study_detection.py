"""Study: early conflict detection, strategy by strategy: which promises hold, and which schedules break others."""

from __future__ import annotations

from sim.hudi.detection import LOST, ROWS, TOGETHER, Looked, Row, look
from sim.hudi.detection_programs import COMPARED, FAMILIES, PROGRAMS
from sim.search.study import Cell, Progress, Study, Table

HEADS = (
    "strategy", "rules", "check of commits", "loses no conflict", "changes no verdict", "sound", "prompt",
    "somebody finishes", "schedules", "compared",
)  # fmt: skip
SHOWN = {
    "aborted-by-dead-instant": ("dead-marker-retry", "async-flag-stays"),
    "aborted-by-finished-instant": ("finished-marker", "async-finished-marker"),
    "aborted-without-marker": ("similar-names", "async-partition-name"),
    "marker-overlooked": ("async-unreadable", "async-unreadable"),
    "commit-overlooked": ("async-check-commit", "async-check-commit"),
    "missed-larger-instant": ("early-larger-instant", "early-larger-instant"),
    "missed-in-race": ("early-transactional-shipped", "early-transactional-shipped"),
    "visible-conflict-found-late": ("check-commit-older", "check-commit-older"),
    "unnoticed-marker": ("bloom-after-marker", "bloom-after-marker"),
}
"""Which scenario shows a kind of violation in its simplest form, with direct markers and with a timeline server's."""
REWRITTEN = "bloom-rewritten"
NOTES = (
    "No seeds and no intervals: a cell is of all schedules of each of its programs, as many as stand under schedules;"
    " compared are those of what is done with detection and without, under two conflict strategies.",
    "holds: complete, some conflict was found early, and nothing was left open. No faults; a pass of a server's checker"
    " is on time, and the first one is at once.",
    *[
        f"{program.name}: {program.words}; steps: "
        + "; ".join([f"{FAMILIES[family]}: {', '.join(steps)}" for family, steps in program.steps.items()])
        + {None: "", True: "; only with check of commits", False: "; only without check of commits"}[program.commits]
        + "."
        for program in PROGRAMS
    ],
    "Bloom asynchronous: its check of commits is that of asynchronous, and is not asked again.",
    f"Compared: {', '.join(program.name for program in COMPARED)}.",
)


def told(row: Row, looked: Looked) -> tuple[Cell, ...]:
    """A line of the table."""
    found = looked.found
    cells = [
        _cell(row, found.of(*properties), found.reasons)
        for properties in (LOST, ("sound-early-aborts",), row.prompt, (TOGETHER,))
    ]
    changed = f"changed: {', '.join(looked.changed)}" if looked.changed else "holds"
    return (
        row.strategy.name, row.rules, "yes" if row.commits else "no", cells[0],
        f"unknown: {found.reasons[0]}" if found.reasons and not looked.changed else changed, *cells[1:],
        found.schedules, looked.compared,
    )  # fmt: skip


def _cell(row: Row, broken: dict[str, list[str]], reasons: list[str]) -> str:
    """What came of a promise: that it holds, or each kind of violation with the scenario that shows it."""
    if not broken:
        return f"unknown: {reasons[0]}" if reasons else "holds"
    kinds = [kind.partition("/")[2] for kind in broken]
    return "violated: " + ", ".join([f"{kind} (`hudi/{shown(row, kind)}`)" for kind in kinds])


def shown(row: Row, kind: str) -> str:
    """The scenario that shows a kind of violation."""
    if kind == "unnoticed-marker" and row.rules == "bloom-first":
        return REWRITTEN
    return SHOWN[kind][row.strategy.family == "served"]


def run(progress: Progress | None = None) -> Table:
    """Search every row."""
    rows: list[tuple[Cell, ...]] = []
    for row in ROWS:
        rows.append(told(row, look(row)))
        if progress is not None:
            progress(1)
    return Table("Early conflict detection of Hudi", HEADS, tuple(rows), NOTES)


STUDY = Study(
    name="hudi-detection",
    summary="Soundness, promptness and independence of each strategy of early conflict detection: all schedules.",
    steps=len(ROWS),
    run=run,
    charts=(),
)
