"""Mutants of tables that are made on the Hive catalog. Source: `model.iceberg.metastore_tables`."""

from collections.abc import Callable
from typing import Any

from model.iceberg.metadata import TableMetadata
from model.iceberg.metastore import HiveOperations
from model.iceberg.metastore_lock import MetastoreLock, NoLock
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


def as_its_catalog_says(self: HiveOperations, base: TableMetadata) -> MetastoreLock | NoLock:
    """Whatever the table says."""
    return _lock_object(self, base._replace(properties=base.properties._replace(further=())))


def by_what_is_written(self: Any, _: TableMetadata) -> MetastoreLock | NoLock:
    """As the table says that is to be."""
    return _lock_object(self, self.updated)


def noted(self: Any, base: TableMetadata, base_location: str | None, updated: TableMetadata) -> None:
    """What is to be is known."""
    self.updated = updated
    _publish(self, base, base_location, updated)


_compare_location: Callable[..., None] = HiveTables._compare_location
_lock_object, _publish = HiveOperations._lock_object, HiveOperations._publish

IN_HIVE: tuple[Mutant, ...] = (
    replaced("hive-creation-overwrites", HiveTables, "_compare_location", not_looked_for, "the first table is gone"),
    replaced("hive-unanswered-believed", HiveTables, "_sent", believed, "a table that was told of is not there"),
    replaced(
        "lock-property-ignored", HiveOperations, "_lock_object", as_its_catalog_says, "one locks, another does not"
    ),
    Mutant(
        "lock-by-what-is-written", "who switches the lock off meets who holds it",
        ((HiveOperations, "_publish", noted), (HiveOperations, "_lock_object", by_what_is_written)),
    ),
)  # fmt: skip
