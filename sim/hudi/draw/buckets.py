"""The bucket index under optimistic control in generated Hudi races: now and then, where everybody upserts.

It is drawn when all else has been, so that a race without it is what it was; who inserted upserts. Its table has one
file group, with all rows, for a partition is one bucket; new rows may belong to a partition that is empty at first,
whose bucket whoever writes to it first begins. The conflict strategy is the one for buckets, as Hudi infers it, unless
another one is asked for. Where the index is asked for, what cannot be done to buckets is a read; where merge-on-read
tables are asked for as well, rows of buckets are in log files, and somebody may compact them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from model.hudi.keys import (
    BUCKET_CONFLICTS,
    BUCKET_INDEX,
    BUCKETS,
    CONFLICTS,
    EARLY,
    INDEX,
    MERGE_ON_READ,
    MODE,
    NON_BLOCKING,
    OCC,
    PREFER_WRITER,
    SIMPLE_CONFLICTS,
    TABLE_TYPE,
)
from sim.generation.draws import Draws, PinError
from sim.hudi.draw.non_blocking import Drawn, in_one_bucket, new_rows
from sim.hudi.promises import BESIDE, ELSEWHERE
from sim.hudi.settings import config_of, told, yes_if
from sim.hudi.statements import BulkInsert, Clean, Compact, Insert, Read, Statement, Upsert

IN_BUCKETS, SELDOM = "rows in buckets", (*["no"] * 9, "yes")
NEW_ROWS, WHERE_NEW, NEW_ROW = "a new row of each", "new rows of buckets", 96
ALONE = (Upsert, Insert, BulkInsert, Read, Clean)


def draw_buckets(draws: Draws, settings: Mapping[str, str], table: Drawn) -> tuple[dict[str, str], Drawn]:
    """Draw whether rows are in buckets, and where new ones belong. Returns: the settings with it, and the table.

    Raises: `PinError`.
    """
    drawn, pinned, config = dict(settings), told(draws, INDEX), config_of(settings)
    if settings[MODE] == NON_BLOCKING:
        return drawn, table
    logged = pinned == BUCKET_INDEX and config.merge_on_read and told(draws, TABLE_TYPE) == MERGE_ON_READ
    alone = (*ALONE, Compact) if logged else ALONE
    if pinned == BUCKET_INDEX:
        actors: list[list[Statement]] = [
            [one if isinstance(one, alone) else Read() for one in todo] for todo in table.actors
        ]
        table = table._replace(actors=actors, elsewhere=())
    upserts = all(isinstance(one, alone) for todo in table.actors for one in todo)
    typed = logged or not config.merge_on_read
    fits = settings[MODE] == OCC and typed and settings[EARLY] != "true" and upserts
    if not fits or table.elsewhere:
        if pinned == BUCKET_INDEX and settings[MODE] != OCC:
            raise PinError(f"option {INDEX}: expected several writers for {BUCKET_INDEX}, got {settings[MODE]!r}")
        return drawn, table
    if pinned == BUCKET_INDEX and told(draws, CONFLICTS) == SIMPLE_CONFLICTS:
        allowed = f"{BUCKET_CONFLICTS}, which Hudi infers, or {PREFER_WRITER} where {INDEX} is {BUCKET_INDEX}"
        raise PinError(f"option {CONFLICTS}: expected {allowed}, got {SIMPLE_CONFLICTS!r}")
    if draws.one_of(IN_BUCKETS, SELDOM, yes_if(pinned, BUCKET_INDEX)) == "no":
        return drawn, table
    drawn |= {INDEX: BUCKET_INDEX, BUCKETS: "1"}
    if told(draws, CONFLICTS) is None:
        drawn[CONFLICTS] = BUCKET_CONFLICTS
    table = in_one_bucket(table)
    if draws.one_of(NEW_ROWS, ("no", "yes")) == "yes":
        table = table._replace(actors=[_with_new(todo, number) for number, todo in enumerate(table.actors, 1)])
    if draws.one_of(WHERE_NEW, (BESIDE, ELSEWHERE)) == ELSEWHERE:
        table = table._replace(elsewhere=new_rows(table))
    return drawn, table


def _with_new(todo: list[Statement], number: int) -> list[Statement]:
    """What an actor does, with a new row in his first upsert: everybody's is the same one."""
    first = next((one for one in todo if type(one) is Upsert), None)
    new = ((NEW_ROW, f"new {number}"),)
    return [replace(one, rows=(*one.rows, *new)) if one is first and isinstance(one, Upsert) else one for one in todo]
