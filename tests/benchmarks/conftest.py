"""Figures per CPU-second, printed as one table at the end of `make bench`.

Time is CPU time of this process (`time.process_time`): other work on the machine disturbs it least. A figure is the
median over the rounds; nothing is asserted about it. Without `--benchmark-only` every benchmark runs one small round,
so that the ordinary test run shows that it works.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table. `target` is what the project aims at, if it names a number."""

    name: str
    value: float
    unit: str
    target: float | None
    rounds: int


FIGURES: list[Figure] = []
LEAST_S = 1e-9  # what the clock of some machines, which goes by 10 ms, tells of a shorter round is 0


def spent_since(begin: float) -> float:
    """CPU-seconds since `begin`, an answer of `time.process_time()`: never 0, for rates are divided by it."""
    return max(LEAST_S, time.process_time() - begin)


class Bench:
    """Measures work that returns how much it did: `bench("port calls", "/CPU-s", work)`."""

    def __init__(self, benchmark: Any, full: bool) -> None:
        self._benchmark = benchmark
        self.full = full

    def __call__(
        self, name: str, unit: str, work: Callable[[], float], *, target: float | None = None, rounds: int = 5
    ) -> None:
        """Run `work` a few times and note amount per CPU-second."""
        rates: list[float] = []

        def one() -> None:
            begin = time.process_time()
            amount = work()
            rates.append(amount / spent_since(begin))

        if self.full:
            work()  # the first run fills caches
        self._benchmark.pedantic(one, rounds=rounds if self.full else 1)
        value = sorted(rates)[len(rates) // 2]
        self._benchmark.extra_info[f"{name} {unit}"] = round(value)
        self.note(name, value, unit, target, len(rates))

    def note(self, name: str, value: float, unit: str, target: float | None = None, rounds: int = 1) -> None:
        """A line for a figure that was counted or measured in another way."""
        if self.full:
            FIGURES.append(Figure(name, value, unit, target, rounds))


@pytest.fixture
def bench(benchmark: Any, request: pytest.FixtureRequest) -> Bench:
    """Measure; `bench.full` is False in an ordinary test run, which should only be shown that the code works."""
    return Bench(benchmark, bool(request.config.getoption("--benchmark-only")))


def table(figures: list[Figure]) -> list[str]:
    """The lines of the table, aligned."""
    width = max(len(figure.name) for figure in figures)
    lines = []
    for figure in figures:
        aim = f"   aim {figure.target:,.0f}" if figure.target else ""
        lines.append(f"{figure.name:<{width}}  {figure.value:>12,.0f} {figure.unit}{aim}")
    return lines


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print the table below pytest-benchmark's own."""
    if FIGURES:
        terminalreporter.section("simulator: median per CPU-second, one core")
        for line in table(FIGURES):
            terminalreporter.write_line(line)
