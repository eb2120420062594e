"""The transaction calls of a metastore: they go to the database whatever the cache has.

Source: hive/1.2, hive/1.4, hive/1.5; the Thrift calls `open_txns`, `get_open_txns`, `get_valid_write_ids`,
`allocate_table_write_ids`, `lock`, `check_lock`, `unlock`, `commit_txn`, `abort_txn`.
"""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from model.hive import coverage, locks, txns, write_ids
from model.hive.conflicts import UPDATE, latest_conflict, record_component
from model.hive.errors import NoSuchTable, TableReplaced
from model.hive.lists import ValidTxnList, ValidWriteIdList
from model.hive.lock_queue import SHARED_READ, Component, LockKind, in_words
from model.hive.locks import Locked
from model.hive.meanings import (
    AsksAgain,
    AsksForLock,
    BeginsTxn,
    EndsTxn,
    GetsWriteId,
    GivesUp,
    LooksForConflict,
    LooksForHighest,
    OpensTooSlowly,
    SeesTxns,
    TakesList,
    TellsPartitions,
    UpdatesRows,
)
from model.hive.observer import Observer
from model.hive.rows import COMMITTED, TBLS, TXNS, Table
from model.hive.rules import Rules
from model.hive.tables import locked
from model.ports import Database, Transaction


class TableIds(NamedTuple):
    """What a session must know of a table before it reads it: its id (0: no such table) and its list."""

    table_id: int
    managed: bool
    writes: ValidWriteIdList


class TxnService:
    """The part of a replica that has no cache. `name` is the replica's, for traces; `watch` shows milliseconds."""

    def __init__(
        self, name: str, database: Database, observer: Observer, rules: Rules, watch: Callable[[], int]
    ) -> None:
        self.name = name
        self.database = database
        self.observer = observer
        self.rules = rules
        self._watch = watch

    def open_txn(self, read_only: bool = False) -> int:
        """Open a transaction; a slow open is tried again under another id."""
        begins_with_id = self.rules.opens_begin_with_id

        def body(tx: Transaction) -> txns.Opened:
            return txns.open_txn(tx, read_only, begins_with_id=begins_with_id)

        while True:
            opened = self.database.transact("open_txn", self.name, body)
            if opened.txn and not self._was_slow(opened, read_only):
                self.observer.learn(BeginsTxn(opened.txn))
                return opened.txn
            self.observer.hit(coverage.SLOW_OPEN)
            self.observer.learn(OpensTooSlowly())

    def _was_slow(self, opened: txns.Opened, read_only: bool) -> bool:
        """Whether an open took too long by the time that it had committed; if so, it is withdrawn."""
        duration_ms = self._watch() - opened.began_ms
        if not (self.rules.opens_count_commit and txns.takes_too_long(duration_ms, read_only)):
            return False
        self.observer.hit(coverage.SLOW_COMMIT_OF_OPEN)
        self.database.transact("withdraw_txn", self.name, lambda tx: txns.withdraw(tx, opened.txn))
        return True

    def valid_txns(self, own: int) -> ValidTxnList:
        """What the transaction sees now."""

        def body(tx: Transaction) -> ValidTxnList:
            return txns.snapshot(txns.open_txns(tx), own)

        seen = self.database.transact("get_open_txns", self.name, body)
        self.observer.learn(SeesTxns(seen))
        return seen

    def table_ids(self, snapshot: ValidTxnList, name: str) -> TableIds:
        """The table's id and the snapshot's list for it."""

        def body(tx: Transaction) -> TableIds:
            row = tx.lock(TBLS, name) if self.rules.checks_table_id else tx.get(TBLS, name)
            return _table_ids(tx, self.rules, row, snapshot, name)

        ids = self.database.transact("get_valid_write_ids", self.name, body)
        self.observer.learn(TakesList(ids.table_id, ids.writes))
        return ids

    def allocate_write_id(self, txn: int, name: str, table_id: int | None = None, *, again: bool = False) -> int:
        """The transaction's write id, or `again` another one. Raises: `NoSuchTxn`, `TxnAborted`, `NoSuchTable`,
        `TableReplaced`."""

        def body(tx: Transaction) -> int:
            self._mean(tx, name, table_id)
            return write_ids.allocate(tx, txn, name, again=again)

        write_id = self.database.transact("reallocate_write_id" if again else "allocate_write_id", self.name, body)
        self.observer.learn(GetsWriteId(name, write_id))
        return write_id

    def record_update(self, txn: int, name: str, table_id: int | None = None) -> None:
        """Note that the transaction updates rows of the table (upstream: with its lock request).

        Raises: `NoSuchTable`, `TableReplaced`.
        """

        def body(tx: Transaction) -> None:
            self._mean(tx, name, table_id)
            record_component(tx, txn, name, "", UPDATE)

        self.database.transact("record_update", self.name, body)
        self.observer.learn(UpdatesRows(name))

    def lock_table(self, txn: int, name: str, kind: LockKind) -> Locked:
        """Ask for a lock of a table. Raises: `NoSuchTxn`, `TxnAborted`."""
        return self._lock("lock_table", txn, Component(kind, name))

    def lock_together(self, txn: int, parts: Sequence[tuple[LockKind, str]]) -> Locked:
        """Ask for several locks at once: of databases, tables, and partitions ("default.t/d=1").

        Raises: `NoSuchTxn`, `TxnAborted`.
        """
        places = [(kind, *name.partition("/")[::2]) for kind, name in parts]
        return self._lock("lock_table", txn, *[Component(*place) for place in places])

    def lock_update(self, txn: int, name: str, kind: LockKind, dynamic: bool, table_id: int | None = None) -> Locked:
        """Ask for the lock of an update of rows, which its commit is checked for; a `dynamic` one says where later.

        Raises: `NoSuchTxn`, `TxnAborted`, `NoSuchTable`, `TableReplaced`.
        """
        part = Component(kind, name, operation="update", dynamic=dynamic)
        try:
            return self._lock("lock_update", txn, part, first=lambda tx: self._mean(tx, name, table_id))
        except (NoSuchTable, TableReplaced):
            self.observer.hit(coverage.OTHER_MEANT)
            raise

    def lock_insert(self, txn: int, name: str, table_id: int | None = None) -> Locked:
        """Ask for the lock of an insert of rows, which keeps drops out, and says that the transaction inserts.

        Raises: `NoSuchTxn`, `TxnAborted`, `NoSuchTable`, `TableReplaced`.
        """
        part = Component(SHARED_READ, name, operation="insert")
        return self._lock("lock_insert", txn, part, first=lambda tx: self._mean(tx, name, table_id))

    def _mean(self, tx: Transaction, name: str, table_id: int | None) -> None:
        """A write of rows says which table it means. Raises: `NoSuchTable`, `TableReplaced`."""
        if self.rules.writes_name_table:
            locked(tx, name, table_id)

    def outdated(self, txn: int, snapshot: ValidTxnList) -> Literal["", "snapshot", "transaction"]:
        """What of a transaction is too old for what it is about to change: changes that it conflicts with are
        committed, of an earlier one that its snapshot lacks, or of a later one, which no snapshot of it can have.

        Source: `DriverTxnHandler.isValidTxnListState`; the Thrift call `get_latest_txnid_in_conflict`.
        """
        latest = self.database.transact("latest_conflict", self.name, lambda tx: latest_conflict(tx, txn))
        self.observer.learn(LooksForConflict(latest))
        if latest > txn:
            return "transaction"
        return "snapshot" if latest and not snapshot.is_valid(latest) else ""

    def add_dynamic_partitions(self, txn: int, name: str, partitions: Sequence[str]) -> None:
        """Say which partitions an update has changed. Raises: `NoSuchTxn`, `TxnAborted`."""

        def body(tx: Transaction) -> None:
            locks.add_dynamic_partitions(tx, txn, name, partitions, "update")

        self.database.transact("add_dynamic_partitions", self.name, body)
        self.observer.hit(coverage.DYNAMIC)
        self.observer.learn(TellsPartitions(name, tuple(partitions)))

    def _lock(
        self, operation: str, txn: int, *parts: Component, first: Callable[[Transaction], None] = lambda _: None
    ) -> Locked:
        def body(tx: Transaction) -> tuple[Locked, bool]:
            first(tx)
            row = tx.get(TXNS, txn)
            return locks.lock(tx, self.rules, txn, parts), row is not None and row.state == COMMITTED

        asked, late = self.database.transact(operation, self.name, body)
        if late:
            self.observer.hit(coverage.LATE_LOCK)
        if not asked.held:
            self.observer.hit(coverage.LOCK_WAITED)
        self.observer.learn(AsksForLock(tuple(map(in_words, parts)), asked.number, asked.held))
        return asked

    def check_lock(self, number: int) -> Locked:
        """Ask again. Raises: `NoSuchLock`, `NoSuchTxn`, `TxnAborted`."""
        asked = self.database.transact("check_lock", self.name, lambda tx: locks.check_lock(tx, number))
        if asked.held:
            self.observer.hit(coverage.LOCK_GRANTED)
        self.observer.learn(AsksAgain(number, asked.held))
        return asked

    def give_up_lock(self, number: int) -> int:
        """Wait no longer; returns a transaction that has ended and that would have been waited for (0: none).

        Raises: `TxnOpen`.
        """

        def body(tx: Transaction) -> int:
            ended = locks.ended_in_the_way(tx, number)
            locks.unlock(tx, number)
            return ended

        ended = self.database.transact("give_up_lock", self.name, body)
        self.observer.hit(coverage.LOCK_GIVEN_UP)
        self.observer.learn(GivesUp(number, ended))
        return ended

    def commit_txn(self, txn: int) -> txns.Ending:
        """Commit; a write conflict ends in an abort. Raises: `NoSuchTxn`."""
        rules, seen = self.rules, self._look_for_commit_id()
        ending = self.database.transact("commit_txn", self.name, lambda tx: txns.commit_txn(tx, rules, txn, seen))
        if ending.why:
            self.observer.hit(coverage.WRITE_CONFLICT)
        return self._ended(ending)

    def _look_for_commit_id(self) -> int | None:
        """What a commit of inserts alone takes for its id, where it takes one: it looks for it without a lock."""
        if self.rules.keeps_min_history or self.rules.cleaner_dates_inserts:
            return None
        highest = self.database.transact("commit_id", self.name, txns.highest_txn)
        self.observer.learn(LooksForHighest(highest))
        return highest

    def abort_txn(self, txn: int) -> txns.Ending:
        """Raises: `NoSuchTxn`."""
        return self._ended(self.database.transact("abort_txn", self.name, lambda tx: txns.abort_txn(tx, txn)))

    def _ended(self, ending: txns.Ending) -> txns.Ending:
        self.observer.learn(EndsTxn(ending.state == COMMITTED, ending.why))
        return ending


def _table_ids(tx: Transaction, rules: Rules, table: Table | None, snapshot: ValidTxnList, name: str) -> TableIds:
    writes = write_ids.valid_write_ids(tx, snapshot, name, counts_cleaned=rules.lists_count_cleaned_ids)
    return TableIds(0, False, writes) if table is None else TableIds(table.id, table.managed, writes)
