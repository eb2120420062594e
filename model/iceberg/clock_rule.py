"""What Iceberg asks of clocks: a change may not be older than what main got last, by more than a minute.

A writer whose clock is ahead thus refuses everybody's changes that are no snapshots, and younger snapshots on main,
until the others' clocks have reached its own.

Source: `core/TableMetadata.java` of 1.11.0 (the constructor: "Invalid update timestamp", "Expected sorted snapshot
log entries", `ONE_MINUTE`).

Choices: what main got last has the time of main's snapshot; after a roll-back, upstream's log has the roll-back's time.
"""

from model.iceberg.errors import InvalidOperation
from model.iceberg.metadata import TableMetadata
from model.ports import World

TOLERANCE_MS = 60_000


def refuse_before_main(world: World, base: TableMetadata) -> None:
    """Raise `InvalidOperation` if this actor's clock is over a minute behind main's snapshot, if that has a time."""
    main = base.current
    if main is not None and main.timestamp_ms and main.timestamp_ms - world.clock.now_ms() > TOLERANCE_MS:
        raise InvalidOperation(f"change: expected a time not before {main.timestamp_ms}, that of main's snapshot")
