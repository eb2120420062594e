"""Hudi scenarios: two buckets in each partition, to which the keys of rows belong by their hash: the ids 1 and 5 to the
first one, 2 and 6 to the second.

Who writes to one of them is compared with nobody who writes to the other, be these there or begun at once.

Source: `BucketIdentifier.getBucketId`, `BucketIndexConcurrentFileWritesConflictResolutionStrategy`,
`SparkBucketIndexPartitioner` (1.2.0).
"""

from typing import Any

from model.hudi import SHIPPED, coverage
from model.hudi.keys import BUCKETS
from sim.hudi.build import EVERYTHING, OLDER, WRITES, Writers, race
from sim.hudi.built_in.bucket_logs import LOGGED_PREFERRING
from sim.hudi.built_in.buckets import IN_BUCKETS
from sim.hudi.built_in.non_blocking import BY_EVENTS
from sim.hudi.statements import Upsert
from sim.hudi.workload import Options


def two(options: Options) -> Options:
    """The same options with two buckets in each partition."""
    return tuple([(key, "2" if key == BUCKETS else value) for key, value in options])


THERE: dict[str, Any] = {
    "groups": (("00000000-fg1", ((1, "a"),)), ("00000001-fg2", ((2, "b"),))),
    "partitions": ("p1", "p1"),
}
NUMBERED = (("00000000-fg1", ((1, "1"),)),)
"""Smaller than all that comes."""
FIRST_ALONE: dict[str, Any] = {"groups": (("00000000-fg1", ((1, "a"),)),), "partitions": ("p1",)}
ODD_AND_EVEN: Writers = {"w1": [Upsert(((1, "A"),))], "w2": [Upsert(((2, "B"),))]}
BOTH: Writers = {"w1": [Upsert(((1, "A"), (2, "A")))], "w2": [Upsert(((2, "B"),))]}
NEW_IN_EACH: Writers = {"w1": [Upsert(((5, "A"),))], "w2": [Upsert(((6, "B"),))]}
COMMIT = (*EVERYTHING, "all-writes-commit")
SEVERAL_BUCKETS = (
    race(
        "two-buckets-apart",
        "Two buckets of one partition, and a writer of each: neither is refused for the other one.",
        ODD_AND_EVEN,
        rules=SHIPPED,
        options=two(IN_BUCKETS),
        properties=COMMIT,
        counters=(coverage.COMMITTED,),
        **THERE,
    ),
    race(
        "two-buckets-begun",
        "The same in a partition that is not there: each begins the bucket of its row.",
        NEW_IN_EACH,
        rules=SHIPPED,
        options=two(IN_BUCKETS),
        properties=COMMIT,
        counters=(coverage.COMMITTED,),
        elsewhere=((5, "p2"), (6, "p2")),
        **THERE,
    ),
    race(
        "two-buckets-shared",
        "A write to both buckets, one of which is not there, and another one that begins it as well: the second of the "
        "two is refused, with all that it wrote.",
        BOTH,
        rules=SHIPPED,
        options=two(IN_BUCKETS),
        properties=EVERYTHING,
        but=OLDER,
        counters=(coverage.CONFLICT_FOUND, coverage.COMMITTED, coverage.ROLLED_BACK),
        **FIRST_ALONE,
    ),
    race(
        "two-buckets-logs",
        "The same on a merge-on-read table under the strategy that prefers writers, where both are there: one of the "
        "two is refused.",
        BOTH,
        rules=SHIPPED,
        options=two(LOGGED_PREFERRING),
        properties=EVERYTHING,
        counters=(coverage.CONFLICT_FOUND, coverage.COMMITTED, coverage.LOG_WRITTEN, coverage.LOGS_MERGED),
        **THERE,
    ),
    race(
        "two-buckets-events",
        "Non-blocking writers, rows in the order of events: both append to one bucket and begin the other one alike.",
        {"w1": [Upsert(((1, "8"), (6, "8")))], "w2": [Upsert(((6, "9"),))]},
        yield_points=WRITES,
        counters=(coverage.LOG_WRITTEN, coverage.LOGS_MERGED, coverage.COMMITTED),
        **{**BY_EVENTS, **FIRST_ALONE, "options": two(BY_EVENTS["options"]), "groups": NUMBERED},
    ),
)
