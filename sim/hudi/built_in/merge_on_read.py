"""Hudi scenarios: merge-on-read tables, whose changed rows are in log files, and their compaction beside writers."""

from typing import Any

from model.hudi import SHIPPED, coverage
from model.hudi.keys import COMPACT_AFTER, LOCK_PROVIDER, MERGE_ON_READ, MODE, OCC, TABLE_TYPE, ZOOKEEPER
from model.hudi.variants import LEASED
from sim.hudi.build import (
    AWAKE,
    EVERYTHING,
    HIT,
    ONE_GROUP,
    OPTIMISTIC,
    PREFERRING,
    SHORT_BEATS,
    WRITES,
    Writers,
    race,
)
from sim.hudi.statements import Compact, Read, Upsert
from sim.hudi.workload import Options, Past

MERGED: Options = ((TABLE_TYPE, MERGE_ON_READ), (COMPACT_AFTER, "1"))
ON_HOSTS: Options = ((MODE, OCC), (LOCK_PROVIDER, ZOOKEEPER), *MERGED)
CHANGED = (Past(((1, "h"),)),)
BESIDE: Writers = {"w1": [Upsert(((1, "A"),))], "c1": [Compact()]}
TAKEN_OVER: Writers = {"c1": [Upsert(((1, "A"),)), Compact()], "c2": [Compact(pending=True, after_ms=3000)]}
TABLE: dict[str, Any] = {"options": (*OPTIMISTIC, *MERGED), "rules": SHIPPED, "properties": EVERYTHING}
MERGE_ON_READS = (
    race(
        "mor-older-instant",
        "Log files are merged in the order of their instants: of two upserts of a row the one that began first is not "
        "seen, though it was committed last.",
        ONE_GROUP,
        broken="acknowledged-writes-survive",
        pair="mor-upserts",
        **TABLE,
    ),
    race(
        "mor-upserts",
        "The same under the strategy that prefers writers: one of the two is refused.",
        ONE_GROUP,
        counters=(coverage.CONFLICT_FOUND, coverage.LOG_WRITTEN, coverage.LOGS_MERGED),
        **{**TABLE, "options": (*PREFERRING, *MERGED)},
    ),
    race(
        "mor-compact",
        "An upsert beside a compaction: what was not committed when that was planned stays in a log file of the new "
        "slice.",
        BESIDE,
        history=CHANGED,
        counters=(coverage.COMPACTED, coverage.LOG_WRITTEN, coverage.LOGS_MERGED),
        **TABLE,
    ),
    race(
        "mor-compact-read",
        "A reader beside an upsert and its compaction sees neither twice nor too early what it did.",
        {"w1": [Upsert(((1, "A"),)), Compact(), Read()], "r1": [Read(), Read()]},
        counters=(coverage.COMPACTED, coverage.LOGS_MERGED),
        yield_points=(*WRITES, "list", "read"),
        **{**TABLE, "properties": (*EVERYTHING, "monotonic-reads", "read-your-writes")},
    ),
    race(
        "mor-two-executors",
        "Two carry out one plan: while the heartbeat of the one lives the other is refused.",
        {"c1": [Upsert(((1, "A"),)), Compact()], "c2": [Compact(pending=True)]},
        counters=(coverage.COMPACTED, coverage.COMPACTION_BUSY),
        **TABLE,
    ),
    race(
        "mor-executor-outlived",
        "An executor whose heartbeat has ended goes on beside the one that takes its plan over, and commits as well: "
        "it looks at no heartbeat then.",
        TAKEN_OVER,
        faults=AWAKE,
        yield_points=WRITES,
        broken="table-invariants",
        pair="mor-executor-leased",
        but=HIT,
        **{**TABLE, "options": (*OPTIMISTIC, *MERGED, *SHORT_BEATS)},
    ),
    race(
        "mor-executor-leased",
        "The same where a commit looks at its own heartbeat under the lock, and a lapse of it is for good.",
        TAKEN_OVER,
        faults=AWAKE,
        yield_points=WRITES,
        counters=(coverage.COMPACTED, coverage.COMPACTION_TAKEN_OVER, coverage.HEARTBEAT_EXPIRED),
        pair="mor-executor-outlived",
        but=HIT,
        **{**TABLE, "rules": LEASED, "options": (*OPTIMISTIC, *MERGED, *SHORT_BEATS)},
    ),
    race(
        "mor-clock-ahead",
        "A compaction whose clock is ahead by more than the skew that is waited for: what is committed after its plan "
        "was made belongs, by its time, to the slice that is compacted, and is in none.",
        BESIDE,
        broken="acknowledged-writes-survive",
        pair="mor-clock-within",
        history=CHANGED,
        yield_points=WRITES,
        **{**TABLE, "options": ON_HOSTS, "one_process": False, "clock_offsets_ms": (("c1", 2_000),)},
    ),
    race(
        "mor-clock-within",
        "The same with a clock that is ahead by less.",
        BESIDE,
        history=CHANGED,
        yield_points=WRITES,
        counters=(coverage.COMPACTED, coverage.LOGS_MERGED),
        **{**TABLE, "options": ON_HOSTS, "one_process": False, "clock_offsets_ms": (("c1", 150),)},
    ),
)
