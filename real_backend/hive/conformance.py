"""A simulated run of a metastore scenario and its live twin: whether they do the same, step by step.

Compared are the steps, what each statement was told (outcome or error, values, the list and ids that it sent, whether a
cache or the database answered, which table came back), the changes of content with their makers, what the caches serve
at the end if they were asked, and what the database has.

Choices: a cache's tag is the model's alone, so it is not compared. A scenario has a live twin if its rules are those of
the shipped cache, of one of its repairs, or the reference, whose reading side then runs in the client.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from checkers.histories.history import FINAL, INVOKE, VERSION, Event
from model.hive import FIXED, Rules
from model.hive.rules import SHIPPED as SHIPPED_RULES
from model.hive.rules import SHIPPED_CAS as SHIPPED_CAS_RULES
from model.hive.rules import SHIPPED_CAS_NO_REPLAY as NO_REPLAY_RULES
from real_backend.errors import BackendError
from real_backend.gating.conformance import Conformance, Observed, compare, observed
from real_backend.hive.live import reject
from real_backend.hive.live_run import (
    NO_CACHE,
    SHIPPED,
    SHIPPED_CAS,
    SHIPPED_CAS_NO_REPLAY,
    SYNCHRONIZED,
    HiveLiveRun,
    Variant,
)
from real_backend.hive.pollers import POLL
from real_backend.iceberg.history import history_of
from real_backend.iceberg.live_run import LiveRun
from real_backend.iceberg.over_metastores import LOCK, UNLOCK
from real_backend.iceberg.over_metastores import YIELD_POINTS as ICEBERG_YIELD_POINTS
from sim.hive.race import HiveRace
from sim.hive.workload import HiveWorkload, Rename, Update
from sim.iceberg.over_metastores import Cache, IcebergOverHive
from sim.iceberg.workload import IcebergWorkload
from sim.kernel.schedule import Step
from sim.search.run import Run
from sim.search.script import all_steps
from sim.world.scenario import Scenario

_VARIANTS: tuple[tuple[Rules, Variant], ...] = (
    (SHIPPED_RULES, SHIPPED),
    (SHIPPED_CAS_RULES, SHIPPED_CAS),
    (NO_REPLAY_RULES, SHIPPED_CAS_NO_REPLAY),
)
_CACHES: Mapping[Cache, Variant] = {
    "off": NO_CACHE, "shipped": SHIPPED, "cas": SHIPPED_CAS, "cas-no-replay": SHIPPED_CAS_NO_REPLAY,
}  # fmt: skip
_NOT_COMPARED = ("tag",)
S = TypeVar("S", str, Step)


@dataclass(frozen=True, slots=True)
class Twin:
    """How a scenario is run live: arguments of `HiveLive.run`."""

    workload: HiveWorkload
    variant: Variant
    rules: Rules
    drains: bool


def twin_of(scenario: Scenario) -> Twin:
    """The live twin of a scenario. Raises: `BackendError` if it is simulated only."""
    race = getattr(scenario.start, "__self__", None)
    if not isinstance(race, HiveRace):
        raise BackendError(f"scenario {scenario.name}: expected sessions on metastores, got something else")
    variant = _variant_of(race.rules)
    if variant is None or race.statements or scenario.faults.limit:
        raise BackendError(f"scenario {scenario.name}: expected rules that live metastores can have, got others")
    reject(race.workload)
    if variant.synchronized:
        _reject_by_servers(scenario.name, race)
    return Twin(race.workload, variant, race.rules, race.drains)


def _reject_by_servers(name: str, race: HiveRace) -> None:
    """What the reference's servers do, and those of 4.0.1, on which only the client follows the design, do not."""
    statements = [statement for session in race.workload.sessions for statement in session.statements]
    if any(isinstance(statement, Rename) for statement in statements):
        raise BackendError(f"scenario {name}: expected no rename, for shipped caches do not survive one (R2)")
    if race.rules.conflict_abort_is_logged and any(isinstance(statement, Update) for statement in statements):
        raise BackendError(f"scenario {name}: expected conflicts' aborts to go unlogged, as 4.0.1 has it (R7)")


def _variant_of(rules: Rules) -> Variant | None:
    """The live variant: a shipped one; or the reference but for what its client does, which then does it live."""
    for known, variant in _VARIANTS:
        if rules == known:
            return variant
    on_client = replace(FIXED, read_rule=rules.read_rule, conflict_abort_is_logged=rules.conflict_abort_is_logged)
    return SYNCHRONIZED if rules == on_client else None


@dataclass(frozen=True, slots=True)
class IcebergTwin:
    """How a scenario of Iceberg over a metastore is run live: arguments of `IcebergOnHive.run`."""

    workload: IcebergWorkload
    routes: Mapping[str, str]
    variant: Variant


def iceberg_twin_of(scenario: Scenario) -> IcebergTwin:
    """The live twin of a scenario. Raises: `BackendError` if it is simulated only."""
    race = getattr(scenario.start, "__self__", None)
    if not isinstance(race, IcebergOverHive) or scenario.faults.limit:
        raise BackendError(f"scenario {scenario.name}: expected Iceberg over metastores, got something else")
    return IcebergTwin(race.workload, dict(race.routes), _CACHES[race.cache])


def conform_iceberg(run: Run, live: LiveRun) -> Conformance:
    """Compare a simulated run of Iceberg over a metastore with a live one of the same schedule."""
    return compare(simulated_iceberg(run, live.workload), observed_iceberg(live))


def simulated_iceberg(run: Run, workload: IcebergWorkload) -> Observed:
    """What the simulated run saw."""
    return observed(run.events, workload.actors, tuple(map(str, steps_of_iceberg(run))))


def observed_iceberg(live: LiveRun) -> Observed:
    """What the live run saw."""
    return observed(history_of(live).events, live.workload.actors, _without_last_polls(live.steps))


def steps_of_iceberg(run: Run) -> tuple[Step, ...]:
    """The steps of a simulated run of Iceberg over a metastore that a live one has.

    Polls that found nothing, and those after the last call, are the simulator's own: live pollers wait for an event.
    A simulated `lock` asks, and is granted at the unlock before it; a live one is on offer only then.
    """
    happened = [row for row in run.trace if not (row[2] == POLL and row[5] == ())]
    return _without_last_polls(tuple(_as_granted(all_steps(happened, ICEBERG_YIELD_POINTS, resources=False))))


def _as_granted(steps: Iterable[Step]) -> Iterator[Step]:
    """The same steps, each `lock` where it is granted."""
    asked: list[Step] = []  # the first one holds the lock
    for step in steps:
        if step.operation == LOCK:
            asked.append(step)
            if len(asked) > 1:
                continue
        yield step
        if step.operation == UNLOCK and asked:
            asked.pop(0)
            yield from asked[:1]


def conform(run: Run, live: HiveLiveRun) -> Conformance:
    """Compare a simulated run with a live one of the same schedule."""
    return compare(simulated(run, live.workload), observed_live(live))


def simulated(run: Run, workload: HiveWorkload) -> Observed:
    """What the simulated run saw."""
    return _observed(run.events, workload, tuple(map(str, all_steps(run.trace, run.yield_points, resources=False))))


def _without_last_polls(steps: tuple[S, ...]) -> tuple[S, ...]:
    calls = [place for place, step in enumerate(steps) if not str(step).endswith(f".{POLL}")]
    return steps[: calls[-1] + 1] if calls else ()


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
