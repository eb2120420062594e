"""Spark sessions that drop a table with its files, or give it another name, in a race that was drawn without.

Choices: it is the last draw, and a rare one: without it a race is what it was. Each writer does what is drawn here in
place of what was drawn before, for nobody writes beside. On the REST catalog alone, where nothing fails. Who caches the
table has read it before, or not.
"""

from __future__ import annotations

from sim.generation.draws import Draws
from sim.iceberg.creating import MoveAside, PurgeTable
from sim.iceberg.draw.writers import Writers
from sim.iceberg.workload import Select, Statement

RARELY = (False, False, False, False, False, False, False, False, False, True)
KINDS = ("purge table", "move table aside")


def with_purging(draws: Draws, writers: Writers) -> tuple[Writers, tuple[str, ...]] | None:
    """Draw who drops the table or renames it; mostly nobody (None). Returns: the writers, and who of them caches."""
    if not draws.one_of("purges", RARELY):
        return None
    cached = draws.some("purging from a cache", tuple(writers))
    return {name: _todo(draws, name in cached) for name in writers}, cached


def _todo(draws: Draws, caches: bool) -> list[Statement]:
    sent: list[Statement] = draws.list_of("of names", 1, 2, lambda _: _drawn(draws))
    return [Select(), *sent] if caches and draws.flag("has read the table") else sent


def _drawn(draws: Draws) -> Statement:
    return PurgeTable() if draws.one_of("of name", KINDS) == KINDS[0] else MoveAside()
