"""Sessions of Spark SQL whose catalog caches the table, drawn for a race that has been drawn already.

Choices: it is the last draw, and a rare one: without it a race is what it was. On the REST catalog alone. Who caches
has, now and then, read the table before. Whoever is in such a race may remove orphan files at last.
"""

from __future__ import annotations

from sim.generation.draws import Draws
from sim.iceberg.draw.writers import Writers
from sim.iceberg.workload import RemoveOrphanFiles, Select, Statement

RARELY, SELDOM = (False, False, False, False, True), (False, False, True)
KIND = "remove orphan files"


def with_cache(draws: Draws, writers: Writers) -> tuple[tuple[str, ...], Writers]:
    """Draw whose catalog caches the table; mostly nobody's. Returns: their names, and the statements of each writer."""
    if not draws.one_of("catalogs cache", RARELY):
        return (), writers
    cached = draws.some("caching", tuple(writers))
    made = {name: _read(draws, todo) if name in cached else todo for name, todo in writers.items()}
    return cached, {name: [*todo, *_sweep(draws)] for name, todo in made.items()}


def _sweep(draws: Draws) -> list[Statement]:
    return [RemoveOrphanFiles()] if draws.one_of("removes orphans", SELDOM) else []


def _read(draws: Draws, todo: list[Statement]) -> list[Statement]:
    return [Select(), *todo] if draws.flag("has read before") else todo
