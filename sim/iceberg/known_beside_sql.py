"""Findings that are no news where Spark SQL is beside a client of the Java API that streams."""

from __future__ import annotations

from model.iceberg import VARIANTS
from sim.generation.causes import Known
from sim.iceberg.known_operations import ALL_SQL, APPENDS, BY_EQUALITY

SQL_BESIDE = (*ALL_SQL, *APPENDS, *BY_EQUALITY)
"""Statements of Spark SQL, and those of the Java API that may be beside them."""
_MODES = {"mode": ("delete", "merge"), "update mode": ("update",)}
"""By what a table says of it, the statements that replace files where it is copy-on-write."""
OF_SQL_BESIDE: tuple[Known, ...] = tuple([
    Known(
        "iceberg/update-beside-upsert", broken, "", SQL_BESIDE, beside=("",),
        rules=tuple([name for name in VARIANTS if name != "all-new-deletes"]), where=((mode, ("copy-on-write",)),),
        needs=(BY_EQUALITY, statements),
    )
    for mode, statements in _MODES.items()
    for broken in ("acknowledged-writes-survive", "snapshot-isolation")
])  # fmt: skip
