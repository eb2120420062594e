"""A simulated Hudi run and its live twin: the schedule that both can play, and whether they do the same.

Compared are the steps that change something, the outcome of each statement, the makers of the completed instants in
their order, and the rows read back.

Choices: a deletion of what is not there is no step (the model asks before it deletes where Hudi does not, and the other
way round), nor is what the model leaves out (`points.CLAIM`).
"""

from collections.abc import Iterator

from checkers.history import Event
from real_backend.conformance import Ancestor, Conformance, Observed, compare, observed
from real_backend.hudi.grain import translated_step
from real_backend.hudi.history import history_of
from real_backend.hudi.live_run import HudiLiveRun
from real_backend.hudi.points import CLAIM, GRAIN, HEARTBEAT, LIST, SLEEP
from sim.run import Run, Runner
from sim.scenarios.hudi_workload import Clean, HudiWorkload
from sim.schedule import Divergence, Schedule, Step
from sim.script import compact

CHANGES = tuple(operation for operation in GRAIN if operation != LIST)
GRAINS = (CHANGES, GRAIN)


def live_twin(run: Run) -> tuple[Schedule, Run] | None:
    """The schedule of a simulated run for the storage gate, and the simulated run of just these steps.

    None if the run does not fail in the same way when only those steps are steps.
    """
    for grain in GRAINS:
        coarse_steps = compact(tuple(_exact(run, grain)), run.unfinished)
        try:
            coarse = Runner(run.scenario, grain=grain).play(coarse_steps)
        except Divergence:
            continue
        if coarse.failure == run.failure:
            return live_schedule(coarse), coarse
    return None


def live_schedule(run: Run) -> Schedule:
    """The schedule of a simulated run at a live grain, in the live gate's names. Fault steps are kept exact."""
    meta = (("property", run.failure.split("/")[0]),) if run.failure else ()
    return Schedule(run.scenario.name, compact(tuple(_live(run)), run.unfinished), tuple(run.grain or GRAIN), meta)


def conform(run: Run, live: HudiLiveRun) -> Conformance:
    """Compare a simulated run at a live grain with a live run of its `live_schedule`."""
    return compare(simulated(run), observed_live(live))


def _exact(run: Run, grain: tuple[str, ...]) -> Iterator[Step]:
    for _, task, operation, resource, _, _, fault in run.trace:
        if operation in grain:
            yield Step(task, operation, True, resource, False, fault or None)


def _live(run: Run) -> Iterator[Step]:
    """The steps of a run in live names, without those that live has not."""
    sleepers = {
        actor for actor, todo in _workload(run).writers if any(isinstance(s, Clean) and s.after_ms for s in todo)
    }
    begins: dict[str, bool] = {}
    for _, task, operation, resource, _, value, fault in run.trace:
        if run.grain is not None and operation not in run.grain:
            continue
        step = translated_step(Step(_live_name(task), operation, True, resource, False, fault or None))
        if step is None or (operation == SLEEP and task not in sleepers) or (operation == "delete" and value is False):
            continue
        if operation == LIST:
            if not begins.get(task, True):
                continue
            begins[task] = False
        elif operation == SLEEP or step.resource == HEARTBEAT:
            begins[task] = True
        yield Step(step.actor, step.point, True, None if operation == SLEEP else step.resource, False, step.fault)


def _workload(run: Run) -> HudiWorkload:
    workload: object = run.scenario.workload
    assert isinstance(workload, HudiWorkload), f"scenario {run.scenario.name} has no live twin"
    return workload


def _live_name(task: str) -> str:
    """A second timer of an actor is called like the first one."""
    actor, found, number = task.partition(f"-{HEARTBEAT}-")
    return f"{actor}-{HEARTBEAT}" if found and number.isdigit() else task


def simulated(run: Run) -> Observed:
    """What a simulated run saw, in the live gate's steps."""
    return _plain(run.events, _workload(run), tuple(str(step) for step in _live(run)))


def observed_live(live: HudiLiveRun) -> Observed:
    """What a live run saw."""
    steps = tuple(
        step.split("=", 1)[0] for step in live.trace if f"({CLAIM})" not in step and not _is_idle_deletion(step)
    )
    return _plain(history_of(live).events, live.workload, steps)


def _is_idle_deletion(step: str) -> bool:
    return ".delete(" in step and step.endswith("=no")


def _plain(events: tuple[Event, ...] | list[Event], workload: HudiWorkload, steps: tuple[str, ...]) -> Observed:
    seen = observed(events, workload.actors, steps)
    errors = {event.op: (event.error or "").split(":", 1)[0] for event in events if event.error is not None}
    order = sorted({e.op for e in events if e.process in workload.actors and e.type not in ("invoke", "version")})
    outcomes = tuple(
        (actor, errors.get(op, kind) if kind in ("failed", "refused") else kind)
        for op, (actor, kind) in zip(order, seen.outcomes, strict=True)
    )
    lineage = tuple(Ancestor(each.ordinal, None, None, each.actor) for each in seen.lineage)
    rows = None if seen.rows is None else tuple(pair for pair in seen.rows if pair[0].startswith("row:"))
    return Observed(outcomes, lineage, rows, seen.unreadable, steps)
