"""A simulated server process: memory that its threads share, its way to the database, and the fact that it can die.

A remote call is played by its caller: the server's code runs in the client's task, at the server's memory and database
ports. When the server dies, the calls in it fail at their next step with a closed connection, applied or not.

Choices: a section that raises an error of the server's own (one that is no `PortError`) raises it in its thread, after
the step; what it did before stays done.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from model.ports import ConnectionLost, PortError, Transaction
from sim.kernel.kernel import Kernel
from sim.kernel.task import WRITE
from sim.services.database import DatabaseService

T = TypeVar("T")


class Server:
    """One life of a process. Implements `model.ports.Memory` and, over the shared service, `model.ports.Database`."""

    def __init__(self, kernel: Kernel, database: DatabaseService, name: str) -> None:
        self.kernel = kernel
        self.name = name
        self.alive = True
        self._inside = 0
        self._database = database

    def critical(self, operation: str, resource: str, section: Callable[[], T]) -> T:
        """Run a section as one step."""
        raised: list[Exception] = []

        def apply() -> T | tuple[str, str]:
            self.check(operation)
            self._inside += 1
            try:
                return section()
            except PortError:
                raise
            except Exception as error:
                raised.append(error)
                return type(error).__name__, str(error)
            finally:
                self._inside -= 1

        result: T = self.kernel.call(operation, resource, WRITE, apply)
        if raised:
            raise raised[0]
        return result

    def transact(self, operation: str, resource: str, body: Callable[[Transaction], T]) -> T:
        """One transaction of this process; within a section it is part of the section's step."""
        if self._inside:
            return self._database.at_once(body)

        def while_alive(tx: Transaction) -> T:
            self.check(operation)
            return body(tx)

        return self._database.transact(operation, resource, while_alive)

    def check(self, operation: str) -> None:
        """Raises: `ConnectionLost` if it has died."""
        if not self.alive:
            raise ConnectionLost(f"{operation}({self.name}): expected an answer, the server died")
