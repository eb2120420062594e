"""Ages of a table's snapshots, and statements of Spark SQL that go by them, drawn for a race on a REST catalog in which
procedures manage snapshots, or somebody reads what was.

It is the last draw, and a rare one: without it a race is what it was. A writer more does what is drawn: expires by age,
rolls back to a time; where consumers read, he reads as of a time, too.
"""

from __future__ import annotations

from model.iceberg.spark_reads import By
from sim.generation.draws import Draws
from sim.generation.generator import Settings
from sim.iceberg.ages import ExpireOlder, RollBackToTime
from sim.iceberg.checked_specs import changes_spec
from sim.iceberg.checked_workload import is_procedure
from sim.iceberg.creating import InSql
from sim.iceberg.draw.ages import RARELY, Ages, ages_of, expiry
from sim.iceberg.draw.consumers import BY
from sim.iceberg.draw.sql_specs import Partitions
from sim.iceberg.draw.statements import Table
from sim.iceberg.draw.writers import Writers
from sim.iceberg.incremental import OfPast, ReadAt
from sim.iceberg.managing import RemoveRef
from sim.iceberg.options import CATALOG, CLIENT
from sim.iceberg.statements import Statement

GO_BY_TIME = ("expire by age", "roll back to a time", "expire as properties say")
READ, READS = "read as of a time", 2


def with_sql_ages(
    draws: Draws, table: Table, writers: Writers, settings: Settings, ages: Ages, partitions: Partitions
) -> tuple[Ages, Writers]:
    """Draw them; mostly there are none. Args: `ages`: those that are drawn already, of a race of the Java API. Returns:
    ages, and the writers, and one more."""
    sent = [one for todo in writers.values() for one in todo]
    reads = any(isinstance(one, OfPast) for one in sent)
    in_sql = settings[CLIENT.key] == "spark-sql" and settings[CATALOG.key] == "rest"
    parts = bool(partitions["partition_width"]) or changes_spec([*table.history, *sent])
    if parts or not in_sql or any(isinstance(one, InSql) for one in sent):
        return ages, writers
    if not (reads or any(map(is_procedure, sent))) or not draws.one_of("SQL goes by time", RARELY):
        return ages, writers
    drawn, oldest = ages_of(draws, table)
    kinds = (*GO_BY_TIME, *[READ] * READS * reads)
    by = BY[:2] if any(isinstance(one, RemoveRef) for one in sent) else BY
    todo = draws.list_of("by time", 1, 3, lambda _: _one(draws, kinds, by, oldest))
    return drawn, {**writers, f"w{len(writers) + 1}": todo}


def _one(draws: Draws, kinds: tuple[str, ...], by: tuple[By, ...], oldest: int) -> Statement:
    match draws.one_of("goes by time", kinds):
        case "expire by age":
            return expiry(draws, oldest)
        case "roll back to a time":
            return RollBackToTime(float(draws.number("back to", 1, oldest)))
        case "expire as properties say":
            return ExpireOlder(None, None)
    return ReadAt(by=draws.one_of("time named by", by), age_h=float(draws.number("hours ago", 1, oldest + 1)))
