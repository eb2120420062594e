"""What is wrong with a table property that a statement sets, and why it is refused: Iceberg goes by it, and the
simulation would not.

Source: `core/TableProperties.java` of 1.11.0.
"""

from __future__ import annotations

from model.iceberg.formats import FORMAT
from model.iceberg.metastore import LOCK_ENABLED
from model.iceberg.retention import GC_ENABLED, MAX_REF_AGE, MAX_SNAPSHOT_AGE, MIN_TO_KEEP
from sim.iceberg.layout import UnsetProperty
from sim.iceberg.statements import SetProperty

OF_ICEBERG = ("commit.", "compatibility.", "encryption.", "engine.", "gc.", "history.", "read.", "schema.", "write.")
"""What the names of properties begin with that Iceberg reads in a table."""
RESERVED = (
    "current-schema", "current-snapshot-id", "current-snapshot-summary", "current-snapshot-timestamp-ms",
    "default-partition-spec", "default-sort-order", "snapshot-count", "uuid",
)  # fmt: skip
"""Names that say what the metadata says by itself (`RESERVED_PROPERTIES`)."""
FORMATS = ("1", "2", "3")
FOLLOWED = (FORMAT, GC_ENABLED, MAX_SNAPSHOT_AGE, MIN_TO_KEEP, MAX_REF_AGE, LOCK_ENABLED)


def check_set(statement: SetProperty | UnsetProperty) -> None:
    """Raise `ValueError` for a property that Iceberg reads and that is not followed when a statement sets it, or takes
    it away, or for a value that it cannot have."""
    name, followed = statement.name, FOLLOWED if isinstance(statement, SetProperty) else FOLLOWED[1:]
    if name not in followed and (name.startswith(OF_ICEBERG) or name in (*RESERVED, FORMAT)):
        raise _wrong(statement, "", f"{', '.join(followed)} or a name of your own", name)
    if isinstance(statement, SetProperty):
        _check_value(statement)


def _check_value(statement: SetProperty) -> None:
    name, value = statement.name, statement.value
    if name == FORMAT and value not in FORMATS:
        raise _wrong(statement, f" {name}", " or ".join(FORMATS), value)
    if name in (GC_ENABLED, LOCK_ENABLED) and value not in ("true", "false"):
        raise _wrong(statement, f" {name}", "true or false", value)
    if name in (MAX_SNAPSHOT_AGE, MIN_TO_KEEP, MAX_REF_AGE) and not (value.isdecimal() and int(value)):
        raise _wrong(statement, f" {name}", "a number from 1", value)


def _wrong(statement: SetProperty | UnsetProperty, of: str, expected: str, got: str) -> ValueError:
    return ValueError(f"workload: {type(statement).__name__}{of}: expected {expected}, got {got!r}")
