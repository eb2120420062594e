"""A live metastore's calls of transactions and write ids, as `model.hive.txn_service` makes them, through the gate."""

from collections.abc import Callable
from typing import Any, TypeVar

from hive_metastore import ttypes as wire
from thrift.transport.TTransport import TTransportException

from model.hive.errors import NoAnswer, TxnAborted
from model.hive.lists import ValidTxnList
from model.hive.rows import ABORTED, COMMITTED
from model.hive.txn_service import TableIds
from model.hive.txns import Ending
from model.ports import ConnectionLost, Refused
from real_backend.hive.allocation import Allocation
from real_backend.hive.backing import Backing
from real_backend.hive.client import Connection, split_name
from real_backend.hive.exceptions import said, translated
from real_backend.hive.metastore import Metastore
from real_backend.hive.names import Names, txn_list, write_id_list
from real_backend.hive.thrift_gate import REALLOCATE, ThriftGate

Result = TypeVar("Result")


class LiveTxnService:
    """One actor's view of one metastore, through the gate's port for that actor."""

    def __init__(
        self, metastore: Metastore, gate: ThriftGate, actor: str, backing: Backing, names: Names, began: int, *,
        exclusive_writes: bool = False,
    ) -> None:  # fmt: skip
        """Args: `began` is the last event before the race; `exclusive_writes`: commits say `exclWriteEnabled`."""
        self.name = metastore.name
        self._metastore = metastore
        self._gate = gate
        self._actor = actor
        self._backing = backing
        self._names = names
        self._began = began
        self._exclusive_writes = exclusive_writes
        self._connection = Connection(gate.port_of(actor))

    def close(self) -> None:
        """End the connection."""
        self._connection.close()

    def open_txn(self, read_only: bool = False) -> int:
        """Returns our number of the transaction."""
        kind = wire.TxnType.READ_ONLY if read_only else wire.TxnType.DEFAULT
        request = wire.OpenTxnRequest(num_txns=1, user="lakeproof", hostname="localhost", txn_type=kind)
        return self._names.opened(self._call(lambda calls: calls.open_txns(request)).txn_ids[0])

    def valid_txns(self, own: int) -> ValidTxnList:
        """What the transaction sees now, in live ids."""
        return txn_list(self._names.live_txn(own), self._call(lambda calls: calls.get_open_txns()))

    def table_ids(self, snapshot: ValidTxnList, name: str) -> TableIds:
        """The table's incarnation and the snapshot's list for it."""
        live = self._names.live(name)
        request = wire.GetValidWriteIdsRequest(fullTableNames=[live], validTxnList=str(snapshot))
        answer = self._call(lambda calls: calls.get_valid_write_ids(request)).tblValidWriteIds[0]
        row = self._backing.table(live)
        writes = write_id_list(name, answer)
        return (
            TableIds(0, False, writes) if row is None else TableIds(self._names.incarnation(row), row.managed, writes)
        )

    def allocate_write_id(self, txn: int, name: str, table_id: int | None = None, *, again: bool = False) -> int:
        """The write id, or `again` another one.

        Raises: `NoSuchTxn`, `TxnAborted`, which the server does not name: it says that it has an internal error.
        """
        database, table = split_name(self._names.live(name))
        live_txn = self._names.live_txn(txn)
        request = Allocation(database, table, live_txn, again=again)
        if again:
            self._gate.renamed[self._actor] = REALLOCATE
        try:
            return int(self._call(lambda calls: calls.allocate_table_write_ids(request)).txnToWriteIds[0].writeId)
        except Refused as error:
            if self._backing.is_aborted(live_txn):
                raise TxnAborted(str(error)) from None
            raise

    def record_update(self, txn: int, name: str, table_id: int | None = None) -> None:
        """Note that the transaction updates rows of the table: by its lock request, as Hive does."""
        database, table = split_name(self._names.live(name))
        component = wire.LockComponent(
            type=wire.LockType.SHARED_WRITE, level=wire.LockLevel.TABLE, dbname=database, tablename=table,
            operationType=wire.DataOperationType.UPDATE, isTransactional=True,
        )  # fmt: skip
        live_txn = self._names.live_txn(txn)
        request = wire.LockRequest([component], txnid=live_txn, user="lakeproof", hostname="localhost")
        self._call(lambda calls: calls.lock(request))

    def commit_txn(self, txn: int) -> Ending:
        """Commit; a write conflict ends in an abort. Raises: `NoSuchTxn`."""
        # true, the default, switches the detection of write conflicts off
        request = wire.CommitTxnRequest(txnid=self._names.live_txn(txn), exclWriteEnabled=self._exclusive_writes)
        try:
            self._call(lambda calls: calls.commit_txn(request))
        except TxnAborted as error:
            return Ending(ABORTED, str(error))
        return Ending(COMMITTED)

    def abort_txn(self, txn: int) -> Ending:
        """Raises: `NoSuchTxn`."""
        request = wire.AbortTxnRequest(self._names.live_txn(txn))
        self._call(lambda calls: calls.abort_txn(request))
        return Ending(ABORTED)

    def _call(self, body: Callable[[Any], Result]) -> Result:
        try:
            return self._translated(lambda: body(self._connection.calls))
        except (TTransportException, EOFError, OSError) as error:
            self._connection.close()
            if self._gate.is_held(self._actor):
                raise NoAnswer(f"{self.name}: expected an answer, got none as long as anybody waits") from None
            raise ConnectionLost(f"connection to {self.name}: expected an answer, got {said(error)}") from None

    def _translated(self, body: Callable[[], Result]) -> Result:
        try:
            return body()
        except (TTransportException, EOFError, OSError):
            raise
        except Exception as error:
            raise translated(error) from None
