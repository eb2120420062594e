"""Hudi scenarios: writers that are taken for dead, and writers that die.

A beat is on time here (`sim.hudi.files`): only a fault makes it late, or the last one. Heartbeats are those of the
defaults with a second in place of a minute; the cleaner comes when one that has stopped has expired.
"""

from typing import Any

from model.hudi import SHIPPED, coverage
from model.hudi.keys import USING_MARKERS
from model.hudi.variants import LOST_PLANS_SKIPPED, REPLACEMENTS_LISTED, ROLLBACK_AWARE
from sim.hudi.build import (
    AWAKE,
    EVERYTHING,
    HIT,
    IN_TIME,
    LOCKED,
    OPTIMISTIC,
    PREFERRING,
    SAFETY,
    SHIPPED_BEATS,
    WRITES,
    Writers,
    race,
)
from sim.hudi.statements import Clean, Overwrite, Upsert
from sim.hudi.workload import Options
from sim.world.scenario import FaultSpace

ZOMBIE: Writers = {"w1": [Upsert(((1, "A"),))], "cleaner": [Clean(3000)]}
REPLACED: Writers = {"w1": [Overwrite(((1, "A"),))], "cleaner": [Clean(3000)]}
REFUSED: Writers = {"w1": [Overwrite(((1, "A"),))], "w2": [Upsert(((1, "B"),))], "cleaner": [Clean()]}
LISTING: dict[str, Any] = {
    "options": (*PREFERRING, (USING_MARKERS, "false")), "properties": EVERYTHING, "yield_points": WRITES,
}  # fmt: skip
BEGINNING = ("create", "write", "sleep")
BEATING: Options = (*OPTIMISTIC, *SHIPPED_BEATS)
ELSEWHERE = dict.fromkeys((*SAFETY, *LOCKED), "asked of hudi/zombie and hudi/zombie-completed")
COMPLETED = {"table-invariants": "hudi/zombie-completed breaks it, and loses nothing yet"}
ROLLBACKS = (
    race(
        "beating",
        "A writer that takes its time and a cleaner: as long as beats arrive, nobody is rolled back.",
        ZOMBIE,
        rules=SHIPPED,
        options=BEATING,
        properties=(*EVERYTHING, "all-writes-commit"),
        counters=(coverage.HEARTBEAT_SENT, coverage.COMMITTED),
        pair="zombie",
    ),
    race(
        "zombie",
        "One heartbeat write fails, which ends the timer, and the writer then waits for the lock: its commit is "
        "acknowledged, and a cleaner deletes its file (G-6).",
        ZOMBIE,
        rules=SHIPPED,
        options=BEATING,
        faults=AWAKE,
        yield_points=WRITES,
        properties=EVERYTHING,
        but=COMPLETED | HIT,
        broken="acknowledged-writes-survive",
        pair="zombie-fixed",
    ),
    race(
        "zombie-prefer-writer",
        "The same under the strategy that prefers writers: the rollback is scheduled when the commit has been checked.",
        ZOMBIE,
        rules=SHIPPED,
        options=(*PREFERRING, *SHIPPED_BEATS),
        faults=AWAKE,
        yield_points=WRITES,
        properties=EVERYTHING,
        but=COMPLETED | HIT,
        broken="acknowledged-writes-survive",
        pair="zombie-fixed",
    ),
    race(
        "zombie-completed",
        "A cleaner that decided before the commit schedules the rollback after it: completed and rolled back (G-6).",
        ZOMBIE,
        rules=SHIPPED,
        options=BEATING,
        faults=AWAKE,
        properties=EVERYTHING,
        broken="table-invariants",
        pair="zombie-fixed",
    ),
    race(
        "zombie-paused",
        "The same where a process may stand still for longer than its heartbeats allow: a late beat is a sign of life.",
        ZOMBIE,
        rules=SHIPPED,
        options=BEATING,
        faults=IN_TIME,
        properties=EVERYTHING,
        broken="table-invariants",
        pair="zombie-fixed",
    ),
    race(
        "zombie-fixed",
        "The same where the commit looks for a rollback of its own instant, and the rollback looks again, each locked.",
        ZOMBIE,
        rules=ROLLBACK_AWARE,
        options=BEATING,
        faults=IN_TIME,
        yield_points=WRITES,
        properties=EVERYTHING,
        but=HIT,
        counters=(
            coverage.ROLLED_BACK,
            coverage.OWN_ROLLBACK_FOUND,
            coverage.ROLLBACK_SKIPPED,
            coverage.HEARTBEAT_EXPIRED,
            coverage.HEARTBEAT_ENDED,
        ),
        pair="zombie",
    ),
    race(
        "zombie-leaves-files",
        "A writer that goes on beside its rollback leaves a data file behind for good, and its inflight file.",
        ZOMBIE,
        rules=SHIPPED,
        options=BEATING,
        faults=FaultSpace(
            {"write": ("drop-before",)},
            limit=1,
            words="a heartbeat that is not written (others: hudi/crash-leaves-heartbeat)",
        ),
        properties=EVERYTHING,
        but=ELSEWHERE,
        broken="clean-at-quiescence",
    ),
    race(
        "rollback-overwrite",
        "An overwrite whose heartbeat has ended becomes inflight while a cleaner rolls it back, which has seen it "
        "requested, and deletes its requested file alone: nobody can read the table any more, or write to it.",
        REPLACED,
        rules=SHIPPED,
        options=(*PREFERRING, *SHIPPED_BEATS),
        faults=AWAKE,
        yield_points=BEGINNING,
        properties=EVERYTHING,
        but=HIT,
        broken="readable",
        pair="rollback-overwrite-skipped",
    ),
    race(
        "rollback-overwrite-skipped",
        "The same where an instant whose plan is gone counts as one without.",
        REPLACED,
        rules=LOST_PLANS_SKIPPED,
        options=(*PREFERRING, *SHIPPED_BEATS),
        faults=AWAKE,
        yield_points=BEGINNING,
        properties=EVERYTHING,
        but=COMPLETED | HIT,
        counters=(coverage.ROLLED_BACK, coverage.HEARTBEAT_ENDED, coverage.HEARTBEAT_EXPIRED, coverage.COMMITTED),
        pair="rollback-overwrite",
    ),
    race(
        "overwrite-listed",
        "An overwrite is refused when it commits, and rollbacks list files: who rolls it back fails, now and later.",
        REFUSED,
        rules=SHIPPED,
        broken="clean-at-quiescence",
        pair="overwrite-listed-unread",
        **LISTING,
    ),
    race(
        "overwrite-listed-unread",
        "The same where a rollback does not read what was announced.",
        REFUSED,
        rules=REPLACEMENTS_LISTED,
        counters=(coverage.CONFLICT_FOUND, coverage.ROLLED_BACK, coverage.COMMITTED),
        pair="overwrite-listed",
        **LISTING,
    ),
    race(
        "crash-leaves-heartbeat",
        "A writer fails, or dies, between its heartbeat and its requested file: no rollback ever finds the heartbeat.",
        {"w1": [Upsert(((1, "A"),))]},
        rules=SHIPPED,
        faults=IN_TIME,
        properties=EVERYTHING,
        broken="clean-at-quiescence",
    ),
)
