"""Savepoints in generated Hudi races: now and then somebody makes one beside those who clean.

They are drawn after cleaning, and only where there is some, so that a race without them is what it was.
"""

from __future__ import annotations

from sim.generation.draws import Draws
from sim.hudi.statements import DeleteSavepoint, Savepoint, Statement

SAVEPOINTS = "savepoints"
NONE, OWN, MADE, DELETED = "none", "the cleaner's", "one", "one that is deleted"
NOW_AND_THEN = (NONE, NONE, NONE, OWN, MADE, DELETED)


def draw_savepoints(draws: Draws, actors: list[list[Statement]]) -> list[list[Statement]]:
    """Draw, now and then, a savepoint by who cleans, the last of the actors, or by one more, who may delete it."""
    drawn = draws.one_of(SAVEPOINTS, NOW_AND_THEN)
    if drawn == NONE:
        return actors
    saved = Savepoint(draws.number("commits back", 0, 2))
    if drawn == OWN:
        return [*actors[:-1], [saved, *actors[-1]]]
    return [*actors, [saved, DeleteSavepoint()] if drawn == DELETED else [saved]]
