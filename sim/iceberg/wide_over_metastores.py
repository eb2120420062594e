"""Iceberg's Hive catalog on cached metastores with three writers, two retries and faults, and what is orphaned there.

An acknowledged commit is orphaned if the table's metadata does not have its snapshot among the ancestors of the current
one: its files lie there, and no reader finds them. One race can orphan several.

Choices: where faults are asked for, locks are leases that heartbeats extend, and are asked for again and again as
Iceberg does; a process may stand still for longer than a lease. Elsewhere they are waited for without a step.
"""

from __future__ import annotations

from collections.abc import Iterable

from checkers.histories.history import SETUP, Event
from checkers.histories.recorder import Name
from model.iceberg.rules import NO_HEARTBEAT, SHIPPED
from sim.hive.faults import UPDATE_THREADS
from sim.iceberg.metastore_cells import CACHE_WORDS, CELLS, REFRESHED_CELLS, Cell
from sim.iceberg.over_metastores import IcebergOverHive, live_of
from sim.iceberg.race import READER
from sim.iceberg.scenarios import LONG_PAUSE_MS, NO_FAULTS
from sim.iceberg.workload import IcebergWorkload, Insert, Statement
from sim.world.fault_spaces import LOCKS, METASTORE, wide
from sim.world.scenario import FaultSpace, Scenario, scenario_of
from sim.world.words import counted

RETRIES = 2
WRITERS: tuple[tuple[str, tuple[Statement, ...]], ...] = (
    ("w1", (Insert(((10, "w1-10"),)), Insert(((11, "w1-11"),)))),
    ("w2", (Insert(((20, "w2-20"),)),)),
    ("w3", (Insert(((30, "w3-30"),)),)),
)
ROUTES = (("w1", "h1"), ("w2", "h2"), ("w3", "h1"))
"""Where there are two replicas, two writers share one."""
WIDE_CELLS = (*CELLS, *REFRESHED_CELLS)
SHIPPED_CACHES = ("off", "shipped", "refresh")
"""What somebody ships; the others show what one repair more would do."""
FAULTS: FaultSpace = wide(
    METASTORE, LOCKS, UPDATE_THREADS, pause_ms=LONG_PAUSE_MS, without={"stale": "only a cache is stale"}
)
"""One fault: a call or its answer lost, late or sent again, a process dead or still for longer than a lease."""


def wide_composite(cell: Cell, faults: FaultSpace = NO_FAULTS) -> Scenario:
    """The race of a cell: w1 inserts two rows one by one, w2 and w3 one each; each commit is tried again twice."""
    workload = IcebergWorkload(
        WRITERS, rows=((1, "a"),), retries=RETRIES, catalog="hive-lock" if cell.lock else "hive-no-lock"
    )
    routes = tuple([(writer, replica if cell.replicas == 2 else "h1") for writer, replica in ROUTES])
    leases = bool(faults.limit)
    program = IcebergOverHive(workload, SHIPPED if leases else NO_HEARTBEAT, cell.cache, routes, leases)
    return scenario_of(
        program,
        f"{cell.name}-wide",
        protocol="iceberg",
        summary="Every acknowledged commit is in the table.",
        properties=("acknowledged-writes-survive", "readable"),
        faults=faults,
        yield_points=cell.steps,
        bounds=f"{workload.bounds}; {counted(cell.replicas, 'replica')}, {CACHE_WORDS[cell.cache]}"
        + ("" if leases else "; no faults"),
        live=live_of(cell, workload, routes),
    )


def acknowledged(events: Iterable[Event]) -> tuple[Name, ...]:
    """The snapshots of the commits that writers were told of as done, as `events` name them, in order."""
    done = [event for event in events if event.type == "ok" and event.f == "insert" and event.process != SETUP]
    return tuple([event.snapshot for event in done if event.snapshot is not None])


def orphaned(events: Iterable[Event]) -> tuple[Name, ...]:
    """Those of them that the lineage in the table's metadata does not have. Args: `events` end with a read."""
    known = tuple(events)
    kept = {event.snapshot for event in known if event.process == "lineage"}
    return tuple([snapshot for snapshot in acknowledged(known) if snapshot not in kept])


def is_readable(events: Iterable[Event]) -> bool:
    """Whether the table could be read when all had ended."""
    return any(event.process == READER and event.type == "ok" for event in events)
