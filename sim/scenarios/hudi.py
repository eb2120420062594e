"""The Hudi scenarios that come with the product."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from model.hudi import SHIPPED, Rules, marks
from model.hudi.config import EARLY, EARLY_STRATEGY, FILE_SYSTEM, IN_PROCESS, LOCK_PROVIDER, MODE, OCC, SKEW
from model.hudi.config import SIMPLE_DIRECT, SINGLE_WRITER, TRANSACTIONAL_DIRECT
from model.hudi.rules import ABORT_IS_DEATH, AS_DOCUMENT, OWNED_LOCK, ROLLBACK_AWARE, VERSION_1_0
from sim.scenario import FaultSpace, Scenario
from sim.scenarios.hudi_race import hudi_race
from sim.scenarios.hudi_workload import Clean, HudiWorkload, Insert, Options, Read, Statement, Upsert

SAFETY = (
    "readable", "table-invariants", "no-aborted-reads", "acknowledged-writes-survive", "no-lost-update",
    "snapshot-isolation", "one-lock-holder", "somebody-finishes",
)  # fmt: skip
CHECK_COMMIT = "hoodie.write.concurrency.early.conflict.check.commit.conflict"
RETRIES = "hoodie.write.lock.client.num_retries"
RETRY_WAIT = "hoodie.write.lock.client.wait_time_ms_between_retry"
OPTIMISTIC: Options = ((MODE, OCC), (LOCK_PROVIDER, IN_PROCESS))
NO_CONTROL: Options = ((MODE, SINGLE_WRITER),)
FILE_LOCK: Options = ((MODE, OCC), (LOCK_PROVIDER, FILE_SYSTEM), (SKEW, "0"), (RETRIES, "0"), (RETRY_WAIT, "0"))
DIRECT: Options = (*OPTIMISTIC, (EARLY, "true"), (EARLY_STRATEGY, SIMPLE_DIRECT))
DIRECT_AND_COMMITS: Options = (*DIRECT, (CHECK_COMMIT, "true"))
TRANSACTIONAL: Options = (*OPTIMISTIC, (EARLY, "true"), (EARLY_STRATEGY, TRANSACTIONAL_DIRECT))

ONE_GROUP: dict[str, Iterable[Statement]] = {"w1": [Upsert(((1, "A"),))], "w2": [Upsert(((1, "B"),))]}
TWO_GROUPS = (("fg1", ((1, "a"),)), ("fg2", ((2, "b"),)))


def race(
    name: str, summary: str, writers: dict[str, Iterable[Statement]], *, rules: Rules = SHIPPED, bounds: str = "",
    properties: tuple[str, ...] = SAFETY, counters: tuple[str, ...] = (), broken: str | None = None,
    faults: FaultSpace = FaultSpace(), grain: tuple[str, ...] | None = None, options: Options = OPTIMISTIC, **table: Any,
) -> Scenario:  # fmt: skip
    """A scenario of a race on one table. `table`: fields of `HudiWorkload`; `broken`: the property expected to break."""
    statements = tuple((actor, tuple(todo)) for actor, todo in writers.items())
    workload = HudiWorkload(statements, options=options, **table)
    story = hudi_race(workload, rules, properties)
    writes = sum(isinstance(s, Upsert | Insert) for _, todo in statements for s in todo)
    count = sum(any(isinstance(s, Upsert | Insert) for s in todo) for _, todo in statements)
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
        bounds=bounds or f"{count} writer{'s' if count > 1 else ''}, {writes} write{'s' if writes > 1 else ''}",
        workload=workload,  # type: ignore[arg-type]
    )


HUDI: tuple[Scenario, ...] = (
    race("conflict", "Two upserts of one file group: the second is refused at its commit.", ONE_GROUP,
         properties=("no-late-refusals",), broken="no-late-refusals"),
    race("conflict-safe", "The same two upserts keep every promise.", ONE_GROUP,
         counters=(marks.CONFLICT_FOUND, marks.COMMITTED)),
    race("disjoint", "Two upserts of two file groups: both commit.",
         {"w1": [Upsert(((1, "A"),))], "w2": [Upsert(((2, "B"),))]}, groups=TWO_GROUPS,
         properties=(*SAFETY, "clean-at-quiescence", "no-late-refusals"), counters=(marks.NO_CONFLICT,)),
    race("no-control", "Two upserts of one file group without concurrency control.", ONE_GROUP,
         options=NO_CONTROL, properties=("no-lost-update",), broken="no-lost-update"),
    race("early-abort", "Early detection: a write is refused before its data file is written.", ONE_GROUP,
         options=DIRECT, properties=("no-early-refusals",), broken="no-early-refusals"),
    race("early-direct-safe", "Early detection with the simple strategy keeps every promise.", ONE_GROUP,
         options=DIRECT, counters=(marks.EARLY_CONFLICT_BY_MARKER, marks.CONFLICT_FOUND)),
    race("early-direct-race", "Simple strategy: both writers pass the check and make their markers.", ONE_GROUP,
         options=DIRECT, properties=("marker-checks-exclusive",), broken="marker-checks-exclusive"),
)  # fmt: skip
