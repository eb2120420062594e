"""PyIceberg under every kind of fault that its catalogs and its storage know, and whatever befalls its process.

A writer may stand still, be cut off, die, or have a clock that jumps or drifts, at any call to its catalog, at any one
to its files, and while it waits before it tries again.

Choices: what is drawn (`python.catalogs`) knows fewer kinds of its database and its files. A file of an object store
is there as a whole or not at all. Nobody writes beside it: a pause of one of two is in `hive-append-slow`.
"""

from __future__ import annotations

from collections.abc import Mapping

from sim.iceberg.pyiceberg import race
from sim.iceberg.python.catalogs import HIVE, OURS, PORTS, REST, SQL, STEPS
from sim.iceberg.python.scenarios import ORPHAN
from sim.iceberg.workload import Append
from sim.world.fault_spaces import CALL_CHANGE, CALL_READ, CLOCK, Port, wide
from sim.world.scenario import FaultSpace, Scenario

LONG_MS = 600_000
"""How long a pause and a partition last, and how far a clock jumps: twice a lease of a lock."""
DRIFT_PERCENT = 50
FILES = Port("files of the table", {"get": CALL_READ, **dict.fromkeys(("put", "delete"), CALL_CHANGE)})
CUT_OFF = Port("SQL statements", {name: (*kinds, "partition") for name, kinds in PORTS[SQL].kinds.items()})
CATALOGS: Mapping[str, Port] = {**PORTS, SQL: CUT_OFF}
"""All that may fail at a catalog. Who is cut off from a database has what it had begun taken back."""
COUNTED = ("crash", "pause", "partition", "clock-step", "clock-step-back", "clock-fast", "clock-slow", "drop-after")


def any_fault(port: Port) -> FaultSpace:
    """One fault of any kind at a port, or while somebody waits."""
    stale = any("stale" in kinds for kinds in port.kinds.values())
    return wide(
        port, CLOCK, pause_ms=LONG_MS, partition_ms=LONG_MS, clock_step_ms=LONG_MS,
        clock_drift_percent=DRIFT_PERCENT, without={"stale": "reads are consistent"} if stale else {},
    )  # fmt: skip


def _append(name: str, where: str, catalog: str, port: Port) -> Scenario:
    return race(
        f"{name}-any-fault",
        f"One append {where}, with retries left, under any kind of fault at any call: what was acknowledged is there.",
        {"w1": [Append(((3, "x"),))]},
        faults=any_fault(port),
        but=ORPHAN if catalog == HIVE else {},
        counters=tuple([f"fault {kind}" for kind in COUNTED]),
        catalog=catalog,
        steps=tuple(dict.fromkeys((*STEPS[catalog], *port.kinds, "sleep"))),
    )


UNDER_ANY_FAULT: tuple[Scenario, ...] = (
    _append("append", "in a register", OURS, CATALOGS[OURS]),
    _append("sql-append", "in PyIceberg's own SQL catalog", SQL, CATALOGS[SQL]),
    _append("rest-append", "in PyIceberg's own REST catalog", REST, CATALOGS[REST]),
    _append("hive-append", "in PyIceberg's own Hive catalog", HIVE, CATALOGS[HIVE]),
    _append("storage-append", "whose files may fail", OURS, FILES),
)
