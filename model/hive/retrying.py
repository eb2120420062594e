"""The metastore's answer to a deadlock in its database: the call is made again, from its start.

Source: at 4.0.1, `SqlRetryHandler.checkDeadlock` for what transactions ask (ALLOWED_REPEATED_DEADLOCKS = 10), and
`RetryingHMSHandler` for the rest, of which a deadlock is one of many errors that are tried again:
`MetastoreConf.ConfVars.HMS_HANDLER_ATTEMPTS`, `metastore.hmshandler.retry.attempts` (`hive.hmshandler.retry.attempts`),
which is 10 unless it is set.

Choices: both wait in between (0.2 s longer each time, 2 s), which changes nothing here. The update thread has no such
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
