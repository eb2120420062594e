"""The Hive catalog: the pointer is a table parameter in the metastore, the metadata a JSON file that it names.

A commit writes the JSON file, takes the table lock, reads the table, compares the location, and alters the table:
unconditionally while it holds the lock, or with the old location as expected parameter if locks are off. The answer to
an alter may be lost; then the current metadata and its log are searched for the new location. The JSON file is deleted
only if the commit certainly failed. Tables are made and dropped in `metastore_tables`. Whether it locks the table says
that is committed to, by its property; where it says nothing each client goes by its own catalog's setting, and who
alters under the lock sees nothing of who takes none.

Source: iceberg/2.5, iceberg/2.6, iceberg/3.1; `hive-metastore/.../hive/HiveTableOperations.java` (`doCommit`,
`doRefresh`), `core/BaseMetastoreTableOperations.java`, `core/BaseMetastoreOperations.java` (status checks).

Choices: the JSON file's body is the metadata itself. Format and engine parameters that no concurrency depends on are
left out; every parameter that is there is carried over, so an alter writes what the read saw. The read of the JSON is
not retried, as it is not there or it is.
"""

from typing import Literal, NamedTuple

from model.iceberg import coverage
from model.iceberg.backoff import Backoff
from model.iceberg.catalog import Making
from model.iceberg.errors import (
    CommitFailed,
    CommitStateUnknown,
    IcebergError,
    LockFailed,
    NoSuchTable,
    ServiceFailure,
)
from model.iceberg.meanings import (
    FOR_OUTCOME,
    METADATA,
    Commits,
    ComparesLocation,
    FindsLocation,
    FindsOwnCommit,
    LostRace,
)
from model.iceberg.metadata import TableMetadata
from model.iceberg.metastore_lock import HEARTBEAT_INTERVAL_MS, LOCK_TIMEOUT_MS, MetastoreLock, NoLock
from model.iceberg.rules import Rules
from model.iceberg.storage import TableFiles
from model.ports import CasLost, NotFound, PortError, World

LOCATION = "metadata_location"
PREVIOUS_LOCATION = "previous_metadata_location"
LOCK_ENABLED = "engine.hive.lock-enabled"
"""The table property that says for everybody whether commits lock."""
CommitStatus = Literal["success", "failure", "unknown"]
Outcome = tuple[CommitStatus, IcebergError | None]


class Loaded(NamedTuple):
    """Metadata and the JSON file that it was read from."""

    location: str
    value: TableMetadata


class HiveOperations(Making[Loaded]):
    """`TableOperations` over the metastore, lock and object store ports."""

    def __init__(
        self,
        world: World,
        name: str,
        rules: Rules,
        loaded: Loaded | None = None,
        *,
        locks: bool = True,
        heartbeat_interval_ms: int = HEARTBEAT_INTERVAL_MS,
        lock_timeout_ms: int = LOCK_TIMEOUT_MS,
    ) -> None:
        super().__init__(world, name, loaded)
        self._rules = rules
        self._outdated = False
        self._locks = locks
        self._files = TableFiles(world, name)
        self._heartbeat_interval_ms = heartbeat_interval_ms
        self._lock_timeout_ms = lock_timeout_ms

    @property
    def seen(self) -> Loaded:
        """The table as last seen, loaded anew after a commit. Source: `requestRefresh`, `current`."""
        if self._outdated:
            self.refresh()
        return super().seen

    def refresh(self) -> TableMetadata:
        """Read the table's location, and the JSON file there unless it is the one already known.

        Raises: `NoSuchTable`, after which the table is forgotten; `IcebergError` if it is another table.
        """
        found = self._table_there()
        if found is None:
            self._seen, self._outdated = None, False
            raise NoSuchTable(f"get {self._name}: expected a table, the metastore has none")
        location = found[LOCATION]
        known = self._seen if self._seen is not None and self._seen.location == location else None
        metadata = self._see(known or Loaded(location, self._files.metadata(location)))
        self._outdated = False
        return metadata

    def commit(self, updated: TableMetadata, replaces: TableMetadata | None = None) -> None:
        """Source: `HiveTableOperations.doCommit`, statement by statement; `BaseMetastoreTableOperations.commit`, by
        which nothing is asked for if nothing is changed."""
        base = self.seen
        if updated is not base.value or replaces is not None:
            self._publish(base.value, base.location, _with_log(updated, base.location))

    def _publish(self, base: TableMetadata, base_location: str | None, updated: TableMetadata) -> None:
        """Write the JSON file, and have the table name it. Args: `base_location`: None: a new table."""
        location = self._write_json(base_location, updated)
        lock = self._lock_object(base)
        status: CommitStatus = "failure"
        try:
            lock.lock()
            self._world.notes.intend(ComparesLocation(base_location or ""))
            table = self._table_there()
            self._compare_location(table, base_location)
            self._ensure_active_before(lock)
            self._world.notes.intend(Commits(base, updated, fenced=isinstance(lock, NoLock)))
            status, error = self._persist(table, Loaded(location, updated), base_location, lock)
            if error is not None:
                raise error
        except LockFailed as failed:
            raise CommitFailed(f"commit {self._name}: expected to hold the lock; {failed}") from failed
        finally:
            self._finish(status, location, lock)
        self._seen, self._outdated = Loaded(location, updated), True

    def _compare_location(self, table: dict[str, str] | None, base_location: str | None) -> None:
        """Source: iceberg/3.1: another commit may have come before the lock was had, or a drop, which takes none."""
        found = None if table is None else table.get(LOCATION)
        self._world.notes.learn(FindsLocation(found or ""))
        if found != base_location:
            self._world.coverage.hit(coverage.LOCATION_CHANGED)
            raise CommitFailed(f"commit {self._name}: expected {base_location} to be current, got {found}")

    def _persist(
        self, table: dict[str, str] | None, made: Loaded, base: str | None, lock: MetastoreLock | NoLock
    ) -> Outcome:
        """Have the table name the file. Args: `table`: its parameters as they were read."""
        parameters = table or {}
        parameters |= {LOCATION: made.location, PREVIOUS_LOCATION: parameters.get(LOCATION, "")}
        return self._alter(parameters, base, made, lock)

    def _lock_object(self, base: TableMetadata) -> MetastoreLock | NoLock:
        """Source: `HiveTableOperations.hiveLockEnabled`: as the table says that is committed to, else the catalog."""
        said = dict(base.properties.further).get(LOCK_ENABLED)
        if not (self._locks if said is None else said == "true"):
            return NoLock()
        return MetastoreLock(
            self._world,
            self._name,
            self._rules,
            heartbeat_interval_ms=self._heartbeat_interval_ms,
            timeout_ms=self._lock_timeout_ms,
        )

    def _table_there(self) -> dict[str, str] | None:
        """The table's parameters; None if there is no table. Source: `loadHmsTable`."""
        try:
            return self._world.metastore.get_table(self._name)
        except NotFound:
            return None
        except PortError as error:
            raise ServiceFailure(f"get {self._name}: expected its parameters, got {error}") from error

    def _write_json(self, base_location: str | None, metadata: TableMetadata) -> str:
        """Source: iceberg/2.6: `<NNNNN>-<unique>.metadata.json`, one more than the current version."""
        location = metadata_location(self._world, self._name, _version(base_location or "") + 1)
        self._files.write(location, metadata, METADATA)
        return location

    def _ensure_active_before(self, lock: MetastoreLock | NoLock) -> None:
        try:
            lock.ensure_active()
        except LockFailed:
            self._world.coverage.hit(coverage.LOCK_LOST_BEFORE_ALTER)
            raise

    def _ensure_active_after(self, lock: MetastoreLock | NoLock) -> Outcome:
        """A lock lost by now may have let another commit in between; the alter itself has happened (J07)."""
        try:
            lock.ensure_active()
        except LockFailed as failed:
            self._world.coverage.hit(coverage.LOCK_LOST_AFTER_ALTER)
            return "unknown", CommitStateUnknown(f"commit {self._name}: expected to hold the lock throughout; {failed}")
        return "success", None

    def _alter(self, table: dict[str, str], base: str | None, made: Loaded, lock: MetastoreLock | NoLock) -> Outcome:
        try:
            self._world.metastore.alter_table(self._name, table, self._expected(base, lock))
        except CasLost as error:
            self._world.notes.learn(LostRace())
            return self._modified(made, error)
        except PortError as error:
            return self._unanswered(made, error)
        return self._ensure_active_after(lock)

    def _expected(self, base: str | None, lock: MetastoreLock | NoLock) -> tuple[str, str] | None:
        """The parameter that the alter is to compare. Source: iceberg/3.1: without locks, the old location."""
        return (LOCATION, base) if isinstance(lock, NoLock) and base is not None else None

    def _modified(self, made: Loaded, error: PortError) -> Outcome:
        """The expected location did not hold; perhaps because our own alter was sent twice (J10).

        No pending request can succeed any more, so here the check may say FAILURE.
        """
        text = f"commit {self._name}: expected the table unmodified; {error}"
        status = self._check_status(made)
        if status == "success":
            return status, None
        if status == "failure":
            self._world.coverage.hit(coverage.STATUS_FAILURE)
            return status, CommitFailed(text)
        return status, CommitStateUnknown(text)

    def _unanswered(self, made: Loaded, error: PortError) -> Outcome:
        """The call may have happened (J01), may still happen (J02), or never will; or the table is gone.

        Source: iceberg/2.5: any error but those that say why is checked so.
        """
        if self._check_status(made) == "success":
            return "success", None
        self._world.coverage.hit(coverage.STATUS_UNKNOWN)
        return "unknown", CommitStateUnknown(f"commit {self._name}: expected an acknowledgement, got {error}")

    def _check_status(self, made: Loaded) -> CommitStatus:
        """Whether the new location is current or in the metadata log. Source: `checkCommitStatusStrict`."""
        properties = made.value.properties
        backoff = Backoff(
            self._world,
            properties.commit_status_check_num_retries,
            properties.commit_status_check_min_wait_ms,
            properties.commit_status_check_max_wait_ms,
            properties.commit_status_check_total_timeout_ms,
        )
        while True:
            self._world.notes.intend(FOR_OUTCOME)
            try:
                found = made.location in (*self.refresh().metadata_log, self.seen.location)
            except IcebergError:
                if not backoff.may_retry():
                    return "unknown"
                backoff.wait()
            else:
                self._world.notes.learn(FindsOwnCommit(found))
                if found:
                    self._world.coverage.hit(coverage.STATUS_SUCCESS)
                return "success" if found else "failure"

    def _finish(self, status: CommitStatus, location: str, lock: MetastoreLock | NoLock) -> None:
        """Source: `HiveOperationsBase.cleanupMetadataAndUnlock`."""
        try:
            if status == "failure":
                self._delete_json(location)
        finally:
            lock.unlock()

    def _delete_json(self, location: str) -> None:
        deleted = self._files.delete_quietly((location,))
        self._world.coverage.hit(coverage.JSON_DELETED if deleted else coverage.JSON_KEPT)


def metadata_location(world: World, name: str, version: int) -> str:
    """A new name for a metadata file."""
    return f"{name}/metadata/{version:05d}-{world.chance.fresh('metadata')}.metadata.json"


def _version(location: str) -> int:
    """Source: iceberg/2.6: a name that does not begin with a number counts as -1."""
    head = location.rsplit("/", 1)[-1].split("-", 1)[0]
    return int(head) if head.isdigit() else -1


def _with_log(metadata: TableMetadata, previous: str) -> TableMetadata:
    """The metadata log plus the base's location, no longer than `write.metadata.previous-versions-max`."""
    log = (*metadata.metadata_log, previous)
    return metadata._replace(metadata_log=log[-max(1, metadata.properties.previous_versions_max) :])
