"""Hudi scenarios: the storage-based lock (RFC-91), of object stores that write on a condition.

That a conditional write which is applied and not answered makes its writer a stranger to itself is known upstream
(#14373, open; #14286 and #14375 propose a way out). A holder that stands still is in no issue that was
found: nothing in the completed file says under which lock it was written.
"""

from model.hudi import SHIPPED, coverage
from model.hudi.keys import (
    CONFLICTS,
    LOCK_PROVIDER,
    LOCK_WAIT,
    MODE,
    OCC,
    PREFER_WRITER,
    RENEWAL,
    SKEW,
    STORAGE_BASED,
    VALIDITY,
)
from model.hudi.variants import LOST_ANSWERS_LOOKED_UP
from sim.hudi.build import EVERYTHING, HIT, ONE_GROUP, RETRIES, RETRY_WAIT, SCHEME, race
from sim.hudi.built_in.locks import ALONE, HOSTS, STANDS_STILL
from sim.hudi.workload import Options
from sim.world.scenario import FaultSpace

STORAGE_LOCK: Options = (
    (MODE, OCC), (LOCK_PROVIDER, STORAGE_BASED), (CONFLICTS, PREFER_WRITER), (SCHEME, "abfs"), (LOCK_WAIT, "1000"),
    (RETRIES, "3"), (RETRY_WAIT, "5000"),
)  # fmt: skip
SHORT: Options = ((VALIDITY, "10"), (RENEWAL, "1"))
"""The least that Hudi allows: half a minute of a fault is longer."""
UNANSWERED = FaultSpace(
    {"commit": ("drop-after",)},
    limit=1,
    words="a write of the lock object that is applied and not answered (the question is one)",
)
STEPS = ("load", "commit", "create", "sleep")
STORAGE_LOCKS = (
    race(
        "storage-lock",
        "Storage-based lock: its object is written on the condition that it is as it was seen, and two never hold it.",
        ONE_GROUP,
        rules=SHIPPED,
        options=STORAGE_LOCK,
        properties=EVERYTHING,
        counters=(coverage.LOCK_BUSY, coverage.CONFLICT_FOUND),
        yield_points=("commit", "create"),
        **HOSTS,
    ),
    race(
        "storage-lock-expired",
        "Storage-based lock: a holder that stood still for longer than it is valid goes on beside the next one, and an "
        "update is lost (G-8).",
        ONE_GROUP,
        rules=SHIPPED,
        options=(*STORAGE_LOCK, *SHORT),
        faults=STANDS_STILL,
        properties=EVERYTHING,
        but=HIT,
        broken="no-lost-update",
        yield_points=STEPS,
        **HOSTS,
    ),
    race(
        "storage-lock-unanswered",
        "Storage-based lock: a renewal is applied and not answered, so the next one takes its holder for another, and "
        "interrupts it: a write fails that nobody was in the way of.",
        ALONE,
        rules=SHIPPED,
        options=(*STORAGE_LOCK, *SHORT, (SKEW, "3000")),
        faults=UNANSWERED,
        properties=(*EVERYTHING, "all-writes-commit"),
        but=HIT,
        broken="all-writes-commit",
        yield_points=STEPS,
        pair="storage-lock-unanswered-looked-up",
        **HOSTS,
    ),
    race(
        "storage-lock-unanswered-looked-up",
        "The same with a holder that looks whose lock it is when a write of it is refused (ours, not shipped): it goes "
        "on.",
        ALONE,
        rules=LOST_ANSWERS_LOOKED_UP,
        options=(*STORAGE_LOCK, *SHORT, (SKEW, "3000")),
        faults=UNANSWERED,
        properties=(*EVERYTHING, "all-writes-commit"),
        but=HIT,
        counters=(coverage.LOCK_FOUND_OURS, coverage.COMMITTED),
        yield_points=STEPS,
        pair="storage-lock-unanswered",
        **HOSTS,
    ),
)
