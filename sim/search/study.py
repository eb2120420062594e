"""What a study is: a function of nothing to a table, and how the table wants to be drawn.

A measured figure is an `Estimate`: a mean over seeds with an interval, so that nobody takes one seed's luck for a
result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import comb, isinf, sqrt
from statistics import mean, median, stdev

SEEDS = 20
"""How many seeds a study takes at least."""
FEW = {1: 12.7062, 2: 4.3027}
NORMAL_975 = 1.959964  # the normal distribution's 97.5 % quantile


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over seeds, and the interval of 95 % around it."""

    mean: float
    low: float
    high: float


Cell = str | int | float | Estimate | None
Progress = Callable[[int], None]


def over_seeds(count: int) -> str:
    """Returns: how a table's note begins that says what its figures are over."""
    if count == 1:
        return "One seed, and so no intervals: another seed may give quite other figures"
    return f"Means over {count} seeds with intervals of 95 %"


def estimate(values: Iterable[float | None], least: float = 0.0, most: float = float("inf")) -> Estimate | None:
    """The mean of what the seeds gave, with Student's interval.

    Args: `values`, one a seed, None where there was nothing to measure; `least` and `most` bound what there can be.

    Returns: None if no seed gave a value; the value itself, as its own interval, if only one did.
    """
    known = [value for value in values if value is not None]
    if not known:
        return None
    middle = mean(known)
    half = student_975(len(known) - 1) * stdev(known) / sqrt(len(known)) if len(known) > 1 else 0.0
    return Estimate(middle, max(least, middle - half), min(most, middle + half))


def middle(ordered: Sequence[float]) -> Cell:
    """The median, with an interval of 95 % between two of the values: no distribution is assumed.

    Args: `ordered`: one or more, the least first; infinite where there is no figure.

    Returns: None if the median is infinite; the median alone where the interval is not finite, or the values are few.

    Source: ranks of the sign test: k, the largest with P(X < k) at most 0.025, and k from above, X binomial (n, 1/2).
    """
    found, n = median(ordered), len(ordered)
    if isinf(found):
        return None
    rank = 0
    while sum(comb(n, i) for i in range(rank + 1)) <= 0.025 * 2**n:
        rank += 1
    if rank == 0 or isinf(ordered[-rank]):
        return round(found, 1)
    return Estimate(found, ordered[rank - 1], ordered[-rank])


def share(hits: Sequence[int], of: Sequence[int]) -> Estimate | None:
    """How many percent of something are hits, over seeds.

    Args: `hits` and `of`, one a seed.

    Returns: None if there was nothing to hit. If nothing was hit, or all, the interval ends where one more in three
    cases of a hundred would stand (the rule of three): none seen is not none. One seed has no interval.
    """
    total, found = sum(of), sum(hits)
    if not total:
        return None
    three = min(100.0, 300 / total) if len(of) > 1 else 0.0
    if found == 0:
        return Estimate(0.0, 0.0, three)
    if found == total:
        return Estimate(100.0, 100 - three, 100.0)
    return estimate((100 * hit / all_ for hit, all_ in zip(hits, of, strict=True) if all_), most=100.0)


def student_975(freedom: int) -> float:
    """The 97.5 % quantile of Student's t, within 1 %, from 1 degree of freedom on.

    Source: Cornish and Fisher's expansion (Abramowitz and Stegun, 26.7.5); it does not hold for fewer than 3.
    """
    if freedom in FEW:
        return FEW[freedom]
    z, n = NORMAL_975, freedom
    second = (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    return z + (z**3 + z) / (4 * n) + second + third


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

    With `bars`, x is a name and the series stand beside each other. `where` are pairs of a column and a value: only
    rows that have these are drawn, and the title says so. `boxes` are five columns, from the least to the most with
    the quartiles and the median between: they are drawn in the place of the panel's own, which says what they are of.
    """

    x: str
    panels: tuple[str, ...]
    series: str | None = None
    bars: bool = False
    where: tuple[tuple[str, Cell], ...] = ()
    boxes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Study:
    """`steps` is how often `run` reports progress; `run` is deterministic, equal in every process; `over_seeds` is the
    same over as many seeds as one likes (None: it draws nothing)."""

    name: str
    summary: str
    steps: int
    run: Callable[[Progress | None], Table]
    charts: tuple[Chart, ...]
    over_seeds: Callable[[Progress | None, int], Table] | None = None
