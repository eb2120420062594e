"""Row locks of the simulated database: held to the end of a transaction, waited for without a step."""

from __future__ import annotations

from typing import Any, Protocol

from model.ports import PortError
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
        """Wait until the row may be free."""
        if row in self._holders:
            self._kernel.hit("database: waited for a row lock")
            self._waiting.append((work.task, row))
            self._kernel.hub.switch()

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
