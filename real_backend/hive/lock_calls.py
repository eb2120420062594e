"""A live metastore's lock manager: the calls of `model.hive.locks`, by Thrift, past every gate.

Source: `hive_metastore.thrift` 4.0.1.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from hive_metastore import ttypes as wire

from model.hive.lists import ValidWriteIdList
from model.hive.lock_queue import KINDS, Component, Operation, split
from model.hive.locks import Locked
from model.hive.rows import Lock
from real_backend.hive.allocation import Allocation
from real_backend.hive.client import Connection
from real_backend.hive.exceptions import translated
from real_backend.hive.names import write_id_list

Result = TypeVar("Result")
_KINDS = dict(
    zip(
        KINDS,
        (wire.LockType.SHARED_READ, wire.LockType.SHARED_WRITE, wire.LockType.EXCL_WRITE, wire.LockType.EXCLUSIVE),
        strict=True,
    )
)
_OPERATIONS = {
    "select": wire.DataOperationType.SELECT, "insert": wire.DataOperationType.INSERT,
    "update": wire.DataOperationType.UPDATE, "delete": wire.DataOperationType.DELETE,
    "no-txn": wire.DataOperationType.NO_TXN,
}  # fmt: skip
USER = {"user": "lakeproof", "hostname": "localhost"}


class LiveLocks:
    """One client of one metastore's lock manager. Raises everywhere: the model's errors."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._connection = Connection(port)

    def close(self) -> None:
        """End the connection."""
        self._connection.close()

    def open_txn(self, *, read_only: bool = False) -> int:
        """Open a transaction."""
        kind = wire.TxnType.READ_ONLY if read_only else wire.TxnType.DEFAULT
        request = wire.OpenTxnRequest(num_txns=1, **USER, txn_type=kind)
        return int(self._call(lambda calls: calls.open_txns(request)).txn_ids[0])

    def commit_txn(self, txn: int, *, exclusive: bool) -> None:
        """Commit; `exclusive`: nobody looks for conflicts."""
        request = wire.CommitTxnRequest(txnid=txn, exclWriteEnabled=exclusive)
        self._call(lambda calls: calls.commit_txn(request))

    def abort_txn(self, txn: int) -> None:
        """Abort."""
        self._call(lambda calls: calls.abort_txn(wire.AbortTxnRequest(txn)))

    def lock(self, txn: int, components: Sequence[Component]) -> Locked:
        """Ask for locks, for a transaction or for none (0)."""
        request = wire.LockRequest([component_of(part) for part in components], txnid=txn, **USER)
        return told(self._call(lambda calls: calls.lock(request)))

    def check_lock(self, number: int) -> Locked:
        """Ask again."""
        return told(self._call(lambda calls: calls.check_lock(wire.CheckLockRequest(number))))

    def unlock(self, number: int) -> None:
        """Give up."""
        self._call(lambda calls: calls.unlock(wire.UnlockRequest(number)))

    def heartbeat(self, txn: int, number: int) -> None:
        """A sign of life, of a transaction, of a request, or of both."""
        self._call(lambda calls: calls.heartbeat(wire.HeartbeatRequest(number, txn)))

    def add_dynamic_partitions(self, txn: int, table: str, partitions: Sequence[str], operation: Operation) -> None:
        """Say which partitions were written."""
        kind = _OPERATIONS[operation]
        request = wire.AddDynamicPartitions(txn, 1, *split(table), list(partitions), kind)
        self._call(lambda calls: calls.add_dynamic_partitions(request))

    def allocate_write_id(self, txn: int, table: str, *, again: bool) -> int:
        """The transaction's write id, or another one in its place."""
        request = Allocation(*split(table), txn, again=again)
        return int(self._call(lambda calls: calls.allocate_table_write_ids(request)).txnToWriteIds[0].writeId)

    def valid_write_ids(self, table: str) -> ValidWriteIdList:
        """The table's list as of now, for nobody's transaction."""
        request = wire.GetValidWriteIdsRequest(fullTableNames=[table])
        return write_id_list(table, self._call(lambda calls: calls.get_valid_write_ids(request)).tblValidWriteIds[0])

    def locks_of(self, database: str) -> dict[tuple[int, int], Lock]:
        """All parts of requests that name this database, without the times of their heartbeats."""
        return self._call(lambda calls: locks_of(calls, database))

    def _call(self, body: Callable[[Any], Result]) -> Result:
        try:
            return body(self._connection.calls)
        except Exception as error:
            raise translated(error) from None


def locks_of(calls: Any, database: str) -> dict[tuple[int, int], Lock]:
    """All parts of requests that name this database, by (number, place), without the times of their heartbeats."""
    kinds = {live: kind for kind, live in _KINDS.items()}
    return {
        (row.lockid, row.lockIdInternal): Lock(
            row.txnid or 0, row.dbname, row.tablename or "", row.partname or "", kinds[row.type],
            row.state == wire.LockState.ACQUIRED, 0,
        )
        for row in calls.show_locks(wire.ShowLocksRequest(dbname=database)).locks
    }  # fmt: skip


def component_of(part: Component) -> Any:
    database, table = split(part.table)
    level = wire.LockLevel.PARTITION if part.partition else wire.LockLevel.TABLE if table else wire.LockLevel.DB
    return wire.LockComponent(
        type=_KINDS[part.kind], level=level, dbname=database, tablename=table or None,
        partitionname=part.partition or None, operationType=_OPERATIONS[part.operation],
        isTransactional=part.transactional, isDynamicPartitionWrite=part.dynamic,
    )  # fmt: skip


def told(answer: Any) -> Locked:
    return Locked(int(answer.lockid), answer.state == wire.LockState.ACQUIRED)
