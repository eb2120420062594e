"""What Iceberg asks of clocks: no metadata may be older than that which it is built on, by more than a minute.

Whatever a writer builds has the time of his own clock: a writer whose clock is behind is refused, and one whose clock
is ahead refuses everybody else, until their clocks have reached his. A snapshot has the time at which its writer made
it.

Source: `core/TableMetadata.java` of 1.11.0 (the constructor: "Invalid update timestamp", of the latest entries of the
snapshot log and of the metadata log, `ONE_MINUTE`; `Builder.build`: `lastUpdatedMillis` is the builder's clock, and a
snapshot's own time only that of its entry in the log, since #14504).

Choices: a table has times if it is made with them (`last_updated_ms`); others have none, and nothing is asked of them.
Of the snapshot log no times are kept but those that it had then (`logged_ms`): entries are as old as the metadata that
brought them. Clocks here begin at 0;
`time_ms` is later by `EPOCH_MS`, so that pasts have times. Over REST the server's clock is that of its client.
"""

from model.iceberg import coverage
from model.iceberg.errors import InvalidOperation
from model.iceberg.metadata import TableMetadata
from model.ports import World

TOLERANCE_MS = 60_000
HOUR_MS = 3_600_000
EPOCH_MS = 1_000 * HOUR_MS
"""What the time is when clocks begin."""


def time_ms(world: World) -> int:
    """The time by an actor's clock."""
    return EPOCH_MS + world.clock.now_ms()


def time_of_snapshot(world: World, base: TableMetadata) -> int:
    """The time that a snapshot gets which is made now; 0 on a table without times."""
    return time_ms(world) if base.last_updated_ms else 0


def refuse_before(base: TableMetadata, now_ms: int) -> None:
    """Raise `InvalidOperation` if it is over a minute earlier than `base` was made."""
    if base.last_updated_ms - now_ms > TOLERANCE_MS:
        raise InvalidOperation(f"change: expected a time not before {base.last_updated_ms}, got {now_ms}")


def built(world: World, base: TableMetadata, updated: TableMetadata) -> TableMetadata:
    """What an actor has made of `base`, with its time; `base` itself if nothing is changed.

    Raises: `InvalidOperation` if the actor's clock is behind. Source: `TableMetadata.Builder.build`.
    """
    if updated is base or not base.last_updated_ms:
        return updated
    now_ms = time_ms(world)
    try:
        refuse_before(base, now_ms)
    except InvalidOperation:
        world.coverage.hit(coverage.CLOCK_BEHIND)
        raise
    return updated._replace(last_updated_ms=now_ms)
