"""Row locks of the simulated database: held to the end of a transaction, waited for without a step.

Choices: of transactions that wait for each other the one that asks last is ended, at once. PostgreSQL looks after
`deadlock_timeout` and ends whoever looked, InnoDB ends the one that has changed the fewest rows: here it must be the
same one in every run of a schedule.
"""

from __future__ import annotations

from typing import Any, Protocol

from model.ports import Deadlock, PortError
from sim.kernel.kernel import Kernel
from sim.kernel.task import Task

Row = tuple[str, Any]


class Blocked(PortError):
    """Another transaction has the row: the statement waits for its end. Never leaves the database."""


class Holder(Protocol):
    """A transaction and the task that it runs in."""

    task: Task


class RowLocks:
    """Who has which row, and who waits for it."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._holders: dict[Row, Any] = {}
        self._waiting: list[tuple[Task, Row]] = []

    def take(self, work: Any, row: Row) -> None:
        """Lock a row for a transaction. Raises: `Blocked`."""
        holder = self._holders.setdefault(row, work)
        if holder is not work:
            raise Blocked(f"row {row}: expected it free, got a lock of another transaction")

    def wait(self, work: Holder, row: Row) -> None:
        """Wait until the row may be free. Raises: `Deadlock` if its holder waits for this very transaction."""
        if row in self._holders:
            if self._closes_circle(work, row):
                raise Deadlock(f"row {row[1]} of {row[0]}: expected a lock in the end, got a circle of transactions")
            self._kernel.hit("database: waited for a row lock")
            self._waiting.append((work.task, row))
            self._kernel.hub.switch()

    def _closes_circle(self, work: Holder, row: Row) -> bool:
        """Whether the holder of the row waits, by way of others or not, for a row of this transaction."""
        wanted = {task.name: other for task, other in self._waiting}
        holder = self._holders.get(row)
        while holder is not None and holder is not work:
            asked = wanted.get(holder.task.name)
            holder = None if asked is None else self._holders.get(asked)
        return holder is work

    def release(self, work: Any) -> None:
        """Let a transaction's rows go."""
        self._free([row for row, holder in self._holders.items() if holder is work])

    def release_dead(self) -> None:
        """Let the rows of crashed tasks go."""
        self._waiting = [entry for entry in self._waiting if not entry[0].crashed]
        self._free([row for row, holder in self._holders.items() if holder.task.crashed])

    def _free(self, rows: list[Row]) -> None:
        for row in rows:
            del self._holders[row]
        woken = [entry for entry in self._waiting if entry[1] in rows]
        self._waiting = [entry for entry in self._waiting if entry[1] not in rows]
        for task, _ in woken:
            self._kernel.at(self._kernel.now, lambda task=task: self._kernel.wake(task), task.name)  # type: ignore[misc]
