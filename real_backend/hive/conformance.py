"""Do live metastores do what the simulation said? A simulated run beside a live one, step by step.

Compared are the steps, what each statement was told (outcome or error, values, the list and ids that it sent, whether a
cache or the database answered, which table came back), the changes of content with their makers, what the caches serve
at the end if they were asked, and what the database has.

Choices: a cache's tag is the model's alone, so it is not compared. A poll finds nothing if a pull has been before it;
it changes nothing, and is no live step.
"""

from collections.abc import Iterator, Mapping, Sequence

from checkers.histories.history import FINAL, INVOKE, VERSION, Event
from real_backend.gating.observed import Conformance, Observed, compare, observed
from real_backend.hive.live_run import (
    NO_CACHE,
    SHIPPED,
    SHIPPED_CAS,
    SHIPPED_CAS_NO_REPLAY,
    SHIPPED_REFRESH,
    SYNCHRONIZED,
    HiveLiveRun,
    Variant,
)
from real_backend.hive.pollers import of_replica
from real_backend.hive.timer import POLL
from sim.hive.live import Servers
from sim.hive.workload import HiveWorkload
from sim.kernel.schedule import Step
from sim.search.run import Run
from sim.search.script import all_steps

VARIANTS: Mapping[Servers, Variant] = {
    "off": NO_CACHE, "shipped": SHIPPED, "cas": SHIPPED_CAS, "cas-no-replay": SHIPPED_CAS_NO_REPLAY,
    "synchronized": SYNCHRONIZED, "refresh": SHIPPED_REFRESH,
}  # fmt: skip
_NOT_COMPARED = ("tag",)


def conform(run: Run, live: HiveLiveRun) -> Conformance:
    """Compare a simulated run with a live one of the same schedule."""
    return compare(simulated(run, live.workload), observed_live(live))


def simulated(run: Run, workload: HiveWorkload) -> Observed:
    """What the simulated run saw."""
    steps = (str(of_replica(step, workload)) for step in live_steps(run))
    return _observed(run.events, workload, tuple(steps))


def live_steps(run: Run) -> tuple[Step, ...]:
    """The steps of a simulated run, but for polls that find nothing."""
    found = [row for row in run.trace if not (row[2] == POLL and row[5] == () and not row[6])]
    return all_steps(found, run.yield_points, resources=False)


def observed_live(live: HiveLiveRun) -> Observed:
    """What a live run saw."""
    return _observed(live.events, live.workload, live.steps)


def _observed(events: Sequence[Event], workload: HiveWorkload, steps: tuple[str, ...]) -> Observed:
    seen = observed(events, workload.actors, steps)
    return Observed(tuple(_told(events, workload)), seen.lineage, seen.rows, seen.unreadable, steps)


def _told(events: Sequence[Event], workload: HiveWorkload) -> Iterator[tuple[str, str]]:
    """Per statement of a session, and per cache asked at the end: what it was told, in the order of the calls."""
    told = (*workload.actors, *(f"{FINAL}-{name}" for name in workload.replicas))
    done = [event for event in events if event.type not in (INVOKE, VERSION) and event.process in told]
    yield from ((event.process, _in_words(event)) for event in sorted(done, key=lambda event: event.op))


def _in_words(event: Event) -> str:
    words = [word for word in (event.arg or "").split() if word.split("=", 1)[0] not in _NOT_COMPARED]
    seen = [f"{read.key}={read.value}" for read in event.reads]
    made = [f"{write.key}:={write.value}" for write in event.writes]
    error = [(event.error or "").split(":", 1)[0]] if event.error else []
    return " ".join([event.f, event.type, *error, *words, *seen, *made])
