"""Hudi scenarios: write conflicts found at the commit, and what is not found at all.

Faults are asked apart (`any-fault`, and those of `sim.hudi.rollbacks`): each kind of them multiplies the schedules.
"""

from model.hudi import SHIPPED, coverage
from model.hudi.config import CONFLICTS as STRATEGY
from model.hudi.config import PREFER_WRITER
from model.hudi.rules import VERSION_1_0
from sim.hudi.build import (
    BESIDES_OLDER,
    DIRECT_AND_COMMITS,
    EVERYTHING,
    IN_TIME,
    LOCKED,
    NO_CONTROL,
    ONE_GROUP,
    PREFERRING,
    SAFETY,
    TWO_GROUPS,
    WIDE,
    WRITES,
    Writers,
    race,
)
from sim.hudi.locks import ZOOKEEPER_LOCK
from sim.hudi.workload import Read, Upsert

NEW_KEY: Writers = {"w1": [Upsert(((3, "x"),))], "w2": [Upsert(((3, "y"),))]}

CONFLICTS = (
    race(
        "conflict",
        "Two upserts of one file group: the second is refused at its commit.",
        ONE_GROUP,
        rules=SHIPPED,
        properties=(*BESIDES_OLDER, *LOCKED, "no-late-refusals"),
        broken="no-late-refusals",
    ),
    race(
        "older-instant",
        "Two upserts of one file group: the older instant merges with the newer one's slice, and is never seen.",
        ONE_GROUP,
        rules=SHIPPED,
        properties=EVERYTHING,
        broken="acknowledged-writes-survive",
        pair="prefer-writer",
    ),
    race(
        "prefer-writer",
        "The same under the strategy that prefers writers, an option: it compares with what completed since the start.",
        ONE_GROUP,
        rules=SHIPPED,
        options=PREFERRING,
        properties=EVERYTHING,
        counters=(coverage.CONFLICT_FOUND, coverage.COMMITTED, coverage.ROLLED_BACK),
        pair="older-instant",
    ),
    race(
        "prefer-writer-skew",
        "That strategy where clocks are further apart than the wait for skew: what completed since looks older (G-5).",
        ONE_GROUP,
        rules=SHIPPED,
        options=(*ZOOKEEPER_LOCK, (STRATEGY, PREFER_WRITER)),
        one_process=False,
        clock_offsets_ms=(("w1", 1_000),),
        properties=(*SAFETY, *LOCKED),
        broken="no-lost-update",
    ),
    race(
        "older-instant-refused",
        "The same with a write that refuses a slice that is not older than its instant: every property is kept.",
        ONE_GROUP,
        properties=EVERYTHING,
        counters=(coverage.CONFLICT_FOUND, coverage.COMMITTED, coverage.NEWER_BASE, coverage.ROLLED_BACK),
        pair="older-instant",
    ),
    race(
        "any-fault",
        "Any fault at any step that changes something: what was acknowledged stays, and nobody sees half of a write.",
        ONE_GROUP,
        rules=SHIPPED,
        options=PREFERRING,
        faults=IN_TIME,
        yield_points=WRITES,
        properties=(*SAFETY, *LOCKED),  # a dead writer leaves files behind
        counters=(coverage.CONFLICT_FOUND, coverage.COMMITTED),
        pair="late-completion",
    ),
    race(
        "any-fault-early",
        "The same with early conflict detection.",
        ONE_GROUP,
        rules=SHIPPED,
        options=(*DIRECT_AND_COMMITS, (STRATEGY, PREFER_WRITER)),
        faults=IN_TIME,
        yield_points=WRITES,
        properties=(*SAFETY, *LOCKED),
        counters=(coverage.CONFLICT_FOUND, coverage.COMMITTED, coverage.EARLY_CONFLICT_BY_MARKER),
    ),
    race(
        "late-completion",
        "A completed file that arrives when its writer has given up and released the lock: an update is lost (G-8).",
        ONE_GROUP,
        rules=SHIPPED,
        options=PREFERRING,
        faults=WIDE,
        properties=(*SAFETY, *LOCKED),
        broken="no-lost-update",
        pair="any-fault",
    ),
    race(
        "disjoint",
        "Two upserts of two file groups: both commit, and nothing is left behind.",
        {"w1": [Upsert(((1, "A"),))], "w2": [Upsert(((2, "B"),))]},
        groups=TWO_GROUPS,
        rules=SHIPPED,
        properties=(*EVERYTHING, "no-late-refusals"),
        counters=(coverage.NO_CONFLICT,),
    ),
    race(
        "no-control",
        "Two upserts of one file group without concurrency control, of which nothing is promised: one is lost.",
        ONE_GROUP,
        rules=SHIPPED,
        options=NO_CONTROL,
        properties=BESIDES_OLDER,
        broken="no-lost-update",
    ),
    race(
        "reader",
        "An upsert of two file groups and a reader who reads twice: whole snapshots, never an older one after a newer.",
        {"w1": [Upsert(((1, "A"), (2, "B")))], "r1": [Read(), Read()]},
        groups=TWO_GROUPS,
        rules=SHIPPED,
        properties=(*EVERYTHING, "monotonic-reads"),
        counters=(coverage.COMMITTED,),
    ),
    race(
        "same-new-key",
        "Two upserts insert one new key: into two file groups, so no conflict is seen, and the key is there twice.",
        NEW_KEY,
        rules=SHIPPED,
        properties=(*BESIDES_OLDER, *LOCKED),
        broken="no-lost-update",
    ),
    race(
        "late-requested",
        "As in 1.0.x, a requested file may appear late: a commit with a small instant is not looked for.",
        {"w1": [Upsert(((1, "A"),))], "w2": [Upsert(((2, "B"),)), Upsert(((1, "C"),))]},
        groups=TWO_GROUPS,
        rules=VERSION_1_0,
        properties=(*BESIDES_OLDER, *LOCKED),
        broken="no-lost-update",
    ),
)
