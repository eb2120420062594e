"""Our end of a cached metastore's watermark: one line there, one line back. The metastore connects to us at its start.

Source: `java/WatermarkStore.java`, which says what each line does, and `java/HouseKeeper.java`, which connects as well.
"""

import socket
import threading
import time
from typing import NamedTuple

from real_backend.errors import BackendTimeout
from real_backend.hive.ports import LOOPBACK

ANSWER_S = 20.0
OPEN = (1 << 63) - 1
"""A watermark that hides nothing."""


class Where(NamedTuple):
    """Where a cache stands: the last event applied, polls of the log so far (or refreshes begun), database writes made
    by replays, tables and partition lists that clients were given from the database, and before which part of a refresh
    its timer stands (0: none)."""

    position: int
    polls: int
    writes: int
    reads: int
    at: int = 0


class Control:
    """The connection to one metastore's store. Its calls come from any thread, one at a time."""

    def __init__(self) -> None:
        self._server = socket.create_server((LOOPBACK, 0))
        self.port: int = self._server.getsockname()[1]
        self._connection: socket.socket | None = None
        self._lock = threading.Lock()
        self._rest = b""

    def try_accept(self) -> bool:
        """Whether the metastore has connected; does not wait."""
        if self._connection is None:
            self._server.setblocking(False)
            try:
                self._connection, _ = self._server.accept()
            except BlockingIOError:
                return False
            self._connection.settimeout(ANSWER_S)
        return True

    def ask(self, line: str = "where") -> Where:
        """Send one line; returns where the cache stands after it. Raises: `BackendTimeout`."""
        return Where(*map(int, self.say(line).split()))

    def say(self, line: str) -> str:
        """Send one line; returns the answer. Raises: `BackendTimeout`."""
        with self._lock:
            assert self._connection is not None, "asked before the metastore was up"
            try:
                self._connection.sendall(line.encode() + b"\n")
                while b"\n" not in self._rest:
                    received = self._connection.recv(4096)
                    if not received:
                        raise OSError("the connection is closed")
                    self._rest += received
            except OSError as error:
                raise BackendTimeout(
                    f"metastore: expected an answer to {line!r} within {ANSWER_S:g} s, got {error}"
                ) from None
            answer, self._rest = self._rest.split(b"\n", 1)
            return answer.decode()

    def await_poll(self, polls: int, timeout_s: float = ANSWER_S) -> Where:
        """Wait until the cache has asked the log more than `polls` times. Raises: `BackendTimeout`."""
        deadline = time.monotonic() + timeout_s
        while (where := self.ask()).polls <= polls:
            if time.monotonic() > deadline:
                raise BackendTimeout(f"update thread: expected a poll within {timeout_s:g} s, got none; {where}")
            time.sleep(0.003)
        return where

    def close(self) -> None:
        """Forget the metastore."""
        if self._connection is not None:
            self._connection.close()
        self._server.close()
