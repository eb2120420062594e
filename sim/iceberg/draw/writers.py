"""Who the writers of a drawn race are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from sim.generation.draws import Draws
from sim.iceberg.workload import Statement
from sim.world.scenario import FaultSpace

Writers = dict[str, list[Statement]]
"""Who sends what, by names."""
Drawn = TypeVar("Drawn")


def writers_of(draws: Draws, faults: FaultSpace, statement: Callable[[int], Drawn]) -> dict[str, list[Drawn]]:
    """One to four writers of one to four statements; one alone only where something may fail."""
    least = 1 if faults.limit else 2
    drawn = draws.list_of("writers", least, 4, lambda _: draws.list_of("statements", 1, 4, statement))
    return {f"w{number}": todo for number, todo in enumerate(drawn, 1)}


def with_more(writers: Writers, more: Iterable[Sequence[Statement]]) -> Writers:
    """The writers, and further ones who send these, named after them."""
    return {**writers, **{f"w{len(writers) + at}": [*todo] for at, todo in enumerate(more, 1)}}


def words_of(writers: Mapping[str, Sequence[Statement]]) -> str:
    """A race's summary: whose statements are of which kinds."""
    return "; ".join([f"{name}: {', '.join([type(one).__name__ for one in todo])}" for name, todo in writers.items()])
