"""A level of a matrix on a terminal: a grid of letters, in as many blocks of columns as its width takes.

Columns are numbered as rows are, and every block names all rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.box import SIMPLE
from rich.table import Table as Grid
from rich.text import Text

from reports.pages.matrix import MatrixRecord, ShownCell
from sim.search.matrix import BROKEN, OK, REFUSED, UNKNOWN, Place

COLOURS = {OK: "green", REFUSED: "yellow", BROKEN: "red", UNKNOWN: "magenta"}
BETWEEN = 2
"""A blank and the box's own beside each column."""
Column = Sequence[ShownCell]


def grids(record: MatrixRecord, version: str, table: str, level: str, width: int) -> Iterator[Grid]:
    """The blocks of a grid, each at most as wide as this, or of one column."""
    rows = [f"{number:>2} {row}" for number, (row, _) in enumerate(record.operations, 1)]
    named = [name for name, _ in record.operations]
    cells = record.by_place
    first = max(map(len, rows)) + BETWEEN
    block, taken = dict[int, Column](), first
    for number, name in enumerate(named, 1):
        column = [cells[Place(version, table, level, row, name)] for row in named]
        wide = max(len(str(number)), *[len(code_of(cell)) for cell in column]) + BETWEEN
        if block and taken + wide > width:
            yield _block(rows, block)
            block, taken = {}, first
        block[number] = column
        taken += wide
    yield _block(rows, block)


def _block(rows: Sequence[str], block: dict[int, Column]) -> Grid:
    grid = Grid(box=SIMPLE, pad_edge=False, padding=(0, 1, 0, 0))
    grid.add_column("", no_wrap=True)
    for number in block:
        grid.add_column(str(number), no_wrap=True, justify="center")
    for row, cells in zip(rows, zip(*block.values(), strict=True), strict=True):
        grid.add_row(Text(row), *[Text(code_of(cell), style=_style(cell)) for cell in cells])
    return grid


def code_of(cell: ShownCell) -> str:
    """The letters of a cell, and its marks."""
    return cell.code + cell.marks


def _style(cell: ShownCell) -> str:
    colour = COLOURS[cell.outcomes[0].kind] if cell.outcomes else "dim"
    return f"{colour} reverse" if cell.differs else colour
