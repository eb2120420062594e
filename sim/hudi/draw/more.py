"""More for services and overwrites to do in generated Hudi races: now and then two cluster side by side, who archives
has cleaned and written before, and two overwrite a partition that is empty at first.

It is drawn after all else but what is of merge-on-read tables alone, so that a race without it is what it was.
Archiving does something alone where there are more completed writes than are kept, so that few races without such
writes tell anything of it; and what overwrites have in common in an empty partition is no file group.
"""

from __future__ import annotations

from typing import TypeGuard

from model.hudi import HudiConfig
from sim.generation.draws import Draws
from sim.hudi.rows import Rows
from sim.hudi.statements import Archive, Clean, Cluster, Overwrite, Statement, Upsert, anybody

CLUSTERS_TOO, BEFORE = "somebody else clusters", "before somebody archives"
NOTHING, WRITES, CLEANS = "nothing", "writes", "a clean, and writes"
NOW_AND_THEN, SELDOM = ("no", "no", "yes"), (NOTHING, NOTHING, WRITES, CLEANS)
OVERWRITTEN, THERE, EMPTY = "what is overwritten", "what is there", "an empty partition"
NEW_ROW, NEW_PARTITION = 99, "q"
Actors = list[list[Statement]]
Elsewhere = tuple[tuple[int, str], ...]
Groups = tuple[tuple[str, Rows], ...]


def draw_more(draws: Draws, actors: Actors, groups: Groups, config: HudiConfig) -> Actors:
    """Draw it. Args: `groups`: the file groups, and their rows."""
    if anybody(actors, Cluster) and draws.one_of(CLUSTERS_TOO, NOW_AND_THEN) == "yes":
        actors = [*actors, [Cluster()]]
    if not anybody(actors, Archive):
        return actors
    done = draws.one_of(BEFORE, SELDOM)
    if done == NOTHING:
        return actors
    expiry_ms = config.tolerance_ms + config.heartbeat_interval_ms
    before: list[Statement] = [Clean(draws.one_of("wait before it", (0, expiry_ms)))] if done == CLEANS else []
    row = draws.one_of("written before", [key for _, rows in groups for key, _ in rows])
    before += [Upsert(((row, f"before {number}"),)) for number in range(1, draws.number("writes before", 1, 2) + 1)]
    return [_before_archiving(todo, before) for todo in actors]


def draw_overwritten(draws: Draws, actors: Actors, elsewhere: Elsewhere) -> tuple[Actors, Elsewhere]:
    """Draw whether overwrites of partitions are of one that is empty, and one more actor's is. Args: `elsewhere`: rows
    that nobody has at first, with their partitions. Returns: the actors, and those rows."""
    overwrites = any(_of_partition(one) for todo in actors for one in todo)
    if elsewhere or not overwrites or draws.one_of(OVERWRITTEN, (THERE, THERE, EMPTY)) == THERE:
        return actors, elsewhere
    others: Actors = [
        [Overwrite(((NEW_ROW, one.rows[0][1]),)) if _of_partition(one) else one for one in todo] for todo in actors
    ]
    return [*others, [Overwrite(((NEW_ROW, "more"),))]], ((NEW_ROW, NEW_PARTITION),)


def _of_partition(one: Statement) -> TypeGuard[Overwrite]:
    return isinstance(one, Overwrite) and not one.whole_table


def _before_archiving(todo: list[Statement], before: list[Statement]) -> list[Statement]:
    """What an actor does, with more before it archives for the first time."""
    at = next((number for number, one in enumerate(todo) if isinstance(one, Archive)), None)
    return todo if at is None else [*todo[:at], *before, *todo[at:]]
