"""How a catalog daemon of Impala reads a table from the metastore: the table, its list of write ids, its partitions.

Each is a call of its own. A change between the first two is in the list, and not in the table.

Source: hive/4.9; Impala `TableLoader.load`, `HdfsTable.load`, `HdfsTable.loadValidWriteIdList`.

Choices: the list is taken with the last event, and with the last one that made a table of this name, in one step. The
order that nobody ships reads the list first, and reads again if the name is another table's by the end: what is loaded
may be newer than its list says, and never older.
"""

from typing import NamedTuple

from model.hive import log
from model.hive.catalogd_rules import CatalogRules
from model.hive.lists import ValidWriteIdList
from model.hive.meanings import ReadsTable, TagsEntry
from model.hive.observer import Observer
from model.hive.rows import BASES, NOTIFICATION_LOG, TBLS, Event, Partitions, Table
from model.hive.tables import partitions
from model.hive.txns import open_txns, snapshot
from model.hive.write_ids import valid_write_ids
from model.ports import Database, Transaction


class Listed(NamedTuple):
    """What a load reads beside a table and its partitions: the last event, the last one that made a table of this
    name, the id of the table that has it now (0: none), and its list."""

    event: int
    created: int
    table_id: int
    tag: ValidWriteIdList


class Loaded(NamedTuple):
    """A table as a load found it."""

    table: Table
    parts: Partitions
    listed: Listed
    base: int = 0

    @property
    def tag(self) -> ValidWriteIdList | None:
        """The list, of a table that has write ids."""
        return self.listed.tag if self.table.managed else None


Found = tuple[Partitions, tuple[int, ...]]
"""A table's partitions, and the truncates that have left a folder of it."""


class Loader:
    """One daemon's way to the metastore."""

    def __init__(
        self, daemon: str, database: Database, observer: Observer, rules: CatalogRules, *, counts_cleaned: bool
    ) -> None:
        self.daemon = daemon
        self.database = database
        self.observer = observer
        self.rules = rules
        self.counts_cleaned = counts_cleaned

    def load(self, name: str, created: int) -> Loaded | None:
        """Read a table; None if there is none of this name any more.

        Args: `created`: the event that made it as far as is known.
        """
        return self._list_first(name, created) if self.rules.loads == "list-first" else self._plain(name, created)

    def _plain(self, name: str, created: int) -> Loaded | None:
        table = self._table("load_table", name)
        listed = self._list(name, created)
        found = self._partitions(name)
        return None if table is None or found is None else _loaded(table, found, listed)

    def _list_first(self, name: str, created: int) -> Loaded | None:
        while True:
            listed = self._list(name, created)
            table = self._table("load_table", name)
            found = self._partitions(name)
            after = self._table("load_check", name)
            if table is None or found is None or after is None:
                return None
            if table.id == listed.table_id == after.id:
                return _loaded(table, found, listed)

    def _table(self, operation: str, name: str) -> Table | None:
        table = self.database.transact(operation, self.daemon, lambda tx: table_of(tx, name))
        self.observer.learn(ReadsTable(name, table is not None))
        return table

    def _partitions(self, name: str) -> Found | None:
        """With the files: these are listed after them, past the metastore."""

        def body(tx: Transaction) -> Found | None:
            table = table_of(tx, name)
            if table is None:
                return None
            bases = [write_id for (_, write_id), _ in tx.scan(BASES, (table.id,), (table.id + 1,))]
            return partitions(tx, table), tuple(bases)

        parts = self.database.transact("load_partitions", self.daemon, body)
        self.observer.learn(ReadsTable(f"the partitions of {name}", parts is not None))
        return parts

    def _list(self, name: str, created: int) -> Listed:
        def body(tx: Transaction) -> Listed:
            table = table_of(tx, name)
            tag = valid_write_ids(tx, snapshot(open_txns(tx)), name, counts_cleaned=self.counts_cleaned)
            made = _made(tx, name, created) if created else 0
            return Listed(log.current_event_id(tx), made, 0 if table is None else table.id, tag)

        listed = self.database.transact("load_list", self.daemon, body)
        self.observer.learn(TagsEntry(listed.tag))
        return listed


def _loaded(table: Table, found: Found, listed: Listed) -> Loaded:
    """The table with the files of the last truncate that its list has."""
    parts, bases = found
    return Loaded(table, parts, listed, max([one for one in bases if listed.tag.is_valid(one)], default=0))


def table_of(tx: Transaction, name: str) -> Table | None:
    """The table of this name, if there is one."""
    table: Table | None = tx.get(TBLS, name)
    return table


def _made(tx: Transaction, name: str, created: int) -> int:
    """The last event that made a table of this name. Source: `getNextMetastoreEventsInBatchesForTable`."""
    rows = tx.scan(NOTIFICATION_LOG, (created + 1,))
    later: list[Event] = [event for _, event in rows if event.kind == "CREATE_TABLE" and event.name == name]
    return later[-1].id if later else created
