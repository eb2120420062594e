"""Partition specs in a race of Spark SQL that was drawn without: tables in buckets, and fields that are altered.

Choices: drawn last, and rarely, so that other races are what they were. Fields are altered before the race, or by one
writer more beside it, who may insert a row then, or by two, of whom one is refused; by nobody where procedures manage
snapshots. A session that caches the table may do so all the same.
"""

from __future__ import annotations

from typing import Any

from model.iceberg.partitioning import Field
from sim.generation.draws import Draws
from sim.generation.generator import Settings
from sim.iceberg.creating import InSql
from sim.iceberg.draw.managing import IN_SQL_ON
from sim.iceberg.draw.statements import Table
from sim.iceberg.draw.writers import Writers
from sim.iceberg.managing import Managing
from sim.iceberg.options import CATALOG, CLIENT
from sim.iceberg.workload import AlterPartitionField, Insert, RewriteDataFiles, Statement

RARELY, OFTEN = (False, False, False, False, False, True), (True, False)
KIND = "alter partition field"
IN_BUCKETS, BEFORE, BESIDE = "in buckets", "before", "beside"
FIELDS: tuple[Field | None, ...] = (
    Field("bucket", 2), Field("truncate", 4), Field("bucket", 3), Field("truncate", 2), None,
)  # fmt: skip
Partitions = dict[str, Any]
"""Fields of a workload: how many ids a partition of the table has when it is made, or how many buckets there are."""


def with_sql_specs(
    draws: Draws, table: Table, writers: Writers, width: int, settings: Settings
) -> tuple[Partitions, Writers]:
    """Draw it, if the race is one of Spark SQL on a catalog whose tables may have partitions; mostly it is nothing.
    What is drawn for before is put into the history.

    Args: `width`: how many ids a partition has as drawn (0: there are none).
    """
    usual = {"partition_width": width}
    done = [one for todo in (*writers.values(), table.history) for one in todo]
    possible = settings[CLIENT.key] == "spark-sql" and settings[CATALOG.key] in IN_SQL_ON
    if not possible or not draws.one_of("specs, in SQL", RARELY):
        return usual, writers
    if any(isinstance(one, Managing | InSql) for one in done):
        return usual, writers
    when = draws.one_of("specs are", (BESIDE, BEFORE, IN_BUCKETS))
    if when == IN_BUCKETS:
        return {"partition_width": draws.one_of("buckets", (2, 3)), "partition_transform": "bucket"}, writers
    first = Field("truncate", width) if width else None
    others = tuple([one for one in FIELDS if one != first])
    altered: list[Statement] = [AlterPartitionField(first, draws.one_of("partitioned then", others))]
    if when == BESIDE:
        by_it: list[Statement] = [Insert(table.new_row())] if draws.one_of("inserted by it", OFTEN) else []
        beside = {**writers, f"w{len(writers) + 1}": [*altered, *by_it]}
        if width and draws.one_of("altered twice", OFTEN):
            beside[f"w{len(beside) + 1}"] = [AlterPartitionField(first, draws.one_of("partitioned too", others))]
        return usual, beside
    rewritten: list[Statement] = [RewriteDataFiles()] if draws.flag("rewritten by it") else []
    table.history += [*altered, *rewritten]
    return usual, writers
