"""A live metastore with the calls that `model.hive` makes: the model's own client session runs on it unchanged.

Each call is one Thrift call through the gate, or several of which one is a step. Table ids come from the database past
every cache, as the design asks of a session. Whether an answer came from the cache is told by the store below the
cache, which counts what it is asked for.

Choices: an alter sends the table as it was made, with the new value, so it needs no read that might fill a cache.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Literal, TypeVar

from hive_metastore import ttypes as wire
from thrift.transport.TTransport import TTransportException

from model.hive.errors import TableExists, TxnAborted
from model.hive.lists import ValidTxnList
from model.hive.replica import Answer, Request
from model.hive.rows import ABORTED, COMMITTED, Event, Parameters, Partitions, Table
from model.hive.txn_service import TableIds
from model.hive.txns import Ending
from model.ports import ConnectionLost
from real_backend.hive.backing import TICKET, Backing, Row
from real_backend.hive.client import CAPABILITIES, Connection, new_table, split_name
from real_backend.hive.exceptions import said, translated
from real_backend.hive.metastore import Metastore
from real_backend.hive.names import Names, txn_list, write_id_list
from real_backend.hive.thrift_gate import ThriftGate
from real_backend.hive.thrift_wire import Message, arguments_of, with_arguments

Result = TypeVar("Result")
Source = Literal["cache", "database"]


class LiveReplica:
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

    # -- transactions --------------------------------------------------------------------------------------------

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

    def newest_request(self, name: str) -> Request:
        """What a client that begins now would ask for a table."""
        row = self._backing.table(self._names.live(name))
        if row is None or not row.managed:
            return Request(name)
        asked = wire.GetValidWriteIdsRequest(fullTableNames=[self._names.live(name)])
        answer = self._call(lambda calls: calls.get_valid_write_ids(asked)).tblValidWriteIds[0]
        return Request(name, self._names.incarnation(row), write_id_list(name, answer))

    def allocate_write_id(self, txn: int, name: str) -> int:
        """Raises: `NoSuchTxn`, `TxnAborted`."""
        database, table = split_name(self._names.live(name))
        request = wire.AllocateTableWriteIdsRequest(database, table, [self._names.live_txn(txn)])
        return int(self._call(lambda calls: calls.allocate_table_write_ids(request)).txnToWriteIds[0].writeId)

    def record_update(self, txn: int, name: str) -> None:
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

    # -- reads ---------------------------------------------------------------------------------------------------

    def get_table(self, request: Request) -> Answer:
        """The table, and where it came from. Raises: `NoSuchTable`."""
        asked = self._get_request(request)
        found = self._call(lambda calls: calls.get_table_req(asked).table)
        row = self._backing.table(self._names.live(request.name)) if self._source == "database" else None
        return Answer(self._table(request.name, found), (), "cache") if row is None else self._stored(request.name, row)

    def get_partitions(self, request: Request) -> Answer:
        """The table with its partitions. Raises: `NoSuchTable`."""
        database, table = split_name(self._names.live(request.name))
        asked = wire.PartitionsRequest(
            dbName=database, tblName=table, maxParts=-1, validWriteIdList=self._list(request), id=self._id(request)
        )
        found = self._call(lambda calls: calls.get_partitions_req(asked).partitions)
        parts = tuple(sorted((part.values[0], part.parameters["v"]) for part in found))
        row = self._backing.table(self._names.live(request.name)) if self._source == "database" else None
        if row is not None:
            return self._stored(request.name, row, parts)
        return Answer(self._table(request.name, self._cached_now(request)), parts, "cache")

    def _cached_now(self, request: Request) -> Any:
        """The table that the same cache has in the same moment. Raises: `NoSuchTable`."""
        with self._metastore.connect() as calls:
            try:
                return calls.get_table_req(self._get_request(request)).table
            except wire.NoSuchObjectException as error:
                raise translated(error) from None

    def _table(self, name: str, found: Any) -> Table:
        number = self._names.made_with(int(found.parameters[TICKET]))
        return Table(number, name, found.tableType == "MANAGED_TABLE", (("v", found.parameters["v"]),))

    def _stored(self, name: str, row: Row, parts: Partitions = ()) -> Answer:
        """A table as the database has it: no read of ours, which a cache might keep."""
        table = Table(self._names.incarnation(row), name, row.managed, (("v", row.parameters["v"]),))
        return Answer(table, parts, "database")

    def _get_request(self, request: Request) -> Any:
        database, table = split_name(self._names.live(request.name))
        return wire.GetTableRequest(
            dbName=database, tblName=table, capabilities=CAPABILITIES, validWriteIdList=self._list(request),
            id=self._id(request),
        )  # fmt: skip

    def _list(self, request: Request) -> str | None:
        return None if request.writes is None else str(request.writes.renamed(self._names.live(request.name)))

    def _id(self, request: Request) -> int:
        return -1 if request.writes is None else self._names.live_id(request.table_id)

    @property
    def _source(self) -> Source:
        return "cache" if self._gate.was_from_cache(self._actor) else "database"

    # -- content changes -----------------------------------------------------------------------------------------

    def create_table(self, name: str, parameters: Parameters, managed: bool) -> Event:
        """Raises: `TableExists`."""
        ticket = self._names.ticket()
        made = self._made(name, dict(parameters)["v"], managed, ticket)
        self._call(lambda calls: calls.create_table(made))
        row = self._backing.table(self._names.live(name))
        assert row is not None, f"{name}: made, and the database has no such table"
        return self._event(name, managed, self._names.made(ticket, row.live_id), parameters)

    def alter_table(
        self, name: str, parameters: Parameters, write_id: int = 0, expected: tuple[str, str] | None = None
    ) -> Event:
        """Raises: `NoSuchTable`, `Modified`, `Unsupported`."""
        managed, incarnation = self._now(name)
        changed = self._made(name, dict(parameters)["v"], managed, self._names.ticket_of(incarnation))
        self._alter(name, changed, write_id, expected)
        return self._event(name, managed, incarnation, parameters, write_id)

    def rename_table(self, name: str, to: str, write_id: int = 0) -> Event:
        """Raises: `NoSuchTable`, `TableExists`."""
        managed, incarnation = self._now(name)
        row = self._backing.table(self._names.live(name))
        content = "" if row is None else row.parameters["v"]
        if name in self._names.partitioned:
            self._names.partitioned.add(to)
        self._gate.remakes[self._actor] = partial(self._with_content_now, name)
        self._alter(name, self._made(to, content, managed, self._names.ticket_of(incarnation)), write_id, None)
        return self._event(to, managed, incarnation, (("v", content),), write_id)

    def _with_content_now(self, name: str, call: Message) -> bytes:
        """A rename sends the whole table: as it is when the call is released, for it stands for the change alone."""
        arguments, row = arguments_of(call), self._backing.table(self._names.live(name))
        if row is not None:
            arguments.req.table.parameters |= {"v": row.parameters["v"], TICKET: row.parameters[TICKET]}
        return with_arguments(call, arguments)

    def drop_table(self, name: str) -> Event:
        """Raises: `NoSuchTable`."""
        managed, incarnation = self._now(name)
        database, table = split_name(self._names.live(name))
        self._call(lambda calls: calls.drop_table(database, table, False))
        return self._event(name, managed, incarnation, ())

    def put_partition(self, name: str, partition: str, value: str, write_id: int = 0) -> Event:
        """Add or alter a partition. Raises: `NoSuchTable`."""
        managed, incarnation = self._now(name)
        database, table = split_name(self._names.live(name))
        row = self._backing.table(self._names.live(name))
        known = dict(self._backing.partitions(row.live_id)) if row is not None else {}
        made = wire.Partition(
            values=[partition], dbName=database, tableName=table, createTime=0, lastAccessTime=0,
            sd=self._made(name, "", managed, self._names.ticket_of(incarnation)).sd, parameters={"v": value},
            writeId=write_id or -1,
        )  # fmt: skip
        if partition in known:
            self._call(lambda calls: calls.alter_partition(database, table, made))
        else:
            self._add(name, made)
        return self._event(name, managed, incarnation, (), write_id)

    def _add(self, name: str, made: Any) -> None:
        """Add a partition; one that has come since the client looked is altered, in the same step."""
        try:
            self._call(lambda calls: calls.add_partition(made))
        except TableExists:
            with self._metastore.connect() as calls:
                calls.alter_partition(*split_name(self._names.live(name)), made)

    def drop_partition(self, name: str, partition: str, write_id: int = 0) -> Event:
        """Raises: `NoSuchTable`."""
        managed, incarnation = self._now(name)
        database, table = split_name(self._names.live(name))
        self._call(lambda calls: calls.drop_partition(database, table, [partition], False))
        return self._event(name, managed, incarnation, (), write_id)

    def _now(self, name: str) -> tuple[bool, int]:
        row = self._backing.table(self._names.live(name))
        return (True, 0) if row is None else (row.managed, self._names.incarnation(row))

    def _made(self, name: str, value: str, managed: bool, ticket: int) -> Any:
        live = self._names.live(name)
        location = f"file:{self._metastore.folder.parent}/warehouse/{live.replace('.', '.db/')}-{ticket}"
        made = new_table(
            live, location, managed=managed, value=value, partitioned=name in self._names.partitioned
        )  # fmt: skip
        made.parameters[TICKET] = str(ticket)
        return made

    def _alter(self, name: str, changed: Any, write_id: int, expected: tuple[str, str] | None) -> None:
        database, table = split_name(self._names.live(name))
        changed.writeId = write_id or -1
        properties = {} if expected is None else dict(zip(_EXPECTED, expected, strict=True))
        request = wire.AlterTableRequest(
            dbName=database, tableName=table, table=changed, writeId=write_id or -1,
            environmentContext=wire.EnvironmentContext(properties),
        )  # fmt: skip
        self._call(lambda calls: calls.alter_table_req(request))

    def _event(self, name: str, managed: bool, incarnation: int, parameters: Parameters, write_id: int = 0) -> Event:
        made = self._backing.content_events(self._names.database, self._began)
        table = Table(incarnation, name, managed, parameters)
        return Event(len(made), len(made), made[-1].kind, 0, name, table, write_id)

    def _call(self, body: Callable[[Any], Result]) -> Result:
        try:
            return body(self._connection.calls)
        except (TTransportException, EOFError, OSError) as error:
            self._connection.close()
            raise ConnectionLost(f"connection to {self.name}: expected an answer, got {said(error)}") from None
        except Exception as error:
            raise translated(error) from None


_EXPECTED = ("expected_parameter_key", "expected_parameter_value")
