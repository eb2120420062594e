"""What is drawn last of generated Hudi races: hours that pass, marker files that end within a line, a metadata table,
marker files that are damaged, more for services and overwrites to do, on merge-on-read tables overwrites and deletions,
restores, clustering, and log compactions, services in place of writers, savepoints that are made later, compactions of
the metadata table, who carries clustering out, whether the writing of a marker file fails, what fails beside
clustering, who restores beside archiving, who carries clustering out beside a metadata table, updates that read
first and writes that are tried again, and buckets under optimistic control.

The second is drawn now and then where a writer with markers of a timeline server died when it had written: it died
while its server wrote a marker file anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from model.hudi.keys import MARKERS, MERGE_ON_READ, SERVER_MARKERS, TABLE_TYPE
from sim.generation.draws import Draws
from sim.hudi.draw.buckets import draw_buckets
from sim.hudi.draw.clustering_faults import draw_clustering_faults
from sim.hudi.draw.clustering_logs import draw_clustering_logs
from sim.hudi.draw.damage import draw_damage
from sim.hudi.draw.executors import LISTED, draw_executors
from sim.hudi.draw.hours import draw_hours
from sim.hudi.draw.log_compactions import draw_log_compactions
from sim.hudi.draw.merging import too_many, without_cleaners
from sim.hudi.draw.metadata import draw_metadata
from sim.hudi.draw.metadata_compactions import draw_metadata_compactions
from sim.hudi.draw.more import draw_more, draw_overwritten
from sim.hudi.draw.non_blocking import Drawn
from sim.hudi.draw.replacing_logs import draw_replacing_logs
from sim.hudi.draw.restores import draw_restored_logs, draw_saved_later
from sim.hudi.draw.restores_archived import draw_restores_archived
from sim.hudi.draw.services import draw_services
from sim.hudi.draw.unwritten import draw_unwritten
from sim.hudi.draw.updates import draw_updates
from sim.hudi.settings import config_of
from sim.hudi.statements import PARTITION
from sim.hudi.workload import Options, Past
from sim.world.scenario import FaultSpace

CUT, SELDOM = "marker files that end within a line", ("no", "no", "yes")
History = tuple[Past, ...]


def draw_last(
    draws: Draws, settings: Mapping[str, str], beside: Options, table: Drawn, faults: FaultSpace, *, disturbed: bool,
    hosts: bool,
) -> tuple[dict[str, str], Options, Drawn, FaultSpace]:  # fmt: skip
    """Draw all. Args: as `draw_hours`; `table`: with its actors, and what came before the race; `disturbed`: there are
    `faults`, or clocks are apart; `hosts`: actors have hosts of their own. Raises: `PinError`."""
    drawn, beside, actors = draw_hours(draws, settings, beside, config_of(settings), table.actors, table.groups)
    history = _cut(draws, settings, table.history)
    drawn, actors = draw_damage(draws, draw_metadata(draws, drawn, actors), actors)
    actors = draw_more(draws, actors, table.groups, config_of(drawn))
    actors, elsewhere = draw_overwritten(draws, actors, table.elsewhere)
    folders = tuple(dict.fromkeys([*(table.partitions or (PARTITION,)), *dict(elsewhere).values()]))
    actors = draw_replacing_logs(draws, actors, config_of(drawn), folders)
    actors = draw_restored_logs(draws, drawn, actors, table.groups, disturbed=disturbed)
    earlier = len(history)
    actors, beside = draw_clustering_logs(draws, actors, config_of(drawn), earlier, beside, disturbed=disturbed)
    drawn, actors = draw_log_compactions(draws, drawn, actors)
    if not disturbed:
        actors, beside = draw_services(draws, drawn, actors, table.groups, beside)
    actors = draw_saved_later(draws, actors, table.groups)
    if drawn[TABLE_TYPE] == MERGE_ON_READ and too_many(actors, config_of({**drawn, **dict(beside)}), earlier):
        actors = without_cleaners(actors)
    table = table._replace(actors=actors, history=history, elsewhere=elsewhere)
    drawn = draw_metadata(draws, drawn, actors, saves=True)
    drawn, beside, table = draw_metadata_compactions(draws, drawn, beside, table)
    table = table._replace(actors=draw_executors(draws, table.actors, config_of({**drawn, **dict(beside)})))
    faults = draw_unwritten(draws, drawn, table.actors, faults)
    faults = draw_clustering_faults(draws, drawn, table.actors, faults, hosts=hosts)
    disturbed = disturbed or bool(faults.limit)
    actors = draw_restores_archived(draws, drawn, table.actors, table.groups, disturbed=disturbed)
    actors = draw_executors(draws, actors, config_of({**drawn, **dict(beside)}), LISTED)
    drawn, actors = draw_updates(draws, drawn, actors, table.groups)
    drawn, table = draw_buckets(draws, drawn, table._replace(actors=actors))
    return drawn, beside, table, faults


def _cut(draws: Draws, settings: Mapping[str, str], history: History) -> History:
    written = [past for past in history if past.ending == "written"]
    if not written or settings[MARKERS] != SERVER_MARKERS or draws.one_of(CUT, SELDOM) == "no":
        return history
    return tuple([replace(past, ending="cut") if past in written else past for past in history])
