"""A workload of Iceberg's Java API on the real commit loop, stepped at `TableOperations`, or, on a REST catalog, at
its requests. No Spark is needed.

Per run: a table of its own, whose history is made once for all runs on such a table; every statement works on
operations of its own, loaded before the race, as in a process of its own; the schedule releases `load` and `commit`.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Any, NoReturn

from py4j.protocol import Py4JJavaError

from real_backend.errors import BackendError
from real_backend.gating.actors import Workers
from real_backend.gating.gate import WAIT_S, Gate, InterpositionPoint
from real_backend.gating.play import at_yield_points
from real_backend.gating.race import SETUP, LiveRace, run_gated
from real_backend.iceberg.bare_jvm import bare_jvm
from real_backend.iceberg.java_catalogs import Catalogs, InMemory, OnJdbc, OverRest
from real_backend.iceberg.java_creating import OfRace
from real_backend.iceberg.java_files import JavaFiles, scanned
from real_backend.iceberg.java_hadoop import HADOOP
from real_backend.iceberg.java_homes import Homes
from real_backend.iceberg.java_incremental import read_past
from real_backend.iceberg.java_left import left_of, metadata_of
from real_backend.iceberg.java_managing import Managements
from real_backend.iceberg.java_names import Names
from real_backend.iceberg.java_row_ids import row_ids_amiss
from real_backend.iceberg.java_start import Starts
from real_backend.iceberg.java_updates import Updates
from real_backend.iceberg.journal import Journal, Sending
from real_backend.iceberg.live_heads import Moves, by_heads, places
from real_backend.iceberg.live_run import LiveRun, amiss_in, lineage_of_metadata
from real_backend.iceberg.live_versions import Versions
from real_backend.iceberg.ops_gate import GatedTableOperations, current_snapshot
from real_backend.iceberg.rest_gate import LOAD
from real_backend.jvm.jvm import Jvm
from sim.iceberg.ages import ExpireOlder
from sim.iceberg.creating import MOVED, NO_TABLE, OfTables
from sim.iceberg.incremental import OfPast
from sim.iceberg.managing import Expire, Managing, OfBranches, ReplaceTable, is_managed
from sim.iceberg.workload import IcebergWorkload, JavaApi, Rows, Scan, Statement, Transaction
from sim.kernel.schedule import Schedule, Step

NAMESPACE = "db"
CATALOGS = ("java-api", "rest", "jdbc", *HADOOP)
FROM_START = OfBranches | Expire | ExpireOlder | ReplaceTable
Playing = Schedule | Iterable[Step] | str | Callable[[Gate], None]


class _Race(LiveRace[LiveRun]):
    """The table of one run, and its writers. Args: `catalogs`: that of each actor, and whose tables are read back."""

    def __init__(
        self, jvm: Jvm, files: JavaFiles, catalogs: Catalogs, starts: Starts, name: str, work: IcebergWorkload
    ) -> None:
        super().__init__(work.actors, catalogs.yield_points)
        self._jvm, self._files, self._catalogs, self._starts = jvm, files, catalogs, starts
        self._catalog = catalogs.of(SETUP)
        self._workload, self._identifier = work, starts.identifier(name)
        self._named = self._identifier  # by now
        self._names = Names(starts, self._identifier, work.writers)
        self._journal = Journal(work, *catalogs.yield_points[:2])
        self._tables: dict[tuple[str, int], Any] = {}
        self._managed = is_managed(work.writers)
        self._known: dict[tuple[str, int], tuple[Managements, tuple[Rows, ...]]] = {}
        self._versions = Versions(jvm)
        self._moves = Moves(lambda snapshot: files.rows(self._catalog.loadTable(self._named), snapshot))

    def can_fault(self, operation: str, fault: str) -> bool:
        """As the Protocol."""
        return self._catalogs.can_fault(operation, fault)

    def install(self) -> None:
        """As the Protocol."""
        self._catalogs.install(self.gate)

    def is_passable(self, at: InterpositionPoint) -> bool:
        """As the Protocol."""
        return self._catalogs.is_passable(at, self._identifier)

    def make(self) -> None:
        """Register a table that is as the workload begins with, and load it for every statement."""
        self._start = self._starts.of(self._workload)
        self._snapshots = self._start.snapshots.copy()
        self._moves.first, made_ms = self._start.snapshot, self._start.made_ms
        self._names.make(self._files, self._catalog)
        if not self._workload.is_absent:
            self._catalogs.put(self._identifier, self._start)
        if self._workload.loads_late:
            return
        if self._workload.ages_h:
            self._versions.note(self._catalog.loadTable(self._identifier).operations().current())
        for actor, statements in self._workload.writers:
            for number, statement in enumerate(statements):
                if isinstance(statement, OfTables):
                    continue
                loaded = self._catalogs.of(actor).loadTable(self._identifier)
                gated = self._gated(actor, number, loaded.operations())
                self._tables[actor, number] = table = self._jvm.iceberg.BaseTable(gated.in_java, f"{NAMESPACE}.{actor}")
                if isinstance(statement, Managing):
                    known = Managements(self._jvm, self._files, table, f"{actor}-{number}", gated.replacing, made_ms)
                    self._known[actor, number] = known, known.versions(statement)

    def _gated(self, actor: str, number: int, operations: Any) -> GatedTableOperations:
        def moved(snapshot: Any) -> None:
            if self._managed:
                self._moves.note(actor, number, snapshot)

        gated = self._catalogs.operations(actor, self._identifier, operations, self._of_race(actor, number, moved))
        if self._workload.ages_h:
            gated.made = self._versions.note
        return gated

    def act(self, actor: str) -> None:
        """Make one writer's commits."""

        def prepare(number: int, statement: Statement) -> Sending:
            if isinstance(statement, OfTables):
                return Sending(lambda: self._of_tables(actor, number, statement))
            if self._workload.loads_late:
                return Sending(lambda: self._begin_here(actor, number, statement))
            table = self._tables[actor, number]
            if isinstance(statement, Scan):
                return Sending(lambda: scanned(self._files, table, statement))
            if isinstance(statement, OfPast):
                return Sending(lambda: read_past(self._files, table, statement, self._start.made_ms))
            if isinstance(statement, Transaction):
                return Sending(lambda: self._transact(table, f"{actor}-{number}", statement))
            if isinstance(statement, Managing):
                known, versions = self._known[actor, number]
                start = self._start.snapshot if isinstance(statement, FROM_START) else None
                return Sending(known.prepared(statement), start, versions)
            updates = self._updates(table, f"{actor}-{number}")
            try:
                update = updates.update(table, statement, updates.start)
            except Py4JJavaError as error:  # the builder refuses an argument: nothing is sent
                return Sending(partial(_refused, error), updates.start)
            return Sending(update.commit, updates.start)

        self._catalogs.join(actor, self._of_race(actor, 0))
        self._journal.act(self.gate, actor, prepare)

    def _of_race(self, actor: str, number: int, moved: Callable[[Any], None] | None = None) -> OfRace:
        told = moved or (lambda snapshot: self._moves.note(actor, number, snapshot))

        def dropped() -> None:
            if not self._is_moved:
                self._moves.drop(actor, number)

        def renamed(name: Any) -> None:
            if not self._is_moved:
                self._named = name
                told(self._catalog.loadTable(name).currentSnapshot())

        return OfRace(lambda: self.gate, self._snapshots, told, dropped, self._workload.idempotency, renamed)

    @property
    def _is_moved(self) -> bool:
        """Whether its table has another name: what happens to the first one is nothing to it."""
        return str(self._named) == str(self._names.of(MOVED))

    def _of_tables(self, actor: str, number: int, statement: OfTables) -> None:
        name, race = f"{actor}-{number}", self._of_race(actor, number)
        tables = self._catalogs.tables(self._files, self._identifier, actor, name, race)
        tables.carry_out(statement, self._names)

    def _begin_here(self, actor: str, number: int, statement: Statement) -> None:
        """Load the table, which may be there by now, and append to it."""
        if self._catalogs.loads_freely:
            self.gate.hold(actor, LOAD)
        gated = self._gated(actor, number, self._catalogs.of(actor).loadTable(self._identifier).operations())
        table = self._jvm.iceberg.BaseTable(gated.in_java, f"{NAMESPACE}.{actor}")
        self.gate.note(actor, version=current_snapshot(gated.in_java.current()))
        Updates(self._jvm, self._files, table, f"{actor}-{number}").update(table, statement, 0).commit()

    def _transact(self, table: Any, name: str, given: Transaction) -> None:
        transaction = table.newTransaction()
        self._updates(table, name).transact(transaction, given)

    def _updates(self, table: Any, name: str) -> Updates:
        return Updates(self._jvm, self._files, table, name, {self._start.snapshot: self._start.rows})

    def read_back(self) -> LiveRun:
        """The run with the table's lineage and files."""
        try:
            if not self._catalog.tableExists(self._named):
                return self._by_heads(replace(self._journal.read_back(self.gate, (), lambda _: ()), left=(NO_TABLE,)))
            table = self._catalog.loadTable(self._named)
        except Py4JJavaError as error:  # the file is gone that the catalog names
            return self._by_heads(self._journal.read_back(self.gate, (), partial(_refused, error)))
        metadata, start = metadata_of(self._jvm, table), self._start
        lineage = lineage_of_metadata(metadata, self._snapshots.made, start.snapshot)

        def rows_at(snapshot: int | None) -> Rows:
            return start.rows if snapshot == start.snapshot else self._files.rows(table, snapshot)

        ordinals = {version.snapshot: version.ordinal for version in lineage}
        if self._managed:
            found = places(start.snapshot, self._moves.made).items()
            ordinals = {snapshot: place for snapshot, place in found if snapshot is not None}
        left = left_of(self._jvm, self._files, table, metadata, ordinals, start.defaults, self._managed)
        row_ids = row_ids_amiss(self._jvm, table, metadata)
        played = self._journal.read_back(self.gate, lineage, rows_at)
        amiss = (*self._versions.unkept(self._workload.writers), *amiss_in(metadata))
        run = replace(played, left=left, unkept=amiss, row_ids=row_ids)
        return self._by_heads(run) if self._managed else run

    def _by_heads(self, run: LiveRun) -> LiveRun:
        if self._workload.is_absent:
            return by_heads(run, None, NO_TABLE, (), self._moves.made)
        return by_heads(run, self._start.snapshot, self._start.operation, self._start.rows, self._moves.made)

    def close(self) -> None:
        """Drop the table, and what was written."""
        self._catalogs.leave()
        for name in self._names.all():
            with suppress(Py4JJavaError):  # a table that cannot be loaded stays
                self._catalog.dropTable(name, False)
        self._files.forget_the_rest()


def _refused(error: Py4JJavaError, _: int | None = None) -> NoReturn:
    raise error


class JavaIceberg:
    """Runs workloads in a JVM that nobody else uses. `kinds`: of the catalogs that it has."""

    kinds: tuple[str, ...] = CATALOGS

    def __init__(self, jvm: Jvm) -> None:
        self._jvm = jvm
        self._files = JavaFiles(jvm)
        self._workers = Workers()
        self._numbers = itertools.count(1)
        self._catalog = jvm.iceberg.inmemory.InMemoryCatalog()
        self._catalog.initialize("java", jvm.java_map({}))
        self._catalogs: dict[str, Catalogs] = {}
        self._starts = Starts(jvm, self._files, self._catalog, NAMESPACE)
        self._homes = Homes(jvm, self._files, self._starts, NAMESPACE)
        self._catalog.createNamespace(self._starts.identifier("t").namespace())

    def run(self, workload: IcebergWorkload, schedule: Playing, timeout_s: float = WAIT_S) -> LiveRun:
        """Run the workload as the schedule says and read the table back.

        Args: `schedule` may be a function that releases the gate itself; `timeout_s` bounds the wait for each step.
        Raises: `Divergence` if a step is not on offer; `ScheduleError`; `BackendTimeout`; `BackendError` if the
        workload is not one of the Java API.
        """
        _check(workload, self.kinds)
        catalogs = self._reached(workload.catalog)
        steps = schedule if callable(schedule) else at_yield_points(schedule, catalogs.yield_points)
        number = next(self._numbers)
        files, starts = self._homes.of(catalogs, workload, number)
        race = _Race(self._jvm, files, catalogs, starts, f"t{number}", workload)
        return run_gated(self._workers, race, steps, timeout_s)

    def _reached(self, catalog: str) -> Catalogs:
        """How actors reach a catalog of this kind; made when it is first asked for."""
        if catalog not in self._catalogs:
            own: dict[str, Callable[[Jvm], Catalogs]] = {"jdbc": OnJdbc, **HADOOP}
            shared = OverRest if catalog == "rest" else InMemory
            made = own[catalog](self._jvm) if catalog in own else shared(self._jvm, self._catalog)
            self._catalogs[catalog] = made
        return self._catalogs[catalog]

    @property
    def files_in_memory(self) -> int:
        """How many files the JVM holds."""
        return self._files.in_memory

    def close(self) -> None:
        """End the writers' threads; the JVM goes on."""
        self._workers.close()


def _check(workload: IcebergWorkload, kinds: tuple[str, ...]) -> None:
    if workload.catalog not in kinds:
        raise BackendError(f"workload: expected catalog {' or '.join(kinds)} for the Java API, got {workload.catalog}")
    for actor, statements in workload.writers:
        for statement in statements:
            if not isinstance(statement, JavaApi):
                raise BackendError(f"workload, writer {actor}: expected Java API operations only, got {statement}")


@contextmanager
def java_iceberg() -> Iterator[JavaIceberg]:
    """Iceberg's Java API on a bare JVM, started now and ended on the way out.

    Raises: `BackendUnavailable`, `BackendTimeout`, when it does not start.
    """
    with bare_jvm() as jvm, closing(JavaIceberg(jvm)) as live:
        yield live
