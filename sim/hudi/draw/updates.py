"""Updates that read first, and writes that are tried again, in generated Hudi races: now and then.

They are drawn when all else has been, so that a race without them is what it was. Who is tried again would be refused
otherwise. What is updated is there at all times: there are no updates beside who overwrites, deletes or restores. Those
of merge-on-read tables are drawn elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

from model.hudi.keys import CONFLICT_RETRIES, MODE
from sim.generation.draws import Draws, PinError
from sim.hudi.rows import Rows
from sim.hudi.setting_names import UNSET
from sim.hudi.settings import VALUES, config_of, told, yes_if
from sim.hudi.statements import HIDING, Restore, Statement, Update, Upsert, anybody

TRIED_AGAIN, UPDATES, SELDOM = "writes that are tried again", "updates that read first", (*["no"] * 4, "yes")
Actors = list[list[Statement]]
Groups = tuple[tuple[str, Rows], ...]


def draw_updates(
    draws: Draws, settings: Mapping[str, str], actors: Actors, groups: Groups
) -> tuple[dict[str, str], Actors]:
    """Draw whether writes are tried again, and whether upserts of rows that are in `groups` are updates.

    Returns: the settings with it, and the actors. Raises: `PinError`.
    """
    drawn, config = _tried_again(draws, settings), config_of(settings)
    never = config.merge_on_read or anybody(actors, Restore, *HIDING) or not anybody(actors, Upsert)
    if never or draws.one_of(UPDATES, SELDOM) == "no":
        return drawn, actors
    there = {key for _, rows in groups for key, _ in rows}
    return drawn, [[updated(one, there) for one in todo] for todo in actors]


def _tried_again(draws: Draws, settings: Mapping[str, str]) -> dict[str, str]:
    pinned, drawn = told(draws, CONFLICT_RETRIES), dict(settings)
    values = tuple([value for value in VALUES[CONFLICT_RETRIES] if value != UNSET])
    if not config_of(settings).multi_writer:
        if pinned in values:
            raise PinError(f"option {CONFLICT_RETRIES}: expected {UNSET} where {MODE} is of one writer, got {pinned!r}")
        return drawn
    if draws.one_of(TRIED_AGAIN, SELDOM, yes_if(pinned, *values)) == "yes":
        drawn[CONFLICT_RETRIES] = draws.one_of(CONFLICT_RETRIES, values)
    return drawn


def updated(one: Statement, there: set[int]) -> Statement:
    """An upsert of rows that are `there` as an update; all else as it is."""
    if not isinstance(one, Upsert) or not {key for key, _ in one.rows} <= there:
        return one
    return Update(**{each.name: getattr(one, each.name) for each in fields(one)})
