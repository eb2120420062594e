"""Tables whose snapshots have ages: hours before the race's beginning, when all clocks that are right are at one time.

An age below 0 is that of a snapshot by a clock that is ahead. One above that of the snapshot before it comes of a clock
that was ahead then: over REST, what is staged or committed to a branch gets its writer's time, is published later, and
others commit on top of it.

Source: `model.iceberg.clock_rule`.

The history of main is in order: an entry is as old as its snapshot, or as the oldest that came behind it.

Choices: the table is as old as its race, or as main's head, if that is ahead: nobody else's clock has reached it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from model.iceberg.clock_rule import EPOCH_MS
from model.iceberg.hadoop import HadoopOperations
from model.iceberg.metadata import TableMetadata
from model.iceberg.table import IcebergTable
from model.ports import World
from sim.iceberg.ages import OfTimes, time_before
from sim.iceberg.creating import OfTables
from sim.iceberg.incremental import ReadAt
from sim.iceberg.managing import CreateRef
from sim.iceberg.sql_statements import AlterPartitionField
from sim.iceberg.statements import OfMetadata, Statement, steps_of

WITHOUT_SNAPSHOT = OfMetadata | CreateRef | AlterPartitionField


def aged(metadata: TableMetadata, ages_h: Sequence[float]) -> TableMetadata:
    """The table with times. Args: `ages_h`: of each snapshot, oldest first."""
    pairs = zip(metadata.snapshots, ages_h, strict=True)
    timed = metadata._replace(snapshots=tuple([each._replace(timestamp_ms=time_before(age)) for each, age in pairs]))
    assert timed.current is not None
    logged = in_order([each.timestamp_ms for at in timed.snapshot_log if (each := timed.snapshot(at)) is not None])
    return timed._replace(last_updated_ms=max(EPOCH_MS, timed.current.timestamp_ms), logged_ms=tuple(logged))


def in_order(times_ms: Sequence[int]) -> list[int]:
    """The times of a history, each as of its snapshot, or as the earliest of those behind it."""
    return list(accumulate(reversed(times_ms), min))[::-1]


def put_aged(world: World, table: IcebergTable, name: str, timed: TableMetadata) -> None:
    """Set-up only: make what has ages the table's newest version, in whatever catalog it is."""
    if isinstance(table.ops, HadoopOperations):
        world.folders.commit(name, table.ops.seen.number + 1, timed)
    else:
        world.register.commit(name, table.ops.seen.version, timed)


def refuse_ages(
    ages_h: Sequence[float], sent: Sequence[Statement], history: Sequence[Statement], *, possible: bool, makes: bool
) -> None:
    """Raise `ValueError` for ages where they are not simulated, and for what goes by them where there are none.

    Args: `sent`: what the writers do; `possible`: the catalog and the API have times; `makes`: tables may be made and
    dropped beside them.
    """
    asked = [one.age_h for one in sent if isinstance(one, ReadAt) and one.age_h is not None]
    if min(asked, default=1.0) <= 0:
        raise ValueError(f"workload: ReadAt: expected an age above 0, got {min(asked)!r}")
    if (asked or any(isinstance(one, OfTimes) for one in sent)) and not ages_h:
        raise _wrong("an age of each snapshot, for statements that go by time", ())
    if not ages_h:
        return
    if not possible:
        raise _wrong("none but on catalog rest, or for the Java API by itself", ages_h)
    if any(isinstance(one, OfTables) for one in (*history, *(() if makes else sent))):
        raise _wrong("none where tables are created or dropped, but in a race of the Java API", ages_h)
    made = snapshots_after(history)
    if len(ages_h) != made:
        raise _wrong(f"{made}, one for each snapshot", ages_h)


def snapshots_after(history: Sequence[Statement]) -> int:
    """How many snapshots a table has, of which the first one made it."""
    return 1 + sum([not isinstance(step, WITHOUT_SNAPSHOT) for step in steps_of(*history)])


def _wrong(expected: str, got: Any) -> ValueError:
    return ValueError(f"workload: ages_h: expected {expected}, got {got!r}")
