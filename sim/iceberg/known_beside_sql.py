"""Findings that are no news where Spark SQL is beside a client of the Java API that streams."""

from __future__ import annotations

from model.iceberg import VARIANTS
from sim.generation.causes import Known
from sim.iceberg.known_operations import ALL_SQL, APPENDS, BY_EQUALITY, EXPIRE, MANAGING

SQL_BESIDE = (*ALL_SQL, *APPENDS, *BY_EQUALITY)
"""Statements of Spark SQL, and those of the Java API that may be beside them."""
MANAGED = tuple(sorted({*SQL_BESIDE, *MANAGING}))
"""These, and procedures."""
_MODES = {"mode": ("delete", "merge"), "update mode": ("update",)}
"""By what a table says of it, the statements that replace files where it is copy-on-write."""
OF_SQL_BESIDE: tuple[Known, ...] = (
    *[Known(
        "iceberg/update-beside-upsert", broken, "", MANAGED, beside=("",),
        rules=tuple([name for name in VARIANTS if name != "all-new-deletes"]), where=((mode, ("copy-on-write",)),),
        needs=(BY_EQUALITY, statements),
    )
    for mode, statements in _MODES.items()
    for broken in ("acknowledged-writes-survive", "snapshot-isolation")],
    Known(
        "iceberg/spec-change-overwrite", "no-leaks", "leak", SQL_BESIDE, rules=tuple(VARIANTS),
        needs=(("update spec",), (*APPENDS, *BY_EQUALITY)),
    ),
    Known(
        "iceberg/cherry-pick-expired-between", "acknowledged-writes-survive", "lost-write", MANAGED, beside=("",),
        rules=tuple(VARIANTS), needs=(("cherry-pick",), EXPIRE, ("merge", "update")),
    ),
    Known(
        "iceberg/orphans-cached", "table-invariants", "branch", MANAGED, beside=("",), rules=tuple(VARIANTS),
        needs=(("remove orphans",), ("append to branch",)),
    ),
)  # fmt: skip
"""Who updates a row that a cherry-pick has brought twice has updated it twice; who takes files for orphans that
came since he cached the table, takes those of a branch, too."""
