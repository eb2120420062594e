"""Sessions of Spark SQL whose catalog caches the table, drawn for a race that has been drawn already.

Choices: it is the last draw, and a rare one: without it a race is what it was. On the REST catalog alone. Who caches
has, now and then, read the table before.
"""

from __future__ import annotations

from sim.generation.draws import Draws
from sim.iceberg.workload import Select, Statement

RARELY = (False, False, False, False, True)
Writers = dict[str, list[Statement]]


def with_cache(draws: Draws, writers: Writers) -> tuple[tuple[str, ...], Writers]:
    """Draw whose catalog caches the table; mostly nobody's. Returns: their names, and the statements of each writer."""
    if not draws.one_of("catalogs cache", RARELY):
        return (), writers
    cached = draws.some("caching", tuple(writers))
    return cached, {name: _read(draws, todo) if name in cached else todo for name, todo in writers.items()}


def _read(draws: Draws, todo: list[Statement]) -> list[Statement]:
    return [Select(), *todo] if draws.flag("has read before") else todo
