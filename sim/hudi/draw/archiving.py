"""Archiving in generated Hudi races: now and then somebody archives, and few commits are kept.

It is drawn when all else has been, so that a race without it is what it was. By default twenty commits are kept at
least, which is more than a race has. There is none in tables of version 6, on merge-on-read tables, nor where cleaning
counts slices. Where it is asked for that few are kept, somebody archives: mostly beside one whom a slow writer is in
the way of, or after an overwrite.
"""

from __future__ import annotations

from collections.abc import Mapping

from model.hudi import HudiConfig
from model.hudi.keys import BUCKET_CONFLICTS, KEEP_MAX, KEEP_MIN, SLICES_POLICY
from sim.generation.draws import Draws, PinError
from sim.hudi.rows import Rows
from sim.hudi.setting_names import UNSET
from sim.hudi.settings import config_of, told
from sim.hudi.statements import Archive, Overwrite, Statement, Upsert
from sim.hudi.workload import Options

ARCHIVING, SHAPE = "archiving", "who else is there"
AS_DRAWN, SLOW, OVERWRITTEN = "as drawn", "a slow writer", "who overwrites"
SHAPES = (AS_DRAWN, SLOW, SLOW, SLOW, OVERWRITTEN)
NONE, OWN, ONE_MORE = "none", "a writer's", "one more"
NOW_AND_THEN = (*[NONE] * 10, OWN, ONE_MORE)
KEPT = (("1", "2"), ("2", "3"))
"""How many commits are kept at least, and at most."""
Actors = list[list[Statement]]
Groups = tuple[tuple[str, Rows], ...]


def draw_archiving(
    draws: Draws, settings: Mapping[str, str], actors: Actors, groups: Groups, beside: Options
) -> tuple[dict[str, str], Actors, Options]:
    """Draw, now and then, that an actor archives when all that it does is done, or one more actor who archives.

    Args: `groups`: the file groups, and their rows; `beside`: what is set for services until now.

    Returns: the settings, the actors, and what is set beside. Raises: `PinError`.
    """
    config, pinned, drawn = config_of(settings), told(draws, KEEP_MAX), dict(settings)
    asked = pinned not in (None, UNSET)
    if config.layout == 1 or config.merge_on_read or settings[SLICES_POLICY] != UNSET:
        if asked:
            raise PinError(f"option {KEEP_MAX}: expected {UNSET} where nobody can archive, got {pinned!r}")
        return drawn, actors, beside
    who = draws.one_of(ARCHIVING, (OWN, ONE_MORE) if asked else NOW_AND_THEN)
    if who == NONE:
        return drawn, actors, beside
    least, most = draws.one_of("commits kept", [pair for pair in KEPT if pair[1] == pinned] if asked else KEPT)
    drawn, beside = {**drawn, KEEP_MAX: most}, (*beside, (KEEP_MIN, least))
    shape = draws.one_of(SHAPE, SHAPES) if asked else AS_DRAWN
    if shape == SLOW:
        return drawn, _slow(groups), beside
    if shape == OVERWRITTEN and not _never_replaces(config):
        return drawn, [[Overwrite(((groups[0][1][0][0], "over"),)), *_later(groups), Archive()], *actors[:1]], beside
    if who == ONE_MORE:
        return drawn, [*actors, draws.list_of("archivings", 1, 2, lambda _: Archive())], beside
    number = draws.number("who archives", 0, len(actors) - 1)
    return drawn, [[*todo, Archive()] if place == number else todo for place, todo in enumerate(actors)], beside


def _slow(groups: Groups) -> Actors:
    """A writer that archives, and another one that commits twice before it changes the row of the first."""
    row = groups[0][1][0][0]
    return [[Upsert(((row, "slow"),)), Archive()], [*_later(groups)[:2], Upsert(((row, "again"),))]]


def _later(groups: Groups) -> list[Statement]:
    """Commits after which archiving gets to what was before them: of the last file group's last row."""
    row = groups[-1][1][-1][0]
    return [Upsert(((row, f"later {number}"),)) for number in range(1, 4)]


def _never_replaces(config: HudiConfig) -> bool:
    """Whether there are no overwrites (`sim.hudi.draw.replacing`)."""
    return config.detects_by_server or config.conflict_strategy == BUCKET_CONFLICTS
