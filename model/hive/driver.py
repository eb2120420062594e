"""Hive's driver as a client: it compiles, which takes a snapshot, locks, and looks whether its snapshot is still good.

If it is not, it compiles again, in the same transaction if an earlier one has committed since, in another one if a
later one has; so often at most. What it reads in the end is what the list of its last compilation has.

Source: hive/7 (rows 32, 33); `Driver.validateTxnListState`, `DriverTxnHandler.isValidTxnListState`,
`hive.txn.retrysnapshot.max.count` (5), HIVE-24211, HIVE-26472.

Choices: the loop is ours; live it drives a real metastore, and no HiveServer2 is run. One table, and one statement that
updates its rows under a lock. Rows are not modelled: what it reads is which write ids of others its list has.
"""

from collections.abc import Callable, Sequence
from typing import Literal, Protocol

from model.hive.errors import SnapshotOutdated
from model.hive.lists import ValidTxnList, ValidWriteIdList
from model.hive.lock_queue import Component
from model.hive.locks import Locked

MOST = 5
Outdated = Literal["", "snapshot", "transaction"]


class TxnManager(Protocol):
    """What the driver asks of a metastore."""

    def open_txn(self) -> int: ...
    def commit_txn(self, txn: int) -> None: ...
    def abort_txn(self, txn: int) -> None: ...
    def seen_by(self, txn: int) -> ValidTxnList: ...
    def writes_of(self, seen: ValidTxnList, table: str) -> ValidWriteIdList: ...
    def allocate_write_id(self, txn: int, table: str, *, again: bool) -> int: ...
    def lock(self, txn: int, parts: Sequence[Component]) -> Locked: ...
    def check_lock(self, number: int) -> Locked: ...
    def latest_conflict(self, txn: int) -> int: ...


class Driver:
    """One statement: `compile`, `lock`, `outdated`, and `renew` if it is, then `commit`; or `run`, which does them."""

    def __init__(self, metastore: TxnManager, table: str, part: Component) -> None:
        """Args: `part` is the lock that it takes."""
        self._metastore = metastore
        self._table = table
        self._part = part
        self._seen: ValidTxnList | None = None
        self._writes: ValidWriteIdList | None = None
        self._number = 0
        self._own: tuple[int, ...] = ()
        self.txn = 0
        self.write_id = 0

    def compile(self) -> None:
        """Take a snapshot, in a transaction of its own, and a write id, which is another one each time."""
        if not self.txn:
            self.txn, self.write_id = self._metastore.open_txn(), 0
        self._seen = self._metastore.seen_by(self.txn)
        self._writes = self._metastore.writes_of(self._seen, self._table)
        again = self.write_id != 0
        self.write_id = self._metastore.allocate_write_id(self.txn, self._table, again=again)
        self._own = (*self._own, self.write_id)

    def lock(self) -> bool:
        """Ask for its lock; or ask again, if it waits for it. Returns: whether it has it."""
        asked = (
            self._metastore.check_lock(self._number)
            if self._number
            else self._metastore.lock(self.txn, (self._part,))
        )  # fmt: skip
        self._number = asked.number
        return asked.held

    def outdated(self) -> Outdated:
        """What is too old by now, when it has its lock."""
        latest = self._metastore.latest_conflict(self.txn)
        if latest > self.txn:
            return "transaction"
        assert self._seen is not None, "a statement is compiled first"
        return "snapshot" if latest and not self._seen.is_valid(latest) else ""

    def renew(self, outdated: Outdated) -> None:
        """Compile again; begin again before that, if the transaction is too old."""
        if outdated == "transaction":
            self._metastore.abort_txn(self.txn)
            self.txn = self._number = 0
        self.compile()

    def reads(self) -> tuple[int, ...]:
        """The write ids of others that its list has."""
        writes = self._writes
        listed = () if writes is None else [one for one in range(1, writes.high + 1) if writes.is_valid(one)]
        return tuple([one for one in listed if one not in self._own])

    def commit(self) -> None:
        """Commit."""
        self._metastore.commit_txn(self.txn)
        self.txn = self._number = 0

    def run(self, meanwhile: Callable[[], None], most: int = MOST) -> int:
        """Do all of it; `meanwhile` happens between a compilation and the lock. Returns: how often it has compiled.

        Raises: `SnapshotOutdated`, when it has compiled once more for `most` times, and is outdated again; it is
        aborted.
        """
        self.compile()
        for compiled in range(1, most + 2):
            meanwhile()
            assert self.lock(), "who conflicts has ended"
            outdated = self.outdated()
            if not outdated:
                self.commit()
                return compiled
            if compiled <= most:
                self.renew(outdated)
        self._metastore.abort_txn(self.txn)
        raise SnapshotOutdated(f"statement on {self._table}: expected its snapshot to be good after {most} more")
