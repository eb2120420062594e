"""Charts: the same bytes every time, labelled, honest about gaps, and strict about what they draw."""

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from reports.pictures.chart import COLOURS, DARK, Point, draw, inline_svg, lines_of
from sim.search.study import Chart, Table
from tests.unit.reports.studies import ACROSS, BARS, BESIDE, BOXES, HITS, INTERVAL, LINES, SEEN, SPREAD, STALE, WHERE

ANEW = """
from hashlib import sha256
from reports.pictures.chart import draw
from tests.unit.reports.studies import ACROSS, BARS, BESIDE, LINES
for picture in (draw(LINES, ACROSS), draw(BARS, BESIDE)):
    print(sha256(picture.svg.encode()).hexdigest(), sha256(picture.png).hexdigest())
"""


def texts(svg):
    """What is written in the picture: matplotlib puts each text beside its outlines, as a comment."""
    return re.findall(r"<!-- (.*?) -->", svg)


def test_pictures_have_the_same_bytes_in_every_process():
    """Whatever strings hash to."""

    def bytes_with(seed):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.getcwd()}
        command = [sys.executable, "-c", ANEW]
        return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout

    assert bytes_with("1") == bytes_with("2") != ""


def test_a_picture_says_what_it_shows_in_which_unit_and_where_it_is_from():
    """Both axes, every series, and the word simulated."""
    written = texts(draw(LINES, ACROSS).svg)
    assert {INTERVAL, HITS, STALE, "cache", "eventual", "none", "Cache of two replicas (simulated)"} <= set(written)
    assert "Two writers (live)" in texts(draw(replace(BARS, simulated=False), BESIDE).svg)


def test_series_differ_in_more_than_colour():
    """Lines by their dashes, bars by their hatches."""
    lines, bars = draw(LINES, ACROSS).svg, draw(BARS, BESIDE).svg
    assert all(colour.lower() in lines and colour.lower() in bars for colour in COLOURS[:2])
    assert "stroke-dasharray" in lines
    assert "<pattern" in bars


def test_a_gap_is_not_drawn_as_zero():
    """A bar that was not measured says so; a line has no point there."""
    assert texts(draw(BARS, BESIDE).svg).count("n/a") == 1
    assert lines_of(LINES, ACROSS, STALE)[1].points == ((10, None), (1_000, None))


def test_large_figures_are_short_and_axes_over_decades_are_logarithmic():
    """12,000,000 is "12 M"; 10 to 1,000 has a tick at 100 though no row is there."""
    assert "12 M" in texts(draw(BARS, BESIDE).svg)
    assert "100" in texts(draw(LINES, ACROSS).svg)


def test_names_on_the_x_axis_keep_the_order_of_the_table():
    """Lines over names, not numbers."""
    table = Table("t", ("what", "ms"), (("slow", 3), ("fast", 1)))
    written = texts(draw(table, Chart("what", ("ms",))).svg)
    assert written.index("slow") < written.index("fast")


@pytest.mark.parametrize(
    ("table", "chart", "message"),
    [
        (LINES, Chart(INTERVAL, (HITS,)), "one row for poll interval, ms = 10, got several"),
        (LINES, Chart(INTERVAL, ("price",), "cache"), "expected a column of the table .*, got 'price'"),
        (LINES, Chart("price", (HITS,), "cache"), "got 'price'"),
        (BARS, Chart("bytes thrown away", ("lock",), "detection"), "expected numbers, got 'none'"),
    ],
)
def test_a_chart_that_would_mislead_is_refused(table, chart, message):
    """Points on top of each other, columns that are not there, words for numbers."""
    with pytest.raises(ValueError, match=message):
        draw(table, chart)


def test_pictures_are_well_formed_and_need_nothing_from_outside():
    """As a file and inside a page."""
    picture = draw(LINES, ACROSS)
    ET.fromstring(picture.svg)
    assert picture.png.startswith(b"\x89PNG")
    inside = inline_svg(picture.svg)
    assert inside.startswith("<svg")
    assert inside.endswith("</svg>")
    ET.fromstring(inside)
    assert set(re.findall(r"https?://[^\s'\"<]+", inside)) <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
    }


def test_an_estimate_is_drawn_with_its_interval():
    """The point is its mean."""
    eventual, shipped = lines_of(SEEN, WHERE, STALE)
    assert eventual.points[0] == (10, Point(12.3, 11.1, 13.5))
    assert shipped.points[1] == (1_000, Point(5.0, 0.0, 11.0))
    with_intervals, without = draw(SEEN, WHERE).svg, draw(SEEN, replace(WHERE, panels=("missed, %",))).svg
    assert with_intervals.count("LineCollection") == 4  # two series in the two panels that have intervals
    assert "LineCollection" not in without


def test_only_the_rows_of_the_chart_are_drawn_and_the_title_says_which():
    """Axes are swept one at a time."""
    assert [line.label for line in lines_of(SEEN, replace(WHERE, where=(("mode", "b"),)), STALE)] == ["eventual"]
    assert "Seeds; mode\xa0=\xa0a (simulated)" in texts(draw(SEEN, WHERE).svg)


def test_an_axis_over_decades_starts_at_zero_where_a_figure_is_zero():
    """Small staleness is seen beside large, and nothing is below zero."""
    written = texts(draw(SEEN, replace(WHERE, panels=(STALE,))).svg)
    assert {"0", "1", "10", "1,000", "10,000"} <= set(written)
    assert not any(word.startswith(("-", "\u2212")) for word in written)


def test_no_quadrant_stays_empty():
    """The third of three panels is as wide as the two above it."""

    def axes(svg):
        backgrounds = re.findall(r'<g id="patch_\d+">\s*<path d="M ([\d.]+) [\d.]+ \s*L ([\d.]+)', svg)
        return [round(float(right) - float(left)) for left, right in backgrounds]

    widths = axes(draw(SEEN, WHERE).svg)
    assert max(widths[1:]) > 1.8 * sorted(widths[1:])[0]


def test_lines_that_lie_on_each_other_are_told_apart():
    """The one below is wider than the one on top."""
    strokes = re.findall(r"stroke: (#[0-9a-f]{6})[^\"]*stroke-width: ([\d.]+)", draw(SEEN, WHERE).svg)
    widest = {colour: max(float(width) for one, width in strokes if one == colour) for colour, _ in strokes}
    assert widest[COLOURS[0].lower()] > 1.5 * widest[COLOURS[1].lower()]


def test_a_chart_has_colours_for_dark_screens():
    """Every colour that it uses, in the file itself."""
    for table, chart in ((SEEN, WHERE), (BARS, BESIDE)):
        svg = draw(table, chart).svg
        used = set(re.findall(r"(?:fill|stroke): (#[0-9a-f]{6})", svg.partition("</style>")[2]))
        assert used <= set(DARK)
        assert "@media (prefers-color-scheme: dark)" in svg
        assert all(f": {one}'],[" in svg for one in used)


def test_a_spread_is_drawn_as_boxes_open_to_what_is_known():
    """Three places, two boxes: where the median is missing there is a word."""
    svg = draw(SPREAD, BOXES).svg
    shown = texts(svg)
    assert [name for name in ("off", "on", "each second", "n/a", "seconds") if name not in shown] == []
    assert shown.count("n/a") == 1
