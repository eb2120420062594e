"""The metastore's answer to a deadlock in its database: the call is made again, from its start.

Source: `TxnHandler.checkRetryable` (ALLOWED_REPEATED_DEADLOCKS) for what transactions ask, `RetryingHMSHandler` with
`hive.hmshandler.retry.attempts` for the rest, of which a deadlock is one of many errors that are tried again.

Choices: both try ten times more; they wait in between, which changes nothing here. The update thread has no such
handler upstream and would poll again; here it tries again too.
"""

from collections.abc import Callable
from typing import TypeVar

from model.hive import coverage
from model.hive.observer import Observer
from model.ports import Database, Deadlock, Transaction

T = TypeVar("T")
AGAIN = 10


class Retrying:
    """A database whose deadlocks its callers hardly see. Implements `model.ports.Database`."""

    def __init__(self, database: Database, observer: Observer) -> None:
        self._database = database
        self._observer = observer

    def transact(self, operation: str, resource: str, body: Callable[[Transaction], T]) -> T:
        """Run `body` in one transaction; after a deadlock in another one. Raises: `Deadlock` after the last."""
        for _ in range(AGAIN):
            try:
                return self._database.transact(operation, resource, body)
            except Deadlock:
                self._observer.hit(coverage.DEADLOCK)
        return self._database.transact(operation, resource, body)
