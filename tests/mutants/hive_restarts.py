"""A replica that is restarted with its position in the log kept, with one rule broken, and the race that notices it."""

from __future__ import annotations

from dataclasses import replace

from model.hive.prewarm import Prewarm
from sim.hive.build import metastore
from sim.hive.restarting import KEPT, RESTARTED, SESSION, TWO
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
