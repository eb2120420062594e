"""A metastore's tables, over plain Python objects: the port of `direct_world` for the Hive catalog."""

from typing import Any

from model.ports import AlreadyExists, CasLost, NotFound, Refused


class Tables:
    """Implements `model.ports.Metastore`. Args: `calls` makes a call of an actor; `shared` is what all share."""

    def __init__(self, calls: Any, shared: Any) -> None:
        self._calls, self._shared = calls, shared

    @property
    def _tables(self) -> dict[str, dict[str, str]]:
        found: dict[str, dict[str, str]] = self._shared.tables
        return found

    def get_table(self, name: str) -> dict[str, str]:
        """The parameters."""

        def apply() -> dict[str, str]:
            if name not in self._tables:
                raise NotFound(name)
            return dict(self._tables[name])

        return dict(self._calls.call("get_table", apply))

    def alter_table(self, name: str, parameters: dict[str, str], expected: tuple[str, str] | None = None) -> None:
        """Replace them."""

        def apply() -> None:
            if name not in self._tables:
                raise NotFound(name)
            self._compare(name, expected)
            self._tables[name] = dict(parameters)

        self._calls.call("alter_table", apply)

    def _compare(self, name: str, expected: tuple[str, str] | None) -> None:
        if expected is not None and self._tables[name].get(expected[0]) != expected[1]:
            raise CasLost(f"the table has been modified: expected {expected}, got {self._tables[name]}")

    def create_table(self, name: str, parameters: dict[str, str]) -> None:
        """Make it."""

        def apply() -> None:
            if name in self._tables:
                raise AlreadyExists(name)
            self._tables[name] = dict(parameters)

        self._calls.call("create_table", apply)

    def drop_table(self, name: str, by: int) -> None:
        """Take it away."""

        def apply() -> None:
            if self._tables.pop(name, None) is None:
                raise NotFound(name)

        self._calls.call("drop_table", apply)

    def rename_table(
        self, name: str, to: str, parameters: dict[str, str], expected: tuple[str, str] | None = None
    ) -> None:
        """Give it another name."""

        def apply() -> None:
            if name not in self._tables:
                raise Refused(name)
            if to in self._tables:
                raise AlreadyExists(to)
            self._compare(name, expected)
            del self._tables[name]
            self._tables[to] = dict(parameters)

        self._calls.call("rename_table", apply)
