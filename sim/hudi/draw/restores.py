"""Restores in generated Hudi races: now and then somebody makes a savepoint, and goes back to it beside the others.

They are drawn when all else has been, so that a race without them is what it was, and where there can be any, half of
the time: that is in a few races of a hundred. There is none in tables of version 6, beside who cleans, clusters or
makes savepoints, nor where something fails, or clocks are apart; beside who archives they are drawn at the end
(`sim.hudi.draw.restores_archived`). On merge-on-read tables, where they may be beside compactions, they are drawn
after what all else is drawn last of those.
"""

from __future__ import annotations

from collections.abc import Mapping

from model.hudi.keys import BUCKET_CONFLICTS, EARLY
from sim.generation.draws import Draws
from sim.hudi.promises import BACK, CLEANED, SAVED
from sim.hudi.rows import Rows
from sim.hudi.settings import config_of
from sim.hudi.statements import Archive, Clean, Cluster, Restore, Savepoint, Statement, Upsert, anybody

RESTORES, OF_LOGS = "restores", "restores of log files"
NONE, ONE_MORE, OWN = "none", "one more", "a writer's"
NOW_AND_THEN = (NONE, NONE, ONE_MORE, OWN)
SAVED_LATER, SOMETIMES = "the savepoint is made later", ("no", "no", "yes")
Actors = list[list[Statement]]
Groups = tuple[tuple[str, Rows], ...]
TRIES = 5
"""More than others can disturb: what a restore says that fails is that it has to be done again."""
SAYS = {SAVED: Savepoint, BACK: Restore, CLEANED: Clean}
BESIDE = (Archive, Clean, Cluster, Savepoint)


def draw_restores(
    draws: Draws, settings: Mapping[str, str], actors: Actors, groups: Groups, *, disturbed: bool
) -> Actors:  # fmt: skip
    """Draw, now and then, one more actor who makes a savepoint, may change a row, and restores; or a writer who does.

    Args: `groups`: the file groups, and their rows; `disturbed`: there are faults, or clocks are apart.

    Returns: the actors.
    """
    return _drawn(draws, RESTORES, settings, actors, groups, never=disturbed or config_of(settings).merge_on_read)


def draw_restored_logs(
    draws: Draws, settings: Mapping[str, str], actors: Actors, groups: Groups, *, disturbed: bool
) -> Actors:  # fmt: skip
    """The same on merge-on-read tables."""
    never = disturbed or not config_of(settings).merge_on_read
    return _drawn(draws, OF_LOGS, settings, actors, groups, never=never)


def _drawn(
    draws: Draws, name: str, settings: Mapping[str, str], actors: Actors, groups: Groups, *, never: bool
) -> Actors:  # fmt: skip
    config = config_of(settings)
    never = never or config.layout == 1 or settings[EARLY] == "true"
    if never or config.conflict_strategy == BUCKET_CONFLICTS or anybody(actors, *BESIDE):
        return actors
    drawn = draws.one_of(name, NOW_AND_THEN)
    if drawn == NONE:
        return actors
    if drawn == ONE_MORE:
        row, _ = groups[0][1][0]
        changed: list[Statement] = [Upsert(((row, "Z"),))] if draws.flag("changed before it is restored") else []
        return [*actors, [Savepoint(), *changed, Restore(TRIES)]]
    who = draws.number("who restores", 0, len(actors) - 1)
    return [[Savepoint(), *todo, Restore(TRIES)] if number == who else todo for number, todo in enumerate(actors)]


def draw_saved_later(draws: Draws, actors: Actors, groups: Groups) -> Actors:
    """Draw whether who restores has changed a row before he makes the savepoint, which then comes of his own commit."""
    if not anybody(actors, Restore) or draws.one_of(SAVED_LATER, SOMETIMES) == "no":
        return actors
    row = draws.one_of("written before it", [key for _, rows in groups for key, _ in rows])
    return [[Upsert(((row, "Y"),)), *todo] if anybody([todo], Restore) else todo for todo in actors]


def saving(actors: Actors) -> dict[str, str]:
    """What promises ask of savepoints, restores and cleaners: whether there are any."""
    return {name: "yes" if anybody(actors, kind) else "no" for name, kind in SAYS.items()}
