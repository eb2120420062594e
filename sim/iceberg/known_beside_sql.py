"""Findings that are no news where Spark SQL is beside a client of the Java API that streams."""

from __future__ import annotations

from model.iceberg import VARIANTS
from sim.generation.causes import Known
from sim.iceberg.known_operations import ALL_SQL, APPENDS, BY_EQUALITY

_MODES = {"mode": ("delete", "merge"), "update mode": ("update",)}
"""By what a table says of it, the statements that replace files where it is copy-on-write."""
BESIDE_SQL: tuple[Known, ...] = tuple([
    Known(
        "iceberg/update-beside-upsert", "acknowledged-writes-survive", "", (*ALL_SQL, *APPENDS, *BY_EQUALITY),
        rules=tuple([name for name in VARIANTS if name != "all-new-deletes"]), where=((mode, ("copy-on-write",)),),
        needs=(BY_EQUALITY, statements),
    )
    for mode, statements in _MODES.items()
])  # fmt: skip
