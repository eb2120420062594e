"""The simulated metastore: tables as parameter maps, altered unconditionally or with one expected parameter, made and
dropped.

Source: Hive Metastore `get_table`, `create_table`, `drop_table`, and `alter_table_with_environmentContext` with
`expected_parameter_key` and `expected_parameter_value` (HIVE-26882).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from model.ports import AlreadyExists, CasLost, NotFound, Refused
from sim.kernel.kernel import Kernel
from sim.kernel.task import CAS, READ, WRITE
from sim.services.base import Interner, Service

Parameters = tuple[tuple[str, str], ...]
Told = Callable[[str, Parameters | None, int], None]


def _nobody(name: str, parameters: Parameters | None, by: int) -> None:
    return None


class MetastoreService(Service):
    """Implements `model.ports.Metastore`; steps are `get_table`, `alter_table`, `create_table`, `drop_table` and
    `rename_table`.

    `tables`: all versions of each, oldest first; None: there was no table then. `told` hears of each change as it is
    made: the table, its parameters, or None and the drop's name; of a rename, under the new name.
    """

    def __init__(self, kernel: Kernel, interner: Interner | None = None) -> None:
        super().__init__(kernel, interner)
        self.tables: dict[str, list[Parameters | None]] = {}
        self.told: Told = _nobody
        kernel.versioned.append(self)

    def get_table(self, name: str) -> dict[str, str]:
        return dict(self.kernel.call("get_table", name, READ, self._get, name))

    def alter_table(self, name: str, parameters: dict[str, str], expected: tuple[str, str] | None = None) -> None:
        wanted = tuple(sorted(parameters.items()))
        self.kernel.call("alter_table", name, WRITE if expected is None else CAS, self._alter, name, wanted, expected)

    def create_table(self, name: str, parameters: dict[str, str]) -> None:
        self.kernel.call("create_table", name, CAS, self._create, name, tuple(sorted(parameters.items())))

    def drop_table(self, name: str, by: int) -> None:
        self.kernel.call("drop_table", name, WRITE, self._drop, name, by)

    def rename_table(
        self, name: str, to: str, parameters: dict[str, str], expected: tuple[str, str] | None = None
    ) -> None:
        wanted = tuple(sorted(parameters.items()))
        self.kernel.call("rename_table", name, CAS, self._rename, name, to, wanted, expected)

    def create(self, name: str, parameters: dict[str, str]) -> None:
        """Set-up only, no step: make a table."""
        self.tables[name] = [tuple(sorted(parameters.items()))]
        self._wrote(name, self.tables[name][-1])

    def reads(self) -> tuple[Callable[..., Any], ...]:
        """Returns: what applies the reads that have a stale answer."""
        return (self._get,)

    def stale(self, operation: str, name: str) -> Parameters:
        """The parameters before the newest change."""
        return _there(name, self.tables[name][-2:][0])

    def _get(self, name: str) -> Parameters:
        return _there(name, self.tables.get(name, [None])[-1])

    def _alter(self, name: str, parameters: Parameters, expected: tuple[str, str] | None) -> None:
        _compare(name, dict(self._get(name)), expected)
        self._put(name, parameters)

    def _create(self, name: str, parameters: Parameters) -> None:
        if self.tables.get(name, [None])[-1] is not None:
            raise AlreadyExists(f"table {name}: expected none, there is one")
        self._put(name, parameters)

    def _drop(self, name: str, by: int) -> None:
        self._get(name)
        self._put(name, None, by)

    def _rename(self, name: str, to: str, parameters: Parameters, expected: tuple[str, str] | None) -> None:
        found = self.tables.get(name, [None])[-1]
        if found is None:
            raise Refused(f"table {name}: expected one to be renamed, got none")
        if self.tables.get(to, [None])[-1] is not None:
            raise AlreadyExists(f"table {to}: expected none, there is one")
        _compare(name, dict(found), expected)
        self.tables[name].append(None)
        self._appended(name, None)
        self._put(to, parameters)

    def _put(self, name: str, parameters: Parameters | None, by: int = 0) -> None:
        self.tables.setdefault(name, []).append(parameters)
        self._appended(name, parameters)
        self.told(name, parameters, by)

    def _contents(self) -> dict[str, list[Parameters | None]]:
        return {name: list(versions) for name, versions in self.tables.items()}

    def _replace(self, contents: dict[str, list[Parameters | None]]) -> None:
        self.tables = {name: list(versions) for name, versions in contents.items()}


def _there(name: str, parameters: Parameters | None) -> Parameters:
    """The parameters. Raises: `NotFound` if there is no such table."""
    if parameters is None:
        raise NotFound(f"table {name}: expected one, got none")
    return parameters


def _compare(name: str, current: dict[str, str], expected: tuple[str, str] | None) -> None:
    """Raises: `CasLost` if a parameter is not as expected."""
    if expected is not None and current.get(expected[0]) != expected[1]:
        raise CasLost(
            f"table {name}: has been modified: parameter {expected[0]}: "
            f"expected {expected[1]!r}, got {current.get(expected[0])!r}"
        )
