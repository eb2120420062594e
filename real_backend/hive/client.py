"""Connections to a metastore by Thrift, with a time limit on every call.

The bindings are the module `hive_metastore`, which PyIceberg carries: it is the one that has write ids, lists and table
ids. Its exceptions are frozen objects; a `with` block of a generator cannot pass them on, so `Connection` is a class.
"""

import logging
from types import TracebackType
from typing import Any

from hive_metastore import ThriftHiveMetastore
from hive_metastore.ttypes import (
    ClientCapabilities,
    ClientCapability,
    Database,
    FieldSchema,
    SerDeInfo,
    StorageDescriptor,
    Table,
)
from thrift.protocol.TBinaryProtocol import TBinaryProtocol
from thrift.transport.TSocket import TSocket
from thrift.transport.TTransport import TBufferedTransport

from real_backend.hive.ports import LOOPBACK

CALL_S = 60.0
CAPABILITIES = ClientCapabilities([ClientCapability.INSERT_ONLY_TABLES])
_FORMAT = "org.apache.hadoop.hive.ql.io.orc.Orc"
# every attempt to reach a server that is still starting would be printed with its stack
logging.getLogger("thrift").setLevel(logging.CRITICAL)


class Connection:
    """One connection; `calls` has a method per Thrift call. Opened at the first use, closed by `close`."""

    def __init__(self, port: int, timeout_s: float = CALL_S) -> None:
        socket = TSocket(LOOPBACK, port)
        socket.setTimeout(timeout_s * 1000)
        self._transport = TBufferedTransport(socket)
        self._client = ThriftHiveMetastore.Client(TBinaryProtocol(self._transport))

    @property
    def calls(self) -> Any:
        """The generated client. Raises: `TTransportException` if the metastore cannot be reached."""
        if not self._transport.isOpen():
            self._transport.open()
        return self._client

    def close(self) -> None:
        """End the connection; the next call makes a new one."""
        self._transport.close()

    def __enter__(self) -> Any:
        return self.calls

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def split_name(name: str) -> tuple[str, str]:
    """`default.t` as ("default", "t")."""
    database, table = name.split(".", 1)
    return database, table


def new_database(name: str, warehouse: str) -> Any:
    """A database below this place."""
    return Database(name=name, description="", locationUri=f"{warehouse}/{name}.db", parameters={})


def new_table(name: str, location: str, *, managed: bool, value: str, partitioned: bool = False) -> Any:
    """A table of one column whose content is its parameter `v`; a managed one has write ids."""
    database, table = split_name(name)
    descriptor = StorageDescriptor(
        cols=[FieldSchema("id", "int", "")], location=location, inputFormat=f"{_FORMAT}InputFormat",
        outputFormat=f"{_FORMAT}OutputFormat", compressed=False, numBuckets=-1, parameters={},
        serdeInfo=SerDeInfo(serializationLib=f"{_FORMAT}Serde", parameters={}),
    )  # fmt: skip
    # insert_only: tables with row-level changes need Hive's execution engine on the server
    kind = {"transactional": "true", "transactional_properties": "insert_only"} if managed else {"EXTERNAL": "TRUE"}
    return Table(
        tableName=table, dbName=database, owner="lakeproof", sd=descriptor, parameters={**kind, "v": value},
        partitionKeys=[FieldSchema("p", "string", "")] if partitioned else [],
        tableType="MANAGED_TABLE" if managed else "EXTERNAL_TABLE",
    )  # fmt: skip
