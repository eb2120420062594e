"""What is drawn last of generated Hudi races: hours that pass, marker files that end within a line, a metadata table,
marker files that are damaged, and overwrites and deletions on merge-on-read tables.

The second is drawn now and then where a writer with markers of a timeline server died when it had written: it died
while its server wrote a marker file anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from model.hudi.keys import MARKERS, SERVER_MARKERS
from sim.generation.draws import Draws
from sim.hudi.generate_damage import draw_damage
from sim.hudi.generate_hours import draw_hours
from sim.hudi.generate_metadata import draw_metadata
from sim.hudi.generate_non_blocking import Drawn
from sim.hudi.generate_replacing_logs import draw_replacing_logs
from sim.hudi.settings import config_of
from sim.hudi.statements import PARTITION, DamageMarkers, Statement, Write
from sim.hudi.workload import Options, Past

CUT, SELDOM = "marker files that end within a line", ("no", "no", "yes")
VANISHED = "vanished-marker"
"""What is said of faults where a marker file vanishes."""
Actors = list[list[Statement]]
History = tuple[Past, ...]


def draw_last(
    draws: Draws, settings: Mapping[str, str], beside: Options, table: Drawn
) -> tuple[dict[str, str], Options, Actors, History]:
    """Draw all. Args: as `draw_hours`; `table`: with its actors, and what came before the race. Raises: `PinError`."""
    drawn, beside, actors = draw_hours(draws, settings, beside, config_of(settings), table.actors, table.groups)
    history = _cut(draws, settings, table.history)
    drawn, actors = draw_damage(draws, draw_metadata(draws, drawn, actors), actors)
    folders = tuple(dict.fromkeys([*(table.partitions or (PARTITION,)), *dict(table.elsewhere).values()]))
    return drawn, beside, draw_replacing_logs(draws, actors, config_of(drawn), folders), history


def _cut(draws: Draws, settings: Mapping[str, str], history: History) -> History:
    written = [past for past in history if past.ending == "written"]
    if not written or settings[MARKERS] != SERVER_MARKERS or draws.one_of(CUT, SELDOM) == "no":
        return history
    return tuple([replace(past, ending="cut") if past in written else past for past in history])


def said_of_faults(kinds: Iterable[str], actors: Actors) -> str:
    """What promises ask of faults: their kinds. A type is asked for when somebody is rolled back, and all rules say
    what comes of it."""
    vanished = any(each == DamageMarkers("vanished") for todo in actors for each in todo)
    return " ".join([*kinds, *([VANISHED] if vanished else [])])


def writes(key: int, actors: Actors, history: History) -> bool:
    """Whether anybody writes a row of this id, or did before the race."""
    rows = [each.rows for each in (*history, *[one for todo in actors for one in todo if isinstance(one, Write)])]
    return any(key == each for written in rows for each, _ in written)
