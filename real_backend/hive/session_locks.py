"""A live metastore's locks as a session of ours asks for them, through the gate: for its transaction, one or several.

Choices: who gives up is not told whom it has waited for. Whether that one has ended, which the model says, is looked up
past every gate at the moment at which the request is given up.
"""

from collections.abc import Sequence
from typing import Literal

from hive_metastore import ttypes as wire

from model.hive.lists import ValidTxnList
from model.hive.lock_queue import Component, LockKind, in_the_way
from model.hive.locks import Locked
from real_backend.hive.client import split_name
from real_backend.hive.lock_calls import USER, component_of, locks_of, told
from real_backend.hive.thrift_gate import GIVE_UP_LOCK, LOCK_TABLE, LOCK_UPDATE
from real_backend.hive.thrift_wire import Message
from real_backend.hive.txn_calls import LiveTxnService


class LiveLockService(LiveTxnService):
    """One actor's view of one metastore, with its lock manager."""

    def lock_table(self, txn: int, name: str, kind: LockKind) -> Locked:
        """Ask for a lock of a table. Raises: `NoSuchTxn`, `TxnAborted`."""
        return self._lock(LOCK_TABLE, txn, Component(kind, self._names.live(name)))

    def lock_together(self, txn: int, parts: Sequence[tuple[LockKind, str]]) -> Locked:
        """Ask for several at once: of databases, tables, partitions. Raises: `NoSuchTxn`, `TxnAborted`."""
        return self._lock(LOCK_TABLE, txn, *[self._part(kind, name) for kind, name in parts])

    def _part(self, kind: LockKind, name: str) -> Component:
        place, _, partition = name.partition("/")
        return Component(kind, self._names.live(place) if "." in place else self._names.database, partition)

    def lock_update(self, txn: int, name: str, kind: LockKind, dynamic: bool, table_id: int | None = None) -> Locked:
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

    def _lock(self, operation: str, txn: int, *parts: Component) -> Locked:
        request = wire.LockRequest([component_of(part) for part in parts], txnid=self._names.live_txn(txn), **USER)
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
        ended: list[int] = []

        def look(call: Message) -> bytes:
            ended.append(self._ended_in_the_way(request.lockid))
            return call.body

        self._gate.renamed[self._actor] = GIVE_UP_LOCK
        self._gate.remakes[self._actor] = look
        self._call(lambda calls: calls.unlock(request))
        return ended[-1]

    def _ended_in_the_way(self, live_number: int) -> int:
        """Our number of a transaction that has ended and whose lock this request waits for; 0 if there is none."""
        with self._metastore.connect() as calls:
            rows = sorted(locks_of(calls, self._names.database).items())
        mine = [part for (number, _), part in rows if number == live_number]
        still_open = self._backing.open_txns(self._names.txns)
        for (number, _), other in rows:
            earlier = number < live_number and other.txn and other.txn not in still_open
            if earlier and any(in_the_way(part, other) for part in mine):
                return self._names.number_of(other.txn)
        return 0
