"""A study's table as a picture: lines over a number, bars beside each other, or boxes, one panel for each measure.

The same table gives the same bytes: no date, no random identifiers, fonts as outlines. Series differ in colour (Okabe
and Ito's palette, which colour-blind people can tell apart), in marker and in dash or hatch.

Choices:
* An axis is logarithmic if its values span two decades (x) or three (y), from zero on if one of them is zero; else y
  begins at zero.
* Two rows for one point are an error: a line through both would hide a column that the chart does not name.
* Earlier lines are wider than later ones, so that lines on top of each other are seen.
* The last panel takes a whole row if it would stand alone in it.
* The SVG brings its colours for dark screens along; the PNG is light.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from math import floor, log10
from textwrap import fill
from typing import Any, NamedTuple

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullFormatter

from reports.pictures.boxes import draw_boxes
from reports.pictures.figures import figure_of, is_number, number_text, short_text, short_texts, world_of
from sim.search.study import Cell, Chart, Estimate, Table

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS, DASHES, HATCHES = "osD^vPX", ("-", "--", "-.", ":"), ("", "//", "..", "xx", "\\\\", "++", "oo")
INK, FAINT, LINE = "#1d2129", "#555b66", "#dfe3ea"
DARK = {
    INK: "#e6e8ee", FAINT: "#a5acba", LINE: "#303642", "#ffffff": "#171a20", "#000000": "#e6e8ee", "#0072b2": "#56a8e8",
    "#d55e00": "#ff8a3c", "#009e73": "#2fc898", "#cc79a7": "#e59cc4", "#e69f00": "#f5b933", "#56b4e9": "#8accf2",
}  # fmt: skip
STYLE = {
    "font.family": "DejaVu Sans", "font.size": 11, "axes.labelsize": 11, "xtick.labelsize": 10, "ytick.labelsize": 10,
    "axes.edgecolor": FAINT, "axes.labelcolor": INK, "text.color": INK, "xtick.color": FAINT, "ytick.color": FAINT,
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.color": LINE, "axes.axisbelow": True,
    "lines.linewidth": 2, "lines.markersize": 6, "hatch.linewidth": 0.6, "figure.facecolor": "white",
    "svg.hashsalt": "lakeproof", "svg.fonttype": "path",
}  # fmt: skip
PANEL_INCHES, ALONE_INCHES, CROWDED_INCHES, PIXELS_PER_INCH = (5.6, 3.9), (8.4, 4.6), (11.2, 3.9), 150
X_DECADES, Y_DECADES, MOST_DECADES = 100, 1_000, 100_000
LINE_PX, WIDER_PX, MARKER_PX, WIDER_MARKER_PX, WIDEST = 1.8, 1.7, 5.0, 2.0, 4
MAX_NAME, MANY_BARS, LETTERS_PER_INCH = 14, 12, 9


@dataclass(frozen=True, slots=True)
class Picture:
    """One chart in both forms."""

    svg: str
    png: bytes


class Point(NamedTuple):
    """A figure with its interval; one that is no estimate has none."""

    y: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Line:
    """One series of one panel: `label` is "" if there is only one."""

    label: str
    points: tuple[tuple[Cell, Point | None], ...]


def draw(table: Table, chart: Chart) -> Picture:
    """Draw a chart of a table. Raises: `ValueError` if it names no column of the table, or two rows are one point."""
    panels = [(column, lines_of(table, chart, column)) for column in chart.panels]
    with mpl.rc_context({**mpl.rcParamsDefault, **STYLE}):
        figure = _figure(table, chart, panels)
        svg, png = BytesIO(), BytesIO()
        figure.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
        figure.savefig(png, format="png", dpi=PIXELS_PER_INCH, metadata={"Software": None})
    return Picture(_with_dark(svg.getvalue().decode()), png.getvalue())


def _with_dark(svg: str) -> str:
    """The picture with a style sheet that gives its colours their counterparts on dark screens."""
    rules = [
        f"[style*='{name}: {light}'],[{name}='{light}']{{{name}:{dark} !important}}"
        for light, dark in DARK.items()
        for name in ("fill", "stroke")
        if f"{name}: {light}" in svg or f'{name}="{light}"' in svg
    ]
    place = svg.index(">", svg.index("<svg")) + 1
    style = f"<style>@media (prefers-color-scheme: dark) {{{''.join(rules)}}}</style>"
    return f"{svg[:place]}\n {style}{svg[place:]}"


def inline_svg(svg: str) -> str:
    """The picture as an element of a page: without the prologue and what only files need."""
    body = svg[svg.index("<svg") :]
    before, opened, rest = body.partition(" <metadata>")
    return (before + rest.partition("</metadata>\n")[2] if opened else body).rstrip()


def lines_of(table: Table, chart: Chart, column: str) -> tuple[Line, ...]:
    """The series of one panel, in the order in which the table first names them. Raises: `ValueError`."""
    x, y = _index(table, chart.x), _index(table, column)
    series = None if chart.series is None else _index(table, chart.series)
    found: dict[str, dict[Cell, Point | None]] = {}
    for row in _rows(table, chart):
        label, value = "" if series is None else str(row[series]), row[y]
        points = found.setdefault(label, {})
        if row[x] in points:
            where = f"{chart.x} = {row[x]}" + (f" of {label}" if label else "")
            raise ValueError(f"chart of {column}: expected one row for {where}, got several")
        points[row[x]] = _point(column, value)
    return tuple(Line(label, tuple(points.items())) for label, points in found.items())


def _rows(table: Table, chart: Chart) -> list[tuple[Cell, ...]]:
    """Those that are drawn."""
    wanted = [(_index(table, name), value) for name, value in chart.where]
    return [row for row in table.rows if all(row[at] == value for at, value in wanted)]


def _point(column: str, cell: Cell) -> Point | None:
    if isinstance(cell, Estimate):
        return Point(cell.mean, cell.low, cell.high)
    y = figure_of(cell)
    if y is None and cell is not None:
        raise ValueError(f"chart of {column}: expected numbers, got {cell!r}")
    return None if y is None else Point(y, y, y)


def _index(table: Table, column: str) -> int:
    if column not in table.columns:
        raise ValueError(f"chart: expected a column of the table ({', '.join(table.columns)}), got {column!r}")
    return table.columns.index(column)


def _figure(table: Table, chart: Chart, panels: Sequence[tuple[str, tuple[Line, ...]]]) -> Any:
    crowded = chart.bars and max(sum(len(line.points) for line in lines) for _, lines in panels) > MANY_BARS
    across = 1 if len(panels) == 1 or crowded else 2
    down = -(-len(panels) // across)
    wide, high = CROWDED_INCHES if crowded else ALONE_INCHES if len(panels) == 1 else PANEL_INCHES
    figure = Figure(figsize=(wide * across, high * down + 0.9), layout="constrained")
    grid = figure.add_gridspec(down, across)
    axes = [
        figure.add_subplot(grid[number // across, :] if _is_alone(number, panels, across) else grid[number])
        for number in range(len(panels))
    ]
    for position, ((column, lines), panel) in enumerate(zip(panels, axes, strict=False)):
        if chart.boxes:
            draw_boxes(
                panel, [_index(table, name) for name in chart.boxes], _index(table, chart.x), _rows(table, chart)
            )
        else:
            (_bars if chart.bars else _lines)(panel, lines)
        panel.set_ylabel(column)
        if position + across >= len(panels):
            panel.set_xlabel(chart.x)
    figure.align_ylabels()
    only = "".join(
        f"; {column}\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{number_text(value) if is_number(value) else value}"
        for column, value in chart.where
    )
    title = f"{table.title}{only} ({world_of(table)})"
    figure.suptitle(fill(title, int(wide * across * LETTERS_PER_INCH)), x=0.01, ha="left", fontsize=13)
    handles, labels = axes[0].get_legend_handles_labels()
    if chart.series is not None and labels:
        figure.legend(handles, labels, title=chart.series, loc="outside lower center", ncols=min(4, len(labels)),
                      frameon=False, handlelength=3)  # fmt: skip
    return figure


def _is_alone(number: int, panels: Sequence[object], across: int) -> bool:
    """Whether a panel is the only one of its row: it takes all of it."""
    return number == len(panels) - 1 and number % across == 0


def _lines(panel: Any, lines: Sequence[Line]) -> None:
    numeric = all(is_number(x) for line in lines for x, _ in line.points)
    names = list(dict.fromkeys(x for line in lines for x, _ in line.points))
    for number, line in enumerate(lines):
        points = sorted(line.points, key=lambda point: point[0]) if numeric else line.points  # type: ignore[arg-type, return-value]
        wider, colour = min(WIDEST, len(lines) - 1 - number), COLOURS[number % len(COLOURS)]
        panel.plot(
            [x if numeric else names.index(x) for x, _ in points],
            [float("nan") if point is None else point.y for _, point in points],
            label=line.label or None,
            color=colour,
            marker=MARKERS[number % len(MARKERS)],
            linestyle=DASHES[number % len(DASHES)],
            linewidth=LINE_PX + WIDER_PX * wider,
            markersize=MARKER_PX + WIDER_MARKER_PX * wider,
            clip_on=False,
            zorder=3,
        )
        known = [(x if numeric else names.index(x), point) for x, point in points if point is not None]
        _intervals(panel, [x for x, _ in known], [point for _, point in known], colour)
    if numeric:
        _scale(panel.xaxis, panel.set_xscale, [x for x in names if isinstance(x, int | float)], X_DECADES)
    else:
        _name_ticks(panel, names)
    values = [point.y for line in lines for _, point in line.points if point is not None]
    if not _scale(panel.yaxis, panel.set_yscale, values, Y_DECADES):
        _from_zero(panel, values)
    elif min(values) == 0:
        panel.set_ylim(bottom=0)


def _intervals(panel: Any, places: Sequence[Any], points: Sequence[Point], colour: str) -> None:
    """How far each interval reaches below and above; nothing if there is none."""
    widths = [[point.y - point.low for point in points], [point.high - point.y for point in points]]
    if any(map(any, widths)):
        heights = [point.y for point in points]
        panel.errorbar(places, heights, widths, fmt="none", color=colour, ecolor=colour, elinewidth=1, capsize=3,
                       zorder=4)  # fmt: skip


def _bars(panel: Any, lines: Sequence[Line]) -> None:
    names = list(dict.fromkeys(x for line in lines for x, _ in line.points))
    width = 0.8 / len(lines)
    upright = 0 if len(names) * len(lines) <= MANY_BARS else 90
    texts = short_texts([point.y for line in lines for _, point in line.points if point is not None])
    for number, line in enumerate(lines):
        heights = {name: point for name, point in line.points if point is not None}
        at = {name: i + (number - (len(lines) - 1) / 2) * width for i, name in enumerate(names)}
        shown = [heights[name] for name in names if name in heights]
        places = [at[name] for name in names if name in heights]
        colour, hatch = COLOURS[number % len(COLOURS)], HATCHES[number % len(HATCHES)]
        panel.bar(
            places, [point.y for point in shown], width * 0.94, label=line.label or None, color=colour, hatch=hatch,
            edgecolor="white", linewidth=0, zorder=2,
        )  # fmt: skip
        spread = [(x, point) for x, point in zip(places, shown, strict=True) if point.low < point.high]
        _intervals(panel, [x for x, _ in spread], [point for _, point in spread], INK)
        for x, point in zip(places, shown, strict=True):
            _note(panel, x, texts[point.y], point.high, INK, upright)
        for name in (name for name, point in line.points if point is None):  # a gap is no zero
            _note(panel, at[name], "n/a")
    panel.grid(visible=False, axis="x")
    panel.margins(y=0.16)
    panel.set_xlim(-0.55, len(names) - 0.45)  # also where the outermost bars are gaps
    _name_ticks(panel, names)
    _from_zero(panel, [point.y for line in lines for _, point in line.points if point is not None])


def _note(panel: Any, x: float, text: str, y: float = 0.0, ink: str = FAINT, rotation: int = 0) -> None:
    """A word above a place."""
    panel.annotate(text, (x, y), (0, 3), textcoords="offset points", ha="center", va="bottom", fontsize=9, color=ink,
                   rotation=rotation)  # fmt: skip


def _name_ticks(panel: Any, names: Sequence[Cell]) -> None:
    texts = [number_text(name) if is_number(name) else str(name) for name in names]
    crowded = len(texts) > 3 and max(map(len, texts)) > MAX_NAME
    panel.set_xticks(range(len(texts)), texts, rotation=20 if crowded else 0, ha="right" if crowded else "center")


def _scale(axis: Any, set_scale: Any, values: Sequence[float], span: float) -> bool:
    """Make the axis logarithmic if its values span so much; plain numbers as ticks. True if it was."""
    axis.set_major_formatter(FuncFormatter(lambda value, _: short_text(value)))
    above = [value for value in values if value > 0]
    if not above or min(values) < 0 or max(above) / min(above) < span:
        return False
    if min(values) > 0:
        set_scale("log")
    else:  # from zero straight to a power of ten below the figures, but not too far below the largest
        least = max(min(above), max(above) / MOST_DECADES)
        set_scale("symlog", linthresh=10 ** floor(log10(least)), linscale=0.4)
    axis.set_major_formatter(FuncFormatter(lambda value, _: short_text(value)))
    axis.set_minor_formatter(NullFormatter())
    return True


def _from_zero(panel: Any, values: Sequence[float]) -> None:
    if values and min(values) >= 0:
        panel.set_ylim(bottom=0, top=None if max(values) > 0 else 1)
    panel.yaxis.set_major_formatter(FuncFormatter(lambda value, _: short_text(value)))
