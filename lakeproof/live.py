"""Schedules on the live system: played, judged, and held against the simulation.

Choices: nothing of Spark is imported before a live replay is asked for; one session serves all replays of a command.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import TYPE_CHECKING, TypeVar

from checkers.history import FAIL, FINAL, INFO, INVOKE, OK, SETUP, Event, History
from checkers.invariants import INSPECT
from lakeproof.errors import UsageProblem
from lakeproof.talk import say
from real_backend import preflight
from real_backend.jars import JARS
from reports.judging import judge
from reports.narrate import label_of
from reports.phrases import key_text
from reports.record import Compared, Live
from sim.run import Run
from sim.scenario import Scenario
from sim.scenarios.workload import IcebergWorkload
from sim.schedule import Schedule

if TYPE_CHECKING:
    from real_backend.conformance import Ancestor, Kinds, Observed
    from real_backend.live import LiveIceberg

NEEDS_INSPECTION = ("table-invariants", "no-leaks")  # the real table is read back; nobody looks through its files
T = TypeVar("T")
NAMES = {"rest": "Spark SQL {spark} with Iceberg {iceberg}, REST catalog", "java-api": "Iceberg {iceberg}, Java API"}


@dataclass(frozen=True, slots=True)
class LiveReplay:
    """A live run as a report shows it, and its history."""

    live: Live
    history: History


@dataclass(slots=True)
class LiveSystems:
    """The live systems of one command, each started when it is first wanted. Make them with `live_systems`."""

    stack: ExitStack
    started: dict[str, "LiveIceberg"] = field(default_factory=dict)

    def system(self, catalog: str) -> "LiveIceberg":
        """The live system for this catalog. Raises: `BackendError`."""
        from real_backend.live import live_iceberg

        if catalog not in self.started:
            say(f"starting {name_of(catalog)} ...")
            self.started[catalog] = self.stack.enter_context(live_iceberg(catalog))
        return self.started[catalog]

    def replay(self, scenario: Scenario, schedule: Schedule, run: Run) -> LiveReplay:
        """Play `schedule` on the real system and compare with `run`, which is the same schedule simulated.

        Raises: `UsageProblem` if the scenario has no live twin; `Divergence`, `ScheduleError`, `BackendError`.
        """
        from real_backend.conformance import conform, observed_live, simulated
        from real_backend.history import history_of

        workload = scenario.workload
        if workload is None or not has_live_twin(scenario):
            raise UsageProblem(f"scenario {scenario.name}: expected one with a live twin, this one is simulated only")
        preflight.require()
        found = self.system(workload.catalog).run(workload, schedule)
        history = history_of(found)
        rows = _compared(simulated(run), observed_live(found), run.events, history.events)
        judged = judge(history, tuple(name for name in scenario.properties if name not in NEEDS_INSPECTION))
        live = Live(
            name_of(workload.catalog), " ".join(found.trace), rows, judged, conform(run, found).agrees,
        )  # fmt: skip
        return LiveReplay(live, history)


def has_live_twin(scenario: Scenario) -> bool:
    """Whether some live system can run what the scenario simulates."""
    return isinstance(scenario.workload, IcebergWorkload) and scenario.workload.catalog in NAMES


@contextmanager
def live_systems() -> Iterator[LiveSystems]:
    """Live systems for the block; they end with it."""
    with ExitStack() as stack:
        yield LiveSystems(stack)


def name_of(catalog: str) -> str:
    """The live system behind a catalog, with its versions."""
    iceberg = JARS["iceberg"].coordinates.rpartition(":")[2]
    return NAMES.get(catalog, catalog).format(spark=version("pyspark"), iceberg=iceberg)


def missing() -> tuple[str, ...]:
    """One line for each thing that live replays need and that is not there."""
    return preflight.problems()


def _labels(events: tuple[Event, ...]) -> list[str]:
    return [f"{event.process}: {label_of(event)}" for event in events if event.type == INVOKE and _is_client(event)]


def _is_client(event: Event) -> bool:
    return event.process not in (SETUP, FINAL) and event.f != INSPECT


def _errors(events: tuple[Event, ...]) -> list[str]:
    """The class of each statement's error, "" if it has none, in the order of the statements."""
    done = sorted((e for e in events if e.type in (OK, FAIL, INFO) and _is_client(e)), key=lambda event: event.op)
    return [(event.error or "").split(":", 1)[0] for event in done]


def _told(pairs: "Kinds", errors: list[str]) -> tuple[tuple[str, str], ...]:
    """Per statement: what it was told, and the same with the error's class."""
    named = zip(pairs, errors, strict=True)
    return tuple((kind, f"{kind} ({error})" if error else kind) for (_, kind), error in named)


def _compared(
    simulated: "Observed", live: "Observed", before: tuple[Event, ...], after: tuple[Event, ...]
) -> tuple[Compared, ...]:
    """Observation by observation: steps, what each statement was told, the lineage, the rows."""
    rows = [_row("steps", " ".join(simulated.steps or ()), " ".join(live.steps or ()))]
    told = _told(simulated.outcomes, _errors(before)), _told(live.outcomes, _errors(after))
    for label, one, other in zip(_labels(before), *told, strict=True):
        rows.append(Compared(label, one[1], other[1], one[0] == other[0]))
    rows += _beside("version ", _numbers(simulated.lineage, live.lineage), simulated.lineage, live.lineage, _ancestor)
    if simulated.rows is None or live.rows is None:
        rows.append(_row("the table read back", _readable(simulated), _readable(live)))
    else:
        keys = sorted(dict.fromkeys([key for key, _ in simulated.rows] + [key for key, _ in live.rows]))
        rows += [
            _row(f"{key_text(key)} at the end", _value(simulated.rows, key), _value(live.rows, key)) for key in keys
        ]
    return tuple(rows)


def _row(what: str, simulated: str, live: str) -> Compared:
    return Compared(what, simulated, live, simulated == live)


def _beside(
    prefix: str, names: list[str], simulated: tuple[T, ...], live: tuple[T, ...], text: Callable[[T], str]
) -> list[Compared]:
    found = []
    for number in range(max(len(simulated), len(live))):
        name = names[number] if number < len(names) else f"statement {number + 1}"
        left = text(simulated[number]) if number < len(simulated) else "none"
        right = text(live[number]) if number < len(live) else "none"
        found.append(_row(f"{prefix}{name}", left, right))
    return found


def _numbers(simulated: tuple["Ancestor", ...], live: tuple["Ancestor", ...]) -> list[str]:
    return [f"s{number}" for number in range(max(len(simulated), len(live)))]


def _ancestor(one: "Ancestor") -> str:
    below = "" if one.parent is None else f" on s{one.parent}"
    return f"{one.operation or 'snapshot'} by {one.actor or 'nobody known'}{below}"


def _readable(side: "Observed") -> str:
    return "unreadable" if side.rows is None else f"{len(side.rows)} rows"


def _value(rows: "Kinds", key: str) -> str:
    return next((repr(value) for name, value in rows if name == key), "absent")
