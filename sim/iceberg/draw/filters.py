"""A delete by row filters in a race of the Java API that was drawn without: one writer does it at last, or as the last
step of his transaction.

Choices: drawn last, and rarely, so that other races are what they were. It names rows that the table has, or one that
it has not yet.
"""

from __future__ import annotations

from dataclasses import replace

from sim.generation.draws import Draws
from sim.iceberg.draw.calls import others
from sim.iceberg.draw.statements import Table
from sim.iceberg.draw.writers import Writers
from sim.iceberg.options import BY_HAND
from sim.iceberg.workload import RemoveWhere, Transaction

RARELY = (False, False, False, True)
KIND = "remove where"


def with_filters(draws: Draws, table: Table, writers: Writers) -> Writers:
    """Draw who removes rows by a filter, and which; mostly nobody."""
    if not draws.one_of("by filter", RARELY, others(draws, BY_HAND)):
        return writers
    name = draws.one_of("whose filter", list(writers))
    ids = draws.list_of("filters", 1, 3, lambda _: table.row_of_any_id()[0])
    *done, last = writers[name]
    removes = RemoveWhere(tuple(dict.fromkeys(ids)))
    if isinstance(last, Transaction):
        return {**writers, name: [*done, replace(last, steps=(*last.steps[:-1], removes))]}
    return {**writers, name: [*done, last, removes]}
