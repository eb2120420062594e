"""What a client session knows: its transaction's snapshot, lists and ids of tables, and the write ids of its own.

Source: hive/1.4, hive/4.2; the design document, "Read", "Hive.java"; `DbTxnManager.getValidTxns`,
`AcidUtils.advanceWriteId`.

Choices: a list for a table that was not named at the begin is taken at its first use, of the same snapshot. Every call
may go to another replica; the replica is looked up by name at each call, for it may have been restarted.
"""

from collections.abc import Callable, Sequence
from typing import cast

from model.hive import coverage
from model.hive.asking_again import AskingAgain
from model.hive.lists import ValidTxnList, ValidWriteIdList
from model.hive.observer import Observer
from model.hive.replica import Replica, Request
from model.hive.txn_service import TableIds


class SessionSnapshot:
    """One client. `home` is the replica that its transaction calls go to, and reads without another address.

    Args: `sends_lists` False makes it a client that knows nothing of lists and table ids; `asks_again` makes it Hive's
    own, which makes a call again that got no answer.
    """

    def __init__(
        self,
        replica: Callable[[str], Replica],
        home: str,
        observer: Observer,
        *,
        sends_lists: bool = True,
        asks_again: bool = False,
    ) -> None:
        self._replica = replica if not asks_again else self._asking(replica)
        self.home = home
        self.observer = observer
        self.sends_lists = sends_lists
        self.asks_again = asks_again
        self.calls_again = 0
        self.txn = 0
        self.snapshot: ValidTxnList | None = None
        self.tables: dict[str, TableIds] = {}
        self.own: dict[str, int] = {}

    def _asking(self, replica: Callable[[str], Replica]) -> Callable[[str], Replica]:
        """Its replicas have every call of one, each made twice if need be."""
        return lambda name: cast(Replica, AskingAgain(lambda: replica(name), self._count))

    def _count(self) -> None:
        self.calls_again += 1
        self.observer.hit(coverage.CALLED_AGAIN)

    def begin(self, names: Sequence[str] = (), *, read_only: bool = False) -> int:
        """Open a transaction and take what its reads need; returns the transaction."""
        self._end()  # whatever became of the last one
        home = self._replica(self.home)
        self.txn = home.open_txn(read_only)
        self.snapshot = home.valid_txns(self.txn)
        for name in names:
            self.ids(name)
        return self.txn

    def ids(self, name: str) -> TableIds | None:
        """The session's id and list of a table; None outside a transaction."""
        known = self.tables.get(name)
        if known is None and self.snapshot is not None:
            known = self.tables[name] = self._replica(self.home).table_ids(self.snapshot, name)
        return known

    def list_of(self, name: str) -> ValidWriteIdList | None:
        """The list that reads of a managed table are made with."""
        ids = self.tables.get(name)
        return ids.writes if ids is not None and ids.managed else None

    def request(self, name: str) -> Request:
        """What a read of the table says of the session."""
        ids = self.ids(name)
        if ids is None or not ids.managed or not self.sends_lists:
            return Request(name)
        return Request(name, ids.table_id, ids.writes)

    def write_id(self, name: str) -> int:
        """The transaction's write id for a managed table, marked committed in the session's list; 0 for others."""
        ids = self.ids(name)
        if ids is None or not ids.managed:
            return 0
        if name not in self.own:
            self.own[name] = self._replica(self.home).allocate_write_id(self.txn, name, ids.table_id)
            self._mark_own(name, ids)
        return self.own[name]

    def _mark_own(self, name: str, ids: TableIds) -> None:
        """Call the session's own write committed in its list, under every name that it knows the table by: others may
        have renamed it. Source: hive/4.3, `AcidUtils.advanceWriteId`."""
        self.observer.hit(coverage.OWN_WRITE_MARKED)
        for known, its in self.tables.items():
            if known == name or (its.table_id == ids.table_id and its.managed):
                self.tables[known] = its._replace(writes=its.writes.committed(self.own[name]))

    def _meant(self, name: str) -> int | None:
        """The id of the table that a change is of; None outside a transaction."""
        ids = self.tables.get(name)
        return None if ids is None else ids.table_id

    def _end(self) -> None:
        """Lists and write ids end with their transaction. Source: hive/4.3."""
        self.snapshot = None
        self.own.clear()
        self.tables.clear()

    def _forget(self, name: str) -> None:
        self.tables.pop(name, None)
        self.own.pop(name, None)

    def _follow(self, name: str, to: str) -> None:
        if (ids := self.tables.pop(name, None)) is not None:
            self.tables[to] = ids._replace(writes=ids.writes.renamed(to))
        if name in self.own:
            self.own[to] = self.own.pop(name)
