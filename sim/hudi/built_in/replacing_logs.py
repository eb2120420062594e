"""Hudi scenarios: overwrites and deletions of partitions on merge-on-read tables, beside log files and compaction.

What they take out goes with its log files, and with what a compaction makes of it later. Under optimistic control they
meet whom they meet on copy-on-write tables (`built_in.replacing`), and a deletion is refused while a compaction of the
partition is pending. Non-blocking writers compare a deletion with nobody; and since all of them call the file group of
a bucket the same, one that was deleted is hidden for good, with all that is written to it from then on (#19793).
"""

from typing import Any

from model.hudi import SHIPPED, coverage
from model.hudi.variants import BUCKETS_BEGUN_ANEW, REPLACED_COMPARED
from sim.hudi.build import EVERYTHING, PREFERRING, WRITES, Writers, race
from sim.hudi.built_in.merge_on_read import MERGED
from sim.hudi.built_in.non_blocking import NON_BLOCKING
from sim.hudi.built_in.replacing import DELETED, OVERWRITTEN
from sim.hudi.statements import Compact, DeletePartition, Overwrite, Upsert

COMPACTED: Writers = {"w1": [Upsert(((1, "A"),)), Overwrite(((1, "B"),))], "c1": [Compact()]}
PLANNED: Writers = {"w1": [Upsert(((1, "A"),)), DeletePartition()], "c1": [Compact()]}
AGAIN: Writers = {"w1": [Upsert(((5, "A"),)), DeletePartition("p2"), Upsert(((5, "B"),))]}
BESIDE: Writers = {"w1": [DeletePartition()], "w2": [Upsert(((1, "B"),))]}
TABLE: dict[str, Any] = {"options": (*PREFERRING, *MERGED), "properties": EVERYTHING, "yield_points": WRITES}
UNBLOCKED: dict[str, Any] = {"options": NON_BLOCKING, "properties": EVERYTHING, "yield_points": WRITES}
NEW_PARTITION: dict[str, Any] = {**UNBLOCKED, "elsewhere": ((5, "p2"),)}
REPLACING_LOGS = (
    race(
        "mor-delete-partition",
        "A deletion of a partition hides the log file that an upsert has committed there meanwhile, but not its new "
        "rows.",
        DELETED,
        rules=SHIPPED,
        broken="no-lost-update",
        pair="mor-delete-partition-compared",
        **TABLE,
    ),
    race(
        "mor-delete-partition-compared",
        "The same where a deletion compares the file groups that it takes out: one of the two is refused.",
        DELETED,
        rules=REPLACED_COMPARED,
        counters=(coverage.CONFLICT_FOUND, coverage.LOG_WRITTEN, coverage.ROLLED_BACK),
        pair="mor-delete-partition",
        **TABLE,
    ),
    race(
        "mor-overwrite",
        "An overwrite of a partition and an upsert there: one of the two is refused.",
        OVERWRITTEN,
        rules=SHIPPED,
        counters=(coverage.CONFLICT_FOUND, coverage.LOG_WRITTEN, coverage.ROLLED_BACK),
        pair="mor-delete-partition",
        **TABLE,
    ),
    race(
        "mor-overwrite-compact",
        "An overwrite beside a compaction, be that planned, or committed, before it or after: what the overwrite takes "
        "out stays hidden.",
        COMPACTED,
        rules=SHIPPED,
        counters=(coverage.COMPACTED, coverage.CONFLICT_FOUND, coverage.COMMITTED),
        **TABLE,
    ),
    race(
        "mor-delete-compact",
        "A deletion of a partition beside a compaction: it is refused while that is pending.",
        PLANNED,
        rules=SHIPPED,
        counters=(coverage.COMPACTED, coverage.PLAN_RESPECTED),
        **TABLE,
    ),
    race(
        "nbcc-delete-partition",
        "A non-blocking writer, with nobody beside it, deletes a partition that it has begun, and inserts there again: "
        "nobody sees that.",
        AGAIN,
        rules=SHIPPED,
        broken="acknowledged-writes-survive",
        pair="nbcc-delete-partition-repaired",
        **NEW_PARTITION,
    ),
    race(
        "nbcc-delete-partition-repaired",
        "The same where a file group that was taken out is begun anew under another name.",
        AGAIN,
        rules=BUCKETS_BEGUN_ANEW,
        counters=(coverage.LOG_WRITTEN, coverage.LOGS_MERGED, coverage.BUCKET_BEGUN_ANEW),
        pair="nbcc-delete-partition",
        **NEW_PARTITION,
    ),
    race(
        "nbcc-delete-beside",
        "A deletion of a partition and a non-blocking upsert there: whoever is committed last, the upsert is not seen.",
        BESIDE,
        rules=SHIPPED,
        broken="acknowledged-writes-survive",
        pair="mor-delete-partition-compared",
        **UNBLOCKED,
    ),
)
