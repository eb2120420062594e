"""Metastore scenarios of a table's primary key: who is told of it, by which cache. Source: `model.hive.constraints`."""

from __future__ import annotations

from dataclasses import replace

from model.hive import coverage
from model.hive.rules import SHIPPED, SHIPPED_REFRESH, UNCACHED
from sim.hive.build import EVENTUAL, EXTERNAL, MONOTONIC, RO, STEPS, B, E, Sessions, T, metastore
from sim.hive.constraint_statements import AddKey, DropKey, GetKey
from sim.hive.live import KEYS, PREWARM
from sim.hive.workload import Commit
from sim.world.scenario import Scenario

OWN = ("read-your-writes", *EVENTUAL)
CHANGED: Sessions = {
    "w1": ("h1", (B, AddKey(T, "k1"), Commit(), RO, GetKey(T, "h2"))),
    "r1": ("h2", (RO, GetKey(T), GetKey(T))),
}
ADDED: Sessions = {"w1": ("h1", (AddKey(E, "k1"), GetKey(E)))}

CONSTRAINTS: tuple[Scenario, ...] = (
    metastore(
        "constraints",
        "A session gives a table a primary key at h1: whoever must know of it is told at h2.",
        CHANGED,
        steps=(*KEYS, "commit_txn", "poll"),
        counters=(coverage.HIT, coverage.STALE, coverage.UNFINISHED),
        pair="refresh-constraints",
    ),
    metastore(
        "constraints-cold",
        "The same of a metastore that fills its cache meanwhile.",
        {"w1": ("h1", (B, AddKey(T, "k1"), Commit(), RO, GetKey(T, "h2"), Commit(), RO, GetKey(T, "h2")))},
        cold=("h2",),
        but=MONOTONIC,
        steps=(*KEYS, *PREWARM, "commit_txn", "poll"),
        counters=(coverage.HIT,),
    ),
    metastore(
        "refresh-constraints",
        "By default: a refresh asks for the constraints of another table, and its own metastore forgets a key.",
        ADDED,
        rules=SHIPPED_REFRESH,
        tables=EXTERNAL,
        pollers=("h1",),
        properties=OWN,
        broken="read-your-writes",
        steps=(*STEPS, *KEYS),
        pair="constraints-added",
    ),
    metastore(
        "constraints-added",
        "The same without a cache: the session is told of the key that it has added.",
        ADDED,
        rules=UNCACHED,
        tables=EXTERNAL,
        pollers=(),
        properties=("read-your-writes", "acknowledged-writes-survive", "monotonic-reads-per-replica"),
        but={"convergence": "nothing is cached"},
        steps=(*STEPS, *KEYS),
    ),
    metastore(
        "shipped-constraints",
        "In event mode: whoever fills its cache when a key is there takes the table to have none, for good.",
        {"w1": ("h1", (AddKey(E, "k1"),))},
        rules=SHIPPED,
        tables=EXTERNAL,
        cold=("h2",),
        properties=EVENTUAL,
        broken="convergence",
        steps=(*STEPS, *KEYS, *PREWARM),
        pair="shipped-constraints-loaded",
    ),
    metastore(
        "shipped-constraints-loaded",
        "The same with a load that asks for the table's own.",
        {"w1": ("h1", (AddKey(E, "k1"),))},
        rules=replace(SHIPPED, loads_constraints=True),
        tables=EXTERNAL,
        cold=("h2",),
        properties=EVENTUAL,
        steps=(*STEPS, *KEYS, *PREWARM),
    ),
    metastore(
        "shipped-constraints-followed",
        "In event mode: once the log has told h2 of a key, or of its drop, it asks the database.",
        {"w1": ("h1", (AddKey(E, "k1"), DropKey(E, "k1"), AddKey(E, "k2"))), "r1": ("h2", (GetKey(E), GetKey(E)))},
        rules=SHIPPED,
        tables=EXTERNAL,
        properties=EVENTUAL,
        steps=(*STEPS, *KEYS),
    ),
)
