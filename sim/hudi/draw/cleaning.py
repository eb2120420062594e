"""Cleaning in generated Hudi races: now and then one commit is retained, and somebody cleans beside the others.

It is drawn when all else has been, so that a race without it is what it was. By default ten commits are retained, which
is more than a race has. There is none in tables of version 6, nor beside clustering.
"""

from __future__ import annotations

from model.hudi import HudiConfig
from model.hudi.keys import BUCKET_CONFLICTS, RETAINED, SERVER_MARKERS
from sim.generation.draws import Draws
from sim.hudi.draw.savepoints import draw_savepoints
from sim.hudi.settings import RARELY
from sim.hudi.statements import Clean, DeletePartition, Statement
from sim.hudi.workload import Options

CLEANING = "cleaning"


def draw_cleaning(
    draws: Draws, actors: list[list[Statement]], config: HudiConfig, partitions: tuple[str, ...]
) -> tuple[list[list[Statement]], Options]:
    """Draw, now and then, an actor more who cleans, and may delete a partition before; then savepoints.

    Returns: the actors, and what is set for it; nothing, as by default.
    """
    served = config.early_detection and config.marker_type == SERVER_MARKERS
    never = served or config.layout == 1 or config.conflict_strategy == BUCKET_CONFLICTS
    if never or draws.one_of(CLEANING, RARELY) == "no":
        return actors, ()
    todo: list[Statement] = list(draws.list_of("cleans", 1, 2, lambda _: Clean()))
    if draws.flag("a partition is emptied"):
        todo.insert(0, DeletePartition(draws.one_of("emptied", partitions)))
    return draw_savepoints(draws, [*actors, todo]), ((RETAINED, "1"),)
