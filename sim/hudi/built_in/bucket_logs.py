"""Hudi scenarios: writers under optimistic control whose rows are in buckets of a merge-on-read table.

Who begins a bucket writes a base file; whoever comes after that appends a log file to it, for rows that it has and for
those that it has not. A log file is merged after a base file, whichever of the two instants is older: so of two that
insert one key into a bucket that is not there nobody is lost, as on a copy-on-write table (`bucket-older-instant`).

Source: `HoodieSimpleBucketIndex`, `BaseSparkDeltaCommitActionExecutor`, `HoodieLockConfig.inferConflictResStrategy`
(1.2.0).
"""

from model.hudi import SHIPPED, coverage
from model.hudi.variants import BUCKETS_COMPARED
from sim.hudi.build import EVERYTHING, ONE_GROUP, race
from sim.hudi.built_in.buckets import BEGUN, IN_BUCKETS, NEW_KEY, PREFERRING
from sim.hudi.built_in.merge_on_read import MERGED
from sim.hudi.workload import Options

LOGGED: Options = (*IN_BUCKETS, *MERGED)
LOGGED_PREFERRING: Options = (*PREFERRING, *MERGED)

BUCKET_LOGS = (
    race(
        "bucket-logs-new-key",
        "Two upserts of one new key into a bucket that is not there, on a merge-on-read table: both begin it, and the "
        "second one is refused; or the second one appends to what the first one has begun.",
        NEW_KEY,
        rules=SHIPPED,
        options=LOGGED,
        properties=EVERYTHING,
        counters=(coverage.CONFLICT_FOUND, coverage.COMMITTED, coverage.LOG_WRITTEN),
        pair="bucket-logs-prefer-writer",
        **BEGUN,
    ),
    race(
        "bucket-logs-prefer-writer",
        "The same under the strategy that prefers writers: it compares file groups, and both commit theirs.",
        NEW_KEY,
        rules=SHIPPED,
        options=LOGGED_PREFERRING,
        properties=EVERYTHING,
        broken="acknowledged-writes-survive",
        pair="bucket-logs-prefer-writer-compared",
        **BEGUN,
    ),
    race(
        "bucket-logs-prefer-writer-compared",
        "The same where that strategy compares buckets (ours, not shipped): whoever comes second is refused.",
        NEW_KEY,
        rules=BUCKETS_COMPARED,
        options=LOGGED_PREFERRING,
        properties=EVERYTHING,
        counters=(coverage.CONFLICT_FOUND, coverage.COMMITTED, coverage.LOG_WRITTEN),
        pair="bucket-logs-prefer-writer",
        **BEGUN,
    ),
    race(
        "bucket-logs-older-instant",
        "Two upserts of a row of one bucket: log files are merged in the order of their instants, and the older one is "
        "committed last.",
        ONE_GROUP,
        rules=SHIPPED,
        options=LOGGED,
        properties=EVERYTHING,
        broken="acknowledged-writes-survive",
        pair="bucket-logs-upserts",
    ),
    race(
        "bucket-logs-upserts",
        "The same under the strategy that prefers writers: one of the two is refused.",
        ONE_GROUP,
        rules=SHIPPED,
        options=LOGGED_PREFERRING,
        properties=EVERYTHING,
        counters=(coverage.CONFLICT_FOUND, coverage.COMMITTED, coverage.LOG_WRITTEN, coverage.LOGS_MERGED),
        pair="bucket-logs-older-instant",
    ),
)
