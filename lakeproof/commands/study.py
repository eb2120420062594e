"""`lakeproof study`: run a study in simulated time, and with `--live` on the real system; a table and a picture."""

import shlex
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from lakeproof import __version__
from lakeproof.commands.budget import SEEDS
from lakeproof.commands.choice import one_of
from lakeproof.errors import AS_EXPECTED, UNKNOWN, UsageProblem, one_line
from lakeproof.folder import METRICS, REPORT, RunFolder, folder_for
from lakeproof.protocols import live_studies, studies, study_at
from lakeproof.tables import print_grid, terminal_width, wrapped
from lakeproof.talk import progress
from real_backend.errors import BackendError
from real_backend.jvm import preflight
from reports.pictures.figures import figures_columns, table_texts, world_of
from reports.record import dump
from sim.search.study import SEEDS as DEFAULT
from sim.search.study import Progress, Study, Table

if TYPE_CHECKING:
    from reports.pages.study import Part
    from reports.pictures.chart import Picture

    Drawn = tuple[Part, dict[str, Picture]]

Run = Callable[[Progress | None], Table]
FILE = "study.json"
HEADER_WIDTH = 12


@click.command(name="study")
@click.argument("name", metavar=f"{{{'|'.join(studies())}}}", callback=one_of(studies))
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("runs"), show_default=True, help="Where run folders go."
)
@click.option("--seeds", type=SEEDS, metavar="N",
              help=f"Simulate each row with N seeds: figures are means with intervals; one seed gives none.  "
              f"[default: {DEFAULT}]")  # fmt: skip
@click.option("--live", is_flag=True, help="Measure it on the live system, too.")
def study_verb(name: str, out: Path, seeds: int | None, live: bool) -> int:
    """Measure the protocols' own code in simulated time: NAME's table on the terminal, and with charts in a run folder.

    Exits 0 if it could be measured, 2 if the live system is not there (the simulated part is made all the same).
    """
    found = study_at(studies()[name])
    run = _over(found, seeds)
    counterpart = _live_counterpart(found) if live else None
    with folder_for(out, f"study/{name}") as folder, progress(f"simulating {name}", found.steps) as advance:
        measured = [_timed(run, advance)]
    _print(found, measured[0].table)
    parts = [_store(found, measured[0].table, folder)]
    problem = ""
    if counterpart is not None:
        try:
            measured.append(_measured_live(counterpart))
        except BackendError as error:
            problem = one_line(error)
        else:
            _print(found, measured[1].table)
            parts.append(_store(counterpart, measured[1].table, folder))
    _finish(found, parts, folder, [*(["--seeds", str(seeds)] if seeds else []), *(["--live"] if live else [])])
    folder.write_json(METRICS, {
        "ended_utc": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "seconds": [round(each.seconds, 3) for each in measured],
    })  # fmt: skip
    folder.point_latest()
    if problem:
        click.echo(f"\nNot measured live: {problem}")
    click.echo(f"\nrun folder: {folder.path}\nreport:     {folder / REPORT}")
    return UNKNOWN if problem else AS_EXPECTED


class Measured(NamedTuple):
    """A table, and how long it took to make."""

    table: Table
    seconds: float


def _timed(run: Run, advance: Progress) -> Measured:
    begun = time.monotonic()
    return Measured(run(advance), time.monotonic() - begun)


def _over(found: Study, seeds: int | None) -> Run:
    """The study over this many seeds (None: as many as it takes). Raises: `UsageProblem` if it draws none."""
    if seeds is None:
        return found.run
    over = found.over_seeds
    if over is None:
        raise UsageProblem(
            f"study {found.name}: expected one that draws seeds for --seeds, got one that searches all schedules"
        )
    return lambda advance: over(advance, seeds)


def _live_counterpart(found: Study) -> Study:
    """The study as it is measured live. Raises: `UsageProblem` if it cannot be."""
    if found.name not in live_studies():
        raise UsageProblem(
            f"study {found.name}: expected one that can be measured live for --live ({', '.join(live_studies())}); "
            "this one cannot"
        )
    return study_at(live_studies()[found.name])


def _measured_live(counterpart: Study) -> Measured:
    """Raises: `BackendError` if the live system cannot be had."""
    preflight.require()
    with progress(f"measuring {counterpart.name} live", counterpart.steps) as advance:
        measured = _timed(counterpart.run, advance)
    return measured._replace(table=replace(measured.table, simulated=False))


def _print(found: Study, table: Table) -> None:
    """The table on standard output. Figures are never cut: a terminal that is too narrow gets several tables, each with
    the columns that say what a row is about."""
    width = terminal_width()
    click.echo("\n" + wrapped(f"{found.name}: {table.title} ({world_of(table)})", width, following="  "))
    for columns in _parts(table, width):
        grid = _grid(table, columns)
        print_grid(grid, max(width or 0, _natural_width(grid)))
    for note in table.notes:
        click.echo(wrapped(note, width, "  "))


def _parts(table: Table, width: int | None) -> list[list[int]]:
    """The columns of each table: as many as fit beside those that are no figures."""
    figures = figures_columns(table)
    shared = [index for index, is_figure in enumerate(figures) if not is_figure]
    parts = [list(shared)]
    for index in range(len(figures)):
        if not figures[index]:
            continue
        fits = width is None or _natural_width(_grid(table, sorted([*parts[-1], index]))) <= width
        if fits or len(parts[-1]) == len(shared):
            parts[-1] = sorted([*parts[-1], index])
        else:
            parts.append(sorted([*shared, index]))
    return parts


def _grid(table: Table, columns: list[int]) -> Grid:
    grid, figures, texts = Grid(box=SIMPLE_HEAD, pad_edge=False), figures_columns(table), table_texts(table)
    for index in columns:
        widest = max((len(row[index]) for row in texts), default=0)
        grid.add_column(Text(_folded(table.columns[index], max(widest, HEADER_WIDTH))), vertical="bottom", no_wrap=True,
                        justify="right" if figures[index] else "left")  # fmt: skip
    for row in texts:
        grid.add_row(*(Text(row[index]) for index in columns))
    return grid


def _natural_width(grid: Grid) -> int:
    return Console(width=10_000).measure(grid).maximum


def _folded(header: str, width: int) -> str:
    lines = [""]
    for word in header.split():
        longer = f"{lines[-1]} {word}".strip()
        if len(longer) <= width or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    return "\n".join(lines)


def _store(found: Study, table: Table, folder: RunFolder) -> "Drawn":
    """Write the table and its pictures."""
    from reports.pages.study import Part, charts_for, pictures_of, table_csv  # matplotlib takes a second to import

    part = Part(table, charts_for(table, found.charts))
    folder.write(f"{part.name}table.csv", table_csv(table))
    pictures = pictures_of(part)
    for stem, picture in pictures.items():
        folder.write(f"{stem}.svg", picture.svg)
        folder.write(f"{stem}.png", picture.png)
    return part, pictures


def _finish(found: Study, parts: "list[Drawn]", folder: RunFolder, options: list[str]) -> None:
    """Write the record, and the page that shows all of it."""
    from reports.pages.study import StudyRecord, study_page

    command = shlex.join(["lakeproof", "study", found.name, *options])
    record = StudyRecord(__version__, found.name, found.summary, tuple(part for part, _ in parts), command)
    folder.write(FILE, dump(record))
    folder.write(REPORT, study_page(record, [pictures for _, pictures in parts]))
