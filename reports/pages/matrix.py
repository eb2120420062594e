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

FORMAT = 3
AGREES, DIFFERS = "agrees", "differs"
LETTERS = {OK: "ok", BROKEN: "!", UNKNOWN: "?"}
LEGEND = (
    ("ok", "both commit, and nothing breaks"),
    ("r", "the operation of the row is refused"),
    ("c", "the operation of the column is refused"),
    ("!", "a property breaks"),
    ("≠", "the real system does something else"),
    ("*", "another implementation comes to something else"),
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
class ShownBeside:
    """A cell on another implementation. `why`: why it comes to something else ("": it does not)."""

    name: str
    scenario: str
    schedules: int
    complete: bool
    outcomes: tuple[ShownOutcome, ...]
    why: str

    @property
    def code(self) -> str:
        """As that of a cell."""
        return code_of(self.outcomes)


@strict
@dataclass(frozen=True, slots=True)
class ShownCell:
    """A cell. `outcomes` is empty where the operations cannot be on the table, and `without` says why; `beside`: on
    other implementations; `lacking`: those that have no such race, by name, and why."""

    format: str
    table: str
    level: str
    row: str
    column: str
    scenario: str
    schedules: int
    complete: bool
    outcomes: tuple[ShownOutcome, ...]
    beside: tuple[ShownBeside, ...] = ()
    lacking: tuple[tuple[str, str], ...] = ()
    without: str = ""

    @property
    def differs(self) -> bool:
        """Whether the real system did something else in one of its schedules."""
        return any(outcome.live.startswith(DIFFERS) for outcome in self.outcomes)

    @property
    def code(self) -> str:
        """The outcomes in letters: "ok", "rc", "!ok"."""
        return code_of(self.outcomes)

    @property
    def marks(self) -> str:
        """What stands behind the letters: whether the real system, or another implementation, does something else."""
        return "*" * any(other.why for other in self.beside) + " ≠" * self.differs

    def has(self, kind: str) -> bool:
        """Whether a schedule comes to this."""
        return any(outcome.kind == kind for outcome in self.outcomes)


def code_of(outcomes: Sequence[ShownOutcome]) -> str:
    """Outcomes in letters; "-" if there is none."""
    if not outcomes:
        return "-"
    kinds = {outcome.kind for outcome in outcomes}
    refused = " ".join(outcome.detail for outcome in outcomes if outcome.kind == REFUSED)
    letters = [LETTERS[kind] for kind in (BROKEN, UNKNOWN) if kind in kinds]
    letters += [letter for letter, actor in (("r", ROW), ("c", COLUMN)) if actor in refused]
    return "".join(letters) + (" " if letters and OK in kinds else "") + (OK if OK in kinds else "")


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


def shown_cell(
    place: Place, name: str, cell: Cell | None, outcomes: Sequence[ShownOutcome], beside: Sequence[ShownBeside] = (),
    lacking: Sequence[tuple[str, str]] = (), without: str = "",
) -> ShownCell:  # fmt: skip
    """A cell as text; None: the operations cannot be on the table, for the reason that `without` says."""
    if cell is None:
        return ShownCell(*place, name, 0, True, (), without=without)
    return ShownCell(*place, name, cell.schedules, cell.complete, tuple(outcomes), tuple(beside), tuple(lacking))


def tally(cells: Sequence[ShownCell]) -> str:
    """Example: "225 cells, 4,000 schedules: 30 broken, 100 refused, 95 ok"; a cell counts by its worst outcome."""
    worst = Counter(cell.outcomes[0].kind for cell in cells if cell.outcomes)
    parts = [f"{worst[kind]} {kind}" for kind in (BROKEN, UNKNOWN, REFUSED, OK) if worst[kind]]
    schedules = counted(sum(cell.schedules for cell in cells), "schedule")
    told = f"{counted(sum(bool(cell.outcomes) for cell in cells), 'cell')}, {schedules}: {', '.join(parts) or 'none'}"
    lived = sum(outcome.lived for cell in cells for outcome in cell.outcomes)
    differing = sum(cell.differs for cell in cells)
    told += f"; {counted(lived, 'schedule')} live, {differing or 'no'} cells differ" if lived else ""
    return told + "".join([f"; {name}: {told_of(cells, name)}" for name in beside_of(cells)])


def beside_of(cells: Sequence[ShownCell]) -> tuple[str, ...]:
    """The other implementations that were asked for these cells."""
    has = [other.name for cell in cells for other in cell.beside]
    return tuple(dict.fromkeys([*has, *[name for cell in cells for name, _ in cell.lacking]]))


def told_of(cells: Sequence[ShownCell], name: str) -> str:
    """Example: "167 cells, 877 schedules, 45 come to something else, 20 cells not had"."""
    found = [other for cell in cells for other in cell.beside if other.name == name]
    schedules = counted(sum(other.schedules for other in found), "schedule")
    differing = sum(bool(other.why) for other in found)
    told = f"{counted(len(found), 'cell')}, {schedules}, {differing or 'none'} come to something else"
    without = sum(other == name for cell in cells for other, _ in cell.lacking)
    return told + (f", {counted(without, 'cell')} not had" if without else "")


def reasons(cells: Sequence[ShownCell]) -> dict[tuple[str, str], list[ShownCell]]:
    """The cells in which another implementation comes to something else, by its name and the reason."""
    found: dict[tuple[str, str], list[ShownCell]] = {}
    for cell in cells:
        for other in cell.beside:
            if other.why:
                found.setdefault((other.name, other.why), []).append(cell)
    return found


def lacks(cells: Sequence[ShownCell]) -> dict[tuple[str, str], int]:
    """How many cells another implementation has no race of, by its name and the reason; most first."""
    found = Counter([lack for cell in cells for lack in cell.lacking])
    return dict(found.most_common())


def withouts(cells: Sequence[ShownCell]) -> dict[str, int]:
    """How many cells have no race, by the reason; most first."""
    return dict(Counter([cell.without for cell in cells if cell.without]).most_common())


def matrix_page(record: MatrixRecord) -> str:
    """The matrix as one HTML page without script or network."""
    return template("matrix.html.j2").render(
        record=record, css=style(), tally=tally(record.cells), legend=LEGEND, place=Place,
        cells=record.by_place, reasons=reasons(record.cells), lacks=lacks(record.cells),
        withouts=withouts(record.cells),
    )  # fmt: skip
