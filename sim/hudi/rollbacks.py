"""Hudi scenarios: writers that are taken for dead, and writers that die."""

from model.hudi import SHIPPED, coverage
from model.hudi.rules import ROLLBACK_AWARE
from sim.hudi.build import ONE_GROUP, OPTIMISTIC, SHORT_BEATS, WRITES, Writers, race
from sim.hudi.workload import Clean, Options, Upsert
from sim.world.scenario import FaultSpace

ZOMBIE: Writers = {"w1": [Upsert(((1, "A"),))], "cleaner": [Clean(2000)]}
BEATING: Options = (*OPTIMISTIC, *SHORT_BEATS)
ROLLBACKS = (
    race(
        "zombie",
        "A writer whose heartbeat came late commits while it is rolled back: its committed file is deleted (G-6).",
        ZOMBIE,
        rules=SHIPPED,
        options=BEATING,
        properties=("acknowledged-writes-survive",),
        broken="acknowledged-writes-survive",
        pair="zombie-fixed",
    ),
    race(
        "zombie-completed",
        "A cleaner that decided before the commit schedules the rollback after it: completed and rolled back (G-6).",
        ZOMBIE,
        rules=SHIPPED,
        options=BEATING,
        properties=("table-invariants",),
        broken="table-invariants",
        pair="zombie-fixed",
    ),
    race(
        "zombie-fixed",
        "The same where the commit looks for a rollback of its own instant, and the rollback looks again, each locked.",
        ZOMBIE,
        rules=ROLLBACK_AWARE,
        options=BEATING,
        yield_points=WRITES,
        counters=(
            coverage.ROLLED_BACK,
            coverage.OWN_ROLLBACK_FOUND,
            coverage.ROLLBACK_SKIPPED,
            coverage.HEARTBEAT_EXPIRED,
        ),
        pair="zombie",
    ),
    race(
        "zombie-leaves-files",
        "A writer that goes on after its rollback leaves marker and data file behind for good.",
        ZOMBIE,
        rules=SHIPPED,
        options=BEATING,
        properties=("clean-at-quiescence",),
        broken="clean-at-quiescence",
    ),
    race(
        "loser-cleaned",
        "Two upserts of one file group; the loser's files are gone when a cleaner has run.",
        ONE_GROUP,
        properties=("clean-at-quiescence",),
        counters=(coverage.ROLLED_BACK, coverage.CONFLICT_FOUND),
    ),
    race(
        "crash",
        "A writer dies before any of its files is made, and another one comes after it.",
        ONE_GROUP,
        faults=FaultSpace({"create": ("crash",)}, limit=1, actors=("w1",)),
        counters=("fault crash", coverage.COMMITTED),
    ),
    race(
        "crash-leaves-heartbeat",
        "A writer dies between its heartbeat and its requested file: no rollback ever finds the heartbeat file.",
        {"w1": [Upsert(((1, "A"),))]},
        rules=SHIPPED,
        faults=FaultSpace({"create": ("crash",)}, limit=1, actors=("w1",)),
        properties=("clean-at-quiescence",),
        broken="clean-at-quiescence",
    ),
    race(
        "answers-lost",
        "The answer to the creation of any file may be lost, before or after it was made.",
        ONE_GROUP,
        faults=FaultSpace({"create": ("drop-before", "drop-after")}, limit=1, actors=("w1",)),
        counters=("fault drop-after", "fault drop-before"),
    ),
)
