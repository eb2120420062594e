"""A live metastore's locks as a session of ours asks for them, through the gate: for its transaction, a table each.

Choices: who gives up is not told whom it has waited for. The model says whether that one has ended, which no lock
manager tells: only a request that is late is granted to a transaction that has ended, and none is late here.
"""

from hive_metastore import ttypes as wire

from model.hive.lock_queue import Component, LockKind
from model.hive.locks import Locked
from real_backend.hive.lock_calls import USER, component_of, told
from real_backend.hive.thrift_gate import GIVE_UP_LOCK, LOCK_TABLE
from real_backend.hive.txn_calls import LiveTxnService


class LiveLockService(LiveTxnService):
    """One actor's view of one metastore, with its lock manager."""

    def lock_table(self, txn: int, name: str, kind: LockKind) -> Locked:
        """Ask for a lock of a table. Raises: `NoSuchTxn`, `TxnAborted`."""
        part = component_of(Component(kind, self._names.live(name)))
        request = wire.LockRequest([part], txnid=self._names.live_txn(txn), **USER)
        self._gate.renamed[self._actor] = LOCK_TABLE
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
