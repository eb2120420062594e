"""A simulated run at live yield points, step by step in the live gate's names.

Choices: a wait before a statement is one live step, in the place where the simulated one ends; what a clock waits
within a statement is none. Of the looks at the timeline only the first one of each statement is a step, and of each
try of a write; of an UPDATE that by which it reads, too; of a write beside a restore, two; of a restore those two more
by which it decides, what to undo and whether all is undone.
"""

from collections.abc import Iterator
from dataclasses import replace

from checkers.histories.history import INVOKE
from model.hudi.coverage import CLUSTERING_TAKEN_OVER
from model.hudi.keys import EAGER
from model.hudi.names import COMPLETED, REQUESTED, RESTORE, ROLLBACK, role_of
from model.hudi.options import parse_options
from real_backend.hudi.interposition import LOCK_FILE, client_of
from real_backend.hudi.yield_points import translated_step
from sim.hudi.live import HEARTBEAT, LIST, SLEEP, YIELD_POINTS, ungated_of
from sim.hudi.planned import finds_clustering, finds_plan
from sim.hudi.statements import (
    BulkInsert,
    Clean,
    Cluster,
    Compact,
    Delete,
    Insert,
    Overwrite,
    PlanClustering,
    ReadingFirst,
    Restore,
    Statement,
    Upsert,
    Write,
)
from sim.hudi.workload import HudiWorkload
from sim.kernel.kernel import SLEEPS_ON
from sim.kernel.schedule import Schedule, Step
from sim.kernel.trace import Row
from sim.search.run import Run
from sim.search.script import compact

DECIDED = (REQUESTED, COMPLETED)
"""After these files of its own a restore looks, and decides by what it sees."""


def live_schedule(run: Run) -> Schedule:
    """The schedule of a run at live yield points, in the live gate's names; short, unless it has to go around locks."""
    meta = (("property", run.failure.split("/")[0]),) if run.failure else ()
    hidden = ungated_of(workload_of(run))
    going_on = {client_of(task) for task in (*run.unfinished, *_going_on(run))}
    idle = CLUSTERING_TAKEN_OVER in run.coverage  # of whose rollback the folder of markers may be gone already
    steps = every_step(run) if hidden or idle else compact(tuple(steps_of_run(run)), going_on)
    return Schedule(run.scenario.name, steps, tuple(run.yield_points or YIELD_POINTS), meta)


def _going_on(run: Run) -> Iterator[str]:
    """Who has not ended with its last live step: timers never do, and deleting what is not there is no step."""
    for row in run.trace:
        if client_of(row[1]).endswith(f"-{HEARTBEAT}") or (row[2] == "delete" and row[5] is False):
            yield row[1]


def every_step(run: Run) -> tuple[Step, ...]:
    """Each step of a run at live yield points, and before it what only the live side does.

    A run to an actor's end, or past a lock that is no step, would take what the simulated one did later.
    """
    return tuple(each for step in steps_of_run(run) for each in (replace(step, exact=False, fault=None), step))


def steps_of_run(run: Run) -> Iterator[Step]:
    """The steps of a run at live yield points in live names, without those that a live run has not."""
    ungated = ungated_of(workload_of(run))
    beginnings, waits = _beginnings(run), frozenset(_waits(run))
    for place, row in enumerate(run.trace):
        step = _translated(row, run.yield_points)
        if step is None or step.operation in ungated or (step.operation == SLEEP and place not in waits):
            continue
        if step.operation == LIST:
            own = beginnings[step.actor]
            if not own or own[0] > place:
                continue  # no statement has begun since the last look that is a step
            while own and own[0] <= place:
                own.pop(0)
        yield step


def _begun(run: Run) -> Iterator[tuple[str, Statement, int]]:
    """Each statement as it begins: its actor, and how many rows of the trace stood before it."""
    todo = {actor: iter(statements) for actor, statements in workload_of(run).writers}
    begun: dict[str, Statement] = {}
    for event, place in zip(run.events, run.places, strict=True):
        if event.type == INVOKE and event.process in todo:
            if event.f != RESTORE or not isinstance(begun.get(event.process), Restore):  # which may be tried again
                begun[event.process] = next(todo[event.process])
            yield event.process, begun[event.process], place


def _beginnings(run: Run) -> dict[str, list[int]]:
    """By actor: how many rows of the trace stood before each of its statements; of one that plans, before its second
    look.

    With the first one it plans, within the lock. Who finds a plan of clustering looks once more before he carries it
    out. Where somebody restores, a write that starts looks before it asks for the lock, too; and who restores looks
    when it has announced its plan, and when it has completed.
    """
    restored = workload_of(run).has(Restore)
    places: dict[str, list[int]] = {actor: [] for actor in workload_of(run).actors}
    for actor, statement, place in _begun(run):
        plans = isinstance(statement, Cluster | Compact | PlanClustering) and not finds_plan(statement)
        places[actor].append(_planned(run, actor, place) if plans else place)
        if (restored and isinstance(statement, Write)) or finds_clustering(statement):
            places[actor].append(_planned(run, actor, place))
    for number, row in enumerate(run.trace if restored else ()):
        if row[2] == "create" and f".{RESTORE}" in row[3] and role_of(row[3]).kind in DECIDED:
            places[client_of(row[1])].append(number + 1)
    for actor, place in _tries(run):
        places[actor].append(place)
    return {actor: sorted(numbers) for actor, numbers in places.items()}


def _tries(run: Run) -> Iterator[tuple[str, int]]:
    """Who looks once more, and where: each try of a write after the first one, and who has read before it began."""
    begun = list(_begun(run))
    announced: dict[tuple[str, int], int] = {}
    eager = parse_options(dict(workload_of(run).options)).clean_policy == EAGER  # who looks when it begins, too
    for number, row in enumerate(run.trace):
        actor = client_of(row[1])
        own = [(place, statement) for who, statement, place in begun if who == actor and place <= number]
        if own and row[2] == "create" and role_of(row[3]).kind == REQUESTED and f".{ROLLBACK}." not in row[3]:
            place, statement = own[-1]
            if not isinstance(statement, Upsert | Delete | Insert | BulkInsert | Overwrite):
                continue
            announced[actor, place] = announced.get((actor, place), 0) + 1
            if announced[actor, place] > 1 or eager or isinstance(statement, ReadingFirst):
                yield actor, number + 1


def _waits(run: Run) -> Iterator[int]:
    """The rows of the trace in which somebody has waited: the last one of an actor before its statement begins."""
    for actor, statement, place in _begun(run):
        if isinstance(statement, Clean | Compact) and statement.after_ms:
            yield max(number for number in range(place) if run.trace[number][1:3] == (actor, SLEEP))


def _planned(run: Run, actor: str, place: int) -> int:
    """How many rows of the trace stood before and with the first look of a statement that began at `place`."""
    looks = [number for number, row in enumerate(run.trace) if number >= place and row[1] == actor and row[2] == LIST]
    return looks[0] + 1 if looks else place


def _translated(row: Row, yield_points: tuple[str, ...] | None) -> Step | None:
    _, task, operation, resource, _, value, fault = row
    if (yield_points is not None and operation not in yield_points) or value == SLEEPS_ON:
        return None
    named = None if operation == SLEEP else resource
    step = translated_step(Step(client_of(task), operation, True, named, False, fault or None))
    if operation == "delete" and value is False and step is not None and step.resource != LOCK_FILE:
        return None  # there was nothing to delete
    return step


def workload_of(run: Run) -> HudiWorkload:
    """The workload of a run's live counterpart."""
    live = run.scenario.live
    assert live is not None, f"scenario {run.scenario.name}: expected one with a live counterpart"
    workload: HudiWorkload = live.workload
    return workload
