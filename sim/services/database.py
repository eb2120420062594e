"""The simulated relational database: tables of rows, transactions at read committed, row locks, sequences.

By default a transaction is one step: it reads, writes and commits when the strategy picks it. With `statements` each
statement is a step (`select`, `select_for_update`, `update`, `delete`, `next_value`), writes stay private until the
commit, and a row that another transaction has locked is waited for; the commit is the step that has the name of the
whole call, so schedules of both kinds name the same points.

Source: hive/1.2, hive/5: what the metastore asks of its database.

Choices: an update locks its row, also one that does not exist yet. Of transactions that wait for each other one is
rolled back (`row_locks`). A process that dies has its open transactions rolled back at that moment.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable
from typing import Any, TypeVar

from greenlet import getcurrent

from model.ports import PortError, Refused, Transaction
from sim.kernel.kernel import Kernel
from sim.kernel.task import READ, WRITE, Task
from sim.services.base import Interner, Service
from sim.services.row_locks import Blocked, RowLocks

Row = tuple[str, Any]
T = TypeVar("T")
GONE = object()


class DatabaseService(Service):
    """Implements `model.ports.Database`.

    Args: `statements` makes every statement a step; `journal` names a table whose inserts are kept in the order of
    their commits, for the harness (`journal_rows`). `outdated` rows are locked by nobody who asks for
    it, and shown to him as they once were; not where every statement is a step.
    """

    def __init__(
        self,
        kernel: Kernel,
        interner: Interner | None = None,
        *,
        statements: bool = False,
        journal: str = "",
    ) -> None:
        super().__init__(kernel, interner)
        self.statements = statements
        self.locks = RowLocks(kernel)
        self.journal_rows: list[Any] = []
        self._journal = journal
        self._rows: dict[str, dict[Any, Any]] = {}
        self._keys: dict[str, list[Any]] = {}
        self._sequences: dict[str, int] = {}
        self._waiting: list[tuple[Task, Callable[[], bool]]] = []
        self._over = False
        self.outdated: dict[Row, Any] = {}

    def transact(self, operation: str, resource: str, body: Callable[[Transaction], T]) -> T:
        """Run `body` in one transaction, as one step or statement by statement."""
        task = self.kernel.current
        if not self.statements or task is None or getcurrent() is not task:
            result: T = self.kernel.call(operation, resource, WRITE, lambda: self.at_once(body))
            return result
        work = Interleaved(self, task)
        try:
            result = body(work)
        except Exception:
            self.locks.release(work)
            raise
        try:
            self.kernel.call(operation, resource, WRITE, work.commit)
        except PortError:
            work.roll_back()
            raise
        return result

    def at_once(self, body: Callable[[Transaction], T]) -> T:
        """Run `body` in one transaction as part of the current step."""
        work = Work(self)
        result = body(work)
        self.install(work)
        return result

    # -- rows ----------------------------------------------------------------------------------------------------

    def row(self, table: str, key: Any) -> Any:
        """A committed row, or None."""
        rows = self._rows.get(table)
        return None if rows is None else rows.get(key)

    def rows(self, table: str, low: Any = None, high: Any = None, limit: int | None = None) -> list[tuple[Any, Any]]:
        """Committed rows with low <= key < high, in key order, the first `limit` of them."""
        keys, rows = self._keys.get(table, []), self._rows.get(table, {})
        begin = 0 if low is None else bisect_left(keys, low)
        end = len(keys) if high is None else bisect_left(keys, high)
        if limit is not None:
            end = min(end, begin + limit)
        return [(key, rows[key]) for key in keys[begin:end]]

    def advance(self, sequence: str) -> int:
        """The next number of a sequence."""
        value = self._sequences[sequence] = self._sequences.get(sequence, 0) + 1
        if self._interner is not None:
            self._wrote(f"sequence {sequence}", value)
        return value

    def install(self, work: Work) -> None:
        """Make a transaction's writes visible, at once."""
        grown, has_keys = False, self._interner is not None  # a row's name costs more than the row
        for (table, key), row in work.writes.items():
            rows, keys = self._rows.setdefault(table, {}), self._keys.setdefault(table, [])
            if row is GONE:
                if rows.pop(key, None) is not None:
                    del keys[bisect_left(keys, key)]
                if has_keys:
                    self._removed(f"{table} {key}")
                continue
            if key not in rows:
                insort(keys, key)
                if table == self._journal:
                    grown = True
                    self.journal_rows.append(row)
                    self._appended("journal", row)
            rows[key] = row
            if has_keys:
                self._wrote(f"{table} {key}", row)
        if grown and self._waiting:
            self._wake([waiting for waiting in self._waiting if waiting[1]()])

    # -- waiting for the journal ---------------------------------------------------------------------------------

    def wait_until(self, condition: Callable[[], bool]) -> bool:
        """Wait, without a step, until committed rows meet a condition; False if they never will (`over`).

        It is asked whenever the journal has grown. It stands for polling: a poll that finds nothing changes nothing.
        """
        kernel = self.kernel
        while not condition() and not self._over:  # who is woken may find that another has seen to it
            assert kernel.current is not None
            self._waiting.append((kernel.current, condition))
            kernel.hub.switch()
        return condition()

    def over(self) -> None:
        """Nothing will be written any more except by those that wait: let them see to the rest and end."""
        self._over = True
        self._wake(self._waiting[:])

    def _wake(self, waiting: list[tuple[Task, Callable[[], bool]]]) -> None:
        self._waiting = [entry for entry in self._waiting if entry not in waiting]
        for task, _ in waiting:
            self.kernel.at(self.kernel.now, lambda task=task: self.kernel.wake(task), task.name)  # type: ignore[misc]

    def crashed(self, process: str) -> None:
        """Roll back what a dead process left open, and forget that it waits."""
        self._waiting = [entry for entry in self._waiting if not entry[0].crashed]
        self.locks.release_dead()

    def _contents(self) -> Any:
        return {name: dict(rows) for name, rows in self._rows.items()}, dict(self._sequences)

    def _replace(self, contents: Any) -> None:
        tables, sequences = contents
        self._rows = {name: dict(rows) for name, rows in tables.items()}
        self._keys = {name: sorted(rows) for name, rows in tables.items()}
        self._sequences = dict(sequences)


class Work:
    """One transaction's view: committed rows under its own writes. Implements `model.ports.Transaction`."""

    def __init__(self, database: DatabaseService) -> None:
        self.database = database
        self.writes: dict[Row, Any] = {}

    def get(self, table: str, key: Any) -> Any:
        if (table, key) in self.writes:
            row = self.writes[table, key]
            return None if row is GONE else row
        return self.database.row(table, key)

    def lock(self, table: str, key: Any) -> Any:
        row = self.get(table, key)
        outdated = self.database.outdated
        return outdated.get((table, key), row) if outdated and (table, key) not in self.writes else row

    def put(self, table: str, key: Any, row: Any) -> None:
        self.writes[table, key] = row

    def delete(self, table: str, key: Any) -> None:
        self.writes[table, key] = GONE

    def scan(
        self, table: str, low: Any = None, high: Any = None, limit: int | None = None
    ) -> tuple[tuple[Any, Any], ...]:
        own = {key: row for (name, key), row in self.writes.items() if name == table} if self.writes else {}
        if not own:
            return tuple(self.database.rows(table, low, high, limit))
        merged = dict(self.database.rows(table, low, high)) | {
            key: row for key, row in own.items() if (low is None or key >= low) and (high is None or key < high)
        }
        found = sorted([(key, row) for key, row in merged.items() if row is not GONE], key=lambda pair: pair[0])
        return tuple(found[:limit])

    def next_value(self, sequence: str) -> int:
        return self.database.advance(sequence)

    def now_ms(self) -> int:
        return int(self.database.kernel.now)


class Interleaved(Work):
    """The same, each statement a step of the transaction's task, with row locks."""

    def __init__(self, database: DatabaseService, task: Task) -> None:
        super().__init__(database)
        self.task = task
        self._call = database.kernel.call
        self._committed = self._rolled_back = False

    def get(self, table: str, key: Any) -> Any:
        return self._call("select", table, READ, super().get, table, key)

    def lock(self, table: str, key: Any) -> Any:
        return self._when_free("select_for_update", table, key, lambda: Work.get(self, table, key))

    def put(self, table: str, key: Any, row: Any) -> None:
        self._when_free("update", table, key, lambda: Work.put(self, table, key, row))

    def delete(self, table: str, key: Any) -> None:
        self._when_free("delete", table, key, lambda: Work.delete(self, table, key))

    def scan(
        self, table: str, low: Any = None, high: Any = None, limit: int | None = None
    ) -> tuple[tuple[Any, Any], ...]:
        found: tuple[tuple[Any, Any], ...] = self._call("select", table, READ, super().scan, table, low, high, limit)
        return found

    def next_value(self, sequence: str) -> int:
        value: int = self._call("next_value", sequence, WRITE, super().next_value, sequence)
        return value

    def commit(self) -> None:
        """Install the writes and let the rows go. Raises: `Refused` if the transaction has been rolled back."""
        if self._rolled_back:
            raise Refused("commit: expected an open transaction, got one that was rolled back")
        self.database.install(self)
        self.database.locks.release(self)
        self._committed = True

    def roll_back(self) -> None:
        """Let the rows go, unless the transaction has committed: its commit was lost, or will come too late."""
        if not self._committed:
            self._rolled_back = True
            self.database.locks.release(self)

    def _when_free(self, operation: str, table: str, key: Any, act: Callable[[], T]) -> T:
        """Take the row's lock and act, as one step; wait first while another transaction has it."""
        locks = self.database.locks

        def apply() -> T:
            locks.take(self, (table, key))
            return act()

        while True:
            try:
                result: T = self._call(operation, table, WRITE, apply)
                return result
            except Blocked:
                locks.wait(self, (table, key))
