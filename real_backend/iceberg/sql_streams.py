"""Statements of the Java API beside sessions of Spark SQL: as Flink sends them, through each writer's own catalog.

Each works on a table that was loaded before the race, as in a process of its own; its files are real Parquet, beside
those of the table.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from real_backend.iceberg.java_files import JavaFiles
from real_backend.iceberg.java_managing import Managements
from real_backend.iceberg.java_updates import Updates
from real_backend.iceberg.journal import Sending
from real_backend.jvm.session import Session
from sim.iceberg.beside_sql import streams
from sim.iceberg.managing import AppendTo
from sim.iceberg.workload import IcebergWorkload, Statement


def _streaming(statements: Iterable[Statement]) -> Iterator[tuple[int, Statement]]:
    return ((number, one) for number, one in enumerate(statements) if streams(one))


class Streams:
    """Those of one race. Args: `home`: the folder of the files that they write."""

    def __init__(self, session: Session, home: str) -> None:
        self._session, self._home = session, home
        self._tables: dict[tuple[str, int], Any] = {}
        self._files: JavaFiles | None = None

    def load(self, workload: IcebergWorkload, names: dict[str, str]) -> None:
        """Load the table for each of them. Args: `names`: what each writer calls it."""
        sent = [(actor, number) for actor, todo in workload.writers for number, _ in _streaming(todo)]
        spark = self._session.spark._jsparkSession
        for actor, number in sent:
            # A catalog that no statement has named yet is looked for in the settings of the thread's session.
            self._session.jvm.gateway.jvm.org.apache.spark.sql.SparkSession.setActiveSession(spark)
            util = self._session.jvm.iceberg.spark.Spark3Util
            self._tables[actor, number] = util.loadIcebergTable(spark, names[actor])
        if self._tables:
            self._files = JavaFiles(self._session.jvm, self._home)

    def sending(self, actor: str, number: int, statement: Statement) -> Sending | None:
        """A statement ready to be sent; None: it is one of SQL."""
        if (actor, number) not in self._tables or self._files is None:
            return None
        table = self._tables[actor, number]
        updates = Updates(self._session.jvm, self._files, table, f"{actor}-{number}")
        if isinstance(statement, AppendTo):
            managed = Managements(self._session.jvm, self._files, table, f"{actor}-{number}")
            return Sending(managed.prepared(statement), updates.start)
        update = updates.update(table, statement, updates.start)
        return Sending(update.commit, updates.start)
