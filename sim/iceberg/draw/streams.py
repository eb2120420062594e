"""What a client of the Java API sends who streams, as Flink does, beside a race of Spark SQL.

Choices: who upserts and deletes names rows that were there before, as no INSERT looks for one.
"""

from __future__ import annotations

from sim.generation.draws import Draws
from sim.iceberg.draw.statements import Table
from sim.iceberg.equality import DeleteWhere, Upsert
from sim.iceberg.statements import Append, Statement

KINDS = ("append", "append", "merge append", "upsert", "upsert", "delete where")


def streamed(draws: Draws, table: Table) -> Statement:
    """One of its statements."""
    known = table.content or table.rows
    match draws.one_of("stream", KINDS):
        case "upsert":
            return Upsert(draws.one_of("streamed row", known)[0], f"s{draws.number('streamed', 1, 9)}")
        case "delete where":
            return DeleteWhere(draws.one_of("streamed row", known)[0])
        case kind:
            return Append(table.new_row(), merge=kind == "merge append")
