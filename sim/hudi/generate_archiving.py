"""Archiving in generated Hudi races: now and then somebody archives, and few commits are kept.

It is drawn when all else has been, so that a race without it is what it was. By default twenty commits are kept at
least, which is more than a race has. There is none in tables of version 6, on merge-on-read tables, nor where cleaning
counts slices.
"""

from __future__ import annotations

from collections.abc import Mapping

from model.hudi.keys import KEEP_MAX, KEEP_MIN, SLICES_POLICY
from sim.generation.draws import Draws
from sim.hudi.settings import UNSET, config_of
from sim.hudi.statements import Archive, Statement
from sim.hudi.workload import Options

ARCHIVING = "archiving"
NONE, OWN, ONE_MORE = "none", "a writer's", "one more"
NOW_AND_THEN = (*[NONE] * 10, OWN, ONE_MORE)
KEPT = (("1", "2"), ("2", "3"))
"""How many commits are kept at least, and at most."""


def draw_archiving(
    draws: Draws, settings: Mapping[str, str], actors: list[list[Statement]], beside: Options
) -> tuple[list[list[Statement]], Options]:
    """Draw, now and then, that an actor archives when all that it does is done, or one more actor who archives.

    Args: `beside`: what is set for services until now. Returns: the actors, and what is set.
    """
    config = config_of(settings)
    if config.layout == 1 or config.merge_on_read or settings[SLICES_POLICY] != UNSET:
        return actors, beside
    drawn = draws.one_of(ARCHIVING, NOW_AND_THEN)
    if drawn == NONE:
        return actors, beside
    least, most = draws.one_of("commits kept", KEPT)
    beside = (*beside, (KEEP_MIN, least), (KEEP_MAX, most))
    if drawn == ONE_MORE:
        return [*actors, draws.list_of("archivings", 1, 2, lambda _: Archive())], beside
    who = draws.number("who archives", 0, len(actors) - 1)
    return [[*todo, Archive()] if number == who else todo for number, todo in enumerate(actors)], beside
