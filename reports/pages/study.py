"""A study for people: the record, the table as CSV and HTML, with its pictures.

Everything is made from the record, which has no times of day: a study of one code gives the same files every time.
"""

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from io import StringIO

from markupsafe import Markup

from reports.pages.html import style, template
from reports.pictures.chart import Picture, draw, inline_svg
from reports.pictures.figures import figures_columns, table_texts, world_of
from reports.record import strict
from sim.search.study import Cell, Chart, Estimate, Table

FORMAT = 1
MAX_ROWS = 500


@dataclass(frozen=True, slots=True)
class Part:
    """One table of a study, simulated or live, and how it is drawn."""

    table: Table
    charts: tuple[Chart, ...]

    @property
    def name(self) -> str:
        """What the names of its files begin with: "" if simulated, else "live-"."""
        return "" if self.table.simulated else "live-"


@strict
@dataclass(frozen=True, slots=True)
class StudyRecord:
    """What a study found. `study.json` is this record; `command` makes it anew."""

    tool: str
    name: str
    summary: str
    parts: tuple[Part, ...]
    command: str
    format: int = FORMAT


def charts_for(table: Table, charts: Iterable[Chart]) -> tuple[Chart, ...]:
    """The charts that this table has the columns for, with the panels that it has."""
    kept = []
    for chart in charts:
        series = [chart.series] if chart.series is not None else []
        needed = (chart.x, *series, *[name for name, _ in chart.where], *chart.boxes)
        panels = tuple(panel for panel in chart.panels if panel in table.columns)
        if panels and all(column in table.columns for column in needed):
            kept.append(replace(chart, panels=panels))
    return tuple(kept)


def table_csv(table: Table) -> str:
    """The table with its figures as they are; a gap is an empty cell. An estimate has columns for its interval."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    estimates = [any(isinstance(row[at], Estimate) for row in table.rows) for at in range(len(table.columns))]
    names = zip(table.columns, estimates, strict=True)
    writer.writerow([column for name, many in names for column in ([name, *_bounds(name)] if many else [name])])
    for row in table.rows:
        writer.writerow([value for cell, many in zip(row, estimates, strict=True) for value in _values(cell, many)])
    return out.getvalue()


def _bounds(name: str) -> tuple[str, str]:
    return f"{name}: 95 % from", f"{name}: 95 % to"


def _values(cell: Cell, many: bool) -> tuple[Cell, ...]:
    """A cell's values in the file; a figure in a column of estimates has no interval."""
    if isinstance(cell, Estimate):
        return cell.mean, cell.low, cell.high
    return (cell, None, None) if many else (cell,)


def pictures_of(part: Part) -> dict[str, Picture]:
    """The pictures of a part by the stem of their files' names."""
    pictures = [draw(part.table, chart) for chart in part.charts]
    return {f"{part.name}chart{'' if number == 1 else f'-{number}'}": one for number, one in enumerate(pictures, 1)}


def study_page(record: StudyRecord, pictures: Sequence[dict[str, Picture]]) -> str:
    """The study as one HTML page without script or network. `pictures`: of each part, as `pictures_of` gives them."""
    shown = [
        {
            "table": part.table,
            "world": world_of(part.table),
            "charts": [Markup(inline_svg(picture.svg)) for picture in drawn.values()],
            "figures": figures_columns(part.table),
            "rows": table_texts(part.table)[:MAX_ROWS],
            "more": max(0, len(part.table.rows) - MAX_ROWS),
            "csv": f"{part.name}table.csv",
        }
        for part, drawn in zip(record.parts, pictures, strict=True)
    ]
    return template("study.html.j2").render(record=record, css=style(), parts=shown)
