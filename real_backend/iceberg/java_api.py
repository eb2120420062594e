"""A workload of Iceberg's Java API on the real commit loop, stepped at `TableOperations`. No Spark is needed.

Per run: a table of its own in an `InMemoryCatalog`; every statement works on operations of its own, loaded before the
race, as in a process of its own; the schedule releases `load` and `commit`; at the end the files are read.
"""

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from real_backend.errors import BackendError
from real_backend.gating.actors import Body, Workers, run_actors
from real_backend.gating.gate import WAIT_S, Gate
from real_backend.gating.play import at_yield_points
from real_backend.iceberg.java_files import JavaFiles, iterate
from real_backend.iceberg.journal import Journal
from real_backend.iceberg.live_run import OK, LiveRun, lineage_of
from real_backend.iceberg.ops_gate import GatedTableOperations, Snapshots, can_fault
from real_backend.iceberg.rest_gate import YIELD_POINTS
from real_backend.jvm.bare_jvm import bare_jvm
from real_backend.jvm.java_errors import describe
from real_backend.jvm.jvm import Jvm
from sim.iceberg.workload import Append, IcebergWorkload, Overwrite, Rows, Statement
from sim.kernel.schedule import Schedule, Step

NAMESPACE = "db"
SETUP = "setup"
FIRST_SNAPSHOT = 1 << 40
Playing = Schedule | Iterable[Step] | str | Callable[[Gate], None]


class _Race:
    """The table of one run."""

    def __init__(self, jvm: Jvm, files: JavaFiles, catalog: Any, identifier: Any, workload: IcebergWorkload) -> None:
        self.jvm, self.files, self.catalog, self.identifier, self.workload = jvm, files, catalog, identifier, workload
        self.journal = Journal()
        self.snapshots = Snapshots(FIRST_SNAPSHOT)
        self.gate = Gate(())
        created = catalog.createTable(
            identifier, files.schema, jvm.iceberg.PartitionSpec.unpartitioned(), jvm.java_map(_properties(workload))
        )
        first = files.data_file(created.io(), "base", workload.rows)
        self._table(SETUP, created.operations()).newFastAppend().appendFile(first).commit()
        self.tables = {
            (actor, number): self._table(actor, catalog.loadTable(identifier).operations())
            for actor, statements in workload.writers
            for number in range(len(statements))
        }

    def _table(self, actor: str, operations: Any) -> Any:
        gated = GatedTableOperations(self.jvm, actor, operations, lambda: self.gate, self.snapshots)
        return self.jvm.iceberg.BaseTable(gated, f"{NAMESPACE}.{actor}")

    def body(self, actor: str, statements: tuple[Statement, ...]) -> Body:
        """What one writer does, noted in the journal."""

        def run() -> None:
            for number, statement in enumerate(statements):
                table = self.tables[actor, number]
                start = table.currentSnapshot().snapshotId()
                update = self._update(table, start, f"{actor}-{number}", statement)
                entry = self.journal.begin(self.gate, actor, statement, start)
                try:
                    update.commit()
                    outcome: str = OK
                except Exception as error:
                    outcome = describe(error)
                self.journal.end(self.gate, entry, outcome)

        return run

    def _update(self, table: Any, start: int, name: str, statement: Statement) -> Any:
        always = self.jvm.iceberg.expressions.Expressions.alwaysTrue()
        match statement:
            case Append(rows):
                return table.newFastAppend().appendFile(self.files.data_file(table.io(), name, rows))
            case Overwrite(rows, validate, by):
                update = table.newOverwrite().addFile(self.files.data_file(table.io(), name, rows))
                if by == "filter":
                    update = update.overwriteByRowFilter(always)
                else:
                    for task in iterate(table.newScan().planFiles()):
                        update = update.deleteFile(task.file())
                if validate:
                    update = update.validateFromSnapshot(start).conflictDetectionFilter(always)
                    update = update.validateNoConflictingData().validateNoConflictingDeletes()
                return update
            case _:
                raise BackendError(f"workload: expected operations of the Java API only, got {statement}")

    def result(self) -> LiveRun:
        """Read everything back."""
        seconds = self.journal.seconds
        table = self.catalog.loadTable(self.identifier)
        current = table.currentSnapshot()
        snapshots = ((each.snapshotId(), each.parentId(), str(each.operation())) for each in table.snapshots())
        lineage = lineage_of(snapshots, current and current.snapshotId(), self.snapshots.made)
        rows, unreadable = self._rows(table)
        return LiveRun(
            self.workload, self.journal.outcomes(self.workload.actors), tuple(map(str, self.gate.trace)), lineage,
            rows, unreadable, seconds, self.journal.commands,
            (*(self._rows(table, version.snapshot)[0] for version in lineage[:-1]), rows),
        )  # fmt: skip

    def _rows(self, table: Any, snapshot: int | None = None) -> tuple[Rows | None, str | None]:
        try:
            return self.files.rows(table, snapshot), None
        except Exception as error:
            return None, describe(error)


class JavaIceberg:
    """Runs workloads in one JVM, which may be a bare one or Spark's."""

    def __init__(self, jvm: Jvm) -> None:
        self._jvm = jvm
        self._files = JavaFiles(jvm)
        self._workers = Workers()
        self._numbers = itertools.count(1)
        self._catalog = jvm.iceberg.inmemory.InMemoryCatalog()
        self._catalog.initialize("java", jvm.java_map({}))
        self._catalog.createNamespace(self._identifier("t").namespace())

    def run(self, workload: IcebergWorkload, schedule: Playing, timeout_s: float = WAIT_S) -> LiveRun:
        """Run the workload as the schedule says and read the table back.

        Args: `schedule` may be a function that releases the gate itself; `timeout_s` bounds the wait for each step.
        Raises: `Divergence` if a step is not on offer; `ScheduleError`; `BackendTimeout`; `BackendError` if the
        workload is not one of the Java API.
        """
        _check(workload)
        steps = schedule if callable(schedule) else at_yield_points(schedule, YIELD_POINTS)
        identifier = self._identifier(f"t{next(self._numbers)}")
        make = functools.partial(_Race, self._jvm, self._files, self._catalog, identifier, workload)
        race = self._workers.call(SETUP, make, "making the table")

        def gate_of(launch: Callable[[str], None]) -> Gate:
            race.gate = Gate(workload.actors, launch, yield_points=YIELD_POINTS, faults=can_fault, timeout_s=timeout_s)
            return race.gate

        bodies = {actor: race.body(actor, statements) for actor, statements in workload.writers}
        try:
            run_actors(self._workers, bodies, gate_of, steps)
            return self._workers.call(SETUP, race.result, "reading the table back")
        finally:
            self._catalog.dropTable(identifier, False)

    def close(self) -> None:
        """End the writers' threads; the JVM goes on."""
        self._workers.close()

    def _identifier(self, table: str) -> Any:
        return self._jvm.iceberg.catalog.TableIdentifier.parse(f"{NAMESPACE}.{table}")


def _properties(workload: IcebergWorkload) -> dict[str, str]:
    retries = {
        "commit.retry.num-retries": str(workload.retries),
        "commit.retry.min-wait-ms": "0",
        "commit.retry.max-wait-ms": "0",
    }
    return {"format-version": "2", **retries, **dict(workload.properties)}


def _check(workload: IcebergWorkload) -> None:
    if workload.catalog != "java-api":
        raise BackendError(f"workload: expected catalog java-api for the Java API, got {workload.catalog}")
    for actor, statements in workload.writers:
        for statement in statements:
            if not isinstance(statement, Append | Overwrite):
                raise BackendError(f"workload, writer {actor}: expected Java API operations only, got {statement}")


@contextmanager
def java_iceberg() -> Iterator[JavaIceberg]:
    """Iceberg's Java API on a bare JVM, started now and ended on the way out.

    Raises: `BackendUnavailable`, `BackendTimeout`, when it does not start.
    """
    with bare_jvm() as jvm:
        live = JavaIceberg(jvm)
        try:
            yield live
        finally:
            live.close()
