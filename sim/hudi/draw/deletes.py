"""DELETE and UPDATE of Spark SQL in generated Hudi races: where it is asked for how they write what they have read.

They are drawn when all else has been; else nothing is written down, and a race is what it was. What they are about is
there at first, and nobody else hides it.
"""

from __future__ import annotations

from collections.abc import Mapping

from model.hudi.keys import OCC, PREPPED
from sim.generation.draws import Draws
from sim.hudi.draw.non_blocking import Drawn
from sim.hudi.draw.told import asked
from sim.hudi.draw.updates import updated
from sim.hudi.settings import config_of
from sim.hudi.statements import HIDING, Delete, Restore, Statement, Update, Upsert, anybody

OTHER_WRITES = "deletes and updates that read first"


def draw_deletes(
    draws: Draws, settings: Mapping[str, str], table: Drawn, *, consumed: bool
) -> tuple[dict[str, str], Drawn]:
    """Draw whether upserts of rows that are there are updates, or deletes. Args: `consumed`: somebody reads
    incrementally. Returns: the settings with whether rows are written where they were read, and the table."""
    drawn, config, actors = dict(settings), config_of(settings), table.actors
    if asked(draws, PREPPED) is None or config.mode != OCC:
        return drawn, table
    drawn[PREPPED] = draws.one_of(PREPPED, ("true", "false"))
    if config.bucketed or config.by_event_time or consumed or anybody(actors, Restore, *HIDING):
        return drawn, table
    there = {key for _, rows in table.groups for key, _ in rows}
    return drawn, table._replace(actors=[[_drawn(draws, one, there) for one in todo] for todo in actors])


def _drawn(draws: Draws, one: Statement, there: set[int]) -> Statement:
    update = updated(one, there)
    if not isinstance(update, Update) or (isinstance(one, Upsert) and one.columns):
        return one
    what = draws.one_of(OTHER_WRITES, ("upsert", "update", "delete"))
    if what == "upsert":
        return one
    return update if what == "update" else Delete(tuple([key for key, _ in update.rows]))
