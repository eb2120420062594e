"""Rows that are alike, for a race of Spark SQL that has been drawn already: one writer more inserts a row twice, now
and then deletes both, and reads what changed.

Choices: drawn where it is asked for, beside whatever else a race has. He is his own consumer: who reads between his
statements is told less.
"""

from __future__ import annotations

from model.iceberg.spark_reads import Since
from sim.generation.draws import Draws
from sim.iceberg.draw.statements import Table
from sim.iceberg.draw.writers import Writers, with_more
from sim.iceberg.incremental import ReadSince
from sim.iceberg.sql_statements import Delete, Insert
from sim.iceberg.statements import Statement

READS: tuple[Since, ...] = ("net changes", "updates", "changes")


def with_rows_alike(draws: Draws, table: Table, writers: Writers) -> Writers:
    """The writers and that one."""
    row = table.new_row()
    todo: list[Statement] = [Insert(row), Insert(row)]
    if draws.flag("both deleted"):
        todo.append(Delete(row[0][0]))
    reads = draws.list_of("reads of rows alike", 1, 2, lambda _: ReadSince(draws.one_of("read of rows alike", READS)))
    return with_more(writers, [[*todo, *reads]])
