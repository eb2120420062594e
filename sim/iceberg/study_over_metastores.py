"""Iceberg's Hive catalog over a metastore with caches: which combinations keep every acknowledged commit.

Each row is a scenario `hive/iceberg-...`, judged by the default search; the schedule is the smallest one that loses a
commit. Simulated time plays no part.
"""

from __future__ import annotations

from sim.iceberg.metastore_cells import CELLS, REFRESHED_CELLS, Cell
from sim.iceberg.over_metastores import composite
from sim.search.explore import default_plan
from sim.search.result import Result
from sim.search.run import Runner
from sim.search.script import schedule_of
from sim.search.shrink import shrink
from sim.search.strategies import Deviations
from sim.search.study import Cell as Value
from sim.search.study import Progress, Study, Table

COLUMNS = (
    "cache", "lock", "replicas", "acknowledged commits", "acknowledged, one after the other", "smallest schedule",
    "schedules",
)  # fmt: skip
CACHES = {
    "off": "off", "shipped": "events followed (4.0)", "refresh": "as by default (4.0)",
    "cas": "expected location passed on",
    "cas-no-replay": "passed on, replay does not write",
}  # fmt: skip
ANSWERS = {"violated": "can be lost", "holds": "kept", "unknown": "not decided"}
NOTES = (
    "Two writers, two inserts and one; steps: lock, read, alter, unlock, and what a replica reads and applies.",
    "No seeds and no intervals: every row is a search of all schedules, which ends at the first loss.",
    '"kept" is exhaustive within these bounds; a schedule names the switches, h2 polls only where it is named.',
    "With a cache that ships and the lock off, no commit is ever acknowledged: it refuses the expected location.",
    "Nobody ships a cache that passes the expected location on.",
)


def judge(cell: Cell) -> tuple[Value, ...]:
    """One row of the table."""
    scenario = composite(cell)
    result: Result = default_plan(scenario)
    quiet = Runner(scenario).run(Deviations())
    accepted = sum(event.type == "ok" and event.f == "insert" and event.process != "setup" for event in quiet.events)
    schedule = ""
    for found in result.failures.values():
        smallest = shrink(Runner(scenario), found).run
        schedule = " ".join(map(str, schedule_of(smallest, scenario.yield_points).steps))
    answer = ANSWERS[result.verdict] if accepted else "none is given"
    lock = "on" if cell.lock else "off"
    return CACHES[cell.cache], lock, cell.replicas, answer, f"{accepted} of 3", schedule, result.schedules


def _run(progress: Progress | None = None) -> Table:
    rows = []
    for cell in (*CELLS, *REFRESHED_CELLS):
        rows.append(judge(cell))
        if progress is not None:
            progress(1)
    return Table("Iceberg commits through a metastore with caches", COLUMNS, tuple(rows), NOTES)


STUDY = Study(
    "hive-iceberg",
    "Iceberg's Hive catalog over cached metastore replicas: lock on or off, one replica or two, what keeps commits.",
    len(CELLS) + len(REFRESHED_CELLS),
    _run,
    (),
)
