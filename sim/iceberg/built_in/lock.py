"""Scenarios of a Hive catalog whose lock one client takes, and another one does not: by the catalog that each has made,
or by the table's property, which is changed meanwhile; and of one that is asked for without an answer.

Source: `HiveTableOperations.doCommit`, `hiveLockEnabled` of 1.11.0: the property of the metadata that is committed to,
else `iceberg.engine.hive.lock-enabled` of the catalog; `model.iceberg.metastore_lock`.

Choices: of requests for the lock that are not answered, none comes late, and nobody dies: no lock has a lease here.
"""

from __future__ import annotations

from typing import Any

from model.iceberg import coverage
from model.iceberg.metastore import LOCK_ENABLED
from sim.iceberg.in_hive import in_hive
from sim.iceberg.metastore_cells import WAITED
from sim.iceberg.scenarios import race
from sim.iceberg.workload import Append, SetProperty
from sim.world.fault_spaces import calls, wide
from sim.world.scenario import Scenario

ADDED, OTHER = Append(((3, "x"),)), Append(((4, "y"),))
NO_LEASE = "no lock has a lease here"
UNANSWERED = wide(
    calls("requests for locks", "lock"),
    without={
        "resend": "no client sends it again by itself", "late": NO_LEASE, "crash": NO_LEASE, "crash-after": NO_LEASE,
    },
)  # fmt: skip
ON, OFF = SetProperty(LOCK_ENABLED, "true"), SetProperty(LOCK_ENABLED, "false")


def _mixed(name: str, summary: str, writers: Any, **further: Any) -> Scenario:
    return in_hive(race(f"hive-{name}", summary, writers, catalog="hive-lock", **further))


LOCKS: tuple[Scenario, ...] = (
    _mixed(
        "one-unlocked-append-append",
        "Two append, of whom one's catalog takes no lock: what he commits is overwritten by who holds it.",
        {"w1": [ADDED], "w2": [OTHER]},
        unlocked=("w2",),
        broken="acknowledged-writes-survive",
    ),
    _mixed(
        "one-unlocked-append-append-on-locked",
        "The same on a table whose property says that commits lock: both do.",
        {"w1": [ADDED], "w2": [OTHER]},
        unlocked=("w2",),
        history=(ON,),
        counters=(WAITED, coverage.LOCATION_CHANGED),
    ),
    _mixed(
        "one-unlocked-append-append-on-unlocked",
        "The same on a table whose property says that none does: the metastore compares.",
        {"w1": [ADDED], "w2": [OTHER]},
        unlocked=("w2",),
        history=(OFF,),
        counters=(coverage.STATUS_FAILURE,),
    ),
    _mixed(
        "lock-off-append",
        "The lock is switched off by the table's property beside an append: who switches locks still, as does each"
        " whose commit is on top of what was there before.",
        {"w1": [OFF, ADDED], "w2": [OTHER]},
        counters=(WAITED, coverage.LOCATION_CHANGED),
    ),
    _mixed(
        "lock-on-append",
        "It is switched on beside an append: who switches has the metastore compare, and whose commit was begun before"
        " is refused.",
        {"w1": [ON, ADDED], "w2": [OTHER]},
        history=(OFF,),
        counters=(coverage.LOCATION_CHANGED,),
    ),
)

ASKED: tuple[Scenario, ...] = (
    _mixed(
        "lock-unanswered-append-append",
        "Two append, and a request for the lock is not answered: the lock is found, or asked for again.",
        {"w1": [ADDED], "w2": [OTHER]},
        faults=UNANSWERED,
        counters=(WAITED, coverage.LOCK_FOUND, coverage.LOCK_ASKED_AGAIN, coverage.LOCATION_CHANGED),
    ),
)
