"""Thrift messages as a proxy sees them: read whole, named, passed on unchanged; two calls that 4.0.1 dropped restored.

Choices: Spark 3.5's built-in client and PyIceberg still make the calls `get_table` and `get_table_objects_by_name`;
4.0.1 answers "Invalid method name". They are rewritten into the calls that replaced them, and so are the answers.
"""

import socket
from collections.abc import Callable
from typing import Any, NamedTuple

from hive_metastore import ThriftHiveMetastore as Calls
from hive_metastore.ttypes import GetTableRequest, GetTablesRequest
from thrift.protocol.TBinaryProtocol import TBinaryProtocol
from thrift.Thrift import TMessageType, TType
from thrift.transport.TTransport import TMemoryBuffer, TTransportBase

from real_backend.hive.client import CAPABILITIES

BUFFER = 1 << 16


class Message(NamedTuple):
    """One message: its name, its bytes, and the name to answer under if the call was rewritten."""

    name: str
    body: bytes
    restored: str | None = None
    is_oneway: bool = False


class _Restored(NamedTuple):
    now: str
    arguments: Callable[[Any], Any]
    result: Callable[[Any], Any]


def _table_arguments(old: Any) -> Any:
    request = GetTableRequest(dbName=old.dbname, tblName=old.tbl_name, capabilities=CAPABILITIES)
    return Calls.get_table_req_args(request)


def _tables_arguments(old: Any) -> Any:
    request = GetTablesRequest(dbName=old.dbname, tblNames=old.tbl_names, capabilities=CAPABILITIES)
    return Calls.get_table_objects_by_name_req_args(request)


_RESTORED = {
    "get_table": _Restored(
        "get_table_req",
        _table_arguments,
        lambda new: Calls.get_table_result(new.success.table if new.success else None, new.o1, new.o2),
    ),
    "get_table_objects_by_name": _Restored(
        "get_table_objects_by_name_req",
        _tables_arguments,
        lambda new: Calls.get_table_objects_by_name_result(new.success.tables if new.success else None),
    ),
}


class _Raw(TBinaryProtocol):
    """Passes over bytes as bytes: the flags of a list of transactions are no text."""

    def readString(self) -> bytes:
        found: bytes = self.readBinary()
        return found


class Wire(TTransportBase):
    """One side of a proxied connection: whole messages in, bytes out."""

    def __init__(self, connection: socket.socket) -> None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._connection = connection
        self._file = connection.makefile("rb", BUFFER)
        self._seen = bytearray()

    def read(self, sz: int) -> bytes:
        """For the protocol: bytes of the current message. Raises: `EOFError` when the connection has ended."""
        found: bytes = self._file.read(sz)
        if len(found) < sz:
            raise EOFError
        self._seen += found
        return found

    readAll = read

    def receive_call(self) -> Message:
        """The next call of a client. Raises: `EOFError`, `OSError`."""
        self._seen.clear()
        protocol = TBinaryProtocol(self)
        name, kind, number = protocol.readMessageBegin()
        restored = _RESTORED.get(name)
        if restored is None:
            _Raw(self).skip(TType.STRUCT)
            return Message(name, bytes(self._seen), None, kind == TMessageType.ONEWAY)
        arguments = getattr(Calls, f"{name}_args")()
        arguments.read(protocol)
        return Message(restored.now, _encode(restored.now, kind, number, restored.arguments(arguments)), name)

    def receive_answer(self, call: Message) -> tuple[bytes, bool]:
        """The answer to this call, and whether it is an exception. Raises: `EOFError`, `OSError`."""
        self._seen.clear()
        protocol = TBinaryProtocol(self)
        name, kind, number = protocol.readMessageBegin()
        if kind == TMessageType.EXCEPTION or call.restored is None:
            start = len(self._seen)
            _Raw(self).skip(TType.STRUCT)
            whole = bytes(self._seen)
            return whole, kind == TMessageType.EXCEPTION or _is_exception(whole[start:])
        result = getattr(Calls, f"{name}_result")()
        result.read(protocol)
        whole = _encode(call.restored, kind, number, _RESTORED[call.restored].result(result))
        return whole, not result.success

    def send(self, body: bytes) -> None:
        """Pass bytes on."""
        self._connection.sendall(body)


def _is_exception(result: bytes) -> bool:
    """Field 0 of a result is what the call returns, the others are what it may raise; a void call has none."""
    _, kind, number = TBinaryProtocol(TMemoryBuffer(result)).readFieldBegin()
    return bool(kind != TType.STOP and number != 0)


def arguments_of(call: Message) -> Any:
    """The arguments of a call, decoded."""
    protocol = TBinaryProtocol(TMemoryBuffer(call.body))
    protocol.readMessageBegin()
    arguments = getattr(Calls, f"{call.name}_args")()
    arguments.read(protocol)
    return arguments


def with_arguments(call: Message, arguments: Any) -> bytes:
    """The bytes of the same call with other arguments."""
    _, kind, number = TBinaryProtocol(TMemoryBuffer(call.body)).readMessageBegin()
    return _encode(call.name, kind, number, arguments)


def result_of(answer: bytes) -> Any:
    """The result in an answer, decoded."""
    protocol = TBinaryProtocol(TMemoryBuffer(answer))
    name, _, _ = protocol.readMessageBegin()
    result = getattr(Calls, f"{name}_result")()
    result.read(protocol)
    return result


def _encode(name: str, kind: int, number: int, body: Any) -> bytes:
    buffer = TMemoryBuffer()
    protocol = TBinaryProtocol(buffer)
    protocol.writeMessageBegin(name, kind, number)
    body.write(protocol)
    protocol.writeMessageEnd()
    encoded: bytes = buffer.getvalue()
    return encoded
