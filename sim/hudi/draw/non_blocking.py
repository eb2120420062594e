"""Non-blocking writers in generated Hudi races: now and then those of a merge-on-read table are.

They are drawn when all else has been, so that a race without them is what it was. Their table has one file group, with
all rows, for a partition is one bucket; who inserted upserts. New rows may belong to a partition that is empty at
first. In the order of events, what was there is smaller than all that comes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from model.hudi import HudiConfig
from model.hudi.keys import BUCKET_INDEX, BUCKETS, EVENT_TIME, INDEX, MERGE_MODE, MODE, NON_BLOCKING
from sim.generation.draws import Draws, PinError
from sim.hudi.promises import BESIDE, ELSEWHERE, NEW_ROWS
from sim.hudi.rows import Rows
from sim.hudi.setting_names import UNSET
from sim.hudi.settings import told, yes_if
from sim.hudi.statements import BulkInsert, Insert, Statement, Upsert
from sim.hudi.workload import Past

BLOCKED, NEW = "writers that nobody blocks", "q"
Actors = list[list[Statement]]


class Drawn(NamedTuple):
    """What was drawn of a table and its actors, with the partition of each new row that has its own."""

    actors: Actors
    groups: tuple[tuple[str, Rows], ...]
    history: tuple[Past, ...]
    partitions: tuple[str, ...]
    elsewhere: tuple[tuple[int, str], ...] = ()


def draw_non_blocking(
    draws: Draws, settings: Mapping[str, str], drawn: Drawn, config: HudiConfig
) -> tuple[dict[str, str], Drawn]:  # fmt: skip
    """Draw whether writers are non-blocking, and if so what else is of them alone.

    Returns: the settings with it, and the table. Raises: `PinError`.
    """
    pinned = told(draws, MODE)
    fits = config.merge_on_read and config.resolves_conflicts and not config.early_detection
    if not fits:
        if pinned == NON_BLOCKING:
            raise PinError(f"option {MODE}: expected a table for {NON_BLOCKING}, without early detection, got another")
        return dict(settings), drawn
    instead = yes_if(pinned, NON_BLOCKING)
    if draws.one_of(BLOCKED, ("no", "yes"), instead) == "no":
        return dict(settings), drawn
    changed = {**settings, MODE: NON_BLOCKING, INDEX: BUCKET_INDEX, BUCKETS: "1"}
    changed[MERGE_MODE] = draws.one_of(MERGE_MODE, (UNSET, EVENT_TIME))
    drawn = in_one_bucket(drawn)
    if changed[MERGE_MODE] == EVENT_TIME:
        drawn = drawn._replace(groups=_smaller(drawn.groups), history=tuple(map(_earlier, drawn.history)))
    if draws.one_of(NEW_ROWS, (BESIDE, ELSEWHERE)) == ELSEWHERE:
        drawn = drawn._replace(elsewhere=new_rows(drawn))
    return changed, drawn


def in_one_bucket(drawn: Drawn) -> Drawn:
    """The same table with all rows in one file group, to which everybody upserts."""
    (name, _), rows = drawn.groups[0], tuple([row for _, some in drawn.groups for row in some])
    actors = [[_upserted(one) for one in todo] for todo in drawn.actors]
    return drawn._replace(actors=actors, groups=((name, rows),), partitions=drawn.partitions[:1])


def _upserted(one: Statement) -> Statement:
    return Upsert(one.rows) if isinstance(one, Insert | BulkInsert) else one


def _smaller(groups: tuple[tuple[str, Rows], ...]) -> tuple[tuple[str, Rows], ...]:
    return tuple([(name, tuple([(key, f"0{value}") for key, value in rows])) for name, rows in groups])


def _earlier(past: Past) -> Past:
    return replace(past, rows=tuple([(key, f"1{value}") for key, value in past.rows]))


def new_rows(drawn: Drawn) -> tuple[tuple[int, str], ...]:
    """The partition of each row that nobody has at first."""
    known = {key for _, rows in drawn.groups for key, _ in rows}
    upserts = [one.rows for todo in drawn.actors for one in todo if isinstance(one, Upsert)]
    written = [row for rows in [*[past.rows for past in drawn.history], *upserts] for row in rows]
    return tuple([(key, NEW) for key in sorted({key for key, _ in written} - known)])
