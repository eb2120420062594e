"""What is drawn last of generated Hudi races: hours that pass, marker files that end within a line, a metadata table,
marker files that are damaged, and more for services to do.

The second is drawn now and then where a writer with markers of a timeline server died when it had written: it died
while its server wrote a marker file anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from model.hudi.keys import MARKERS, SERVER_MARKERS
from sim.generation.draws import Draws
from sim.hudi.generate_damage import draw_damage
from sim.hudi.generate_hours import draw_hours
from sim.hudi.generate_metadata import draw_metadata
from sim.hudi.generate_more import draw_more
from sim.hudi.rows import Rows
from sim.hudi.settings import config_of
from sim.hudi.statements import Statement
from sim.hudi.workload import Options, Past

CUT, SELDOM = "marker files that end within a line", ("no", "no", "yes")
Actors = list[list[Statement]]
History = tuple[Past, ...]


def draw_last(
    draws: Draws, settings: Mapping[str, str], beside: Options, actors: Actors, groups: tuple[tuple[str, Rows], ...],
    history: History,
) -> tuple[dict[str, str], Options, Actors, History]:  # fmt: skip
    """Draw all. Args: as `draw_hours`; `history`: what came before the race. Raises: `PinError`."""
    drawn, beside, actors = draw_hours(draws, settings, beside, config_of(settings), actors, groups)
    history = _cut(draws, settings, history)
    drawn, actors = draw_damage(draws, draw_metadata(draws, drawn, actors), actors)
    return drawn, beside, draw_more(draws, actors, groups, config_of(drawn)), history


def _cut(draws: Draws, settings: Mapping[str, str], history: History) -> History:
    written = [past for past in history if past.ending == "written"]
    if not written or settings[MARKERS] != SERVER_MARKERS or draws.one_of(CUT, SELDOM) == "no":
        return history
    return tuple([replace(past, ending="cut") if past in written else past for past in history])
