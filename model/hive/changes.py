"""The changes that are made through a metastore: in the database, and what its own cache makes of them.

Source: hive/4.3, hive/4.7; `HMSHandler.java`, `HiveAlterHandler.java` (R8, R10), `CachedStore.java`.

Choices: a change that asks the cache does so in its own step; upstream asks just before. A metastore whose answer is
lost does what it would have done: its cache follows the log. Impala's daemon does not here, nor one whose request comes
late.
"""

from collections.abc import Callable
from contextlib import suppress
from types import ModuleType
from typing import Literal

from model.hive import constraints, databases, meanings, statistics, tables, truncates, write_ids
from model.hive.believed import BelievedTables, ask_database
from model.hive.cache import Cache
from model.hive.catalogd_changes import ChangingCatalogd
from model.hive.errors import NoSuchTable, TableExists, Unsupported
from model.hive.lists import ValidWriteIdList
from model.hive.poller import Poller
from model.hive.rows import TBLS, Event, Parameters, Table
from model.hive.txn_service import TxnService
from model.ports import Memory, PortError, Transaction, Unanswered


class ChangeService(TxnService):
    """Tables and partitions are changed through it, in a metastore with this cache and this update thread.

    `catalogd` is the latter where the metastore is a catalog daemon; `_tables` makes the changes, as the rules say.
    """

    cache: Cache
    memory: Memory
    poller: Poller
    catalogd: ChangingCatalogd | None
    _tables: BelievedTables | ModuleType

    def create_table(self, name: str, parameters: Parameters, managed: bool) -> Event:
        """Raises: `TableExists`."""

        def body(tx: Transaction) -> Event:
            self._ask_database(name)
            if self.rules.changes_ask_cache and (where := self._where(tx, name)):
                raise TableExists(f"create of {name}: expected no table, the {where} has one")
            return tables.create(tx, name, parameters, managed)

        return self._change("create_table", body)

    def alter_table(
        self,
        name: str,
        parameters: Parameters,
        write_id: int = 0,
        expected: tuple[str, str] | None = None,
        table_id: int | None = None,
    ) -> Event:
        """Raises: `NoSuchTable`, `TableReplaced`, `Modified`, `Unsupported`."""

        def body(tx: Transaction) -> Event:
            self._ask_database(name)
            self._ask(tx, name)
            if expected is not None and not self.rules.passes_expected_parameter:
                return _unsupported(name)
            stamped = parameters if self.catalogd is None else self.catalogd.stamped(tx, name, parameters)
            return tables.alter(tx, name, stamped, write_id, expected, self._meant(table_id))

        return self._change("alter_table", body)

    def rename_table(self, name: str, to: str, write_id: int = 0, table_id: int | None = None) -> Event:
        """Raises: `NoSuchTable`, `TableReplaced`, `TableExists`."""
        if not self.rules.rename_moves_write_ids_with_it:
            moved = self.database.transact("rename_write_ids", self.name, lambda tx: self._moves(tx, name, to))
            self.observer.learn((meanings.MovesWriteIds if moved else meanings.MovesNoWriteIds)(name, to))

        def body(tx: Transaction) -> Event:
            self._ask_database(name)
            self._ask(tx, name, to)
            return tables.rename(tx, self.rules, name, to, write_id, self._meant(table_id))

        return self._change("rename_table", body)

    def rename_database(self, database: str, to: str) -> tuple[Event, ...]:
        """Returns: an event for each table that has another name now. Raises: `NoSuchDatabase`, `DatabaseExists`,
        `WriteIdsTaken`."""
        rules = self.rules

        def body(tx: Transaction) -> tuple[Event, ...]:
            self._ask_database(f"{database}.")
            events = databases.rename_database(tx, rules, database, to)
            if rules.applies_own_changes:
                self.cache.rename_database(database, own=True)
            return events

        events = self._changes("rename_database", body)
        if not rules.renames_databases:
            self.database.transact("rename_write_ids", self.name, lambda tx: databases.move_records(tx, database, to))
            self.observer.learn(meanings.MovesWriteIds(database, to))
        return events

    def drop_table(self, name: str) -> Event:
        """Raises: `NoSuchTable`, `PartitionsLeft`."""
        return self._change("drop_table", lambda tx: self._tables.drop(tx, name))

    def put_partition(
        self, name: str, partition: str, value: str, write_id: int = 0, table_id: int | None = None
    ) -> Event:
        """Add or alter a partition. Raises: `NoSuchTable`, `TableReplaced`, `CacheAlone`."""

        def body(tx: Transaction) -> Event:
            event: Event = self._tables.put_partition(tx, name, partition, value, write_id, self._meant(table_id))
            if event.kind == "ALTER_PARTITION":
                self._ask(tx, name)
            return event

        return self._change("put_partition", body)

    def drop_partition(self, name: str, partition: str, write_id: int = 0, table_id: int | None = None) -> Event:
        """Raises: `NoSuchTable`, `TableReplaced`."""
        meant, drops = self._meant(table_id), self._tables.drop_partition
        return self._change("drop_partition", lambda tx: drops(tx, name, partition, write_id, meant))

    def rename_partition(
        self, name: str, old: str, partition: str, value: str, write_id: int = 0, table_id: int | None = None
    ) -> Event:
        """Raises: `NoSuchTable`, `PartitionExists`, `TableReplaced`."""

        def body(tx: Transaction) -> Event:
            self._ask(tx, name)
            return self._tables.rename_partition(tx, name, old, partition, value, write_id, self._meant(table_id))

        return self._change("rename_partition", body)

    def update_statistics(
        self, name: str, value: str, write_id: int, writes: ValidWriteIdList | None, table_id: int | None = None,
        partition: str = "",
    ) -> Event:  # fmt: skip
        """Of a table, or of its partition. Raises: `NoSuchTable`, `TableReplaced`."""
        meant = self._meant(table_id)

        def body(tx: Transaction) -> Event:
            if not partition:
                return statistics.update(tx, name, value, write_id, writes, meant)
            if self.rules.applies_own_changes:
                self._where(tx, name)  # the metastore looks for the table, and keeps it
            return statistics.update_partition(tx, name, partition, value, write_id, writes, meant)

        return self._change("update_statistics", body)

    def add_key(self, name: str, key: str, write_id: int = 0, table_id: int | None = None) -> Event:
        """Raises: `NoSuchTable`, `TableReplaced`, `KeyExists`."""
        meant = self._meant(table_id)
        return self._change("add_key", lambda tx: constraints.add_key(tx, name, key, write_id, meant))

    def drop_key(self, name: str, key: str, write_id: int = 0, table_id: int | None = None) -> Event:
        """Raises: `NoSuchTable`, `TableReplaced`."""
        meant = self._meant(table_id)
        return self._change("drop_key", lambda tx: constraints.drop_key(tx, name, key, write_id, meant))

    def truncate_table(
        self, name: str, write_id: int, writes: ValidWriteIdList | None, table_id: int | None = None, *,
        partitioned: bool,
    ) -> tuple[Event, ...]:  # fmt: skip
        """Returns: the event of each change. Raises: `NoSuchTable`, `TableReplaced`, `NoTimeLimit`."""
        meant, looks = self._meant(table_id), not self.rules.truncates_what_is_there
        seen = self._read_to_truncate(name) if looks else None
        now, refused = seen, None
        if partitioned and isinstance(seen, truncates.Seen) and len(seen.parts) > 1 and self.rules.pulls_after_write:
            now, refused = truncates.until_pull(seen)

        def body(tx: Transaction) -> tuple[Event, ...]:
            return truncates.truncate(tx, name, now, write_id, meant, partitioned=partitioned)

        def then() -> None:
            if refused is not None:
                self.database.transact("log_truncate", self.name, lambda tx: truncates.announce(tx, refused, write_id))
                self.observer.learn(meanings.RefusedToTruncate(refused.table.name, refused.part))
                truncates.refuse(refused)

        return self._changes("truncate_table", body, then)

    def _read_to_truncate(self, name: str) -> truncates.Seen | NoSuchTable:
        """What is truncated; or what refuses it, in the step of the call, whatever is there by then."""
        try:
            seen = self.memory.critical("read_to_truncate", self.name, lambda: self._seen(name))
        except NoSuchTable as error:
            return error
        self.observer.learn(meanings.ReadsToTruncate(*seen))
        return seen

    def _seen(self, name: str) -> truncates.Seen:
        """The table and its partitions, as the metastore has them for itself."""
        entry = self.cache.entries.get(name)
        if entry is not None:
            return truncates.Seen(entry.table, tuple(sorted(entry.partitions.items())))

        def body(tx: Transaction) -> truncates.Seen:
            table = tables.get(tx, name)
            kept = self.rules.fills_on_miss and self.cache.keep(table, None)
            return truncates.Seen(table, () if kept else tables.partitions(tx, table))

        return self.database.transact("read_to_truncate", self.name, body)

    def delete_statistics(
        self, name: str, table_id: int | None = None, partition: str = "", *, unnamed: bool = False
    ) -> Event:  # fmt: skip
        """Of a table, or of its partition. Raises: `NoSuchTable`, `TableReplaced`, `Transactional`."""
        meant = self._meant(table_id)

        def body(tx: Transaction) -> Event:
            if self.rules.applies_own_changes:
                self._where(tx, name)  # the metastore looks for the table, and keeps it
            if partition:
                return statistics.delete_partition(tx, name, partition, meant, unnamed=unnamed)
            return statistics.delete(tx, name, meant, unnamed=unnamed)

        return self._change("delete_statistics", body)

    def _meant(self, table_id: int | None) -> int | None:
        """The table that a change must find under its name; None if the metastore does not look."""
        return table_id if self.rules.writes_name_table else None

    def _ask_database(self, name: str) -> None:
        """Look for a table's database, where changes ask the cache. Raises: `NoSuchDatabase`."""
        if self.rules.changes_ask_cache:
            ask_database(self.cache, name)

    def _ask(self, tx: Transaction, name: str, to: str = "") -> None:
        """Look for the table, and for one of the name that it is to get. Source: `alter_table_core`, `alterTable`.

        Raises: `NoSuchTable`, `TableExists`.
        """
        if not self.rules.changes_ask_cache:
            return
        if not self._where(tx, name):
            raise NoSuchTable(f"table {name}: expected one, got none")
        if to and (where := self._where(tx, to)):
            raise TableExists(f"rename of {name} to {to}: expected no table {to}, the {where} has one")

    def _where(self, tx: Transaction, name: str) -> Literal["cache", "database", ""]:
        """Where there is a table of this name, first of all. Source: `CachedStore.getTable`."""
        if name in self.cache.entries:
            return "cache"
        table: Table | None = tx.get(TBLS, name)
        if table is None:
            return ""
        if self.rules.fills_on_miss:
            self.cache.keep(table, None)
        return "database"

    def _moves(self, tx: Transaction, name: str, to: str) -> bool:
        """Move a table's write ids to the name that it is to get, if it is there and nothing is known of that name."""
        asks = self.rules.changes_ask_cache
        taken = asks and (to in self.cache.entries or self.cache.lacks_database_of(name))
        table: Table | None = tx.get(TBLS, name)
        if taken or table is None or tx.get(TBLS, to) is not None:
            return False
        if table.managed:
            write_ids.rename_records(tx, name, to)
        return table.managed

    def _change(self, operation: str, body: Callable[[Transaction], Event]) -> Event:
        return self._changes(operation, lambda tx: (body(tx),))[0]

    def _changes(
        self, operation: str, body: Callable[[Transaction], tuple[Event, ...]], then: Callable[[], None] = lambda: None
    ) -> tuple[Event, ...]:
        """Args: `then`: what the call does next, when its replica has followed the log."""
        made: list[tuple[Event, ...]] = []

        def changed(tx: Transaction) -> tuple[Event, ...]:
            events = body(tx)
            made.append(events)
            for event in events if self.rules.applies_own_changes else ():
                self.cache.apply_own(event)
            return events

        try:
            events = self.database.transact(operation, self.name, changed)
        except Unanswered:
            if made and self.rules.pulls_after_write:
                with suppress(PortError):  # the client has been told all that it will be
                    self.poller.pull()
                    then()
            raise
        for event in events:
            self.observer.learn(meanings.ChangesTable(event))
        if not events:
            self.observer.learn(meanings.ChangesNothing())
        if self.rules.pulls_after_write:
            self.poller.pull()
        then()
        if self.catalogd is not None:
            for event in events:
                self.catalogd.changed(event)
        return events


def _unsupported(name: str) -> Event:
    raise Unsupported(f"alter of {name}: expected no expected parameter (CachedStore does not pass it on), got one")
