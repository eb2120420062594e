"""Columns that are added before an expiry which cleans metadata, so that it removes a schema, too, for a race over REST
that has such an expiry already.

Choices: drawn last, where changes of the spec are asked for.
"""

from __future__ import annotations

from sim.generation.draws import Draws
from sim.iceberg.draw.statements import Table
from sim.iceberg.draw.writers import Writers
from sim.iceberg.managing import Expire
from sim.iceberg.statements import AddColumn, Statement

NONE, BESIDE, ALONE = "none", "beside a spec", "alone"


def with_expired_schemas(draws: Draws, table: Table, writers: Writers) -> Writers:
    """The writers, where the one that expires adds a column, and before the race there was another one; he changes the
    spec, too, or does not."""
    cleaning = next((name for name, todo in writers.items() if any(map(_cleans, todo))), None)
    if cleaning is None:
        return writers
    kind = draws.one_of("schema that expires", (NONE, BESIDE, ALONE))
    if kind == NONE:
        return writers
    table.history.append(AddColumn("x"))
    before = [one for one in writers[cleaning] if not _cleans(one)] if kind == BESIDE else []
    expires = [one for one in writers[cleaning] if _cleans(one)]
    return {**writers, cleaning: [*before, AddColumn("y"), *expires]}


def _cleans(one: Statement) -> bool:
    return isinstance(one, Expire) and one.cleans_metadata
