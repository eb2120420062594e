"""Does Iceberg over live metastores do what the simulation said? Their steps are the calls of both.

Choices: polls that found nothing, and those after the last call, are the simulator's own: live pollers wait for an
event. A simulated `lock` asks, and is granted at the unlock before it; a live one is on offer only then.
"""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from real_backend.gating.observed import Conformance, Observed, compare, observed
from real_backend.hive.pollers import APPLY
from real_backend.hive.timer import POLL
from real_backend.iceberg.history import history_of
from real_backend.iceberg.live_run import LiveRun
from real_backend.iceberg.over_metastores import LOCK, UNLOCK, YIELD_POINTS
from real_backend.iceberg.refusals import kind_of
from sim.iceberg.workload import IcebergWorkload
from sim.kernel.schedule import Step
from sim.search.run import Run
from sim.search.script import all_steps

S = TypeVar("S", str, Step)


def conform(run: Run, live: LiveRun) -> Conformance:
    """Compare a simulated run with a live one of the same schedule."""
    return compare(simulated(run, live.workload), observed_live(live))


def simulated(run: Run, workload: IcebergWorkload) -> Observed:
    """What the simulated run saw."""
    return observed(run.events, workload.actors, tuple(map(str, live_steps(run))), kind_of)


def observed_live(live: LiveRun) -> Observed:
    """What the live run saw."""
    return observed(history_of(live).events, live.workload.actors, _without_last_polls(live.steps), kind_of)


def live_steps(run: Run) -> tuple[Step, ...]:
    """The steps of a simulated run that a live one has."""
    happened = [row for row in run.trace if not (row[2] == POLL and row[5] == ())]
    return _without_last_polls(tuple(as_granted(all_steps(happened, YIELD_POINTS, resources=False))))


def as_granted(steps: Iterable[Step]) -> Iterator[Step]:
    """The same steps, each `lock` where it is granted, but for one that has not reached the metastore."""
    asked: list[Step] = []  # the first one holds the lock
    for step in steps:
        if step.operation == LOCK and step.fault != "drop-before":
            asked.append(step)
            if len(asked) > 1:
                continue
        yield step
        if step.operation == UNLOCK and asked:
            asked.pop(0)
            yield from asked[:1]


def _without_last_polls(steps: tuple[S, ...]) -> tuple[S, ...]:
    calls = [place for place, step in enumerate(steps) if not str(step).endswith((f".{POLL}", f".{APPLY}"))]
    return steps[: calls[-1] + 1] if calls else ()
