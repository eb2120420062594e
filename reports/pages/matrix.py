"""A matrix of operations, judged, for people: cells in a few letters, and an HTML page in which a cell opens.

The schedules that prove an outcome are files of the run folder, and stand in the page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from reports.pages.html import style, template
from reports.record import strict
from sim.search.matrix import BROKEN, COLUMN, OK, REFUSED, ROW, UNKNOWN, Cell, Place
from sim.world.words import counted

FORMAT = 1
AGREES, DIFFERS = "agrees", "differs"
LETTERS = {OK: "ok", BROKEN: "!", UNKNOWN: "?"}
LEGEND = (
    ("ok", "both commit, and nothing breaks"),
    ("r", "the operation of the row is refused"),
    ("c", "the operation of the column is refused"),
    ("!", "a property breaks"),
    ("≠", "the real system does something else"),
)


@strict
@dataclass(frozen=True, slots=True)
class ShownOutcome:
    """What some schedules of a cell come to. `schedule` is the file that replays the shortest, `steps` its steps.

    `live`: "agrees" or "differs: ..." ("": it was not played); `lived` how many of the outcome's schedules were played.
    """

    kind: str
    detail: str
    runs: int
    steps: str
    schedule: str
    live: str
    lived: int


@strict
@dataclass(frozen=True, slots=True)
class ShownCell:
    """A cell. `outcomes` is empty where the operations cannot be on the table."""

    format: str
    table: str
    level: str
    row: str
    column: str
    scenario: str
    schedules: int
    complete: bool
    outcomes: tuple[ShownOutcome, ...]

    @property
    def differs(self) -> bool:
        """Whether the real system did something else in one of its schedules."""
        return any(outcome.live.startswith(DIFFERS) for outcome in self.outcomes)

    @property
    def code(self) -> str:
        """The outcomes in letters: "ok", "rc", "!ok"."""
        if not self.outcomes:
            return "-"
        refused = " ".join(outcome.detail for outcome in self.outcomes if outcome.kind == REFUSED)
        letters = [LETTERS[kind] for kind in (BROKEN, UNKNOWN) if self.has(kind)]
        letters += [letter for letter, actor in (("r", ROW), ("c", COLUMN)) if actor in refused]
        return "".join(letters) + (" " if letters and self.has(OK) else "") + (OK if self.has(OK) else "")

    def has(self, kind: str) -> bool:
        """Whether a schedule comes to this."""
        return any(outcome.kind == kind for outcome in self.outcomes)


@strict
@dataclass(frozen=True, slots=True)
class MatrixRecord:
    """The matrix of one protocol. `matrix.json` is this record; `command` makes it anew; `system` is the live one."""

    tool: str
    protocol: str
    operations: tuple[tuple[str, str], ...]
    levels: tuple[tuple[str, str], ...]
    tables: tuple[tuple[str, str], ...]
    formats: tuple[str, ...]
    cells: tuple[ShownCell, ...]
    system: str
    command: str
    format: int = FORMAT

    @property
    def by_place(self) -> dict[Place, ShownCell]:
        """The cells by their places."""
        return {Place(cell.format, cell.table, cell.level, cell.row, cell.column): cell for cell in self.cells}

    @property
    def grids(self) -> tuple[tuple[str, str, str], ...]:
        """The (format, table, level) of each grid."""
        return tuple(dict.fromkeys([(cell.format, cell.table, cell.level) for cell in self.cells]))


def shown_cell(place: Place, name: str, cell: Cell | None, outcomes: Sequence[ShownOutcome]) -> ShownCell:
    """A cell as text; None: the operations cannot be on the table."""
    if cell is None:
        return ShownCell(*place, name, 0, True, ())
    return ShownCell(*place, name, cell.schedules, cell.complete, tuple(outcomes))


def tally(cells: Sequence[ShownCell]) -> str:
    """Example: "225 cells, 4,000 schedules: 30 broken, 100 refused, 95 ok"; a cell counts by its worst outcome."""
    worst = Counter(cell.outcomes[0].kind for cell in cells if cell.outcomes)
    parts = [f"{worst[kind]} {kind}" for kind in (BROKEN, UNKNOWN, REFUSED, OK) if worst[kind]]
    schedules = counted(sum(cell.schedules for cell in cells), "schedule")
    told = f"{counted(sum(bool(cell.outcomes) for cell in cells), 'cell')}, {schedules}: {', '.join(parts) or 'none'}"
    lived = sum(outcome.lived for cell in cells for outcome in cell.outcomes)
    differing = sum(cell.differs for cell in cells)
    return told + (f"; {counted(lived, 'schedule')} live, {differing or 'no'} cells differ" if lived else "")


def matrix_page(record: MatrixRecord) -> str:
    """The matrix as one HTML page without script or network."""
    return template("matrix.html.j2").render(
        record=record, css=style(), tally=tally(record.cells), legend=LEGEND, place=Place,
        cells=record.by_place,
    )  # fmt: skip
