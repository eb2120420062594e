"""Hudi scenarios: write conflicts found at the commit, and what is not found at all."""

from model.hudi import SHIPPED, coverage
from model.hudi.rules import VERSION_1_0
from sim.hudi.build import NO_CONTROL, ONE_GROUP, SAFETY, TWO_GROUPS, race
from sim.hudi.workload import Read, Upsert

CONFLICTS = (
    race(
        "conflict",
        "Two upserts of one file group: the second is refused at its commit.",
        ONE_GROUP,
        rules=SHIPPED,
        properties=("no-late-refusals",),
        broken="no-late-refusals",
    ),
    race(
        "older-instant",
        "Two upserts of one file group: the older instant merges with the newer one's slice, and is never seen.",
        ONE_GROUP,
        rules=SHIPPED,
        broken="acknowledged-writes-survive",
        pair="older-instant-refused",
    ),
    race(
        "older-instant-refused",
        "The same with a write that refuses a slice that is not older than its instant: every property is kept.",
        ONE_GROUP,
        counters=(coverage.CONFLICT_FOUND, coverage.COMMITTED, coverage.NEWER_BASE),
        pair="older-instant",
    ),
    race(
        "disjoint",
        "Two upserts of two file groups: both commit, and nothing is left behind.",
        {"w1": [Upsert(((1, "A"),))], "w2": [Upsert(((2, "B"),))]},
        groups=TWO_GROUPS,
        rules=SHIPPED,
        properties=(*SAFETY, "clean-at-quiescence", "no-late-refusals"),
        counters=(coverage.NO_CONFLICT,),
    ),
    race(
        "no-control",
        "Two upserts of one file group without concurrency control: one is lost.",
        ONE_GROUP,
        rules=SHIPPED,
        options=NO_CONTROL,
        properties=("no-lost-update",),
        broken="no-lost-update",
    ),
    race(
        "reader",
        "An upsert of two file groups and a reader who reads twice: whole snapshots, never an older one after a newer.",
        {"w1": [Upsert(((1, "A"), (2, "B")))], "r1": [Read(), Read()]},
        groups=TWO_GROUPS,
        rules=SHIPPED,
        properties=(*SAFETY, "monotonic-reads"),
        counters=(coverage.COMMITTED,),
    ),
    race(
        "same-new-key",
        "Two upserts insert one new key: into two file groups, so no conflict is seen, and the key is there twice.",
        {"w1": [Upsert(((3, "x"),))], "w2": [Upsert(((3, "y"),))]},
        rules=SHIPPED,
        properties=("no-lost-update",),  # an older instant's loss is none: that write saw the newer one's key
        broken="no-lost-update",
    ),
    race(
        "late-requested",
        "As in 1.0.x, a requested file may appear late: a commit with a small instant is not looked for.",
        {"w1": [Upsert(((1, "A"),))], "w2": [Upsert(((2, "B"),)), Upsert(((1, "C"),))]},
        groups=TWO_GROUPS,
        rules=VERSION_1_0,
        properties=("no-lost-update",),
        broken="no-lost-update",
    ),
)
