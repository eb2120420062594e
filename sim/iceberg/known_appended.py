"""What is no news of imports, and of a main that is moved back beside a roll-back, as generated failures meet it."""

from __future__ import annotations

from model.iceberg import VARIANTS
from sim.generation.causes import Known
from sim.iceberg.known_operations import MANAGING, OF_ROWS

MISREPORTED = ("409-after", "429-after", "503-after-retry", "resend")
IMPORTED = (
    Known(
        "iceberg/import-reply-faults", "readable", "unreadable-table", OF_ROWS, ("",), rules=tuple(VARIANTS),
        needs=(("import",),),
    ),
    Known(
        "iceberg/insert-insert-misreported", "no-unasked-changes", "moved", MANAGING, MISREPORTED, beside=("",),
        rules=tuple([name for name in VARIANTS if name != "self-check-first"]), needs=(("roll back to a time",),),
    ),
)  # fmt: skip
