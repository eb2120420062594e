"""What live metastores have when a run is over: the database, past every cache, and what each cache serves.

A cache is asked by a client that begins then; of statistics without a list, so that all that it has is told.
"""

from collections.abc import Sequence

from checkers.histories.history import FINAL, Read
from checkers.histories.recorder import Recorder
from model.hive.errors import NoSuchTable
from model.hive.replica import Request
from model.hive.rows import constraint_key, content_key, statistics_key
from real_backend.errors import BackendError
from real_backend.hive.backing import Backing, Row
from real_backend.hive.names import Names, as_text
from real_backend.hive.statistics_calls import LiveStatistics
from sim.hive.final import NEVER
from sim.hive.statements import Reads, content_of, names_of
from sim.hive.workload import HiveWorkload


class AtEnd:
    """Reads a run's tables, and records what caches serve of them."""

    def __init__(self, backing: Backing, names: Names, workload: HiveWorkload, recorder: Recorder) -> None:
        self._backing = backing
        self._names = names
        self._workload = workload
        self._recorder = recorder

    def tables(self) -> list[str]:
        """The tables that there are, by the workload's names."""
        found = [name for database in self._names.databases for name in self._backing.tables(database)]
        return [self._names.ours(name) for name in found]

    def contents(self) -> dict[str, str | None]:
        """What the database has, by key."""
        found: dict[str, str | None] = {}
        for table in self.tables():
            row = self._row(table)
            incarnation = self._names.incarnation(row)
            found[content_key(incarnation)] = row.parameters.get("v")
            if (key := self._backing.key(row.live_id)) is not None:
                found[constraint_key(incarnation)] = key
            if (highest := self._backing.statistics(row.live_id)) is not None:
                found[statistics_key(incarnation)] = as_text(highest)
            for name, value in self._backing.partitions(row.live_id):
                found[content_key(incarnation, name)] = value
            for name, number in self._backing.partition_statistics(row.live_id):
                found[statistics_key(incarnation, name)] = as_text(number)
        return found

    def ask(self, name: str, replica: LiveStatistics) -> None:
        """Record what one cache serves: of the tables that there are, and of names that no table has any more."""
        there = sorted(self.tables())
        for table in (*there, *sorted([other for other in names_of(self._workload) if other not in there])):
            incarnation = self._names.incarnation(self._row(table)) if table in there else 0
            arg = f"at={name} table={table} id={incarnation}"
            parts = self._workload.partitions_of(table)
            try:
                request = replica.newest_request(table)
                answer = (replica.get_partitions if parts else replica.get_table)(request)
            except NoSuchTable:
                if incarnation:
                    self._record(name, f"{arg} {self._missing(table)}", ())
                continue
            if answer.source == "database":
                self._record(name, f"{arg} {self._missing(table)}", ())
                continue
            reads = content_of(answer, parts)
            if table in there:
                reads += [*self._analyzed(replica, table), *self._key(replica, table)]
            self._record(name, f"{arg} source=cache seen={answer.table.id}", [Read(*read) for read in reads])

    def _analyzed(self, replica: LiveStatistics, table: str) -> Reads:
        """The statistics that a cache has of a table that has some, and of its partitions, and of those that some were
        deleted of."""
        live_id = self._row(table).live_id
        there = [""] if self._backing.statistics(live_id) is not None else []
        there += [name for name, _ in self._backing.partition_statistics(live_id)]
        deleted = [of for one, of in self._names.deleted.values() if one == self._names.incarnation(self._row(table))]
        parts = ["", *[name for name, _ in self._backing.partitions(live_id)]]
        told = [(name, replica.get_statistics(Request(table), name)) for name in parts if name in (*there, *deleted)]
        return [
            (statistics_key(one.table.id, name), one.value, None)
            for name, one in told
            if one.source == "cache" and (name in there or one.value is not None)
        ]

    def _key(self, replica: LiveStatistics, table: str) -> Reads:
        """The primary key that a cache has of a table, if it or the table has one."""
        told = replica.get_key(Request(table))
        known = told.value is not None or self._backing.key(self._row(table).live_id) is not None
        return [(constraint_key(told.table.id), told.value, None)] if known and told.source == "cache" else []

    def _missing(self, table: str) -> str:
        return "source=database" if self._workload.cached.has(table) else f"source=database {NEVER}"

    def _record(self, name: str, arg: str, reads: Sequence[Read]) -> None:
        op = self._recorder.invoke(f"{FINAL}-{name}", "cached", arg)
        self._recorder.ok(op, reads=reads)

    def _row(self, table: str) -> Row:
        row = self._backing.table(self._names.live(table))
        if row is None:
            raise BackendError(f"table {table}: expected it in the database, found none")
        return row
