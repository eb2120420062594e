"""Tables that are made and dropped on the Hive catalog, drawn for a race that has been drawn already.

It is the last draw of races of the Java API on the Hive catalog without caches, and a rare one (`draw_tables`): what
was drawn of faults is left, and now and then the metastore's answers to who makes a table, or drops it, are lost.
"""

from __future__ import annotations

from sim.generation.draws import Draws
from sim.generation.generator import Settings
from sim.iceberg.draw.statements import Table
from sim.iceberg.draw.tables import of_tables
from sim.iceberg.draw.writers import Writers
from sim.iceberg.in_hive import LIVE_FAULTS
from sim.iceberg.options import CATALOG, CLIENT, is_cached
from sim.world.scenario import FaultSpace


def made_in_hive(draws: Draws, table: Table, writers: Writers, settings: Settings) -> tuple[Writers, FaultSpace] | None:
    """Draw who makes tables, and what fails then; None: nobody does."""
    if (settings[CLIENT.key], settings[CATALOG.key]) != ("java-api", "hive") or is_cached(settings):
        return None
    made = of_tables(draws, table, writers)
    if made is None:
        return None
    return made, FaultSpace(LIVE_FAULTS, 1) if draws.flag("answers are lost") else FaultSpace()
