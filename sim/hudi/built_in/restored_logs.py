"""Hudi scenarios: restores of merge-on-read tables, whose log files and compactions they take back.

Of compactions those go that were planned since the savepoint's commit began: what one has merged is still in the log
files, so that these show what it showed. No write is merged with what is taken back.

Who compacts beside a restore looks for none. A compaction that is planned when the restore has looked at the timeline
is in no plan of that, and may merge what is taken back: then the restore fails, and says that it did not end where it
was to. One that is in its plan may be begun when its plan is being deleted: it stays inflight, nobody can read the
table any more, and the restore says that all is well.
"""

from typing import Any

from model.hudi import SHIPPED, coverage
from model.hudi.variants import LOST_PLANS_SKIPPED, RESTORE_FENCED
from sim.hudi.build import PREFERRING, Writers, race
from sim.hudi.built_in.merge_on_read import MERGED
from sim.hudi.built_in.restores import KEPT, LEFT, UPDATING
from sim.hudi.statements import Compact, Restore, Savepoint, Statement, Upsert

ALONE: Writers = {
    "w1": [
        Upsert(((1, "A"),)), Savepoint(), Upsert(((1, "B"),)), Compact(), Upsert(((2, "C"),)), Restore(),
        Upsert(((2, "D"),)),
    ],
}  # fmt: skip
AGAIN: tuple[Statement, ...] = (Savepoint(), Upsert(((1, "A"),)), Restore(3))
OVERLAPPING: Writers = {"w1": AGAIN, "w2": [Upsert(((1, "B"),))]}
BEGUN: Writers = {"w1": AGAIN, "c1": [Compact()]}
MERGING: Writers = {"w1": [Savepoint(), Upsert(((1, "A"),)), Restore()], "c1": [Compact()]}
TABLE: dict[str, Any] = {
    "options": (*PREFERRING, *MERGED), "properties": KEPT, "yield_points": ("create", "try_lock"), "rules": SHIPPED,
}  # fmt: skip
ISOLATED: dict[str, Any] = {**TABLE, "properties": (*KEPT, "snapshot-isolation"), "but": LEFT}
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
    race(
        "mor-restore-overlap",
        "A write of the same row beside a restore that does not know of it: what it changes is not what the restore "
        "leaves, nor what was there when it began.",
        OVERLAPPING,
        broken="snapshot-isolation",
        pair="mor-restore-overlap-fenced",
        **ISOLATED,
    ),
    race(
        "mor-restore-overlap-fenced",
        "The same where whoever starts, or commits, looks for restores under the lock.",
        OVERLAPPING,
        counters=(coverage.RESTORED, coverage.RESTORE_RESPECTED),
        pair="mor-restore-overlap",
        **{**ISOLATED, "rules": RESTORE_FENCED},
    ),
    race(
        "mor-restore-compact",
        "A compaction is begun when a restore deletes its plan: it stays inflight without one, and nobody can read the "
        "table, or write to it.",
        BEGUN,
        broken="readable",
        but=LEFT,
        pair="mor-restore-compact-skipped",
        **TABLE,
    ),
    race(
        "mor-restore-compact-skipped",
        "The same where who compacts looks for restores, and an instant whose plan is gone counts as one without.",
        BEGUN,
        but=LEFT,
        counters=(coverage.RESTORED, coverage.TAKEN_BACK, coverage.COMPACTED),
        pair="mor-restore-compact",
        **{**TABLE, "rules": LOST_PLANS_SKIPPED},
    ),
    race(
        "mor-restore-once",
        "A compaction that is planned when a restore has looked at the timeline keeps what is taken back; the restore "
        "fails then, and is not tried again.",
        MERGING,
        broken="acknowledged-writes-survive",
        but=LEFT,
        pair="mor-restore-once-refused",
        **TABLE,
    ),
    race(
        "mor-restore-once-refused",
        "The same where who plans or commits a compaction looks for restores under the lock.",
        MERGING,
        but=LEFT,
        counters=(coverage.RESTORED, coverage.TAKEN_BACK, coverage.COMPACTED, coverage.RESTORE_RESPECTED),
        pair="mor-restore-once",
        **{**TABLE, "rules": LOST_PLANS_SKIPPED},
    ),
)
