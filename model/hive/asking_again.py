"""Hive's own client: a call that got no answer is made again, once, whatever became of the first one.

Source: `RetryingMetaStoreClient.invoke` 4.0.1, for any `TTransportException`; `metastore.failure.retries` (1 unless it
is set); `IMetaStoreClient.lock`, the one call that is not made again (`RetrySemantics.CannotRetry`).

Choices: the second before it (`metastore.client.connect.retry.delay`) changes nothing here.
"""

from collections.abc import Callable
from typing import Any

from model.ports import ConnectionLost

NEVER_AGAIN = ("lock_table", "lock_together", "lock_update", "record_update")
"""Whatever is a request for a lock upstream."""


class AskingAgain:
    """A metastore as such a client reaches it: every call of the one that `find` finds by then; `again` is told of a
    second one."""

    def __init__(self, find: Callable[[], Any], again: Callable[[], None]) -> None:
        self._find = find
        self._again = again

    def __getattr__(self, name: str) -> Any:
        def call(*given: Any, **named: Any) -> Any:
            try:
                return getattr(self._find(), name)(*given, **named)
            except ConnectionLost:
                if name in NEVER_AGAIN:
                    raise
                self._again()
                return getattr(self._find(), name)(*given, **named)

        return call
