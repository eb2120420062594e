"""How a REST catalog keeps idempotency keys that clients send: what is drawn last, where it is asked for.

Choices: that a key whose first sending is under way is answered 409, as a draft of the specification had it, is drawn
where it is asked for; the others are among what is drawn of any race.
"""

from __future__ import annotations

from model.iceberg import Rules
from sim.generation.draws import Draws
from sim.generation.generator import Settings
from sim.iceberg.options import BUSY, CALLS, CATALOG
from sim.services.register import Keys
from sim.world.scenario import FaultSpace


def with_busy_keys(draws: Draws, rules: Rules, settings: Settings, faults: FaultSpace, keys: Keys) -> Keys:
    """The keys as they were drawn, or busy ones, where clients send any and something may fail."""
    sends = rules.idempotency_key and settings[CATALOG.key] == "rest" and faults.limit
    if not sends or draws.pinned(CALLS.key) not in (None, BUSY):
        return keys
    return "busy" if draws.told(CALLS.key, CALLS.values) == BUSY else keys
