"""Hudi scenarios: restores of merge-on-read tables, whose log files and compactions they take back.

Of compactions those go that were planned since the savepoint's commit began: what one has merged is still in the log
files, so that these show what it showed. No write is merged with what is taken back.
"""

from typing import Any

from model.hudi import SHIPPED, coverage
from sim.hudi.build import PREFERRING, Writers, race
from sim.hudi.merge_on_read import MERGED
from sim.hudi.restores import KEPT, LEFT, UPDATING
from sim.hudi.statements import Compact, Restore, Savepoint, Upsert

ALONE: Writers = {
    "w1": [
        Upsert(((1, "A"),)), Savepoint(), Upsert(((1, "B"),)), Compact(), Upsert(((2, "C"),)), Restore(),
        Upsert(((2, "D"),)),
    ],
}  # fmt: skip
TABLE: dict[str, Any] = {
    "options": (*PREFERRING, *MERGED), "properties": KEPT, "yield_points": ("create", "try_lock"), "rules": SHIPPED,
}  # fmt: skip
RESTORED_LOGS = (
    race(
        "mor-restore",
        "A client updates after a savepoint, compacts, and updates again; then it restores, and goes on.",
        ALONE,
        counters=(coverage.RESTORED, coverage.TAKEN_BACK, coverage.COMPACTED, coverage.LOGS_MERGED),
        **TABLE,
    ),
    race(
        "mor-restore-beside",
        "A write of another row beside a restore: whether it is taken back or not, it brings nothing back.",
        UPDATING,
        but=LEFT,
        counters=(coverage.RESTORED, coverage.TAKEN_BACK, coverage.PENDING_TAKEN_BACK),
        pair="restore-beside",
        **TABLE,
    ),
)
