"""Something that happens before a metastore's next call of one kind."""

from collections.abc import Callable
from typing import Any


class Meanwhile:
    """A database, or a memory, before whose next call of the named operation something else happens."""

    def __init__(self, port: Any, operation: str, event: Callable[[], None]) -> None:
        self._port = port
        self._operation = operation
        self._event = event

    def __getattr__(self, name: str) -> Any:
        def call(operation: str, resource: str, body: Any) -> Any:
            if operation == self._operation:
                self._operation = ""
                self._event()
            return getattr(self._port, name)(operation, resource, body)

        return call
