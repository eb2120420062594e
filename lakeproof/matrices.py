"""The cells of a matrix on the real system: their schedules played, and held against the simulation; and why there may
be none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from checkers.text import plain
from real_backend.errors import BackendUnavailable
from reports.pages.matrix import AGREES, DIFFERS, ShownOutcome
from sim.kernel.schedule import Schedule
from sim.search.matrix import Matrix, Outcome, Place, sorted_run, steps_of_run
from sim.search.run import Run
from sim.search.script import schedule_of

if TYPE_CHECKING:
    from lakeproof.live import LiveSystems


class Playing:
    """Plays schedules on the live systems. Args: `every`: all those of an outcome, and not only the shortest."""

    def __init__(self, every: bool, systems: LiveSystems) -> None:
        self._every, self._systems = every, systems
        self._runs: list[Run] = []
        self.system = ""

    def kept(self) -> Callable[[Run], None] | None:
        """What keeps the runs of the next cell, if all of them are to be played."""
        self._runs = []
        return self._runs.append if self._every else None

    def play(self, outcome: Outcome) -> tuple[str, int]:
        """Play an outcome. Returns: "agrees", or in what the real system differs; and how many schedules were played.

        Raises: `BackendUnavailable` if the system cannot be had.
        """
        key = (outcome.kind, outcome.detail)
        runs: list[tuple[Schedule, Run]] = [(schedule_of(run), run) for run in self._runs if sorted_run(run) == key]
        runs = runs or [(outcome.schedule, outcome.run)]
        for number, (schedule, run) in enumerate(runs, 1):
            if said := self._difference(schedule, run):
                return f"{DIFFERS}: {said}", number
        return AGREES, len(runs)

    def _difference(self, schedule: Schedule, run: Run) -> str:
        try:
            live: Any = self._systems.replay(run.scenario, schedule, run).live
        except BackendUnavailable:
            raise
        except Exception as error:  # it cannot follow the schedule: that is an answer
            return f"{steps_of_run(run)}: {type(error).__name__}: {plain(str(error))}"
        self.system = live.system
        if live.agrees:
            return ""
        row = next((row for row in live.compared if not row.agrees), None)
        what = (
            "it breaks other properties" if row is None else f"{row.what}: simulated {row.simulated}, live {row.live}"
        )
        return f"{steps_of_run(run)}: {what}"


def played(outcome: Outcome, path: str, playing: Playing | None) -> ShownOutcome:
    """An outcome as text, played if there is something to play it on."""
    live, lived = playing.play(outcome) if playing else ("", 0)
    return ShownOutcome(outcome.kind, outcome.detail, outcome.runs, steps_of_run(outcome.run), path, live, lived)


def apart(matrix: Matrix, places: Sequence[Place]) -> str:
    """Why none of these places of one cell has a race, as the end of an error: on which tables each operation is."""
    first = places[0]
    asked = {place.table for place in places}
    both = [table for table in matrix.tables if any(matrix.scenario(place._replace(table=table)) for place in places)]
    if both:
        return f"as {first.row} and {first.column} are with --table {' or '.join(both)}, got {', '.join(asked)}"
    told = [f"{name} (on {', '.join(_tables_of(matrix, name, first)) or 'none'})" for name in (first.row, first.column)]
    return f"got {' and '.join(told)}"


def _tables_of(matrix: Matrix, name: str, first: Place) -> list[str]:
    """The tables on which an operation is, beside whichever."""
    return [
        table
        for table in matrix.tables
        if any(matrix.scenario(first._replace(table=table, row=name, column=other)) for other in matrix.operations)
    ]
