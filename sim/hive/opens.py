"""Metastore scenarios of opens that take long: whose snapshot lacks whom, and what is read by it.

Every statement of a database transaction is a step, as far as it is named: `open_txn` is the commit of an open,
`next_value` the moment at which it gets its id.

Source: hive/1.2; `TxnHandler.openTxns`, `OpenTxnsFunction`, `TxnUtils.getEpochFn`, `OpenTxnList` 4.0.1.
"""

from __future__ import annotations

from model.hive import FIXED, Rules, coverage
from model.hive.rules import UNCACHED
from sim.hive.build import QUIET, Sessions, T, metastore
from sim.hive.workload import Abort, Alter, Begin, Get
from sim.world.fault_spaces import Port, wide
from sim.world.scenario import FaultSpace, Scenario

READ = ("no-dirty-reads", "lists-keep-their-snapshot")
NO_CACHES = {name: "no replica is polled here" for name in QUIET if name not in READ}
PAUSE_MS = 2_000
"""Longer than an open may take."""
RACE: Sessions = {
    "w1": ("h1", (Begin(), Alter(T, "v1"), Abort())), "r1": ("h2", (Begin(read_only=True), Get(T)))
}  # fmt: skip
"""The writer takes no list, the reader takes one when it reads."""
CALLS = ("open_txn", "get_open_txns", "alter_table", "get_table", "abort_txn")


def standing_still(step: str) -> FaultSpace:
    """Two processes stand still at this step of opens, for longer than one may take."""
    return wide(Port("the calls of opens", {step: ("pause",)}), limit=2, pause_ms=PAUSE_MS)


def opens(name: str, summary: str, rules: Rules, stands: str, **given: object) -> Scenario:
    """The race on metastores whose processes may stand still at this step."""
    steps = tuple(dict.fromkeys([stands, *CALLS]))
    return metastore(
        name, summary, RACE, rules=rules, properties=(*NO_CACHES, *READ), but=NO_CACHES, pollers=(), statements=True,
        faults=standing_still(stands), steps=steps, **given,  # type: ignore[arg-type]
    )  # fmt: skip


OPENS: tuple[Scenario, ...] = (
    opens(
        "slow-open",
        "Processes stand still when they commit opens: a writer notices, and opens another transaction.",
        FIXED, "open_txn", counters=(coverage.SLOW_COMMIT_OF_OPEN,),
    ),
    opens(
        "slow-open-as-shipped",
        "As 4.0.1 opens: it has looked at the clock before; a reader's snapshot calls the transaction committed.",
        UNCACHED, "open_txn", broken="no-dirty-reads", pair="slow-open",
    ),
    opens(
        "late-open",
        "A process stands still before an open gets its id: the transaction is as old as the id.",
        FIXED, "next_value", counters=(coverage.SLOW_OPEN,),
    ),
    opens(
        "late-open-as-shipped",
        "As 4.0.1 opens on PostgreSQL: it seems older, and its snapshot calls whoever has not committed his open "
        "committed.",
        UNCACHED, "next_value", broken="no-dirty-reads", pair="late-open",
    ),
)  # fmt: skip
