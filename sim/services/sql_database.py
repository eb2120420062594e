"""The simulated SQL database of a client that brings its own statements: a real SQLite in memory, a step a statement.

Steps are `select`, `update` (any statement that writes) and `commit`. A transaction begins with its first write, and
works on a copy that the commit installs. One transaction writes at a time; who wants to write meanwhile waits, and is
told that the database is locked after five seconds.

Source: sqlite.org/lockingv3 (RESERVED is held by one connection); Python's `sqlite3`, whose default time to wait is
five seconds, and which begins transactions before writes alone.

Choices: a roll-back is no step, as none of its outcomes matters to who asks for it. A connection that is lost takes its
transaction with it at once, unless its commit was applied; so no commit arrives late. SQLite has no connection to lose:
what its client is told is an error of its disk, after which the outcome of a commit is as open.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any, NamedTuple

from greenlet import getcurrent

from model.ports import PortError
from sim.kernel.kernel import Kernel
from sim.kernel.task import READ, WRITE, Task
from sim.services.base import Interner, Service

BUSY_MS = 5_000
LOCKED = "database is locked"
NO_ANSWER = "disk I/O error"
READS = ("SELECT", "PRAGMA")
WAITED = "database: waited for another transaction"
GAVE_UP = "database: locked for too long"
NO_ROW = "database: a write found no row"


class Answer(NamedTuple):
    """What a statement comes to. Args: `columns` are their names; `error`: the class of an error and what it says."""

    columns: tuple[str, ...] = ()
    rows: tuple[Any, ...] = ()
    changed: int = -1
    error: tuple[str, str] | None = None


def _nobody(_: int) -> None:
    """Nobody hears of it."""


BUSY = Answer(error=("OperationalError", LOCKED))


class SqlDatabase(Service):
    """One database, of many sessions. Args: `watch` is a query; `history` has its answers, a commit each that is new;
    None, where it had one before and has none.

    The first of them is that of the image which the run began with.
    """

    def __init__(self, kernel: Kernel, interner: Interner | None = None, *, watch: str) -> None:
        super().__init__(kernel, interner)
        self.committed = _memory()
        self.history: list[Any] = []
        self.writer: Session | None = None
        self._watch = watch
        self._waiting: list[Task] = []

    def take(self, session: Session) -> bool:
        """Let a session write, if no other one does."""
        if self.writer is None:
            self.writer = session
            session.own = _copy(self.committed)
        return self.writer is session

    def install(self, session: Session) -> None:
        """Make what a session has written the database."""
        if session.own is not None:
            self.committed = session.own
            self._note(session)
        self.release(session)

    def release(self, session: Session) -> None:
        """A session has ended its transaction."""
        session.own = None
        if self.writer is session:
            self.writer = None
            woken, self._waiting = self._waiting, []
            for task in woken:
                self.kernel.at(int(self.kernel.now), lambda task=task: self.kernel.wake(task), task.name)  # type: ignore[misc]

    def wait(self, deadline_ms: int) -> bool:
        """Wait for the one that writes. Returns: False if it was too long."""
        kernel = self.kernel
        task = kernel.current
        assert task is not None
        if kernel.now >= deadline_ms:
            return False
        kernel.hit(WAITED)
        self._waiting.append(task)
        kernel.at(deadline_ms, lambda: self._give_up(task), task.name)
        kernel.hub.switch()
        return bool(kernel.now < deadline_ms)

    def _give_up(self, task: Task) -> None:
        if task in self._waiting:
            self._waiting.remove(task)
            self.kernel.wake(task)

    def crashed(self, process: str) -> None:
        """The transaction of a dead process is rolled back."""
        self._waiting = [task for task in self._waiting if not task.crashed]
        if self.writer is not None and self.writer.process == process:
            self.release(self.writer)

    def _note(self, session: Session) -> None:
        self._appended("database", tuple(self.committed.iterdump()))
        try:
            seen = self.committed.execute(self._watch).fetchall()
        except sqlite3.OperationalError:
            return  # its tables are being made
        answer = seen[0][0] if seen else None
        if answer != (self.history[-1] if self.history else None):
            self.history.append(answer)
            session.told(len(self.history) - 1)

    def _contents(self) -> tuple[bytes, list[Any]]:
        return _bytes(self.committed), self.history[-1:]

    def _replace(self, contents: tuple[bytes, list[Any]]) -> None:
        self.committed, self.history = _memory(contents[0]), list(contents[1])


class Session:
    """One client's connection. Args: `process` is its own; `own` is what it has written, and not committed; `told`
    hears of each commit of it that is new to who watches, by its place in `history`."""

    def __init__(self, database: SqlDatabase, process: str) -> None:
        self.process = process
        self.own: sqlite3.Connection | None = None
        self.told: Callable[[int], None] = _nobody
        self._database = database

    def execute(self, statement: str, parameters: tuple[Any, ...] = ()) -> Answer:
        """Carry a statement out. Raises: the errors of `sqlite3`."""
        reads = statement.lstrip().upper().startswith(READS)
        kernel = self._database.kernel
        deadline_ms = int(kernel.now) + BUSY_MS
        answer: Answer
        call = ("select", READ, self._select) if reads else ("update", WRITE, self._update)
        while (answer := self._sent(*call, statement, parameters)) is BUSY and getcurrent() is kernel.current:
            if not self._database.wait(deadline_ms):
                kernel.hit(GAVE_UP)
                break
        if answer.error is not None:
            raise getattr(sqlite3, answer.error[0])(answer.error[1])
        return answer

    def commit(self) -> None:
        """Commit, if there is a transaction. Raises: the errors of `sqlite3`."""
        if self.own is not None:
            self._sent("commit", WRITE, lambda: self._database.install(self))

    def rollback(self) -> None:
        """Forget what was not committed."""
        self._database.release(self)

    def _sent(self, operation: str, mode: str, apply: Any, *arguments: Any) -> Any:
        try:
            return self._database.kernel.call(operation, "catalog", mode, apply, *arguments)
        except PortError as lost:
            self.rollback()
            raise sqlite3.OperationalError(f"{NO_ANSWER}: {lost}") from lost

    def _select(self, statement: str, parameters: tuple[Any, ...]) -> Answer:
        return _answer(self.own or self._database.committed, statement, parameters)

    def _update(self, statement: str, parameters: tuple[Any, ...]) -> Answer:
        if not self._database.take(self):
            return BUSY
        assert self.own is not None
        answer = _answer(self.own, statement, parameters)
        if answer.changed == 0:
            self._database.kernel.hit(NO_ROW)
        return answer


def _answer(where: sqlite3.Connection, statement: str, parameters: tuple[Any, ...]) -> Answer:
    try:
        done = where.execute(statement, parameters)
    except sqlite3.Error as error:
        return Answer(error=(type(error).__name__, str(error)))
    columns = tuple([column[0] for column in done.description or ()])
    return Answer(columns, tuple(done.fetchall()), done.rowcount)


def _memory(content: bytes = b"") -> sqlite3.Connection:
    made = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    if content:
        made.deserialize(content)
    return made


def _bytes(database: sqlite3.Connection) -> bytes:
    pages = database.execute("PRAGMA page_count").fetchone()[0]
    return database.serialize() if pages else b""


def _copy(database: sqlite3.Connection) -> sqlite3.Connection:
    return _memory(_bytes(database))
