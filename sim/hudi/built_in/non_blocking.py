"""Hudi scenarios: writers under non-blocking concurrency control, none of which is refused for another one.

Each appends a log file to the file group of its rows' bucket; who reads, or compacts, merges them. What is promised
are the guarantees of optimistic control without its conflicts (documentation, concurrency control), so properties of
writers that read are asked; in the order of events, where the smaller value of a row gives way whoever wrote it, what
is promised is that (`events-in-order`) in the place of the last commit.

Source: hudi/2.8, RFC-66; `HoodieWriteConfig.validate`, `needResolveWriteConflict` (1.2.0).
"""

from typing import Any

from model.hudi import SHIPPED, coverage
from model.hudi.keys import (
    BUCKET_INDEX,
    BUCKETS,
    COMPACT_AFTER,
    EVENT_TIME,
    IN_PROCESS,
    INDEX,
    LOCK_PROVIDER,
    MERGE_MODE,
    MERGE_ON_READ,
    MODE,
    TABLE_TYPE,
)
from model.hudi.keys import NON_BLOCKING as WITHOUT_BLOCKING
from model.hudi.variants import PENDING_LOG_SKIPPED
from sim.hudi.build import EVERYTHING, ONE_GROUP, WRITES, Writers, race
from sim.hudi.statements import Compact, Read, Upsert
from sim.hudi.workload import Options, Past

NON_BLOCKING: Options = (
    (MODE, WITHOUT_BLOCKING), (LOCK_PROVIDER, IN_PROCESS), (TABLE_TYPE, MERGE_ON_READ), (COMPACT_AFTER, "1"),
    (INDEX, BUCKET_INDEX), (BUCKETS, "1"),
)  # fmt: skip
BY_EVENT_TIME: Options = ((MERGE_MODE, EVENT_TIME),)

EVENTS = (*EVERYTHING, "events-in-order")
GIVES_WAY = dict.fromkeys(
    ("acknowledged-writes-survive", "no-lost-update", "snapshot-isolation", "somebody-finishes"),
    "the smaller value gives way, whoever wrote it",
)
"""What is not promised in the order of events."""
NUMBERED = (("fg1", ((1, "1"), (2, "2"))),)
"""Values that are smaller than all that come."""
NEW_GROUP: Writers = {"w1": [Upsert(((5, "A"),))], "w2": [Upsert(((6, "B"),)), Read()]}
BESIDE_COMPACTION: Writers = {
    "w1": [Upsert(((1, "B"),)), Compact()], "w2": [Upsert(((1, "A"), (2, "A")))], "r1": [Read()],
}  # fmt: skip
TABLE: dict[str, Any] = {"options": NON_BLOCKING, "rules": SHIPPED, "properties": EVERYTHING}
ELSEWHERE: dict[str, Any] = {**TABLE, "elsewhere": ((5, "p2"), (6, "p2"))}
READING: dict[str, Any] = {**ELSEWHERE, "properties": (*EVERYTHING, "read-your-writes"), "yield_points": WRITES}
BY_EVENTS: dict[str, Any] = {
    **TABLE, "options": (*NON_BLOCKING, *BY_EVENT_TIME), "groups": NUMBERED, "properties": EVENTS,
    "but": GIVES_WAY,
}  # fmt: skip
NON_BLOCKINGS = (
    race(
        "nbcc-older-instant",
        "Non-blocking writers, rows in the order of commits: of two upserts of a row that overlap the one that began "
        "first is not seen, though it was committed last. Nobody is refused.",
        ONE_GROUP,
        broken="acknowledged-writes-survive",
        pair="nbcc-event-time",
        **TABLE,
    ),
    race(
        "nbcc-event-time",
        "The same with rows in the order of events: whoever is committed last, the larger value is seen.",
        ONE_GROUP,
        counters=(coverage.LOG_WRITTEN, coverage.LOGS_MERGED, coverage.COMMITTED),
        pair="nbcc-older-instant",
        **BY_EVENTS,
    ),
    race(
        "nbcc-compact",
        "Rows in the order of events, and a compaction beside an upsert that is under way: readers see the larger "
        "value before it and after it.",
        BESIDE_COMPACTION,
        counters=(coverage.COMPACTED, coverage.LOGS_MERGED),
        yield_points=("create", "write"),
        **BY_EVENTS,
    ),
    race(
        "nbcc-new-group",
        "Two writers begin a file group: while the write of the smaller instant is under way, the other one does not "
        "see what it has committed.",
        NEW_GROUP,
        broken="read-your-writes",
        pair="nbcc-new-group-repaired",
        **READING,
    ),
    race(
        "nbcc-new-group-dead",
        "The same where the first writer died: until somebody rolls its write back, nobody sees what others have "
        "committed to the file group.",
        {"w2": [Upsert(((6, "B"),))]},
        broken="acknowledged-writes-survive",
        history=(Past(((5, "h"),), "written", recent=True),),
        pair="nbcc-new-group-dead-repaired",
        **ELSEWHERE,
    ),
    race(
        "nbcc-new-group-repaired",
        "Two writers begin a file group, as after 1.2.0 (#19785): what is committed is seen.",
        NEW_GROUP,
        counters=(coverage.LOG_WRITTEN, coverage.LOGS_MERGED),
        pair="nbcc-new-group",
        **{**READING, "rules": PENDING_LOG_SKIPPED},
    ),
    race(
        "nbcc-new-group-dead-repaired",
        "A file group that a writer began who died, as after 1.2.0: what others have committed is seen.",
        {"w2": [Upsert(((6, "B"),))]},
        counters=(coverage.LOG_WRITTEN, coverage.LOGS_MERGED),
        history=(Past(((5, "h"),), "written", recent=True),),
        pair="nbcc-new-group-dead",
        **{**ELSEWHERE, "rules": PENDING_LOG_SKIPPED},
    ),
)
