"""A study's table as a picture: lines over a number, or bars beside each other, one panel for each measured column.

The same table gives the same bytes: no date, no random identifiers, fonts as outlines. Series differ in colour (Okabe
and Ito's palette, which colour-blind people can tell apart), in marker and in dash or hatch.

Choices: an axis is logarithmic if its values span two decades (x) or three (y), else y begins at zero. Two rows for one
point are an error: a line through both would hide a column that the chart does not name.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from textwrap import fill
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullFormatter

from reports.pictures.figures import is_number, number_text, short_text, short_texts, world_of
from sim.search.study import Cell, Chart, Table

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS, DASHES, HATCHES = "osD^vPX", ("-", "--", "-.", ":"), ("", "//", "..", "xx", "\\\\", "++", "oo")
INK, FAINT, LINE = "#1d2129", "#555b66", "#dfe3ea"
STYLE = {
    "font.family": "DejaVu Sans", "font.size": 11, "axes.labelsize": 11, "xtick.labelsize": 10, "ytick.labelsize": 10,
    "axes.edgecolor": FAINT, "axes.labelcolor": INK, "text.color": INK, "xtick.color": FAINT, "ytick.color": FAINT,
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.color": LINE, "axes.axisbelow": True,
    "lines.linewidth": 2, "lines.markersize": 6, "hatch.linewidth": 0.6, "figure.facecolor": "white",
    "svg.hashsalt": "lakeproof", "svg.fonttype": "path",
}  # fmt: skip
PANEL_INCHES, ALONE_INCHES, CROWDED_INCHES, PIXELS_PER_INCH = (5.6, 3.9), (8.4, 4.6), (11.2, 3.9), 150
X_DECADES, Y_DECADES = 100, 1_000
MAX_NAME, MANY_BARS, LETTERS_PER_INCH = 14, 12, 9


@dataclass(frozen=True, slots=True)
class Picture:
    """One chart in both forms."""

    svg: str
    png: bytes


@dataclass(frozen=True, slots=True)
class Line:
    """One series of one panel: `label` is "" if there is only one."""

    label: str
    points: tuple[tuple[Cell, float | None], ...]


def draw(table: Table, chart: Chart) -> Picture:
    """Draw a chart of a table. Raises: `ValueError` if it names no column of the table, or two rows are one point."""
    panels = [(column, lines_of(table, chart, column)) for column in chart.panels]
    with mpl.rc_context({**mpl.rcParamsDefault, **STYLE}):
        figure = _figure(table, chart, panels)
        svg, png = BytesIO(), BytesIO()
        figure.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
        figure.savefig(png, format="png", dpi=PIXELS_PER_INCH, metadata={"Software": None})
    return Picture(svg.getvalue().decode(), png.getvalue())


def inline_svg(svg: str) -> str:
    """The picture as an element of a page: without the prologue and what only files need."""
    body = svg[svg.index("<svg") :]
    before, opened, rest = body.partition(" <metadata>")
    return (before + rest.partition("</metadata>\n")[2] if opened else body).rstrip()


def lines_of(table: Table, chart: Chart, column: str) -> tuple[Line, ...]:
    """The series of one panel, in the order in which the table first names them. Raises: `ValueError`."""
    x, y = _index(table, chart.x), _index(table, column)
    series = None if chart.series is None else _index(table, chart.series)
    found: dict[str, dict[Cell, float | None]] = {}
    for row in table.rows:
        label, value = "" if series is None else str(row[series]), row[y]
        points = found.setdefault(label, {})
        if row[x] in points:
            where = f"{chart.x} = {row[x]}" + (f" of {label}" if label else "")
            raise ValueError(f"chart of {column}: expected one row for {where}, got several")
        if value is not None and not is_number(value):
            raise ValueError(f"chart of {column}: expected numbers, got {value!r}")
        points[row[x]] = None if value is None else float(value)
    return tuple(Line(label, tuple(points.items())) for label, points in found.items())


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
    grid = figure.subplots(down, across, squeeze=False)
    axes = [one for row in grid for one in row]
    for position, ((column, lines), panel) in enumerate(zip(panels, axes, strict=False)):
        (_bars if chart.bars else _lines)(panel, lines)
        panel.set_ylabel(column)
        if position + across >= len(panels):
            panel.set_xlabel(chart.x)
    for unused in axes[len(panels) :]:
        unused.set_visible(False)
    figure.align_ylabels()
    title = f"{table.title} ({world_of(table)})"
    figure.suptitle(fill(title, int(wide * across * LETTERS_PER_INCH)), x=0.01, ha="left", fontsize=13)
    handles, labels = axes[0].get_legend_handles_labels()
    if chart.series is not None and labels:
        figure.legend(handles, labels, title=chart.series, loc="outside lower center", ncols=min(4, len(labels)),
                      frameon=False, handlelength=3)  # fmt: skip
    return figure


def _lines(panel: Any, lines: Sequence[Line]) -> None:
    numeric = all(is_number(x) for line in lines for x, _ in line.points)
    names = list(dict.fromkeys(x for line in lines for x, _ in line.points))
    for number, line in enumerate(lines):
        points = sorted(line.points, key=lambda point: point[0]) if numeric else line.points  # type: ignore[arg-type, return-value]
        panel.plot(
            [x if numeric else names.index(x) for x, _ in points],
            [float("nan") if y is None else y for _, y in points],
            label=line.label or None,
            color=COLOURS[number % len(COLOURS)],
            marker=MARKERS[number % len(MARKERS)],
            linestyle=DASHES[number % len(DASHES)],
            clip_on=False,
            zorder=3,
        )
    if numeric:
        _scale(panel.xaxis, panel.set_xscale, [x for x in names if isinstance(x, int | float)], X_DECADES)
    else:
        _name_ticks(panel, names)
    values = [y for line in lines for _, y in line.points if y is not None]
    if not _scale(panel.yaxis, panel.set_yscale, values, Y_DECADES):
        _from_zero(panel, values)


def _bars(panel: Any, lines: Sequence[Line]) -> None:
    names = list(dict.fromkeys(x for line in lines for x, _ in line.points))
    width = 0.8 / len(lines)
    upright = 0 if len(names) * len(lines) <= MANY_BARS else 90
    texts = short_texts([height for line in lines for _, height in line.points if height is not None])
    for number, line in enumerate(lines):
        heights = {name: height for name, height in line.points if height is not None}
        at = {name: i + (number - (len(lines) - 1) / 2) * width for i, name in enumerate(names)}
        shown = [heights[name] for name in names if name in heights]
        places = [at[name] for name in names if name in heights]
        colour, hatch = COLOURS[number % len(COLOURS)], HATCHES[number % len(HATCHES)]
        bars = panel.bar(
            places, shown, width * 0.94, label=line.label or None, color=colour, hatch=hatch, edgecolor="white",
            linewidth=0, zorder=2,
        )  # fmt: skip
        panel.bar_label(bars, [texts[height] for height in shown], padding=2, fontsize=9, color=INK, rotation=upright)
        for name in (name for name, height in line.points if height is None):  # a gap is no zero
            _note(panel, at[name], "n/a")
    panel.grid(visible=False, axis="x")
    panel.margins(y=0.12)
    panel.set_xlim(-0.55, len(names) - 0.45)  # also where the outermost bars are gaps
    _name_ticks(panel, names)
    _from_zero(panel, [y for line in lines for _, y in line.points if y is not None])


def _note(panel: Any, x: float, text: str) -> None:
    panel.annotate(text, (x, 0), (0, 2), textcoords="offset points", ha="center", fontsize=9, color=FAINT)


def _name_ticks(panel: Any, names: Sequence[Cell]) -> None:
    texts = [number_text(name) if is_number(name) else str(name) for name in names]
    crowded = len(texts) > 3 and max(map(len, texts)) > MAX_NAME
    panel.set_xticks(range(len(texts)), texts, rotation=20 if crowded else 0, ha="right" if crowded else "center")


def _scale(axis: Any, set_scale: Any, values: Sequence[float], decades: float) -> bool:
    """Make the axis logarithmic if its values ask for it; plain numbers as ticks. True if it was."""
    axis.set_major_formatter(FuncFormatter(lambda value, _: short_text(value)))
    wide = bool(values) and min(values) > 0 and max(values) / min(values) >= decades
    if wide:
        set_scale("log")
        axis.set_major_formatter(FuncFormatter(lambda value, _: short_text(value)))
        axis.set_minor_formatter(NullFormatter())
    return wide


def _from_zero(panel: Any, values: Sequence[float]) -> None:
    if values and min(values) >= 0:
        panel.set_ylim(bottom=0, top=None if max(values) > 0 else 1)
    panel.yaxis.set_major_formatter(FuncFormatter(lambda value, _: short_text(value)))
