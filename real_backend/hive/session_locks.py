"""A live metastore's locks as a session of ours asks for them, through the gate: for its transaction, a table each.

Choices: who gives up is not told whom it has waited for. The model says whether that one has ended, which no lock
manager tells: only a request that is late is granted to a transaction that has ended, and none is late here.
"""

from collections.abc import Sequence
from typing import Literal

from hive_metastore import ttypes as wire

from model.hive.lists import ValidTxnList
from model.hive.lock_queue import Component, LockKind
from model.hive.locks import Locked
from real_backend.hive.client import split_name
from real_backend.hive.lock_calls import USER, component_of, told
from real_backend.hive.thrift_gate import GIVE_UP_LOCK, LOCK_TABLE, LOCK_UPDATE
from real_backend.hive.txn_calls import LiveTxnService


class LiveLockService(LiveTxnService):
    """One actor's view of one metastore, with its lock manager."""

    def lock_table(self, txn: int, name: str, kind: LockKind) -> Locked:
        """Ask for a lock of a table. Raises: `NoSuchTxn`, `TxnAborted`."""
        return self._lock(LOCK_TABLE, txn, Component(kind, self._names.live(name)))

    def lock_update(self, txn: int, name: str, kind: LockKind, dynamic: bool) -> Locked:
        """Ask for the lock of an update of rows. Raises: `NoSuchTxn`, `TxnAborted`."""
        part = Component(kind, self._names.live(name), operation="update", dynamic=dynamic)
        return self._lock(LOCK_UPDATE, txn, part)

    def outdated(self, txn: int, snapshot: ValidTxnList) -> Literal["", "snapshot", "transaction"]:
        """What of a transaction is too old for what it is about to change; `snapshot` is in live ids."""
        mine = self._names.live_txn(txn)
        latest = int(self._call(lambda calls: calls.get_latest_txnid_in_conflict(mine)))
        if latest > mine:
            return "transaction"
        return "snapshot" if latest > 0 and not snapshot.is_valid(latest) else ""

    def add_dynamic_partitions(self, txn: int, name: str, partitions: Sequence[str]) -> None:
        """Say which partitions an update has changed. Raises: `NoSuchTxn`, `TxnAborted`."""
        place = split_name(self._names.live(name))
        kind = wire.DataOperationType.UPDATE
        request = wire.AddDynamicPartitions(self._names.live_txn(txn), 1, *place, list(partitions), kind)
        self._call(lambda calls: calls.add_dynamic_partitions(request))

    def _lock(self, operation: str, txn: int, part: Component) -> Locked:
        request = wire.LockRequest([component_of(part)], txnid=self._names.live_txn(txn), **USER)
        self._gate.renamed[self._actor] = operation
        asked = told(self._call(lambda calls: calls.lock(request)))
        return asked._replace(number=self._names.asked_for(asked.number))

    def check_lock(self, number: int) -> Locked:
        """Ask again. Raises: `NoSuchLock`, `NoSuchTxn`, `TxnAborted`."""
        request = wire.CheckLockRequest(self._names.live_lock(number))
        return told(self._call(lambda calls: calls.check_lock(request)))._replace(number=number)

    def give_up_lock(self, number: int) -> int:
        """Wait no longer. Raises: `TxnOpen`."""
        request = wire.UnlockRequest(self._names.live_lock(number))
        self._gate.renamed[self._actor] = GIVE_UP_LOCK
        self._call(lambda calls: calls.unlock(request))
        return 0
