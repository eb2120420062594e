"""The Hudi scenarios that come with the product.

The shipped protocol loses an update without any fault (`hudi/older-instant`), which would hide every other question. So
the questions about other things are asked of the variant in which just that is repaired, unless the property cannot see
it; their schedules are the shipped protocol's as well.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from model.hudi import SHIPPED, Rules, marks
from model.hudi.config import (
    EARLY,
    EARLY_STRATEGY,
    FILE_SYSTEM,
    IN_PROCESS,
    INTERVAL,
    LOCK_PROVIDER,
    MISSES,
    MODE,
    OCC,
    SIMPLE_DIRECT,
    SINGLE_WRITER,
    TRANSACTIONAL_DIRECT,
)
from model.hudi.rules import (
    AS_DOCUMENT,
    NEWER_BASE_REFUSED,
    VERSION_1_0,
)
from sim.scenario import FaultSpace, Scenario
from sim.scenarios.hudi_race import hudi_race
from sim.scenarios.hudi_workload import HudiWorkload, Insert, Options, Read, Statement, Upsert

SAFETY = (
    "readable", "table-invariants", "no-aborted-reads", "acknowledged-writes-survive", "no-lost-update",
    "snapshot-isolation", "one-lock-holder", "somebody-finishes",
)  # fmt: skip
CHECK_COMMIT = "hoodie.write.concurrency.early.conflict.check.commit.conflict"
RETRIES = "hoodie.write.lock.client.num_retries"
RETRY_WAIT = "hoodie.write.lock.client.wait_time_ms_between_retry"
OPTIMISTIC: Options = ((MODE, OCC), (LOCK_PROVIDER, IN_PROCESS))
NO_CONTROL: Options = ((MODE, SINGLE_WRITER),)
FILE_LOCK: Options = ((MODE, OCC), (LOCK_PROVIDER, FILE_SYSTEM), (RETRIES, "0"), (RETRY_WAIT, "0"))
SHORT_BEATS: Options = ((INTERVAL, "1000"), (MISSES, "1"))
DIRECT: Options = (*OPTIMISTIC, (EARLY, "true"), (EARLY_STRATEGY, SIMPLE_DIRECT))
DIRECT_AND_COMMITS: Options = (*DIRECT, (CHECK_COMMIT, "true"))
TRANSACTIONAL: Options = (*OPTIMISTIC, (EARLY, "true"), (EARLY_STRATEGY, TRANSACTIONAL_DIRECT))
NO_FAULTS = FaultSpace()

Writers = dict[str, Iterable[Statement]]
ONE_GROUP: Writers = {"w1": [Upsert(((1, "A"),))], "w2": [Upsert(((1, "B"),))]}
TWO_GROUPS = (("fg1", ((1, "a"),)), ("fg2", ((2, "b"),)))
WRITES = ("create", "write", "rename", "delete", "try_lock", "sleep")
"""The steps that change something; what only looks happens between them."""


def race(
    name: str, summary: str, writers: Writers, *, rules: Rules = NEWER_BASE_REFUSED, bounds: str = "",
    properties: tuple[str, ...] = SAFETY, counters: tuple[str, ...] = (), broken: str | None = None,
    faults: FaultSpace = NO_FAULTS, grain: tuple[str, ...] | None = None, options: Options = OPTIMISTIC,
    pair: str | None = None, **table: Any,
) -> Scenario:  # fmt: skip
    """A scenario of a race on one table. `table`: fields of `HudiWorkload`; `broken`: what is expected to break."""
    statements = tuple((actor, tuple(todo)) for actor, todo in writers.items())
    workload = HudiWorkload(statements, options=options, **table)
    story = hudi_race(workload, rules, properties)
    count = [sum(isinstance(s, Upsert | Insert) for s in todo) for _, todo in statements]
    return Scenario(
        name=f"hudi/{name}",
        summary=summary,
        prepare=story.prepare,
        start=story.start,
        finish=story.finish,
        properties=properties,
        expect="violated" if broken else "holds",
        broken=broken,
        counters=counters,
        faults=faults,
        grain=grain,
        bounds=bounds or _bounds(count),
        workload=workload,  # type: ignore[arg-type]
        pair=f"hudi/{pair}" if pair else None,
    )


def _bounds(writes: list[int]) -> str:
    writers = sum(count > 0 for count in writes)
    return f"{writers} writer{'s' if writers > 1 else ''}, {sum(writes)} write{'s' if sum(writes) > 1 else ''}"


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
        "The same with a write that refuses a slice newer than its own instant: every promise is kept.",
        ONE_GROUP,
        counters=(marks.CONFLICT_FOUND, marks.COMMITTED, marks.NEWER_BASE),
        pair="older-instant",
    ),
    race(
        "disjoint",
        "Two upserts of two file groups: both commit, and nothing is left behind.",
        {"w1": [Upsert(((1, "A"),))], "w2": [Upsert(((2, "B"),))]},
        groups=TWO_GROUPS,
        rules=SHIPPED,
        properties=(*SAFETY, "clean-at-quiescence", "no-late-refusals"),
        counters=(marks.NO_CONFLICT,),
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
        counters=(marks.COMMITTED,),
    ),
    race(
        "same-new-key",
        "Two upserts insert one new key: into two file groups, so no conflict is seen, and the key is there twice.",
        {"w1": [Upsert(((3, "x"),))], "w2": [Upsert(((3, "y"),))]},
        properties=("acknowledged-writes-survive",),
        broken="acknowledged-writes-survive",
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
EARLY_DETECTION = (
    race(
        "early-abort",
        "Simple direct detection: a write is refused before its data file is written.",
        ONE_GROUP,
        rules=SHIPPED,
        options=DIRECT,
        properties=("no-early-refusals",),
        broken="no-early-refusals",
    ),
    race(
        "early-direct-race",
        "Simple direct detection: both writers pass the check and make their markers.",
        ONE_GROUP,
        rules=SHIPPED,
        options=DIRECT,
        properties=("marker-checks-exclusive",),
        broken="marker-checks-exclusive",
    ),
    race(
        "early-direct-safe",
        "The downside of the simple strategy is only a delay: every promise is kept.",
        ONE_GROUP,
        options=DIRECT,
        counters=(marks.EARLY_CONFLICT_BY_MARKER, marks.CONFLICT_FOUND),
    ),
    race(
        "early-transactional-shipped",
        "Transactional detection as shipped: the lock is released before the marker is made (F-4).",
        ONE_GROUP,
        rules=SHIPPED,
        options=TRANSACTIONAL,
        properties=("marker-checks-exclusive",),
        broken="marker-checks-exclusive",
        pair="early-transactional-document",
    ),
    race(
        "early-transactional-document",
        "Transactional detection as RFC-56 says: only one writer can check and create at a time.",
        ONE_GROUP,
        rules=AS_DOCUMENT,
        options=TRANSACTIONAL,
        properties=("marker-checks-exclusive",),
        counters=(marks.EARLY_CONFLICT_BY_MARKER,),
        pair="early-transactional-shipped",
    ),
    race(
        "figure-4",
        "RFC-56 figure 4: markers are gone with the commit, so its conflict is found only at the other one's commit.",
        ONE_GROUP,
        rules=SHIPPED,
        options=DIRECT,
        properties=("visible-conflicts-found-early",),
        broken="visible-conflicts-found-early",
        pair="figure-4-check-commit",
    ),
    race(
        "figure-4-check-commit",
        "The same with check commit conflict: what has completed by then is found early.",
        ONE_GROUP,
        rules=SHIPPED,
        options=DIRECT_AND_COMMITS,
        properties=("visible-conflicts-found-early",),
        counters=(marks.EARLY_CONFLICT_BY_COMMIT, marks.CONFLICT_FOUND),
        pair="figure-4",
    ),
)
HUDI: tuple[Scenario, ...] = (*CONFLICTS, *EARLY_DETECTION)
