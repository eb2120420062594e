"""Figures as text: separators for thousands, no more decimals than a reader can use, one number of them per column."""

from collections.abc import Sequence
from typing import TypeGuard

from sim.search.study import Cell, Estimate, Table

NOTHING = "-"
MAX_DECIMALS, MAX_ROUGH, ROUGH = 6, 4, 0.1
LARGE = ((10**12, "T"), (10**9, "G"), (10**6, "M"))
TOLERANCE = 0.005
"""A figure is shown with the fewest decimals that keep it within this fraction of its value."""


def world_of(table: Table) -> str:
    """Where the figures are from."""
    return "simulated" if table.simulated else "live"


def is_number(cell: Cell) -> TypeGuard[int | float]:
    """Whether a cell is a figure; a truth value is not."""
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def figure_of(cell: Cell) -> float | None:
    """What a cell measures: a figure as it is, of an estimate its mean; None for anything else."""
    if isinstance(cell, Estimate):
        return cell.mean
    return float(cell) if is_number(cell) else None


def number_text(value: float) -> str:
    """A figure by itself."""
    return _text(value, decimals_of([value]))


def short_text(value: float) -> str:
    """A figure where there is little room: "12 M" for twelve million, three digits of what is larger."""
    for size, letter in LARGE:
        if abs(value) >= size:
            return f"{value / size:.3g} {letter}"
    return number_text(value)


def short_texts(values: Sequence[float]) -> dict[float, str]:
    """Figures that stand beside each other where there is little room: with the same number of decimals."""
    decimals = decimals_of(values)
    large = any(abs(value) >= size for value in values for size, _ in LARGE)
    return {value: short_text(value) if large else _text(value, decimals) for value in values}


def decimals_of(values: Sequence[float]) -> int:
    """The fewest decimals that show every one of these figures well enough."""
    wanting = (v for v in values if isinstance(v, float) and v == v and abs(v) != float("inf"))
    return max((_decimals(value) for value in wanting), default=0)


def _decimals(value: float) -> int:
    good = (n for n in range(MAX_DECIMALS) if abs(round(value, n) - value) <= TOLERANCE * abs(value))
    return next(good, MAX_DECIMALS)


def _text(value: float, decimals: int) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.{decimals}f}"


def column_texts(cells: Sequence[Cell]) -> tuple[str, ...]:
    """The cells of one column; its figures have the same number of decimals, so that they stand under each other."""
    decimals = decimals_of([cell for cell in cells if is_number(cell)])
    return tuple(_cell_text(cell, decimals) for cell in cells)


def _rough_decimals(half: float) -> int:
    """The fewest decimals that show half an interval's width within a tenth: more of the mean is not known."""
    return next((n for n in range(MAX_ROUGH) if abs(round(half, n) - half) <= ROUGH * half), MAX_ROUGH)


def estimate_text(cell: Estimate) -> str:
    """ "57.8 ± 1.2", or where a bound cuts the interval "0 (0 to 0.13)"; as many decimals as its width allows."""
    if cell.low == cell.high:
        return number_text(cell.mean)
    decimals = _rough_decimals((cell.high - cell.low) / 2)
    mean, low, high = (_text(value, decimals) if value else "0" for value in (cell.mean, cell.low, cell.high))
    below, above = cell.mean - cell.low, cell.high - cell.mean
    if abs(above - below) <= TOLERANCE * (above + below):
        return f"{mean} ± {_text(above, decimals)}"
    return f"{mean} ({low} to {high})"


def _cell_text(cell: Cell, decimals: int) -> str:
    if cell is None:
        return NOTHING
    if isinstance(cell, Estimate):
        return estimate_text(cell)
    return _text(float(cell) if decimals else cell, decimals) if is_number(cell) else str(cell)


def table_texts(table: Table) -> tuple[tuple[str, ...], ...]:
    """The rows of a table as text."""
    columns = [column_texts([row[index] for row in table.rows]) for index in range(len(table.columns))]
    return tuple(zip(*columns, strict=True))


def figures_columns(table: Table) -> tuple[bool, ...]:
    """For each column, whether it holds figures (and gaps) only: those are aligned at the right."""
    columns = [[row[index] for row in table.rows] for index in range(len(table.columns))]
    return tuple(
        any(figure_of(cell) is not None for cell in cells)
        and all(cell is None or figure_of(cell) is not None for cell in cells)
        for cells in columns
    )
