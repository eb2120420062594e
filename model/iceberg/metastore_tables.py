"""Making and dropping tables of the Hive catalog.

| what is asked | calls to the metastore |
| --- | --- |
| create | lock, `get_table`, `create_table`, which a table of that name refuses, unlock; without locks the two alone |
| drop | `get_table`, `drop_table` of whatever has the name; no lock is taken, and nothing is compared |
| rename | `get_table` of the new name, twice, and of the table; `alter_table` to what was read, with the new name |
| create or replace | `get_table` at its begin, to look for a view; as create where nothing is, else as a commit |

The metastore's client sends what was not answered once more, and looks at nothing before: so a creation that was made
is told that the table exists, whereupon its metadata file is deleted, which the table names; and a drop takes away a
table that was made meanwhile. A rename takes no lock and compares nothing: it puts the location back that it has read.

Source: `hive-metastore/.../hive/HiveTableOperations.java` (`doCommit`), `HiveOperationsBase.java` (`persistTable`,
`cleanupMetadataAndUnlock`), `HiveCatalog.java` (`dropTable`, `renameTableOrView`, `ViewAwareTableBuilder`) of 1.11.0;
`RetryingMetaStoreClient.java` (`invoke`, `hive.metastore.failure.retries` is 1) and `HiveMetaStoreClient.java`
(`dropTable`) of Hive 2.3.9.

Choices: only these calls are sent again by a step of their own; what else the client sends again is the fault `resend`.
A drop leaves the files (no purge).
"""

from collections.abc import Callable
from typing import TypeVar

from model import ports
from model.iceberg import coverage
from model.iceberg.errors import AlreadyExists, CommitFailed, MetastoreFailed, NoSuchTable
from model.iceberg.existence import DROPPED
from model.iceberg.meanings import Commits, FindsLocation, LostRace, Renames
from model.iceberg.metadata import TableMetadata
from model.iceberg.metastore import LOCATION, HiveOperations, Loaded, Outcome
from model.iceberg.metastore_lock import MetastoreLock, NoLock
from model.ports import CasLost, NotFound, PortError, Unanswered

Answer = TypeVar("Answer")
RETRY_DELAY_MS = 1_000
"""Source: `hive.metastore.client.connect.retry.delay`."""


class HiveTables(HiveOperations):
    """`TableOperations` of the Hive catalog that make tables, and drop them."""

    def begin(self, *, replaces: bool) -> TableMetadata | None:
        """Source: `HiveCatalog.ViewAwareTableBuilder`: who may replace looks for a view of that name before."""
        if replaces:
            self._table_there()
        return super().begin(replaces=replaces)

    def find(self) -> TableMetadata | None:
        """Load the table; what was known and is gone is looked for once more, as a table that was never seen.

        Source: `BaseTransaction.commitReplaceTransaction`, which asks for `current` after the refresh has failed.
        """
        known = self._seen is not None
        try:
            return self.refresh()
        except NoSuchTable:
            return self.find() if known else None

    def create(self, begun: TableMetadata, updated: TableMetadata) -> None:
        """Make the table. Raises: `AlreadyExists`, after which the metadata file is deleted; else as a commit."""
        self._publish(begun, None, updated)

    def _compare_location(self, table: dict[str, str] | None, base_location: str | None) -> None:
        """Source: `doCommit`: what is to be created exists if there is a table that has a location."""
        found = None if table is None else table.get(LOCATION)
        if base_location is None and found is not None:
            self._world.notes.learn(FindsLocation(found))
            raise self._exists("the metastore has one")
        super()._compare_location(table, base_location)

    def _persist(
        self, table: dict[str, str] | None, made: Loaded, base: str | None, lock: MetastoreLock | NoLock
    ) -> Outcome:
        """Source: `persistTable`: what was not there is created."""
        if table is not None:
            return super()._persist(table, made, base, lock)
        try:
            self._sent(lambda: self._world.metastore.create_table(self._name, {LOCATION: made.location}))
        except ports.AlreadyExists as error:
            self._world.notes.learn(LostRace())
            if self._rules.creation_looks_again and self._check_status(made) == "success":
                return "success", None
            raise self._exists(str(error)) from None
        except PortError as error:
            return self._unanswered(made, error)
        return self._ensure_active_after(lock)

    def _exists(self, why: str) -> AlreadyExists:
        self._world.coverage.hit(coverage.TABLE_EXISTS)
        return AlreadyExists(f"create {self._name}: expected no table, {why}")

    def drop(self, by: int) -> bool:
        """Drop whatever has the name. Raises: `MetastoreFailed`."""
        self._world.notes.intend(Commits(DROPPED, DROPPED, fenced=False))
        try:
            self._sent(lambda: self._drop(by))
        except NotFound:
            return False
        except PortError as error:
            raise MetastoreFailed(f"drop {self._name}: expected an answer, got {error}") from error
        return True

    def _drop(self, by: int) -> None:
        """Source: `HiveMetaStoreClient.dropTable`, which looks for the table to find its hook."""
        self._world.metastore.get_table(self._name)
        self._world.metastore.drop_table(self._name, by)

    def rename(self, name: str, to: str) -> None:
        """Give a table another name. Raises: `AlreadyExists`, `NoSuchTable`, `MetastoreFailed`, and `CommitFailed`
        where the location is compared.

        Source: `HiveCatalog.renameTableOrView`, which looks for a table and for a view of the new name.
        """
        metastore = self._world.metastore
        try:
            if self._is_there(name, to) or self._is_there(name, to):
                raise AlreadyExists(f"rename {name}: expected no table {to}, the metastore has one")
            self._world.notes.intend(Renames(name, to))
            found = metastore.get_table(name)
            self._world.notes.intend(Renames(name, to))
            expected = (LOCATION, found.get(LOCATION, "")) if self._rules.rename_compares else None
            metastore.rename_table(name, to, found, expected)
        except NotFound:
            raise NoSuchTable(f"rename {name}: expected a table, the metastore has none") from None
        except ports.AlreadyExists as error:
            raise AlreadyExists(f"rename {name}: {error}") from None
        except CasLost as error:
            self._world.coverage.hit(coverage.RENAME_REFUSED)
            raise CommitFailed(f"rename {name}: {error}") from None
        except PortError as error:
            raise MetastoreFailed(f"rename {name}: expected an answer, got {error}") from error

    def _is_there(self, name: str, to: str) -> bool:
        self._world.notes.intend(Renames(name, to))
        try:
            self._world.metastore.get_table(to)
        except NotFound:
            return False
        return True

    def _sent(self, call: Callable[[], Answer]) -> Answer:
        """Send it, and once more if no answer came."""
        try:
            return call()
        except Unanswered:
            self._world.coverage.hit(coverage.SENT_AGAIN)
            self._world.clock.sleep_ms(RETRY_DELAY_MS)
            return call()
