"""A metastore that is none: answers a few Thrift calls from a dict, for tests of what stands before a metastore."""

import socketserver
import threading
from typing import Any

from hive_metastore import ThriftHiveMetastore
from hive_metastore.ttypes import (
    AlterTableResponse,
    GetOpenTxnsResponse,
    GetTableResult,
    MetaException,
    NoSuchObjectException,
    Table,
)
from thrift.protocol.TBinaryProtocol import TBinaryProtocol
from thrift.transport.TTransport import TFileObjectTransport


class Handler:
    """Tables by name, each with one parameter `v`."""

    def __init__(self) -> None:
        self.tables = {"t": "v0"}
        self.calls: list[str] = []

    def get_table_req(self, req: Any) -> Any:
        """4.0.1 has this call and not `get_table`."""
        self.calls.append("get_table_req")
        return GetTableResult(table=self._table(req.tblName))

    def alter_table_req(self, req: Any) -> Any:
        """Set `v`; a value of "no" is refused."""
        self.calls.append("alter_table_req")
        if req.table.parameters["v"] == "no":
            raise MetaException("expected another value")
        self.tables[req.tableName] = req.table.parameters["v"]
        return AlterTableResponse()

    def get_open_txns(self) -> Any:
        """Eight that are open, and the last of them aborted: flags that are no text."""
        self.calls.append("get_open_txns")
        return GetOpenTxnsResponse(8, list(range(1, 9)), abortedBits=b"\x80")

    def drop_table(self, dbname: str, name: str, deleteData: bool) -> None:
        """A call that returns nothing."""
        self.calls.append("drop_table")
        self._table(name)
        del self.tables[name]

    def _table(self, name: str) -> Any:
        if name not in self.tables:
            raise NoSuchObjectException(f"{name}: no such table")
        return Table(tableName=name, dbName="default", parameters={"v": self.tables[name]})


class Server:
    """Serves a handler on a loopback port until `close`."""

    def __init__(self) -> None:
        self.handler = Handler()
        processor = ThriftHiveMetastore.Processor(self.handler)

        class Serve(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                incoming = TBinaryProtocol(TFileObjectTransport(self.rfile))
                outgoing = TBinaryProtocol(TFileObjectTransport(self.wfile))
                try:
                    while True:
                        processor.process(incoming, outgoing)
                except (EOFError, OSError, IndexError):
                    return

        class Tcp(socketserver.ThreadingTCPServer):
            daemon_threads = True
            block_on_close = False

            def handle_error(self, request: Any, client_address: Any) -> None:
                """A client that has gone."""

        self._server = Tcp(("127.0.0.1", 0), Serve)
        self.port: int = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(10)
