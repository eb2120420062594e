"""A matrix of operation against concurrent operation: what each pair comes to, over all interleavings of its steps.

A protocol says which operations there are, at which levels, on which tables, and makes the scenario of a cell; here
every schedule of it is run, and sorted by what came out. Nothing is known beforehand, and nothing is kept.

Another implementation may have some of the cells, as races of its own: its outcomes are held against the first one's,
and where they are others, there is a reason in words.

Choices: a run in which a property breaks is "broken", whoever was refused in it; else one in which somebody was refused
is "refused", with who it was. The schedule of an outcome is the shortest of its schedules, as they are written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from checkers.histories.history import FAIL, INFO
from sim.kernel.schedule import Schedule
from sim.search.explore import exhaustive
from sim.search.run import Run
from sim.search.script import all_steps, schedule_of
from sim.world.scenario import Scenario

OK, REFUSED, BROKEN, UNKNOWN = "ok", "refused", "broken", "unknown"
ORDER = (BROKEN, UNKNOWN, REFUSED, OK)
ROW, COLUMN = "w1", "w2"
"""Who does the operation of the row, and who that of the column."""
LIMIT = 20_000


class Place(NamedTuple):
    """Where a cell is. Each part is a name of the matrix."""

    format: str
    table: str
    level: str
    row: str
    column: str


class Beside(NamedTuple):
    """An implementation beside the first one.

    Args: `name`: what it is called; `key`: what its scenarios' names begin with; `scenario`: its race of a place, None
    if it has none there; `why`: why it comes to something else at a place where it does, "" if nobody knows; `lacks`:
    why it has no race at a place where the first one has, "" if it has one.
    """

    name: str
    key: str
    scenario: Callable[[Place], Scenario | None]
    why: Callable[[Place], str]
    lacks: Callable[[Place], str] = lambda _: ""


@dataclass(frozen=True, slots=True)
class Matrix:
    """The matrix of a protocol.

    Args: `operations`, `levels`, `tables` have words for each name; `formats` are the format versions; `scenario` makes
    the one of a place, or returns None if the operations cannot be on that table; `why`: why they cannot be there, ""
    if it is just that another table has what they name; `beside`: other implementations.
    """

    protocol: str
    operations: Mapping[str, str]
    levels: Mapping[str, str]
    tables: Mapping[str, str]
    formats: tuple[str, ...]
    scenario: Callable[[Place], Scenario | None]
    why: Callable[[Place], str]
    beside: tuple[Beside, ...] = ()

    def name(self, place: Place) -> str:
        """The name of a cell's scenario."""
        return f"{self.protocol}/matrix/{'/'.join(place)}"

    def without(self, place: Place) -> str:
        """Why there is no race at a place; "" if there is one."""
        return "" if self.scenario(place) is not None else self.why(place) or self._elsewhere(place)

    def _elsewhere(self, place: Place) -> str:
        """The tables on which the operations of a place have a race."""
        on = [table for table in self.tables if self.scenario(place._replace(table=table)) is not None]
        return f"played on {' or '.join(on)}"

    def named(self, name: str) -> Scenario | None:
        """The scenario of this name; None if it is none of the matrix."""
        key, _, rest = name.partition("/matrix/")
        parts = rest.split("/")
        make = next((other.scenario for other in self.beside if other.key == key), None)
        make = self.scenario if key == self.protocol else make
        if make is None or len(parts) != len(Place._fields):
            return None
        place = Place(*parts)
        known = (self.formats, self.tables, self.levels, self.operations, self.operations)
        return make(place) if all(part in names for part, names in zip(place, known, strict=True)) else None


class Outcome(NamedTuple):
    """What some of a cell's schedules come to.

    Args: `detail`: what is broken, or who is refused and by which error; `runs`: how many schedules come to it;
    `schedule` and `run` are the shortest of them.
    """

    kind: str
    detail: str
    runs: int
    schedule: Schedule
    run: Run


class Cell(NamedTuple):
    """A pair of operations, judged. `complete`: every schedule was run."""

    scenario: Scenario
    schedules: int
    complete: bool
    outcomes: tuple[Outcome, ...]


def judged(scenario: Scenario, limit: int = LIMIT, each: Callable[[Run], None] | None = None) -> Cell:
    """Run every schedule of a cell's scenario, none cut off. Args: `each` is called with every run."""
    found: dict[tuple[str, str], Outcome] = {}

    def note(run: Run) -> None:
        key = sorted_run(run)
        known = found.get(key)
        schedule = schedule_of(run)
        if known is None:
            found[key] = Outcome(*key, 1, schedule, run)
        elif len(str(schedule)) < len(str(known.schedule)):
            found[key] = Outcome(*key, known.runs + 1, schedule, run)
        else:
            found[key] = known._replace(runs=known.runs + 1)
        if each is not None:
            each(run)

    result = exhaustive(scenario, limit=limit, prune=False, each=note)
    outcomes = sorted(found.values(), key=lambda outcome: (ORDER.index(outcome.kind), outcome.detail))
    return Cell(scenario, result.schedules, result.complete, tuple(outcomes))


def sorted_run(run: Run) -> tuple[str, str]:
    """The kind of a run's outcome, and its detail."""
    if run.failure is not None:
        return BROKEN, run.failure.replace("/", ": ")
    if run.indeterminate or not run.complete or any(event.type == INFO for event in run.events):
        return UNKNOWN, ""
    told = [f"{e.process} ({(e.error or '').partition(':')[0]})" for e in run.events if e.type == FAIL]
    return (REFUSED, " and ".join(sorted(told))) if told else (OK, "")


def kinds(cell: Cell) -> frozenset[str]:
    """What a cell comes to, whatever the errors are called: "ok", "broken", and who is refused ("w1 and w2")."""
    return frozenset(
        " and ".join([part.split()[0] for part in one.detail.split(" and ")]) if one.kind == REFUSED else one.kind
        for one in cell.outcomes
    )


def steps_of_run(run: Run) -> str:
    """Every step of a run at its yield points, in words: "w1.load w2.load w1.commit"."""
    return " ".join(map(str, all_steps(run.trace, run.yield_points, resources=False)))
