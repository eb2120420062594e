"""Faults in generated Hudi races: a few kinds of them, in a few places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from model.hudi import HudiConfig
from model.hudi.keys import STORAGE_BASED
from sim.generation.draws import Draws
from sim.hudi.build import ONCE
from sim.world.fault_spaces import CLOCK, CLOCK_DRIFTS, FILES, LOCKS, MUTEXES, REGISTER, TORN, wide
from sim.world.fault_spaces import CLOCKS as CLOCK_KINDS
from sim.world.scenario import FaultSpace

CLOCK_STEPS, CLOCK_DRIFT, TORN_FILES = "clock steps", "clock drift", "torn files"
KINDS = {
    "requests without an answer": ("drop-before", "drop-after"),
    "deaths": ("crash", "crash-after"),
    "pauses": ("pause",),
    "late requests": ("late",),
    "partitions": ("partition",),
    CLOCK_STEPS: ("clock-step", "clock-step-back"),
    CLOCK_DRIFT: CLOCK_DRIFTS,
    TORN_FILES: TORN,
}
PORTS = (FILES, MUTEXES, CLOCK)
READS = ("exists", "list", "mtime", "read")
HIT: Mapping[str, tuple[str, ...]] = {
    "changes of files": tuple([name for name in FILES.kinds if name not in READS]),
    "reads of files": READS,
    "locks": tuple(MUTEXES.kinds),
    "waits": tuple(CLOCK.kinds),
}
"""Where faults may strike."""
FAULT_KINDS = tuple(sorted({kind for port in PORTS for kinds in port.kinds.values() for kind in kinds} - {"resend"}))


def draw_faults(draws: Draws, config: HudiConfig, *, hosts: bool) -> FaultSpace:
    """A few kinds of faults in a few places: what is drawn narrowly is struck often."""
    limit = draws.number("faults", 0, 2)
    if not limit:
        return FaultSpace()
    hit = draws.some("where faults strike", tuple(HIT))
    there = {kind for port in PORTS for where in hit for call in HIT[where] for kind in port.kinds.get(call, ())}
    never = {*(() if hosts else (CLOCK_STEPS, CLOCK_DRIFT)), *(() if config.scheme == "abfs" else (TORN_FILES,))}
    possible = [name for name, kinds in KINDS.items() if there & set(kinds) and name not in never]
    drawn = draws.some("kinds of faults", possible)
    out = {kind: "not drawn" for name, kinds in KINDS.items() if name not in drawn for kind in kinds}
    out |= {call: "not drawn" for where, calls in HIT.items() if where not in hit for call in calls}
    standstill_ms = 2 * config.tolerance_ms + 1_000 + 120_000 * config.lock_expire_minutes
    step_ms = draws.one_of("clock step", (50, 1_000, standstill_ms)) if CLOCK_STEPS in drawn else 0
    percent = draws.one_of("clock drift", (1, 10, 50)) if CLOCK_DRIFT in drawn else 0
    for kind in ("pause", "partition", *CLOCK_KINDS, *TORN):
        out.pop(kind, None)
    return wide(
        *PORTS, limit=limit, without={"resend": ONCE, **out}, pause_ms=standstill_ms if "pauses" in drawn else 0,
        partition_ms=standstill_ms if "partitions" in drawn else 0, clock_step_ms=step_ms,
        clock_drift_percent=percent, torn=TORN_FILES in drawn,
    )  # fmt: skip


def at_lock_object(faults: FaultSpace, config: HudiConfig) -> FaultSpace:
    """The same faults, where the lock is an object, or a metastore's: they strike it as they would a lock, and last for
    longer."""
    kinds, by_object = dict(faults.kinds), config.lock_provider == STORAGE_BASED
    port = REGISTER.kinds if by_object else {at: LOCKS.kinds[at] for at in ("lock", "heartbeat", "unlock")}
    if "try_lock" in kinds:
        kinds |= {at: tuple([kind for kind in known if kind in faults.names]) for at, known in port.items()}
    longer_ms = 2_000 * (config.lock_validity_s if by_object else config.metastore_timeout_s)
    return replace(
        faults, kinds=kinds, pause_ms=faults.pause_ms and max(faults.pause_ms, longer_ms),
        partition_ms=faults.partition_ms and max(faults.partition_ms, longer_ms),
    )  # fmt: skip
