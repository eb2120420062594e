"""Findings that are no news where sessions of Spark SQL have a branch (`spark.wap.branch`), and where somebody expires
snapshots beside a compaction in several commits."""

from __future__ import annotations

from model.iceberg import VARIANTS
from sim.generation.causes import Known
from sim.iceberg.known_operations import ALL_SQL, EXPIRE

_MODES = {("mode", "isolation"): ("delete", "merge"), ("update mode", "update isolation"): ("update",)}
"""By what a table says of it, the statements that look for files to rewrite where it is copy-on-write."""
ASKED_LAST: tuple[Known, ...] = (
    *[Known(
        "iceberg/wap-branch-update-update", broken, "", ALL_SQL, beside=("",),
        rules=tuple([name for name in VARIANTS if name != "pinned-scan-asks-again"]),
        where=((mode, ("copy-on-write",)), (level, ("snapshot",))), needs=(statements,),
        has=(("spark.wap.branch", "b"),),
    )
    for (mode, level), statements in _MODES.items()
    for broken in ("acknowledged-writes-survive", "no-lost-update", "snapshot-isolation")],
    *[Known(
        "iceberg/merge-missing-serializable", broken, how, (*ALL_SQL, *EXPIRE), beside=("stale",),
        rules=tuple(VARIANTS), needs=(("merge missing",), EXPIRE),
    )
    for broken, how in (
        ("acknowledged-writes-survive", "duplicated-row"), ("no-lost-update", ""), ("snapshot-isolation", ""),
        ("serializable", ""), ("conflict-detection", ""),
    )],
)  # fmt: skip
