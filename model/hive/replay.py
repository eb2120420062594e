"""What following an ALTER_TABLE does beside the cache: it writes the database again, and looks for statistics (R1, R2).

The second needs a time limit that the update has not begun: if the table has statistics of a column, the replay fails.
The alter is in the cache and in the database by then; the position is not behind it, so all of it is done at each poll.
If a partition that the cache has was analyzed it fails, too, and before the database is written: partitions come first.

Source: `CachedStore.updateStatsForAlterTable`, `updateStatsForAlterPart`, `HiveAlterHandler.getColumnStats`,
`MetaStoreDirectSql.makeColumnStats`, `Deadline.checkTimeout` 4.0.1 ("Should execute startTimer() method before
checkTimeout"); live: tests/live/hive/test_statistics_replays.py.

Choices: both are one step with the change of the cache.
"""

from model.hive import coverage
from model.hive.cache import Cache
from model.hive.errors import NoSuchTable, ReplayFailed, TableExists
from model.hive.rows import PARTITIONS, TBLS, Event, Partition, Table
from model.hive.tables import overwrite
from model.ports import Database, Transaction


def replay_alter(database: Database, replica: str, cache: Cache, event: Event) -> None:
    """Do both, as far as the rules say. Raises: `ReplayFailed`."""
    rules, after = cache.rules, event.table
    assert after is not None
    if not (rules.replay_writes_database or rules.replay_reads_statistics):
        return

    entry = cache.entries.get(after.name)
    known = () if entry is None or not rules.replay_reads_statistics else tuple(entry.partitions)

    def body(tx: Transaction) -> Table | None:
        if _analyzed(tx, after.name, known):
            raise ReplayFailed(f"replay of event {event.id}: expected no statistics of partitions, there are some")
        if rules.replay_writes_database:
            return overwrite(tx, event.name, after)
        found: Table | None = tx.get(TBLS, event.name)
        return found

    if rules.replay_writes_database:
        cache.observer.hit(coverage.REPLAY_WROTE)
    try:
        before = database.transact("replay_alter", replica, body)
    except (NoSuchTable, TableExists) as error:
        raise ReplayFailed(f"replay of event {event.id}: {error}") from None
    if rules.replay_reads_statistics and before is not None and before.analyzed is not None:
        cache.observer.hit(coverage.REPLAY_UNTIMED)
        raise ReplayFailed(f"replay of event {event.id}: expected no statistics of {event.name}, it has some")


def _analyzed(tx: Transaction, name: str, partitions: tuple[str, ...]) -> bool:
    """Whether one of these partitions of the table has statistics."""
    table: Table | None = tx.get(TBLS, name)
    rows: list[Partition | None] = [tx.get(PARTITIONS, (table.id, one)) for one in partitions] if table else []
    return any(row is not None and row.statistics is not None and row.statistics.value is not None for row in rows)
