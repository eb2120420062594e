"""The simulated metastore: tables as parameter maps, altered unconditionally or with one expected parameter.

Source: Hive Metastore `get_table` and `alter_table_with_environmentContext` with `expected_parameter_key` and
`expected_parameter_value` (HIVE-26882).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from model.ports import CasLost, NotFound
from sim.kernel.kernel import Kernel
from sim.kernel.task import CAS, READ, WRITE
from sim.services.base import Interner, Service

Parameters = tuple[tuple[str, str], ...]


class MetastoreService(Service):
    """Implements `model.ports.Metastore`; steps are `get_table` and `alter_table`."""

    def __init__(self, kernel: Kernel, interner: Interner | None = None) -> None:
        super().__init__(kernel, interner)
        self.tables: dict[str, list[Parameters]] = {}
        kernel.versioned.append(self)

    def get_table(self, name: str) -> dict[str, str]:
        return dict(self.kernel.call("get_table", name, READ, self._get, name))

    def alter_table(self, name: str, parameters: dict[str, str], expected: tuple[str, str] | None = None) -> None:
        wanted = tuple(sorted(parameters.items()))
        self.kernel.call("alter_table", name, WRITE if expected is None else CAS, self._alter, name, wanted, expected)

    def create(self, name: str, parameters: dict[str, str]) -> None:
        """Set-up only, no step: make a table."""
        self.tables[name] = [tuple(sorted(parameters.items()))]
        self._wrote(name, self.tables[name][-1])

    def reads(self) -> tuple[Callable[..., Any], ...]:
        """Returns: what applies the reads that have a stale answer."""
        return (self._get,)

    def stale(self, operation: str, name: str) -> Parameters:
        """The parameters before the newest change."""
        return self.tables[name][-2:][0]

    def _get(self, name: str) -> Parameters:
        try:
            return self.tables[name][-1]
        except KeyError:
            raise NotFound(f"table {name}: expected one, got none") from None

    def _alter(self, name: str, parameters: Parameters, expected: tuple[str, str] | None) -> None:
        current = dict(self._get(name))
        if expected is not None and current.get(expected[0]) != expected[1]:
            raise CasLost(
                f"table {name}: has been modified: parameter {expected[0]}: "
                f"expected {expected[1]!r}, got {current.get(expected[0])!r}"
            )
        self.tables[name].append(parameters)
        self._appended(name, parameters)

    def _contents(self) -> dict[str, list[Parameters]]:
        return {name: list(versions) for name, versions in self.tables.items()}

    def _replace(self, contents: dict[str, list[Parameters]]) -> None:
        self.tables = {name: list(versions) for name, versions in contents.items()}
