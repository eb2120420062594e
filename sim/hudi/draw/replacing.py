"""Overwrites, deletions of partitions and bulk inserts in generated Hudi races: now and then, in place of other writes.

They are drawn when all else has been, so that a race without them is what it was before there were any. There are none
under the bucket strategy, which reads a bucket's number off the names of file groups, and new ones have none; nor with
the timeline server's early detection (`model.hudi.early`).
"""

from __future__ import annotations

from model.hudi import HudiConfig
from model.hudi.keys import BUCKET_CONFLICTS
from sim.generation.draws import Draws
from sim.hudi.settings import RARELY
from sim.hudi.statements import BulkInsert, DeletePartition, Insert, Overwrite, Statement, Upsert

REPLACING = "overwrites and deletions"
AS_IT_IS, BULK, OVERWRITE, OVERWRITE_TABLE, DELETE = "as it is", "bulk insert", "overwrite", "overwrite table", "delete"


def draw_replacing(
    draws: Draws, actors: list[list[Statement]], config: HudiConfig, placed: tuple[str, ...]
) -> list[list[Statement]]:  # fmt: skip
    """Draw, now and then, other operations for some writes. Args: `placed` are the table's partitions."""
    served = config.detects_by_server
    if served or config.conflict_strategy == BUCKET_CONFLICTS or draws.one_of(REPLACING, RARELY) == "no":
        return actors
    return [[_instead(draws, one, placed) for one in todo] for todo in actors]


def _instead(draws: Draws, statement: Statement, placed: tuple[str, ...]) -> Statement:
    if isinstance(statement, Insert):
        return BulkInsert(statement.rows) if draws.one_of("instead", (AS_IT_IS, BULK)) == BULK else statement
    if not isinstance(statement, Upsert):
        return statement
    match draws.one_of("instead", (AS_IT_IS, OVERWRITE, OVERWRITE_TABLE, DELETE)):
        case "overwrite":
            return Overwrite(statement.rows)
        case "overwrite table":
            return Overwrite(statement.rows, whole_table=True)
        case "delete":
            return DeletePartition(draws.one_of("partition", tuple(dict.fromkeys(placed))))
    return statement
