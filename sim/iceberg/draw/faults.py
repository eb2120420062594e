"""What may fail in a race that is drawn, and at which calls the scheduler may switch."""

from __future__ import annotations

from sim.generation.draws import Draws
from sim.generation.generator import Settings
from sim.iceberg.options import CATALOG, CLIENT
from sim.iceberg.scenarios import CATALOG_STEPS, LOCK_STEPS, STORE
from sim.world.fault_spaces import CLOCK, LOCKS, METASTORE, REGISTER, Port
from sim.world.scenario import FaultSpace

OVER_HTTP, OVER_THRIFT = (REGISTER, STORE, CLOCK), (METASTORE, LOCKS, STORE, CLOCK)
PAUSE_MS = 600_000
"""How long a pause and a partition last, and how far a clock jumps: twice a lease of a lock."""
DRIFT_PERCENT = 50
"""By how much a clock drifts: one that is slow beats once in eight minutes in place of four, and a lease is five."""


def ports_of(settings: Settings) -> tuple[Port, ...]:
    """The ports that may fail."""
    if settings[CLIENT.key] == "pyiceberg":
        return (REGISTER,)
    return OVER_THRIFT if settings[CATALOG.key] == "hive" else OVER_HTTP


def faults_of(draws: Draws, ports: tuple[Port, ...]) -> FaultSpace:
    """A few kinds of faults on a few ports: what is drawn narrowly is struck often."""
    limit = draws.one_of("faults", (0, 0, 1, 2))
    if not limit:
        return FaultSpace()
    hit = draws.some("ports", ports)
    known = tuple(dict.fromkeys([kind for port in hit for kinds in port.kinds.values() for kind in kinds]))
    drawn = draws.list_of("fault kinds", 1, 4, lambda _: draws.one_of("fault kind", known))
    kinds: dict[str, tuple[str, ...]] = {}
    for port in hit:
        for operation, possible in port.kinds.items():
            if chosen := tuple([kind for kind in possible if kind in drawn]):
                kinds[operation] = chosen
    return FaultSpace(
        kinds, limit, pause_ms=PAUSE_MS, partition_ms=PAUSE_MS, clock_step_ms=PAUSE_MS,
        clock_drift_percent=DRIFT_PERCENT,
    )  # fmt: skip


def steps_of(draws: Draws, settings: Settings) -> tuple[str, ...] | None:
    """The calls to the catalog, or every call; but heartbeats are on time, unless their process stands still."""
    every = draws.flag("every port call is a step")
    if settings[CATALOG.key] == "hive":
        return (*LOCK_STEPS, "get_table", *STORE.kinds) if every else LOCK_STEPS
    return None if every else CATALOG_STEPS
