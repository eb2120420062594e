"""Hudi scenarios: writers under optimistic control whose rows are in buckets, one in each partition.

Rows that nobody has had go into the file group of their partition's bucket, be that there or not. So two that insert
one key meet in one bucket; whether they conflict where both begin its file group is up to the conflict strategy.

Source: `HoodieSimpleBucketIndex`, `HoodieLockConfig.inferConflictResStrategy` (1.2.0), HUDI-5682.
"""

from typing import Any

from model.hudi import SHIPPED, coverage
from model.hudi.keys import BUCKET_INDEX, BUCKETS, CONFLICTS, INDEX, PREFER_WRITER
from model.hudi.variants import BUCKETS_COMPARED
from sim.hudi.build import EVERYTHING, OLDER, OPTIMISTIC, Writers, race
from sim.hudi.statements import Upsert
from sim.hudi.workload import Options

IN_BUCKETS: Options = (*OPTIMISTIC, (INDEX, BUCKET_INDEX), (BUCKETS, "1"))
PREFERRING: Options = (*IN_BUCKETS, (CONFLICTS, PREFER_WRITER))
NEW_KEY: Writers = {"w1": [Upsert(((5, "A"),))], "w2": [Upsert(((5, "B"),))]}
BEGUN: dict[str, Any] = {"elsewhere": ((5, "p2"),)}

BUCKETED = (
    race(
        "bucket-new-key",
        "Two upserts of one new key into a bucket that is not there: both begin it, and the second one is refused.",
        NEW_KEY,
        rules=SHIPPED,
        options=IN_BUCKETS,
        properties=EVERYTHING,
        but=OLDER,
        counters=(coverage.CONFLICT_FOUND, coverage.COMMITTED, coverage.ROLLED_BACK),
        pair="bucket-prefer-writer",
        **BEGUN,
    ),
    race(
        "bucket-older-instant",
        "The same: the older instant merges with the bucket that the newer one has begun, and is never seen.",
        NEW_KEY,
        rules=SHIPPED,
        options=IN_BUCKETS,
        properties=EVERYTHING,
        broken="acknowledged-writes-survive",
        pair="bucket-prefer-writer-compared",
        **BEGUN,
    ),
    race(
        "bucket-prefer-writer",
        "The same under the strategy that prefers writers: it compares file groups, and both commit theirs.",
        NEW_KEY,
        rules=SHIPPED,
        options=PREFERRING,
        properties=EVERYTHING,
        broken="acknowledged-writes-survive",
        pair="bucket-prefer-writer-compared",
        **BEGUN,
    ),
    race(
        "bucket-prefer-writer-compared",
        "The same where that strategy compares buckets (ours, not shipped): whoever comes second is refused.",
        NEW_KEY,
        rules=BUCKETS_COMPARED,
        options=PREFERRING,
        properties=EVERYTHING,
        counters=(coverage.CONFLICT_FOUND, coverage.COMMITTED, coverage.ROLLED_BACK),
        pair="bucket-prefer-writer",
        **BEGUN,
    ),
)
