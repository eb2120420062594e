"""Hudi scenarios: a restore beside writers. What it takes back is to stay so, and what is committed later to stay.

Who starts a write is refused beside a restore that he could see before he asked for the lock, a restore plans by what
it saw before it asked, and who commits does not look. So a write goes on that begins while either waits for the lock.
"""

from typing import Any

from model.hudi import SHIPPED, coverage
from model.hudi.variants import FIXED, LOST_PLANS_SKIPPED, READERS_FENCED, RESTORE_FENCED
from sim.hudi.build import EVERYTHING, PREFERRING, TWO_GROUPS, Writers, race
from sim.hudi.statements import Insert, Overwrite, Read, Restore, Savepoint, Statement, Upsert

KEPT = (*EVERYTHING, "savepoint-kept")
TAKEN_BACK: tuple[Statement, ...] = (Savepoint(), Upsert(((1, "A"),)), Restore(2))
"""An update of row 1 comes after the savepoint, and is taken back; again, if that fails."""
UPDATING: Writers = {"w1": TAKEN_BACK, "w2": [Upsert(((2, "B"),))]}
EARLIER: Writers = {"w1": [Insert(((3, "A"),))], "w2": [Insert(((4, "B"),)), Savepoint(), Restore()]}
OVERWRITING: Writers = {"w1": (*TAKEN_BACK[:2], Restore()), "w2": [Overwrite(((1, "B"),))]}
LEFT = {"clean-at-quiescence": "who is taken back leaves its heartbeat, and what it writes from then on"}
BESIDE = ("create", "list", "try_lock")
RESTORING: dict[str, Any] = {"options": PREFERRING, "properties": KEPT, "yield_points": BESIDE}
LISTED: dict[str, Any] = {**RESTORING, "yield_points": ("list",)}
READ: Writers = {"w1": [Savepoint(), Upsert(((1, "A"), (2, "B"))), Restore()], "r1": [Read()]}
HALVED: dict[str, Any] = {
    "groups": TWO_GROUPS, "options": PREFERRING, "yield_points": ("delete", "list"), "but": LEFT,
    "properties": (*KEPT, "read-atomic"),
}  # fmt: skip
RESTORES = (
    race(
        "restore-beside",
        "A write of another row begins when a restore has looked at the timeline, and is in no plan: it merges with "
        "the commit that is then taken back, and brings that commit's row back.",
        UPDATING,
        rules=SHIPPED,
        broken="acknowledged-writes-survive",
        but=LEFT,
        pair="restore-beside-fenced",
        **RESTORING,
    ),
    race(
        "restore-beside-fenced",
        "The same where whoever starts, or commits, looks for restores under the lock: it is refused, or the restore "
        "takes it back.",
        UPDATING,
        rules=RESTORE_FENCED,
        but=LEFT,
        counters=(
            coverage.RESTORED,
            coverage.RESTORE_RESPECTED,
            coverage.TAKEN_BACK,
            coverage.PENDING_TAKEN_BACK,
        ),
        pair="restore-beside",
        **{**RESTORING, "yield_points": ("create", "try_lock")},
    ),
    race(
        "restore-overwrite",
        "An overwrite becomes inflight when a restore deletes its requested file, which was all that there was of it "
        "when that was planned: nobody can read the table any more, or write to it.",
        OVERWRITING,
        rules=SHIPPED,
        broken="readable",
        but=LEFT,
        pair="restore-overwrite-skipped",
        **{**RESTORING, "yield_points": ("create",)},
    ),
    race(
        "restore-overwrite-skipped",
        "The same where who writes looks for restores, and an instant whose plan is gone counts as one without.",
        OVERWRITING,
        rules=LOST_PLANS_SKIPPED,
        but=LEFT,
        counters=(coverage.RESTORED, coverage.TAKEN_BACK, coverage.PENDING_TAKEN_BACK, coverage.COMMITTED),
        pair="restore-overwrite",
        **{**RESTORING, "yield_points": ("create",)},
    ),
    race(
        "restore-named",
        "An insert commits after one of a later instant, and before a savepoint of that one: the savepoint names its "
        "file, and the restore deletes it, for it was completed later.",
        EARLIER,
        rules=SHIPPED,
        broken="savepoint-kept",
        but=LEFT,
        pair="restore-named-kept",
        **LISTED,
    ),
    race(
        "restore-named-kept",
        "The same where a savepoint names what had completed when its commit did, and who commits looks for restores.",
        EARLIER,
        rules=FIXED,
        but=LEFT,
        counters=(coverage.RESTORED, coverage.TAKEN_BACK, coverage.SAVEPOINT_MADE),
        pair="restore-named",
        **LISTED,
    ),
    race(
        "restore-read",
        "A reader has loaded the timeline when a restore takes back an update of two file groups: it reads the one as "
        "it was before, and the other one as it was updated.",
        READ,
        rules=SHIPPED,
        broken="read-atomic",
        pair="restore-read-fenced",
        **{**HALVED, "but": {**LEFT, "snapshot-isolation": "the same read is no snapshot, either"}},
    ),
    race(
        "restore-read-fenced",
        "The same where who has read looks for a restore since.",
        READ,
        rules=READERS_FENCED,
        counters=(coverage.RESTORED, coverage.TAKEN_BACK, coverage.RESTORE_RESPECTED),
        pair="restore-read",
        **HALVED,
    ),
    race(
        "restore",
        "A client makes two updates after a savepoint, restores, and goes on; nobody is beside it.",
        {"w1": (Savepoint(), Upsert(((1, "A"),)), Upsert(((2, "B"),)), Restore(), Upsert(((1, "C"),)))},
        rules=SHIPPED,
        counters=(coverage.RESTORED, coverage.TAKEN_BACK),
        **RESTORING,
    ),
)
