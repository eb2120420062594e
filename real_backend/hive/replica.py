"""A live metastore with the calls that `model.hive` makes: the model's own client session runs on it unchanged.

Each call is one Thrift call through the gate, or several of which one is a step. Table ids come from the database past
every cache, as the design asks of a session. Whether an answer came from the cache is told by the store below the
cache, which counts what it is asked for.

Choices: an alter sends the table as the database has it, with the new value: no read of ours might fill a cache. A drop
says that the data go, too, as Hive's does: else the metastore keeps the table's write ids, and a partition's folder,
into whose place none can be renamed. A table or partition is made with the word that the statistics of its files are
accurate, for it has none; what is sent later says nothing of them. A write's `table_id` goes nowhere: no request of a
released metastore has a field for it.
"""

from collections.abc import Callable
from typing import Any, Literal
from urllib.parse import quote

from hive_metastore import ttypes as wire
from hive_metastore.ThriftHiveMetastore import alter_table_req_args

from model.hive.errors import TableExists
from model.hive.replica import Answer, Request
from model.hive.rows import Event, Parameters, Partitions, Table
from model.ports import Refused, Unanswered
from real_backend.hive.backing import TICKET, Row
from real_backend.hive.client import CAPABILITIES, new_table, split_name
from real_backend.hive.exceptions import translated
from real_backend.hive.log_view import content_event
from real_backend.hive.names import write_id_list
from real_backend.hive.session_locks import LiveLockService
from real_backend.hive.thrift_wire import with_arguments

Source = Literal["cache", "database"]


class LiveReplica(LiveLockService):
    """One actor's view of one metastore, through the gate's port for that actor."""

    # -- reads ---------------------------------------------------------------------------------------------------

    def newest_request(self, name: str) -> Request:
        """What a client that begins now would ask for a table."""
        row = self._backing.table(self._names.live(name))
        if row is None or not row.managed:
            return Request(name)
        asked = wire.GetValidWriteIdsRequest(fullTableNames=[self._names.live(name)])
        answer = self._call(lambda calls: calls.get_valid_write_ids(asked)).tblValidWriteIds[0]
        return Request(name, self._names.incarnation(row), write_id_list(name, answer))

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
        made.parameters[_ACCURATE] = _BASIC
        try:
            self._call(lambda calls: calls.create_table(made))
        except Unanswered:
            self._note(name, ticket)
            raise
        assert self._note(name, ticket), f"{name}: made, and the database has no such table"
        return self._event()

    def _note(self, name: str, ticket: int) -> bool:
        """Number the table of this ticket, if the database has it: whoever made it may not have been told."""
        row = self._backing.table(self._names.live(name))
        there = row is not None and row.ticket == ticket
        if row is not None and there:
            self._names.made(ticket, row.live_id)
        return there

    def alter_table(
        self,
        name: str,
        parameters: Parameters,
        write_id: int = 0,
        expected: tuple[str, str] | None = None,
        table_id: int | None = None,
    ) -> Event:
        """Raises: `NoSuchTable`, `Modified`, `Unsupported`."""
        self._alter(name, lambda row: self._like(row, name, dict(parameters)["v"]), write_id, expected)
        return self._event(write_id)

    def rename_table(self, name: str, to: str, write_id: int = 0, table_id: int | None = None) -> Event:
        """Raises: `NoSuchTable`, `TableExists`."""
        if name in self._names.partitioned:
            self._names.partitioned.add(to)
        self._alter(name, lambda row: self._like(row, to, "" if row is None else row.parameters["v"]), write_id, None)
        return self._event(write_id)

    def rename_database(self, database: str, to: str) -> tuple[Event, ...]:
        """No table gets another name by it. The request names no owner: one that changes the name alone does nothing.

        Raises: `NoSuchTable`, if there is no such database.
        """
        renamed = wire.Database(
            name=self._names.live_database(to), parameters={}, catalogName=_CATALOG, type=wire.DatabaseType.NATIVE
        )  # caches keep what is sent: of none they cannot tell a table
        self._call(lambda calls: calls.alter_database(self._names.live_database(database), renamed))
        return ()

    def drop_table(self, name: str) -> Event:
        """Raises: `NoSuchTable`."""
        database, table = split_name(self._names.live(name))
        self._call(lambda calls: calls.drop_table(database, table, True))
        return self._event()

    def put_partition(
        self, name: str, partition: str, value: str, write_id: int = 0, table_id: int | None = None
    ) -> Event:
        """Add or alter a partition. Raises: `NoSuchTable`."""
        row = self._backing.table(self._names.live(name))
        known = dict(self._backing.partitions(row.live_id)) if row is not None else {}
        self._put(self._partition(name, partition, value, write_id), adds=partition not in known)
        return self._event(write_id)

    def _put(self, made: Any, *, adds: bool) -> None:
        """Add a partition, or alter it; what has come or gone since the client looked is seen to in the same step."""

        def add(calls: Any) -> None:
            made.parameters[_ACCURATE] = _BASIC
            calls.add_partition(made)

        def alter(calls: Any) -> None:
            made.parameters.pop(_ACCURATE, None)
            calls.alter_partition(made.dbName, made.tableName, made)

        first, then = (add, alter) if adds else (alter, add)
        try:
            self._call(first)
        except Refused as error:
            if not isinstance(error, TableExists) and _NO_PARTITION not in str(error):
                raise
            with self._metastore.connect() as calls:
                self._translated(lambda: then(calls))

    def rename_partition(
        self, name: str, old: str, partition: str, value: str, write_id: int = 0, table_id: int | None = None
    ) -> Event:
        """Raises: `NoSuchTable`, `PartitionExists`."""
        database, table = split_name(self._names.live(name))
        made = self._partition(name, partition, value, write_id)
        self._call(lambda calls: calls.rename_partition(database, table, [old], made))
        return self._event(write_id)

    def _partition(self, name: str, partition: str, value: str, write_id: int) -> Any:
        database, table = split_name(self._names.live(name))
        like = self._like(self._backing.table(self._names.live(name)), name, "").sd
        like.location += f"/p={quote(partition, safe='')}"
        return wire.Partition(
            values=[partition], dbName=database, tableName=table, createTime=0, lastAccessTime=0, sd=like,
            parameters={"v": value}, writeId=write_id or -1,
        )  # fmt: skip

    def drop_partition(self, name: str, partition: str, write_id: int = 0, table_id: int | None = None) -> Event:
        """Raises: `NoSuchTable`."""
        database, table = split_name(self._names.live(name))
        self._call(lambda calls: calls.drop_partition(database, table, [partition], True))
        return self._event(write_id)

    def _like(self, row: Row | None, name: str, value: str) -> Any:
        """A table of this name and content, and for the rest as the database has it."""
        if row is None:
            return self._made(name, value, True, 0)
        return self._made(name, value, row.managed, self._names.ticket_of(self._names.incarnation(row)))

    def _made(self, name: str, value: str, managed: bool, ticket: int) -> Any:
        live = self._names.live(name)
        location = f"file:{self._metastore.folder.parent}/warehouse/{live.replace('.', '.db/')}-{ticket}"
        made = new_table(
            live, location, managed=managed, value=value, partitioned=name in self._names.partitioned
        )  # fmt: skip
        made.parameters[TICKET] = str(ticket)
        return made

    def _alter(
        self, name: str, changed: Callable[[Row | None], Any], write_id: int, expected: tuple[str, str] | None
    ) -> None:
        """An alter sends the whole table: as it is when the call is released, for it stands for the change alone."""
        database, table = split_name(self._names.live(name))
        properties = {} if expected is None else dict(zip(_EXPECTED, expected, strict=True))

        def request() -> Any:
            after = changed(self._backing.table(self._names.live(name)))
            after.writeId = write_id or -1
            return wire.AlterTableRequest(
                dbName=database, tableName=table, table=after, writeId=write_id or -1,
                environmentContext=wire.EnvironmentContext(properties),
            )  # fmt: skip

        self._gate.remakes[self._actor] = lambda call: with_arguments(call, alter_table_req_args(request()))
        self._call(lambda calls: calls.alter_table_req(request()))

    def _event(self, write_id: int = 0) -> Event:
        """The newest event, which is this call's, numbered from the first of the race."""
        made = self._backing.content_events(self._names.databases, self._began)
        return content_event(made[-1], self._names)._replace(id=len(made), log_id=len(made), write_id=write_id)


_CATALOG = "hive"
_ACCURATE, _BASIC = "COLUMN_STATS_ACCURATE", '{"BASIC_STATS":"true"}'
_EXPECTED = ("expected_parameter_key", "expected_parameter_value")
_NO_PARTITION = "alter is not possible"
