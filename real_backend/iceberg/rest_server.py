"""A loopback HTTP server for one REST catalog: transport only; what a request means is decided elsewhere.

Every client names itself in the header X-Writer: Spark sets it per catalog, `spark.sql.catalog.<name>.header.X-Writer`,
PyIceberg by the property `header.X-Writer`.
"""

import json
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote, urlparse

WRITER_HEADER = "X-Writer"
IDLE_S = 600  # a kept connection may stand idle while other actors run


@dataclass(frozen=True, slots=True)
class Request:
    """What a client asked: `path` without the leading version, `key` the idempotency key if it sent one."""

    actor: str
    method: str
    path: tuple[str, ...]
    body: str
    key: str | None


@dataclass(frozen=True, slots=True)
class Answer:
    """What it is told. `drop`: close the connection without a word."""

    status: int
    body: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    drop: bool = False


def error_answer(status: int, kind: str, message: str, retry_after_s: int | None = None) -> Answer:
    """An error in the form that the REST catalog specification gives it."""
    headers = () if retry_after_s is None else (("Retry-After", str(retry_after_s)),)
    return Answer(status, json.dumps({"error": {"message": message, "type": kind, "code": status}}), headers)


class LoopbackServer:
    """Serves `answer` on a free port of the loopback interface until `close`."""

    def __init__(self, answer: Callable[[Request], Answer]) -> None:
        handler = type("Handler", (_Handler,), {"answer": staticmethod(answer)})
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._http.daemon_threads = True
        self._http.block_on_close = False  # a blocked call is ended by its gate, not waited for here
        self.uri = f"http://127.0.0.1:{self._http.server_port}"
        self._thread = threading.Thread(
            target=self._http.serve_forever, args=(0.05,), name="lakeproof-rest", daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """Stop accepting requests."""
        self._http.shutdown()
        self._http.server_close()
        self._thread.join(10)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = IDLE_S
    answer: Callable[[Request], Answer]

    def log_message(self, format: str, *arguments: Any) -> None:
        """Requests are in the gate's trace; standard error belongs to the user."""

    def _serve(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        path = tuple(unquote(part) for part in urlparse(self.path).path.strip("/").split("/"))[1:]
        actor = self.headers.get(WRITER_HEADER, "")
        answer = self.answer(Request(actor, self.command, path, body, self.headers.get("Idempotency-Key")))
        if answer.drop:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        data = answer.body.encode()
        self.send_response(answer.status)
        for name, value in (("Content-Type", "application/json"), ("Content-Length", str(len(data))), *answer.headers):
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    do_GET = do_POST = do_HEAD = do_DELETE = _serve
