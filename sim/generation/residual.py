"""What a search of generated scenarios has not met: how likely the next scenario is to show something new.

Good and Turing: what was met in exactly one of n scenarios, f1 kinds of it, says how much is still to come; the chance
that the next scenario shows something new is about f1 / n. The upper bounds are at 95 %: Esty's ("A normal limit law
for a nonparametric estimator of the coverage of a random sample", Annals of Statistics 11, 1983), and, where nothing
was met only once or nothing failed, the rule of three.

Choices: scenarios are taken for independent draws of one source, which they are where seeds make them, and not where a
search goes on with those that pay.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

ONE_SIDED_95 = 1.645
ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class Residual:
    """The chance that the next scenario shows something new: `estimate`, and at most `bound` (95 %), both 0 to 1."""

    estimate: float
    bound: float


def none_of(samples: int) -> float:
    """Bound the chance of what was never met in so many samples (from 0). Returns: 0 to 1, at 95 %."""
    return 1.0 if samples < 1 else 1 - ALPHA ** (1 / samples)


def residual(counts: Iterable[int], samples: int) -> Residual:
    """Estimate what is left.

    Args: `counts` say of each kind of thing in how many samples it was met; `samples` is how many there were (from 0).
    """
    if samples < 1:
        return Residual(1.0, 1.0)
    found = list(counts)
    once, twice = found.count(1), found.count(2)
    share = min(1.0, once / samples)
    spread = sqrt(max(0.0, share * (1 - share) + 2 * twice / samples) / samples)
    return Residual(share, min(1.0, max(share + ONE_SIDED_95 * spread, none_of(samples))))
