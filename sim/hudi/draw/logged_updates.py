"""Updates that read first on merge-on-read tables, in generated Hudi races: where retries are asked for there.

They are drawn when all else has been; else nothing is written down, and a race is what it was. What is updated is there
at all times: there are none beside who overwrites, deletes or restores.
"""

from __future__ import annotations

from collections.abc import Mapping

from model.hudi.keys import CONFLICT_RETRIES, OCC
from sim.generation.draws import Draws
from sim.hudi.draw.non_blocking import Drawn
from sim.hudi.draw.told import tell_all
from sim.hudi.draw.updates import updated
from sim.hudi.setting_names import UNSET
from sim.hudi.settings import config_of, told
from sim.hudi.statements import HIDING, Restore, Upsert, anybody

LOGGED_UPDATES = "updates of log files that read first"


def draw_logged_updates(draws: Draws, settings: Mapping[str, str], table: Drawn) -> Drawn:
    """Draw whether upserts of rows that are there are updates. Returns: the table."""
    config, actors = config_of(settings), table.actors
    if told(draws, CONFLICT_RETRIES) in (None, UNSET) or not config.merge_on_read or config.mode != OCC:
        return table
    if anybody(actors, Restore, *HIDING) or not anybody(actors, Upsert):
        return table
    tell_all(draws)
    if draws.one_of(LOGGED_UPDATES, ("no", "yes")) == "no":
        return table
    there = {key for _, rows in table.groups for key, _ in rows}
    return table._replace(actors=[[updated(one, there) for one in todo] for todo in actors])
