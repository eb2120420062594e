"""The gate before a metastore: a proxy with one loopback port per actor, so that every client's calls are told apart.

It works for whoever speaks Thrift: our own sessions, Spark's client, Iceberg's in Java and in Python. A call stops
before it is passed on (apply) and, if the schedule splits replies, before its answer is. The faults are those of a
connection:

    drop-before   it closes, and the metastore never sees the call
    drop-after    the metastore has applied the call, and the connection closes instead of the answer
    late          it closes, and the call is still on its way: `late_calls`

A call that the metastore holds for ever is given up before the client or the gate gives up: its client is told so.

Choices: calls get the names that the simulator gives them; a rename is an alter with another name in it, and what a
session of ours does with a lock of its transaction has names of its own. What a client does besides (locks'
heartbeats, looking for databases) is no yield point and passes freely.
"""

import socket
import socketserver
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from real_backend.errors import Abandoned, BackendTimeout
from real_backend.gating.gate import EVERY, Gate
from real_backend.hive.client import CALL_S
from real_backend.hive.late_calls import LATE, LateCalls
from real_backend.hive.ports import LOOPBACK
from real_backend.hive.thrift_wire import Message, Wire, arguments_of

GET_TABLE, GET_PARTITIONS, ALTER_TABLE = "get_table", "get_partitions", "alter_table"
GET_STATISTICS, GET_KEY = "get_statistics", "get_key"
READS = (GET_TABLE, GET_PARTITIONS, GET_STATISTICS, GET_KEY)
_STEPS = {
    "open_txns": "open_txn",
    "get_open_txns": "get_open_txns",
    "get_valid_write_ids": "get_valid_write_ids",
    "allocate_table_write_ids": "allocate_write_id",
    "commit_txn": "commit_txn",
    "abort_txn": "abort_txn",
    "get_table": GET_TABLE,
    "get_table_req": GET_TABLE,
    "get_partitions_req": GET_PARTITIONS,
    "alter_table": ALTER_TABLE,
    "alter_table_req": ALTER_TABLE,
    "alter_table_with_environment_context": ALTER_TABLE,
    "create_table": "create_table",
    "create_table_req": "create_table",
    "create_table_with_environment_context": "create_table",
    "drop_table": "drop_table",
    "drop_table_with_environment_context": "drop_table",
    "add_partition": "put_partition",
    "alter_partition": "put_partition",
    "rename_partition": "rename_partition",
    "drop_partition": "drop_partition",
    "alter_database": "rename_database",
    "lock": "lock",
    "check_lock": "check_lock",
    "unlock": "unlock",
    "get_latest_txnid_in_conflict": "latest_conflict",
    "add_dynamic_partitions": "add_dynamic_partitions",
    "update_table_column_statistics_req": "update_statistics",
    "get_table_statistics_req": GET_STATISTICS,
    "delete_table_column_statistics": "delete_statistics",
    "delete_partition_column_statistics": "delete_statistics",
    "update_partition_column_statistics_req": "update_statistics",
    "get_partitions_statistics_req": GET_STATISTICS,
    "get_aggr_stats_for": GET_STATISTICS,
    "truncate_table_req": "truncate_table",
    "add_primary_key": "add_key",
    "drop_constraint": "drop_key",
    "get_primary_keys": GET_KEY,
}
LOCK_TABLE, GIVE_UP_LOCK = "lock_table", "give_up_lock"
LOCK_UPDATE, REALLOCATE = "lock_update", "reallocate_write_id"
RENAMED = ("rename_table", LOCK_TABLE, GIVE_UP_LOCK, LOCK_UPDATE, REALLOCATE)
YIELD_POINTS = tuple(dict.fromkeys([*_STEPS.values(), *RENAMED]))
APPLIED, REFUSED, NOT_APPLIED, NO_ANSWER = "applied", "refused", "not-applied", "no-answer"
ANSWER_S = 0.75 * CALL_S
_FAULTS = ("drop-before", "drop-after", LATE)


VersionOf = Callable[[Message, bytes], str | None]
ToldLate = Callable[[Message, bytes], None]


def _no_version(call: Message, answer: bytes) -> None:
    return None


def _nobody(call: Message, answer: bytes) -> None:
    return None


def can_fault(operation: str, fault: str) -> bool:
    """Whether this gate can commit the fault."""
    return operation in YIELD_POINTS and fault in _FAULTS


def operation_of(call: Message) -> str | None:
    """The simulator's name of a call; None if it has none."""
    operation = _STEPS.get(call.name)
    if operation == ALTER_TABLE:
        arguments = arguments_of(call)
        request = getattr(arguments, "req", None)
        before = (arguments.dbname, arguments.tbl_name) if request is None else (request.dbName, request.tableName)
        after = arguments.new_tbl if request is None else request.table
        return ALTER_TABLE if (after.dbName, after.tableName) == before else "rename_table"
    return operation


class ThriftGate:
    """Stands before the metastore `name`, whose port `target` gives. `install` puts a run's gate behind it.

    Args: `reads`, if there is a cache, counts what its clients were given from the database so far.
    """

    def __init__(self, name: str, target: Callable[[], int], reads: Callable[[], int] | None = None) -> None:
        self.name = name
        self.gate = Gate(())
        self.calls: list[tuple[str, str]] = []
        self.remakes: dict[str, Callable[[Message], bytes]] = {}
        """By actor: what its next call is to say when it is released, instead of what it said when it came."""
        self.renamed: dict[str, str] = {}
        """By actor: what its next call is called as a step, if not as others of its method."""
        self.heard: dict[str, Callable[[str | None], None]] = {}
        """By actor: told the step of each of its calls that the metastore has not refused, before the answer."""
        self._target = target
        self._reads = reads
        self._from_cache: dict[str, bool] = {}
        self._held: set[str] = set()
        self._version_of: VersionOf = _no_version
        self._late = LateCalls(self.gate)
        self._told_late: ToldLate = _nobody
        self._doors: dict[str, _Door] = {}
        self._lock = threading.Lock()

    def install(
        self, gate: Gate, version_of: VersionOf | None = None, late: LateCalls | None = None,
        told_late: ToldLate | None = None,
    ) -> None:  # fmt: skip
        """Put a run's gate behind the proxy, and forget the calls of earlier runs.

        Args: `version_of` says which version of a table a call and its answer are about; `late` are the run's late
        calls, of all its metastores, and `told_late` takes what a metastore answers to one.
        """
        self.gate = gate
        self._version_of = version_of or _no_version
        self._late, self._told_late = late or LateCalls(gate), told_late or _nobody
        self.calls.clear()

    def port_of(self, actor: str) -> int:
        """The port on which this actor is expected; opened at the first use."""
        with self._lock:
            if actor not in self._doors:
                self._doors[actor] = _Door(self, actor)
            return self._doors[actor].port

    def was_from_cache(self, actor: str) -> bool:
        """Whether the cache alone answered this actor's last read."""
        return self._from_cache.get(actor, False)

    def is_held(self, actor: str) -> bool:
        """Whether the metastore has left this actor's last call without an answer."""
        return actor in self._held

    def close(self) -> None:
        """Close every port; calls that are blocked end."""
        self.gate.abandon(f"the gate before {self.name} was closed")
        for door in self._doors.values():
            door.close()

    def connect(self) -> socket.socket:
        """A connection to the metastore; an answer on it takes less time than a client waits. Raises: `OSError`."""
        return socket.create_connection((LOOPBACK, self._target()), ANSWER_S)

    def pass_on(self, actor: str, client: Wire, server: Wire) -> bool:
        """Pass one call and its answer on; whether the connection is to stay. Raises: `EOFError`, `OSError`."""
        call = client.receive_call()
        operation, gate = self.renamed.pop(actor, None) or operation_of(call), self.gate
        self.calls.append((actor, call.name))
        fault = None if operation is None else gate.hold(actor, operation, self.name)
        remake = self.remakes.pop(actor, None)
        if fault in ("drop-before", LATE):
            gate.note(actor, NOT_APPLIED)
            if operation is not None and fault == LATE:
                self._late.send(actor, operation, self.name, partial(self._deliver, call, remake))
            return False
        probe = self._reads if operation in READS else None
        before = 0 if probe is None else probe()
        server.send(call.body if remake is None else remake(call))
        if call.is_oneway:
            return True
        self._held.discard(actor)
        try:
            answer, is_exception = server.receive_answer(call)
        except TimeoutError:
            self._held.add(actor)
            gate.note(actor, NO_ANSWER)
            return False
        if probe is not None:
            self._from_cache[actor] = probe() == before
        if not is_exception and actor in self.heard:
            self.heard[actor](operation)
        if operation is not None and (operation in gate.yield_points or gate.yield_points == EVERY):
            version = None if is_exception and operation == GET_TABLE else self._version_of(call, answer)
            gate.note(actor, REFUSED if is_exception else APPLIED, version)
            gate.hold(actor, operation, self.name, reply=True)
        if fault == "drop-after":
            return False
        client.send(answer)
        return True

    def _deliver(self, call: Message, remake: Callable[[Message], bytes] | None) -> str:
        """Pass a call on with nobody who waits for its answer; what came of it. Raises: `EOFError`, `OSError`."""
        with self.connect() as connection:
            server = Wire(connection)
            server.send(call.body if remake is None else remake(call))
            answer, is_exception = server.receive_answer(call)
        if not is_exception:
            self._told_late(call, answer)
        return REFUSED if is_exception else APPLIED


class _Door:
    """One actor's port: every connection on it is proxied by a thread."""

    def __init__(self, gate: ThriftGate, actor: str) -> None:
        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                _proxy(gate, actor, self.request)

        self._server = _Server((LOOPBACK, 0), Handler)
        self.port: int = self._server.server_address[1]
        name = f"lakeproof-{gate.name}-{actor}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), name=name, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(10)


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    block_on_close = False  # a blocked call is ended by its gate, not waited for here

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that has gone is no news; what it had done is in the gate's trace."""


def _proxy(gate: ThriftGate, actor: str, request: socket.socket) -> None:
    try:
        with gate.connect() as connection:
            client, server = Wire(request), Wire(connection)
            while gate.pass_on(actor, client, server):
                pass
            request.shutdown(socket.SHUT_RDWR)
    except (EOFError, OSError, Abandoned, BackendTimeout):
        return  # one of the two is gone; closing the other's connection is all that can be said
