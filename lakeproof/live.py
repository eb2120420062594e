"""Schedules on the live system: played, judged, and held against the simulation.

Choices: what a live history cannot show is not judged, and a note lists it. It is not indeterminate: nobody could know
more, and what the two sides did is compared anyway.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

from checkers.histories.history import FAIL, INFO, INVOKE, OK, Event, History
from checkers.verdict import quick
from lakeproof.errors import UsageProblem
from lakeproof.protocols import in_spark, live_system
from lakeproof.talk import say
from real_backend.gating.observed import Ancestor, Kinds, Observed, in_words
from real_backend.gating.system import LiveSystem, Replayed
from reports.explanation.explain import label_of
from reports.explanation.judging import judge
from reports.explanation.phrases import key_text
from reports.record import Compared, Live
from sim.kernel.schedule import Schedule
from sim.search.run import Run
from sim.world.scenario import Scenario

if TYPE_CHECKING:
    from real_backend.gating.backends import Backends

NOTHING = ("none", "none")


@dataclass(frozen=True, slots=True)
class LiveReplay:
    """A live run as a report shows it, and its history."""

    live: Live
    history: History


@dataclass(frozen=True, slots=True)
class LiveSystems:
    """The live systems of one command. Make them with `live_systems`."""

    backends: "Backends"

    def replay(self, scenario: Scenario, schedule: Schedule, run: Run) -> LiveReplay:
        """Play `schedule` on the real system and compare with `run`, which is the same schedule simulated.

        Raises: `UsageProblem` if the scenario has no live counterpart; `Divergence`, `ScheduleError`, `BackendError`.
        """
        if scenario.live is None:
            raise UsageProblem(f"scenario {scenario.name}: expected one with a live counterpart, got one without")
        system = live_system(scenario.live.system)
        found = system.replay(self.backends, scenario.live, schedule, run)
        seen = [name for name in scenario.properties if name not in system.unseen]
        judged = judge(found.history, seen)
        verdict = _row("weakest broken property", quick(History(found.events), seen), quick(found.history, seen))
        compared = _compared(found) if verdict.agrees else (*_compared(found), verdict)
        notes = (*_not_judged(scenario, system), *found.notes)
        name, agrees = system.name(scenario.live), found.agrees and verdict.agrees
        return LiveReplay(Live(name, " ".join(found.trace), compared, judged, agrees, notes), found.history)


@contextmanager
def live_systems() -> Iterator[LiveSystems]:
    """Live systems for the block; they end with it."""
    from real_backend.gating.backends import live_backends  # only who asks for live systems waits for it

    with live_backends(say, in_spark) as backends:
        yield LiveSystems(backends)


def _not_judged(scenario: Scenario, system: LiveSystem) -> list[str]:
    unseen = [name for name in scenario.properties if name in system.unseen]
    return [f"not judged live: {', '.join(unseen)}"] if unseen else []


def _done(pairs: Kinds, events: tuple[Event, ...]) -> list[Event]:
    """The completions of the statements whose outcomes these are, in the same order."""
    actors = {actor for actor, _ in pairs}
    done = (event for event in events if event.type in (OK, FAIL, INFO) and event.process in actors)
    return sorted(done, key=lambda event: event.op)


def _labels(pairs: Kinds, events: tuple[Event, ...]) -> list[str]:
    """What each statement that was told something is."""
    asked = {event.op: event for event in events if event.type == INVOKE}
    return [f"{event.process}: {label_of(asked[event.op])}" for event in _done(pairs, events)]


def _told(pairs: Kinds, events: tuple[Event, ...]) -> list[tuple[str, str]]:
    """Per statement: what it was told, and the same with the error's class."""
    errors = [(event.error or "").split(":", 1)[0] for event in _done(pairs, events)]
    named = zip(pairs, errors, strict=True)
    return [(kind, f"{kind} ({error})" if error and error not in kind.split() else kind) for (_, kind), error in named]


def _compared(found: Replayed) -> tuple[Compared, ...]:
    """Observation by observation: steps, what each statement was told, each read saw, the lineage, rows, left-overs."""
    simulated, live = found.simulated, found.live
    rows = [_row("steps", " ".join(simulated.steps or ()), " ".join(live.steps or ()))]
    told = _told(simulated.outcomes, found.events), _told(live.outcomes, tuple(found.history.events))
    for label, one, other in zip_longest(_labels(simulated.outcomes, found.events), *told, fillvalue=None):
        left, right = one or NOTHING, other or NOTHING
        rows.append(Compared(label or "one more statement", left[1], right[1], left[0] == right[0]))
    answers = zip(in_words(simulated.answers), in_words(live.answers), strict=False)
    rows += [_row(f"what {actor} read", seen, found) for (actor, seen), (_, found) in answers]
    rows += _lineage(simulated.lineage, live.lineage)
    if simulated.rows is None or live.rows is None:
        rows.append(_row("the table read back", _readable(simulated), _readable(live)))
    else:
        keys = sorted(dict.fromkeys([key for key, _ in simulated.rows] + [key for key, _ in live.rows]))
        rows += [
            _row(f"{key_text(key)} at the end", _value(simulated.rows, key), _value(live.rows, key)) for key in keys
        ]
    if simulated.left is not None and live.left is not None:
        rows.append(_left(simulated.left, live.left))
    return tuple(rows)


def _left(simulated: tuple[str, ...], live: tuple[str, ...]) -> Compared:
    """What else there is at the end: all of it if it is the same, else what only one side has."""
    if simulated == live:
        one = other = "; ".join(live)
    else:
        one = "; ".join(Counter(simulated) - Counter(live))
        other = "; ".join(Counter(live) - Counter(simulated))
    return Compared("left at the end", one or NOTHING[0], other or NOTHING[0], simulated == live)


def _row(what: str, simulated: str | None, live: str | None) -> Compared:
    return Compared(what, simulated or "none", live or "none", simulated == live)


def _lineage(simulated: tuple[Ancestor, ...], live: tuple[Ancestor, ...]) -> list[Compared]:
    """Version by version; what only one side knows is not compared."""
    rows = []
    for number, (one, other) in enumerate(zip_longest(simulated, live)):
        known = zip(one[1:], other[1:], strict=True) if one and other else [("none", "")]
        agrees = all(left is None or right is None or left == right for left, right in known)
        rows.append(Compared(f"version s{number}", _ancestor(one), _ancestor(other), agrees))
    return rows


def _ancestor(one: Ancestor | None) -> str:
    if one is None:
        return "none"
    below = "" if one.parent is None else f" on s{one.parent}"
    return f"{one.operation or 'snapshot'} by {one.actor or 'nobody known'}{below}"


def _readable(side: Observed) -> str:
    return "unreadable" if side.rows is None else f"{len(side.rows)} rows"


def _value(rows: Kinds, key: str) -> str:
    return next((repr(value) for name, value in rows if name == key), "absent")
