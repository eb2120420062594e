"""Statements of Spark SQL that write beside main: to a branch, which is named in the table's identifier (`t.branch_b`),
or to none, for an audit, as the session's `spark.wap.id` says of a table with `write.wap.enabled`.

Source: Iceberg documentation, Spark writes, "Writing to Branches"; `spark/SparkCatalog.java` (`load`, `BRANCH`),
`spark/SparkWriteConf.java` (`branch`, `wapEnabled`, `wapId`), `spark/source/SparkWrite.java`
(`commitOperation`) of 1.11.0 for Spark 3.5.
"""

from __future__ import annotations

from dataclasses import dataclass

from sim.iceberg.managing import AppendTo, Stage
from sim.iceberg.sql_statements import Insert, sql_text


@dataclass(frozen=True, slots=True)
class InsertTo(AppendTo):
    """Spark SQL `INSERT INTO t.branch_b VALUES rows`: as `AppendTo`, but by `newAppend`, to a branch that is there."""

    def text(self, table: str) -> str:
        """What is sent. Args: `table`: as "catalog.namespace.table"."""
        return sql_text(Insert(self.rows), f"{table}.branch_{self.branch}")


@dataclass(frozen=True, slots=True)
class InsertStaged(Stage):
    """Spark SQL `INSERT INTO t VALUES rows` of a session with a `spark.wap.id`: as `Stage`, but by `newAppend`."""

    def text(self, table: str) -> str:
        """What is sent. Args: `table`: as "catalog.namespace.table"."""
        return sql_text(Insert(self.rows), table)


BesideMain = InsertTo | InsertStaged
