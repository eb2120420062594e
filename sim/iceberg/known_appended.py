"""What is no news of imports, as generated failures meet it."""

from __future__ import annotations

from model.iceberg import VARIANTS
from sim.generation.causes import Known
from sim.iceberg.known_operations import OF_ROWS

IMPORTED = (
    Known(
        "iceberg/import-reply-faults", "readable", "unreadable-table", OF_ROWS, ("",), rules=tuple(VARIANTS),
        needs=(("import",),),
    ),
)  # fmt: skip
