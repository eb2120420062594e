"""Does the real Hudi do what the simulation said? A simulated run beside the live one of its schedule.

Compared are the steps that change something, the outcomes of each actor's statements in their order, the makers of the
completed instants in theirs, and the rows read back.

Choices: a deletion of what is not there is no step (the model asks before it deletes where Hudi does not, and the other
way round), but of the lock file, which both delete alike; nor is what the model leaves out (`interposition.CLAIM`).
Whose answer came first is not compared: what ends without a step ends at another moment live.
"""

from collections.abc import Sequence

from checkers.histories.history import INVOKE, VERSION, Event
from real_backend.gating.observed import Ancestor, Conformance, Kinds, Observed, compare, observed
from real_backend.hudi.history import history_of
from real_backend.hudi.interposition import CLAIM, LOCK_FILE
from real_backend.hudi.live_run import HudiLiveRun
from real_backend.hudi.live_steps import steps_of_run, workload_of
from sim.hudi.live import ungated_of
from sim.hudi.workload import HudiWorkload
from sim.search.run import Run


def conform(run: Run, live: HudiLiveRun) -> Conformance:
    """Compare a simulated run at live yield points with a live run of its `live_schedule`."""
    return compare(simulated(run), observed_live(live))


def simulated(run: Run) -> Observed:
    """What a simulated run saw, in the live gate's steps."""
    return _plain(run.events, workload_of(run), tuple(str(step) for step in steps_of_run(run)))


def observed_live(live: HudiLiveRun) -> Observed:
    """What a live run saw."""
    left_out = [f"({CLAIM})", *(f".{name}(" for name in ungated_of(live.workload))]
    kept = [step for step in live.trace if not any(part in step for part in left_out) and not _is_idle_deletion(step)]
    steps = tuple(step.split("=", 1)[0] for step in kept)
    return _plain(history_of(live).events, live.workload, steps)


def _is_idle_deletion(step: str) -> bool:
    return ".delete(" in step and step.endswith("=no") and f"({LOCK_FILE})" not in step


def _plain(events: Sequence[Event], workload: HudiWorkload, steps: tuple[str, ...]) -> Observed:
    seen = observed(events, workload.actors, steps)
    errors = {event.op: (event.error or "").split(":", 1)[0] for event in events if event.error is not None}
    order = sorted({e.op for e in events if e.process in workload.actors and e.type not in (INVOKE, VERSION)})
    told = [
        (actor, errors.get(op, kind) if kind == "failed" else kind)
        for op, (actor, kind) in zip(order, seen.outcomes, strict=True)
    ]
    outcomes = tuple(sorted(told, key=lambda one: workload.actors.index(one[0])))
    lineage = tuple(Ancestor(each.ordinal, None, None, each.actor) for each in seen.lineage)
    rows = None if seen.rows is None else _rows(seen.rows)
    read = [(actor, _rows(found)) for actor, found in seen.answers]
    answers = tuple(sorted(read, key=lambda one: workload.actors.index(one[0])))
    return Observed(outcomes, lineage, rows, seen.unreadable, steps, answers=answers)


def _rows(found: Kinds) -> Kinds:
    return tuple([pair for pair in found if pair[0].startswith("row:")])
