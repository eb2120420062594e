"""A client session: reads, locks and changes tables as one that has a snapshot, and marks its own writes in its lists.

Source: hive/4.2, hive/4.3; the design document, "Read", "Write"; `DbLockManager.lock`.

Choices: a write says which table it means, an old client's too: whoever takes write ids has asked for the table's id. A
lock is checked twice before it is given up (`hive.lock.numretries`, 100); a request for one that got no answer is made
again once, as Trino's client does (`ThriftHiveMetastore.acquireLock`, at 031d18b6). Hive's own does not:
`IMetaStoreClient.lock` is the one call that its `RetryingMetaStoreClient` never makes again
(`RetrySemantics.CannotRetry`). All others it does, once: here a session that `asks_again`; any other one that got no
answer is told so. After a wait for the lock of a table the session keeps its snapshot and its write ids; one that
updates rows looks whether they are outdated. A transaction that a later one has overtaken is aborted, and its statement
refused; upstream begins another one in its place (`Driver.compileAndRespond`).
"""

from collections.abc import Callable, Sequence

from model.hive import coverage
from model.hive.errors import LockNotGranted, NoAnswer, SnapshotOutdated, TxnAborted
from model.hive.lock_queue import LockKind
from model.hive.locks import Locked
from model.hive.replica import Aggregate, Answer, Told
from model.hive.rows import ABORTED, Event, Parameters
from model.hive.session_snapshot import SessionSnapshot
from model.ports import Unanswered

CHECKS = 2


class Session(SessionSnapshot):
    """One client."""

    def get_table(self, name: str, at: str = "") -> Answer:
        """Read a table through replica `at`."""
        request = self.request(name)
        return self._replica(at or self.home).get_table(request)

    def get_partitions(self, name: str, at: str = "") -> Answer:
        """List a table's partitions through replica `at`."""
        request = self.request(name)
        return self._replica(at or self.home).get_partitions(request)

    def update_rows(self, name: str) -> int:
        """Change rows: a write that the commit checks for conflicts; returns the write id."""
        write_id = self.write_id(name)
        self._replica(self.home).record_update(self.txn, name, self._meant(name))
        return write_id

    def lock_table(self, name: str, kind: LockKind) -> int:
        """Lock a table until the transaction ends; returns the lock's number.

        Raises: `LockNotGranted`, and the transaction is aborted; `NoAnswer`, if nobody will ever make way.
        """
        home = self._replica(self.home)
        return self._granted(name, lambda: home.lock_table(self.txn, name, kind))

    def lock_together(self, parts: Sequence[tuple[LockKind, str]]) -> int:
        """The same of several tables ("default.t"), partitions ("default.t/d=1") and databases ("default") at once.

        Raises: as `lock_table`.
        """
        home = self._replica(self.home)
        names = ", ".join([name for _, name in parts])
        return self._granted(names, lambda: home.lock_together(self.txn, parts))

    def insert_under_lock(self, name: str) -> int:
        """Insert rows under a lock, until the transaction ends; returns the lock's number.

        Raises: as `lock_table`; `NoSuchTable` and `TableReplaced`, if the name is not the table's any more.
        """
        self.write_id(name)
        home = self._replica(self.home)
        meant = self._meant(name)
        return self._granted(name, lambda: home.lock_insert(self.txn, name, meant))

    def update_under_lock(
        self, name: str, kind: LockKind, partitions: Sequence[str] = (), *, renews: bool = True
    ) -> int:
        """Change rows under a lock, until the transaction ends; returns the lock's number.

        The write id is taken first, as a statement is compiled. When the lock is there, what is outdated is taken anew:
        the snapshot, its lists, the write ids (HIVE-26472).

        Args: `partitions` that are known at the end alone; `renews` False goes on with what it has.

        Raises: as `lock_table`; `NoSuchTable` and `TableReplaced`, if the name is not the table's any more;
        `SnapshotOutdated`, and the transaction is aborted.
        """
        self.write_id(name)
        home = self._replica(self.home)
        meant = self._meant(name)
        number = self._granted(name, lambda: home.lock_update(self.txn, name, kind, bool(partitions), meant))
        if renews:
            self._renew(name)
        if partitions:
            home.add_dynamic_partitions(self.txn, name, partitions)
        return number

    def _renew(self, name: str) -> None:
        """Source: `DriverTxnHandler.isValidTxnListState`, `DbTxnManager.clearCaches`."""
        home = self._replica(self.home)
        assert self.snapshot is not None, "a lock is asked for in a transaction"
        outdated = home.outdated(self.txn, self.snapshot)
        if outdated == "transaction":
            self.observer.hit(coverage.OUTDATED)
            self.abort()
            raise SnapshotOutdated(f"update of {name}: expected no changes of a later transaction, got some")
        if outdated == "snapshot":
            self.observer.hit(coverage.RENEWED)
            self.snapshot = home.valid_txns(self.txn)
            self.tables = {known: home.table_ids(self.snapshot, known) for known in self.tables}
            for known in self.own:
                ids = self.tables[known]
                self.own[known] = home.allocate_write_id(self.txn, known, ids.table_id, again=True)
                self._mark_own(known, ids)

    def _granted(self, name: str, ask: Callable[[], Locked]) -> int:
        """Ask, and wait."""
        home = self._replica(self.home)
        try:
            asked = ask()
        except Unanswered:
            if self.asks_again:
                raise
            self.observer.hit(coverage.LOCK_AGAIN)
            asked = ask()
        for _ in range(CHECKS):
            if not asked.held:
                asked = home.check_lock(asked.number)
        if asked.held:
            return asked.number
        ended = home.give_up_lock(asked.number)
        self.abort()
        if ended:
            raise NoAnswer(f"lock of {name}: expected it, it waits for transaction {ended}, which has ended")
        raise LockNotGranted(f"lock of {name}: expected it after {CHECKS} checks, got none")

    def create_table(self, name: str, parameters: Parameters, managed: bool = True, at: str = "") -> Event:
        """Make a table; what the session knew under that name no longer counts."""
        event = self._replica(at or self.home).create_table(name, parameters, managed)
        self._forget(name)
        return event

    def alter_table(self, name: str, parameters: Parameters, at: str = "") -> Event:
        """Replace a table's parameters."""
        write_id = self.write_id(name)
        return self._replica(at or self.home).alter_table(name, parameters, write_id, table_id=self._meant(name))

    def put_partition(self, name: str, partition: str, value: str, at: str = "") -> Event:
        """Add or alter a partition."""
        write_id = self.write_id(name)
        return self._replica(at or self.home).put_partition(name, partition, value, write_id, self._meant(name))

    def rename_partition(self, name: str, old: str, partition: str, value: str, at: str = "") -> Event:
        """Give a partition another name, and this value."""
        write_id = self.write_id(name)
        replica = self._replica(at or self.home)
        return replica.rename_partition(name, old, partition, value, write_id, self._meant(name))

    def analyze(self, name: str, value: str, at: str = "", partition: str = "") -> Event:
        """Say what the statistics of a table's column are, or of its partition's."""
        write_id = self.write_id(name)
        replica = self._replica(at or self.home)
        return replica.update_statistics(name, value, write_id, self.request(name).writes, self._meant(name), partition)

    def delete_statistics(self, name: str, at: str = "", partition: str = "", *, unnamed: bool = False) -> Event:
        """Delete the statistics of a table's column, or of its partition's, or `unnamed` of all columns."""
        replica = self._replica(at or self.home)
        return replica.delete_statistics(name, self._meant(name), partition, unnamed=unnamed)

    def get_statistics(self, name: str, at: str = "", partition: str = "") -> Told:
        """Ask for a table's statistics, or its partition's, through replica `at`."""
        request = self.request(name)
        return self._replica(at or self.home).get_statistics(request, partition)

    def add_key(self, name: str, key: str, at: str = "") -> Event:
        """Give a table a primary key."""
        write_id = self.write_id(name)
        return self._replica(at or self.home).add_key(name, key, write_id, self._meant(name))

    def drop_key(self, name: str, key: str, at: str = "") -> Event:
        """Take a table's primary key away."""
        write_id = self.write_id(name)
        return self._replica(at or self.home).drop_key(name, key, write_id, self._meant(name))

    def get_key(self, name: str, at: str = "") -> Told:
        """Ask what a table's primary key is called, through replica `at`."""
        request = self.request(name)
        return self._replica(at or self.home).get_key(request)

    def get_aggregate(self, name: str, partitions: Sequence[str], at: str = "") -> Aggregate:
        """Ask for the statistics of some of a table's partitions together."""
        request = self.request(name)
        return self._replica(at or self.home).get_aggregate(request, partitions)

    def drop_partition(self, name: str, partition: str, at: str = "") -> Event:
        """Drop a partition."""
        write_id = self.write_id(name)
        return self._replica(at or self.home).drop_partition(name, partition, write_id, self._meant(name))

    def rename_table(self, name: str, to: str, at: str = "") -> Event:
        """Rename a table; the session's id, list and write id follow."""
        write_id = self.write_id(name)
        event = self._replica(at or self.home).rename_table(name, to, write_id, self._meant(name))
        self._follow(name, to)
        return event

    def rename_database(self, database: str, to: str, at: str = "") -> tuple[Event, ...]:
        """Rename a database; what the session knows of its tables follows those that have another name then."""
        events = self._replica(at or self.home).rename_database(database, to)
        for event in events:
            self._follow(event.name, event.table.name if event.table is not None else event.name)
        return events

    def truncate_table(self, name: str, at: str = "", *, partitioned: bool) -> tuple[Event, ...]:
        """Delete all rows of a table, or of its partitions."""
        write_id = self.write_id(name)
        replica, writes = self._replica(at or self.home), self.request(name).writes
        return replica.truncate_table(name, write_id, writes, self._meant(name), partitioned=partitioned)

    def drop_table(self, name: str, at: str = "") -> Event:
        """Drop a table."""
        event = self._replica(at or self.home).drop_table(name)
        self._forget(name)
        return event

    def commit(self) -> None:
        """Commit. Raises: `TxnAborted` on a write conflict, `NoSuchTxn`."""
        ending = self._replica(self.home).commit_txn(self.txn)
        self._end()
        if ending.state == ABORTED:
            raise TxnAborted(f"commit of transaction {self.txn}: expected it committed, got an abort: {ending.why}")

    def abort(self) -> None:
        """Abort. Raises: `NoSuchTxn`."""
        self._replica(self.home).abort_txn(self.txn)
        self._end()
