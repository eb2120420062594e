"""Pages of published formal models, recomputed: a head, a study's table, its notes."""

from __future__ import annotations

from collections.abc import Sequence

from sim.search.study import Cell


def page(head: str, heads: Sequence[str], rows: Sequence[Sequence[Cell]], notes: Sequence[str]) -> str:
    """The page, of the study's rows."""
    told = [line(heads), line(["---"] * len(heads)), *map(line, rows)]
    return head + "\n".join([*told, "", *[f"* {note}" for note in notes], ""])


def line(cells: Sequence[Cell]) -> str:
    """A line of the table; numbers have their thousands apart."""
    return f"| {' | '.join([f'{cell:,}' if isinstance(cell, int) else str(cell) for cell in cells])} |"
