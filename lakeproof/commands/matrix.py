"""`lakeproof matrix`: each operation of a protocol against each other one, computed from runs of the model."""

import shlex
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lakeproof import __version__
from lakeproof.commands.choice import one_of
from lakeproof.errors import AS_EXPECTED, VIOLATED, UsageProblem
from lakeproof.folder import METRICS, REPORT, RunFolder, folder_for
from lakeproof.matrices import Playing, apart, played
from lakeproof.matrix_grids import code_of, grids
from lakeproof.protocols import known_properties, matrix_of, with_matrix
from lakeproof.replay_line import replay_command
from lakeproof.tables import print_grid, terminal_width, wrapped
from lakeproof.talk import progress
from reports.pages.matrix import (
    LEGEND,
    MatrixRecord,
    ShownBeside,
    ShownCell,
    ShownOutcome,
    lacks,
    matrix_page,
    reasons,
    shown_cell,
    tally,
    withouts,
)
from reports.record import dump
from sim.search.matrix import BROKEN, Beside, Cell, Matrix, Place, judged, kinds
from sim.world.scenario import Scenario
from sim.world.words import counted

if TYPE_CHECKING:
    from lakeproof.live import LiveSystems

FILE, SCHEDULES = "matrix.json", "schedules"
PIPED_WIDTH = 200
MOST_LISTED = 20
UNEXPLAINED = "nobody knows why"


@click.command(name="matrix")
@click.argument("protocol", metavar=f"{{{'|'.join(with_matrix())}}}", callback=one_of(with_matrix))
@click.option("--level", "levels", multiple=True, metavar="LEVEL", help="Only this level; may be repeated.")
@click.option("--table", "tables", multiple=True, metavar="TABLE",
              help="On this table in place of the first one; may be repeated; 'all' are all.")  # fmt: skip
@click.option("--format", "formats", multiple=True, metavar="N", help="Only this format version; may be repeated.")
@click.option("--cell", type=(str, str), metavar="ROW COLUMN", help="This cell alone, with its schedules.")
@click.option("--beside", is_flag=True, help="Judge the cells on other implementations, too: on PyIceberg.")
@click.option("--live", is_flag=True, help="Play a schedule of each outcome on the real system, too.")
@click.option("--every", is_flag=True, help="With --live: play every schedule.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("runs"), show_default=True,
              help="Where run folders go.")  # fmt: skip
def matrix_verb(
    protocol: str, levels: tuple[str, ...], tables: tuple[str, ...], formats: tuple[str, ...],
    cell: tuple[str, str] | None, beside: bool, live: bool, every: bool, out: Path,
) -> int:  # fmt: skip
    """Compute what each operation of PROTOCOL comes to if another one is committed meanwhile.

    Every interleaving of their loads and commits is run on the model. Exits 0, or 1 if the real system does something
    else, or another implementation for no known reason.
    """
    if every and not live:
        raise UsageProblem("--every: expected --live beside it")
    matrix = matrix_of(protocol)
    known_properties()
    places = _places(matrix, formats, tables, levels, cell)
    with folder_for(out, f"matrix/{protocol}") as folder:
        begun = time.monotonic()
        cells, system = _judged(matrix if beside else replace(matrix, beside=()), places, folder, live, every)
        seconds = time.monotonic() - begun
    record = _record(matrix, places, cells, system)
    folder.write(FILE, dump(record))
    folder.write(REPORT, matrix_page(record))
    folder.write_json(METRICS, {"seconds": round(seconds, 3)})
    folder.point_latest()
    _print(record, folder, cell is not None)
    unexplained = any(other.why == UNEXPLAINED for one in cells for other in one.beside)
    return VIOLATED if unexplained or any(one.differs for one in cells) else AS_EXPECTED


def _places(
    matrix: Matrix, formats: Sequence[str], tables: Sequence[str], levels: Sequence[str], cell: tuple[str, str] | None
) -> list[Place]:
    first = tuple(matrix.tables)[:1]
    rows, columns = ([one] for one in cell) if cell else (list(matrix.operations), list(matrix.operations))
    asked = (
        ("--format", formats or matrix.formats, matrix.formats),
        ("--table", matrix.tables if "all" in tables else tables or first, (*matrix.tables, "all")),
        ("--level", levels or matrix.levels, matrix.levels),
        ("--cell", rows, matrix.operations),
        ("--cell", columns, matrix.operations),
    )
    for option, given, known in asked:
        for name in given:
            if name not in known:
                raise UsageProblem(f"{option}: expected one of {', '.join(known)}, got {name!r}")
    places = [Place(*parts) for parts in product(*(dict.fromkeys(given) for _, given, _ in asked))]
    if cell and not any(map(matrix.scenario, places)):
        raise UsageProblem(
            f"--cell: expected two operations that one table has beside each other, {apart(matrix, places)}"
        )
    return places


def _judged(
    matrix: Matrix, places: Sequence[Place], folder: RunFolder, live: bool, every: bool
) -> tuple[list[ShownCell], str]:
    """Judge the cells one after the other, and keep the schedules. Returns: the cells, and the live system's name."""
    (folder / SCHEDULES).mkdir()
    with ExitStack() as stack:
        playing = Playing(every, stack.enter_context(_systems())) if live else None
        cells = list[ShownCell]()
        with progress(f"judging {len(places)} cells of {matrix.protocol}", len(places)) as advance:
            for place in places:
                cells.append(_cell(matrix, place, folder, playing))
                advance(1)
        return cells, playing.system if playing else ""


def _systems() -> "AbstractContextManager[LiveSystems]":
    from lakeproof.live import live_systems  # only who asks for live systems waits for it

    return live_systems()


def _cell(matrix: Matrix, place: Place, folder: RunFolder, playing: Playing | None) -> ShownCell:
    scenario = matrix.scenario(place)
    name = matrix.name(place)
    if scenario is None:
        return shown_cell(place, name, None, (), without=matrix.without(place))
    kept = playing.kept() if playing else None
    cell = judged(scenario, each=kept)
    outcomes = []
    for number, outcome in enumerate(cell.outcomes, 1):
        file = f"{SCHEDULES}/{'-'.join(place)}-{number}.txt"
        folder.write(file, str(outcome.schedule))
        outcomes.append(played(outcome, file, playing))
    others = [_beside(other, found, place, cell, folder) for other in matrix.beside if (found := other.scenario(place))]
    lacking = [(other.name, why) for other in matrix.beside if (why := other.lacks(place))]
    return shown_cell(place, name, cell, outcomes, others, lacking)


def _beside(other: Beside, scenario: Scenario, place: Place, first: Cell, folder: RunFolder) -> ShownBeside:
    """The cell on another implementation, and why it comes to something else than the first one, if it does."""
    cell = judged(scenario)
    outcomes = []
    for number, outcome in enumerate(cell.outcomes, 1):
        file = f"{SCHEDULES}/{other.key}-{'-'.join(place)}-{number}.txt"
        folder.write(file, str(outcome.schedule))
        outcomes.append(played(outcome, file, None))
    why = (other.why(place) or UNEXPLAINED) if kinds(cell) != kinds(first) else ""
    return ShownBeside(other.name, scenario.name, cell.schedules, cell.complete, tuple(outcomes), why)


def _record(matrix: Matrix, places: Sequence[Place], cells: Sequence[ShownCell], system: str) -> MatrixRecord:
    used = {name for place in places for name in (place.row, place.column)}
    context = click.get_current_context()
    words = ["lakeproof", "matrix", matrix.protocol]
    for option, values in (("level", "levels"), ("table", "tables"), ("format", "formats")):
        words += [word for value in context.params[values] for word in (f"--{option}", value)]
    words += ["--cell", *context.params["cell"]] if context.params["cell"] else []
    words += [f"--{flag}" for flag in ("beside", "live", "every") if context.params[flag]]
    return MatrixRecord(
        __version__, matrix.protocol, tuple([pair for pair in matrix.operations.items() if pair[0] in used]),
        tuple(matrix.levels.items()), tuple(matrix.tables.items()), matrix.formats, tuple(cells), system,
        shlex.join(words),
    )  # fmt: skip


def _print(record: MatrixRecord, folder: RunFolder, detailed: bool) -> None:
    click.echo(f"{record.protocol}: {tally(record.cells)} (simulated{f'; {record.system}' if record.system else ''})")
    width = terminal_width()
    if not detailed:
        _print_grids(record, width)
    shown = [cell for cell in record.cells if cell.outcomes] if detailed else _remarkable(record)
    for cell in shown[: None if detailed else MOST_LISTED]:
        click.echo("\n".join(_told(cell, folder, width)))
    for (name, why), cells in reasons(record.cells).items() if not detailed else ():
        pairs = ", ".join([f"{one.row} x {one.column}" for one in cells])
        click.echo(
            wrapped(
                f"\n{name} comes to something else in {counted(len(cells), 'cell')}: {why}: {pairs}", width, "", "  "
            )
        )
    for (name, why), count in lacks(record.cells).items() if not detailed else ():
        click.echo(wrapped(f"\n{name} has no race in {counted(count, 'cell')}: {why}", width, "", "  "))
    for why, count in withouts(record.cells).items() if not detailed else ():
        click.echo(wrapped(f"\nNo race in {counted(count, 'cell')}: {why}", width, "", "  "))
    if len(shown) > MOST_LISTED and not detailed:
        click.echo(f"... and {len(shown) - MOST_LISTED} more, in the report; `--cell ROW COLUMN` prints one")
    click.echo(f"\nrun folder: {folder.path}\nreport:     {folder / REPORT}")


def _print_grids(record: MatrixRecord, width: int | None) -> None:
    names = dict(record.levels)
    for version, table, level in record.grids:
        click.echo(f"\n{level}: {names[level]}; format {version}, {dict(record.tables)[table]}")
        for grid in grids(record, version, table, level, width or PIPED_WIDTH):
            print_grid(grid, width or PIPED_WIDTH)
    for letters, words in LEGEND:
        click.echo(f"  {letters:<3} {words}")


def _remarkable(record: MatrixRecord) -> list[ShownCell]:
    """Cells on which the implementations differ, and what is broken although validations were asked for."""
    differing = [cell for cell in record.cells if cell.differs]
    validated = dict(record.levels[1:])
    broken = [one for one in record.cells if one.has(BROKEN) and one.level in validated and not one.differs]
    return differing + broken


def _told(cell: ShownCell, folder: RunFolder, width: int | None) -> Iterator[str]:
    where = f"{cell.level}, format {cell.format}, {cell.table}"
    yield f"\n{cell.row} x {cell.column} ({where}): {code_of(cell)}, {cell.schedules} schedules"
    yield from _outcomes(cell.outcomes, folder, width)
    for other in cell.beside:
        why = f": {other.why}" if other.why else ""
        yield wrapped(f"{other.name}: {other.code}, {other.schedules} schedules{why}", width, "", "  ")
        yield from _outcomes(other.outcomes, folder, width)
    yield from [wrapped(f"{name}: no such race: {why}", width, "", "  ") for name, why in cell.lacking]


def _outcomes(outcomes: Sequence[ShownOutcome], folder: RunFolder, width: int | None) -> Iterator[str]:
    for outcome in outcomes:
        text = f"{outcome.kind}{f': {outcome.detail}' if outcome.detail else ''} ({outcome.runs}): {outcome.steps}"
        yield wrapped(text, width, "  ", "      ")
        yield f"      {replay_command(folder / outcome.schedule, None)}"
        if outcome.live:
            yield wrapped(f"live: {outcome.live}", width, "      ")
