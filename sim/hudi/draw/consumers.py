"""Consumers beside a generated Hudi race: one or two, each of whom reads what has come since, or what was at first.

They are drawn behind all else, where an incremental query is asked for, on tables that can have them
(`sim.hudi.consuming.check_consumers`); else nothing is written down, and a race is what it was. Nobody archives or
restores beside them, unless it is asked for that few commits are kept: who was to does the rest of what he does. A look
at the timeline is a step then: without one a consumer would read all that he reads at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from model.hudi.keys import ANY_COMMIT, AS_OF, HOLES, INCREMENTAL, KEEP_MAX, QUERY_TYPE
from sim.generation.draws import Draws
from sim.hudi.draw.told import asked
from sim.hudi.promises import LATER_PAST, NEWS, PAST
from sim.hudi.setting_names import UNSET
from sim.hudi.settings import VALUES, config_of, told
from sim.hudi.statements import Archive, ReadAsOf, ReadFirst, ReadNews, Restore, Statement, anybody

READING = (QUERY_TYPE, HOLES, AS_OF)
"""How consumers read."""
WHAT_CAME, WHAT_WAS = "what came", "what was"
KINDS = (WHAT_CAME, WHAT_CAME, WHAT_WAS)
LOOK, UNLIKE = "list", (Archive, Restore)
Actors = list[list[Statement]]
Consumers = dict[str, Iterable[Statement]]
Steps = tuple[str, ...] | None


def draw_consumers(
    draws: Draws, settings: Mapping[str, str], actors: Actors, steps: Steps
) -> tuple[dict[str, str], Actors, Consumers, Steps]:
    """Draw them. Args: `actors`: who else is there; `steps`: what is a step (None: every call).

    Returns: the settings with how they read, the others, the consumers, and the steps with theirs.
    """
    drawn = dict(settings)
    if asked(draws, QUERY_TYPE) is None:
        return drawn, actors, {}, steps
    config = config_of(settings)
    if config.bucketed or (config.metadata and told(draws, AS_OF) != ANY_COMMIT):
        return drawn, actors, {}, steps
    drawn[QUERY_TYPE] = INCREMENTAL
    if config.layout == 1:
        drawn[HOLES] = draws.one_of(HOLES, VALUES[HOLES])
    reads = draws.list_of("consumers", 1, 2, lambda _: draws.list_of("reads", 1, 3, lambda _: _one(draws)))
    unlike = () if told(draws, KEEP_MAX) not in (None, UNSET) else UNLIKE
    others: Actors = [[one for one in todo if not isinstance(one, unlike)] for todo in actors]
    consumers: Consumers = {f"c{n}": todo for n, todo in enumerate(reads, 1)}
    return drawn, [todo for todo in others if todo], consumers, steps and (*steps, LOOK)


def _one(draws: Draws) -> Statement:
    return ReadNews() if draws.one_of("what is read", KINDS) == WHAT_CAME else ReadFirst()


def draw_as_of(draws: Draws, settings: Mapping[str, str], consumers: Consumers) -> tuple[dict[str, str], Consumers]:
    """Draw, where commits of the race are asked for, who reads as of them, in the place of what was at first. Returns:
    the settings with that, and the consumers."""
    drawn = dict(settings)
    if asked(draws, AS_OF) is None or not consumers:
        return drawn, consumers
    drawn[AS_OF] = ANY_COMMIT
    return drawn, {actor: [_as_of(draws, one) for one in todo] for actor, todo in consumers.items()}


def _as_of(draws: Draws, one: Statement) -> Statement:
    return ReadAsOf(draws.number("commits back", 0, 2)) if isinstance(one, ReadFirst) else one


def reading(consumers: Consumers) -> dict[str, str]:
    """What promises ask of consumers."""
    kinds = {NEWS: ReadNews, PAST: ReadFirst, LATER_PAST: ReadAsOf}
    return {key: "yes" if anybody(consumers.values(), kind) else "no" for key, kind in kinds.items()}
