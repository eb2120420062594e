"""Who rewrites position deletes, in a race of Spark SQL that was drawn without.

Choices: it is the last draw, and a rare one: without it a race is what it was. Where DELETE or UPDATE is merge-on-read,
or there are none; not where tables are dropped or renamed, as nobody writes beside. One writer more does it, once or
twice.
"""

from __future__ import annotations

from sim.generation.draws import Draws
from sim.generation.generator import Settings
from sim.iceberg.creating import MoveAside, PurgeTable
from sim.iceberg.draw.managing import IN_SQL_ON
from sim.iceberg.draw.writers import Writers
from sim.iceberg.options import CATALOG, CLIENT, DELETE_MODE, MOR, UPDATE_MODE
from sim.iceberg.workload import RewritePositionDeletes

RARELY = (False, False, False, False, True)
KIND = "rewrite position deletes"


def with_position_deletes(draws: Draws, writers: Writers, settings: Settings) -> Writers:
    """Draw who rewrites them; mostly nobody. Returns: the writers, with that one."""
    merges = MOR in (settings[DELETE_MODE.key], settings[UPDATE_MODE.key])
    possible = merges and settings[CLIENT.key] == "spark-sql" and settings[CATALOG.key] in IN_SQL_ON
    if not possible or any(isinstance(one, MoveAside | PurgeTable) for todo in writers.values() for one in todo):
        return writers
    if not draws.one_of("rewrites position deletes", RARELY):
        return writers
    times = draws.number("rewrites of position deletes", 1, 2)
    return {**writers, f"w{len(writers) + 1}": [RewritePositionDeletes()] * times}
