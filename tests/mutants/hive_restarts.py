"""A replica that is restarted with its position in the log kept, or started while tables are dropped, with one rule
broken, and the race that notices it."""

from __future__ import annotations

from dataclasses import replace

from model.hive.prewarm import Prewarm
from model.hive.rules import SHIPPED
from sim.hive.build import E, metastore
from sim.hive.live import PREWARM
from sim.hive.restarting import KEPT, RESTARTED, SESSION, TWO, F
from sim.hive.workload import Drop, HiveTable
from sim.world.scenario import Scenario
from tests.mutants.edited import edited
from tests.mutants.mutant import Mutant

FORGETS = """for entry in self.cache.entries.values():
        entry.loaded_at = min(entry.loaded_at, follows_from)
    return follows_from"""
MUTANTS: tuple[Mutant, ...] = (
    replace(
        edited(
            "restart-guards-by-position",
            "what is passed over is what came before the position, not before the load",
            (Prewarm, "fill", ("return follows_from", FORGETS)),
        ),
        base=KEPT,
    ),
)
RACE: Scenario = metastore(
    "restart-mutant", "", {**TWO, **RESTARTED}, rules=KEPT, properties=("read-your-writes",), steps=SESSION
)
"""The race that each loses."""

ENDED: Mutant = replace(
    edited(
        "gone-ends-prewarm-for-good",
        "what a dropped table has ended is not begun again: the tables after it stay out of the cache",
        (Prewarm, "_filled", ("return None", "return follows_from")),
    ),
    base=SHIPPED,
)
ENDED_RACE: Scenario = metastore(
    "prewarm-mutant", "", {"w1": ("h1", (Drop(E),))}, rules=SHIPPED, properties=("convergence",), cold=("h2",),
    tables=(HiveTable(E, "e0", managed=False), HiveTable(F, "f0", managed=False)),
    steps=("drop_table", "poll", "apply", *PREWARM),
)  # fmt: skip
"""A replica fills its cache while the first of two tables is dropped."""
