"""What the final read saw, row by row, as the right margin of a space-time diagram.

Choices: a long value is clipped, then wrapped between words; the margin is made as wide as its widest line. Rows that
are as they must be are green only where nothing else is broken: a right end is no acquittal of a wrong read before it.
"""

from collections.abc import Sequence
from textwrap import wrap
from typing import NamedTuple

from checkers.text import plain
from checkers.words import value_words
from reports.explanation.phrases import key_text
from reports.pictures import svg
from reports.record import Row

OK, BROKEN = svg.GREEN, svg.RED
MAX_ROWS, MAX_LINE, LEAST_PX, INDENT = 8, 30, 176.0, 14.0
TITLE_PX, SPARE_PX = 26.0, 10.0


class _Line(NamedTuple):
    words: str
    ink: str
    indent: float = 0.0
    bold: bool = False
    size: int = 12
    down: float = 20.0


def width_of(rows: Sequence[Row], broken: Sequence[str] = ()) -> float:
    """How wide the margin is; 24 without a final read."""
    lines = _lines(rows, broken)
    widest = max((svg.width_of(line.words, line.size, line.bold) + line.indent for line in lines), default=0.0)
    return max(LEAST_PX, widest + 2 * INDENT) if rows else 24.0


def height_of(rows: Sequence[Row], broken: Sequence[str] = ()) -> float:
    """How much the margin needs below its top."""
    return TITLE_PX + sum(line.down for line in _lines(rows, broken)) + SPARE_PX if rows else 0.0


def final_read(rows: Sequence[Row], end: float, top: float, bottom: float, broken: Sequence[str] = ()) -> list[str]:
    """The margin to the right of `end`, as SVG. `broken` names the properties that the run broke."""
    x, y = end + INDENT, top + 6
    parts = [svg.line(end, top - 20, end, bottom - 8, ink=svg.INK)]
    parts.append(svg.text(x, y, "final read", anchor="start", bold=True))
    for words, ink, indent, bold, size, down in _lines(rows, broken):
        y += down
        parts.append(svg.text(x + indent, y, words, size=size, anchor="start", ink=ink, bold=bold))
    return parts


def _lines(rows: Sequence[Row], broken: Sequence[str]) -> list[_Line]:
    lines: list[_Line] = []
    for row in rows[:MAX_ROWS]:
        ink = BROKEN if not row.agrees else svg.INK if broken else OK
        saw = f"{'✓' if row.agrees else '✗'} {key_text(row.key)}: {plain(value_words(row.key, row.got))}"
        for number, words in enumerate(wrap(saw, MAX_LINE)):
            follows = number > 0
            lines.append(_Line(words, ink, INDENT if follows else 0.0, not row.agrees, 12, 16.0 if follows else 20.0))
        if not row.agrees:
            wanted = wrap(f"must be {plain(value_words(row.key, row.expected))}", MAX_LINE)
            lines += [_Line(words, BROKEN, INDENT, size=11, down=16.0) for words in wanted]
    if len(rows) > MAX_ROWS:
        lines.append(_Line(f"and {len(rows) - MAX_ROWS} more", svg.FAINT))
    if broken and all(row.agrees for row in rows):
        lines.append(_Line("right in the end, but broken:", svg.INK, size=11, down=26.0))
        lines += [_Line(f"✗ {name}", BROKEN, INDENT, True, 11, 16.0) for name in broken[:MAX_ROWS]]
    return lines
