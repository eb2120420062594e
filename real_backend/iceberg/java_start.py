"""Tables of the Java API as races find them: each made once, and registered anew for every race on it.

Choices: the table of a race shares the files of the one that was made, which nobody deletes, and has its location; the
metadata is its own from its first commit on. What a race writes beside is dropped from memory when it has ended.
"""

from typing import Any, NamedTuple

from real_backend.gating.gate import Gate
from real_backend.gating.race import SETUP
from real_backend.iceberg.java_files import JavaFiles
from real_backend.iceberg.java_managing import Managements
from real_backend.iceberg.java_updates import Updates
from real_backend.iceberg.live_ages import put_ages
from real_backend.iceberg.ops_gate import GatedTableOperations, Snapshots
from real_backend.jvm.jvm import Jvm
from sim.iceberg.managing import Managing
from sim.iceberg.workload import IcebergWorkload, Rows, Statement, Transaction

FIRST_SNAPSHOT = 1 << 40
Table = tuple[Rows, tuple[Statement, ...], tuple[tuple[str, str], ...], int, tuple[float, ...]]
"""The first rows of a table, what was done to it since, its properties, how many ids a partition has, and the ages of
its snapshots."""


class Start(NamedTuple):
    """A table before a race.

    Args: `metadata`: its file; `rows`: what its `snapshot` has, read from the table, and `operation` what it was made
    by; `defaults`: the properties that a new table has; `made_ms`: when it was made, from which its ages count.
    """

    metadata: str
    snapshot: int
    snapshots: Snapshots
    rows: Rows
    defaults: frozenset[str]
    operation: str
    made_ms: int


class Starts:
    """Makes tables, and keeps them. Args: `catalog` and `namespace`: where they are registered; `name` begins what they
    are called."""

    def __init__(self, jvm: Jvm, files: JavaFiles, catalog: Any, namespace: str, name: str = "start") -> None:
        self._jvm, self._files, self._catalog, self._namespace = jvm, files, catalog, namespace
        self._name = name
        self._made: dict[Table, Start] = {}

    def of(self, workload: IcebergWorkload) -> Start:
        """The table that this workload begins with."""
        properties = tuple(_properties(workload).items())
        history = workload.history[:-1] if workload.is_absent else workload.history
        table = workload.rows, history, properties, workload.partition_width, workload.ages_h
        if table not in self._made:
            self._made[table] = self._make(*table)
        return self._made[table]

    def identifier(self, name: str) -> Any:
        """A table's name in Java."""
        return self._jvm.iceberg.catalog.TableIdentifier.parse(f"{self._namespace}.{name}")

    def _make(
        self, rows: Rows, history: tuple[Statement, ...], properties: tuple[tuple[str, str], ...], width: int,
        ages_h: tuple[float, ...],
    ) -> Start:  # fmt: skip
        iceberg, snapshots = self._jvm.iceberg, Snapshots(FIRST_SNAPSHOT)
        created = self._catalog.createTable(
            self.identifier(f"{self._name}{len(self._made)}"), self._files.schema, self._files.spec(width),
            self._jvm.java_map(dict(properties)),
        )  # fmt: skip
        defaults = frozenset(map(str, created.properties()))
        ungated = Gate(())
        operations = GatedTableOperations(self._jvm, SETUP, created.operations(), lambda: ungated, snapshots)
        table = iceberg.BaseTable(operations.in_java, f"{self._namespace}.{SETUP}")
        append = table.newFastAppend()
        for file in self._files.data_files(created.io(), "base", rows, created.spec()):
            append.appendFile(file)
        append.commit()
        for number, statement in enumerate(history):
            updates = Updates(self._jvm, self._files, table, f"{SETUP}-{number}")
            if isinstance(statement, Managing):
                Managements(self._jvm, self._files, table, f"{SETUP}-{number}").prepared(statement)()
            elif isinstance(statement, Transaction):
                updates.transact(table.newTransaction(), statement)
            else:
                updates.update(table, statement, updates.start).commit()
        made_ms = int(self._jvm.java.java.lang.System.currentTimeMillis())
        if ages_h:
            put_ages(self._jvm, created.operations(), ages_h, made_ms)
        metadata = table.operations().refresh()
        self._files.keep()
        return Start(
            str(metadata.metadataFileLocation()), int(metadata.currentSnapshot().snapshotId()), snapshots,
            self._files.rows(table), defaults, str(metadata.currentSnapshot().operation()),
            made_ms,
        )  # fmt: skip


def _properties(workload: IcebergWorkload) -> dict[str, str]:
    retries = {
        "commit.retry.num-retries": str(workload.retries),
        "commit.retry.min-wait-ms": "0",
        "commit.retry.max-wait-ms": "0",
        "commit.status-check.min-wait-ms": "0",
        "commit.status-check.max-wait-ms": "0",
    }
    return {"format-version": "2", **retries, **dict(workload.table_properties)}
