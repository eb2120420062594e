"""What a study is: a function of nothing to a table, and how the table wants to be drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Cell = str | int | float | None
Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Table:
    """`columns` carry their unit last ("seconds", "files thrown away"); `notes` say what was assumed and measured.

    `simulated` is False for figures from a live system.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    simulated: bool = True


@dataclass(frozen=True, slots=True)
class Chart:
    """Lines over `x` (a column), one panel per column of `panels`, one line per distinct value of `series`.

    With `bars`, x is a name and the series stand beside each other.
    """

    x: str
    panels: tuple[str, ...]
    series: str | None = None
    bars: bool = False


@dataclass(frozen=True, slots=True)
class Study:
    """`steps` is how often `run` reports progress; `run` is deterministic, equal in every process."""

    name: str
    summary: str
    steps: int
    run: Callable[[Progress | None], Table]
    charts: tuple[Chart, ...]
