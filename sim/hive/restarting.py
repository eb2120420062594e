"""Metastore scenarios of a replica that is restarted while others change tables: its position is kept, or it is not.

Whoever fills a cache anew has read what the events up to then tell of, so that a position that is kept tells it once
more what it knows: the reference passes it over, and as designed a table is set back by it (M13). As shipped none is
kept. There it is what is not told again that matters: an alter that is replayed writes the database (R1), over a later
one. The replay of the later one mends that, unless the replica has been restarted in between.

Source: `CachedStore` 4.0.1, `triggerPreWarm` and `lastEventId`, a static field; hive/4.6.
"""

from __future__ import annotations

from dataclasses import replace

from model.hive import DESIGN, FIXED, coverage
from model.hive.rules import SHIPPED
from sim.hive.build import EVENTUAL, EXTERNAL, MONOTONIC, ONE_CHANGE, RO, STEPS, B, E, Sessions, T, metastore
from sim.hive.live import PREWARM, RESTART
from sim.hive.restarts import Restart
from sim.hive.workload import Alter, Commit, Drop, Get, HiveTable
from sim.world.scenario import Scenario

F = "default.f"
KEPT = replace(FIXED, keeps_position=True)
RESTARTED: Sessions = {"m1": ("h2", (Restart(),))}
ONE: Sessions = {"w1": ("h1", (*ONE_CHANGE, RO, Get(T, "h2"), Get(T, "h2")))}
TWO: Sessions = {"w1": ("h1", (*ONE_CHANGE, B, Alter(T, "v2"), Commit(), RO, Get(T, "h2")))}
ALTERS: Sessions = {"w1": ("h1", (Alter(E, "e1"), Alter(E, "e2")))}
FILLING = (*PREWARM, RESTART)
SESSION = ("alter_table", "commit_txn", "get_table", "poll", "prewarm_tag", *FILLING)

RESTARTS: tuple[Scenario, ...] = (
    metastore(
        "restarted",
        "A replica is restarted at any moment, and fills its cache while a session changes a table, and reads it.",
        {**ONE, **RESTARTED},
        but=MONOTONIC,
        counters=(coverage.HIT,),
        steps=SESSION,
    ),
    metastore(
        "restarted-position-kept",
        "The same, and it follows the log from where it was: what its entries have already is passed over.",
        {**ONE, **RESTARTED},
        rules=KEPT,
        but=MONOTONIC,
        counters=(coverage.HIT, coverage.RESUMED, coverage.CONTENT_SKIPPED),
        steps=SESSION,
    ),
    metastore(
        "restarted-position-kept-as-designed",
        "The same as designed: a change that the restart had read is taken back by the one before it.",
        {**TWO, **RESTARTED},
        rules=replace(KEPT, prewarm=DESIGN.prewarm),
        but=MONOTONIC,
        broken="read-your-writes",
        steps=SESSION,
        pair="restarted-position-kept",
    ),
    metastore(
        "shipped-restarted",
        "A replayed alter writes the database; the replica is restarted before it replays the next one, which is lost.",
        {**ALTERS, **RESTARTED},
        rules=SHIPPED,
        properties=EVENTUAL,
        tables=EXTERNAL,
        broken="acknowledged-writes-survive",
        steps=(*STEPS, *FILLING),
        pair="shipped-restarted-position-kept",
    ),
    metastore(
        "shipped-prewarm-phantom",
        "A prewarm is ended by a table that is gone, and begun again: what it had loaded and was dropped since stays.",
        {"w1": ("h1", (Drop(F), Drop(E)))},
        rules=SHIPPED,
        properties=EVENTUAL,
        tables=(HiveTable(E, "e0", managed=False), HiveTable(F, "f0", managed=False)),
        cold=("h2",),
        broken="convergence",
        steps=(*STEPS, *PREWARM),
        pair="shipped-prewarm-goes-on",
    ),
    metastore(
        "shipped-prewarm-goes-on",
        "The same with a prewarm that passes over what is gone, and follows the log from where it began.",
        {"w1": ("h1", (Drop(F), Drop(E)))},
        rules=replace(SHIPPED, prewarm_ends_at_gone=False),
        properties=EVENTUAL,
        tables=(HiveTable(E, "e0", managed=False), HiveTable(F, "f0", managed=False)),
        cold=("h2",),
        steps=(*STEPS, *PREWARM),
    ),
    metastore(
        "shipped-restarted-position-kept",
        "The same, had it kept its position: it replays the later alter, too, and the database has it again.",
        {**ALTERS, **RESTARTED},
        rules=replace(SHIPPED, keeps_position=True),
        properties=EVENTUAL,
        tables=EXTERNAL,
        counters=(coverage.RESUMED, coverage.REPLAY_WROTE),
        steps=(*STEPS, *FILLING),
    ),
)  # fmt: skip
