"""What three writers and faults do to Iceberg's commits on cached metastores: acknowledged snapshots that are orphaned.

Each row is the race of a cell of `wide_over_metastores`, without faults and with one, over random walks and walks by
priorities. Orphans are counted in the table's metadata, when all have ended.
"""

from __future__ import annotations

from dataclasses import dataclass

from sim.iceberg.metastore_cells import Cell
from sim.iceberg.scenarios import NO_FAULTS
from sim.iceberg.study_over_metastores import CACHES
from sim.iceberg.wide_over_metastores import (
    FAULTS,
    SHIPPED_CACHES,
    WIDE_CELLS,
    acknowledged,
    is_readable,
    orphaned,
    wide_composite,
)
from sim.kernel.escape import guarded
from sim.search.run import Run, Runner
from sim.search.strategies import Deviations, walk_of
from sim.search.study import Cell as Value
from sim.search.study import Progress, Study, Table

SCHEDULES = 400
"""Of a row for each seed; the first seed is the study as it is by default."""
FAULT_RATE = 0.03
"""How often a call is hit until one was: that most runs have their fault, and not at the first calls."""
COLUMNS = (
    "cache", "ships", "lock", "replicas", "faults", "schedules", "acknowledged commits", "orphaned of these",
    "orphaned at most", "schedules with an orphan", "tables that cannot be read",
)  # fmt: skip
NOTES = (
    "Three writers, two inserts and one and one, two retries; where there are two replicas, one has two writers.",
    "An orphan is an acknowledged commit whose snapshot the table's metadata does not have when all have ended.",
    "A fault is a lost, late or repeated call, a process that dies, or one that stands still for twice a lock's lease.",
    "A row in which nothing is acknowledged loses nothing, and is of no use.",
)


@dataclass(slots=True)
class Tally:
    """What the runs of a row have come to, so far."""

    schedules: int = 0
    acknowledged: int = 0
    orphaned: int = 0
    most: int = 0
    with_orphan: int = 0
    unreadable: int = 0

    def add(self, run: Run) -> None:
        """Count a run."""
        lost = len(orphaned(run.events))
        self.schedules += 1
        self.acknowledged += len(acknowledged(run.events))
        self.orphaned += lost
        self.most = max(self.most, lost)
        self.with_orphan += bool(lost)
        self.unreadable += not is_readable(run.events)


@guarded()
def tally(cell: Cell, faults: bool, schedules: int) -> Tally:
    """What so many schedules of a cell come to."""
    runner, found = Runner(wide_composite(cell, FAULTS if faults else NO_FAULTS)), Tally()
    usual = runner.run(Deviations())
    for seed in range(schedules):
        found.add(runner.run(walk_of(seed, usual.steps, FAULT_RATE)))
    return found


def row(cell: Cell, faults: bool, schedules: int) -> tuple[Value, ...]:
    """One row of the table."""
    found = tally(cell, faults, schedules)
    return (
        CACHES[cell.cache], "yes" if cell.cache in SHIPPED_CACHES else "no", "on" if cell.lock else "off",
        cell.replicas, "one" if faults else "none", found.schedules, found.acknowledged,
        found.orphaned if found.acknowledged else "none acknowledged", found.most, found.with_orphan,
        found.unreadable,
    )  # fmt: skip


def _over(progress: Progress | None, seeds: int) -> Table:
    rows = []
    for cell in WIDE_CELLS:
        for faults in (False, True):
            rows.append(row(cell, faults, SCHEDULES * seeds))
            if progress is not None:
                progress(1)
    return Table("Orphaned commits of Iceberg on cached metastores", COLUMNS, tuple(rows), NOTES)


STUDY = Study(
    "hive-iceberg-wide",
    "Three writers, two retries and faults on cached metastores: acknowledged Iceberg commits that are orphaned.",
    2 * len(WIDE_CELLS),
    lambda progress=None: _over(progress, 1),  # type: ignore[misc]
    (),
    _over,
)
