"""Mutants of tables that are made on the Hive catalog. Source: `model.iceberg.metastore_tables`."""

from collections.abc import Callable
from typing import Any

from model.iceberg.metastore_tables import HiveTables
from model.ports import Unanswered
from tests.mutants.damage import replaced
from tests.mutants.mutant import Mutant


def not_looked_for(self: HiveTables, table: dict[str, str] | None, base_location: str | None) -> None:
    """A table that is there is no reason not to create it."""
    if base_location is not None:
        _compare_location(self, table, base_location)


def believed(_: HiveTables, call: Callable[[], Any]) -> Any:
    """What was not answered is taken for done."""
    try:
        return call()
    except Unanswered:
        return None


_compare_location: Callable[..., None] = HiveTables._compare_location

IN_HIVE: tuple[Mutant, ...] = (
    replaced("hive-creation-overwrites", HiveTables, "_compare_location", not_looked_for, "the first table is gone"),
    replaced("hive-unanswered-believed", HiveTables, "_sent", believed, "a table that was told of is not there"),
)  # fmt: skip
