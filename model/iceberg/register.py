"""The plainest catalog: one compare-and-swap register per table, no transport rules.

Source: iceberg/3 ("an Iceberg table is one CAS register");
`core/inmemory/InMemoryCatalog.java` (`InMemoryTableOperations`).

Choices: the register holds the metadata itself, where Iceberg's holds the location of a JSON file that only this
commit could have written. An answer that leaves the outcome open is an unknown state, with no status check: nothing
but the metadata itself could be asked.
"""

from model import ports
from model.iceberg import coverage
from model.iceberg.catalog import Making
from model.iceberg.errors import AlreadyExists, CommitFailed, CommitStateUnknown, NoSuchTable, ServiceFailure
from model.iceberg.existence import DROPPED, Create, Drop
from model.iceberg.meanings import Commits, LostRace, Renames
from model.iceberg.metadata import TableMetadata
from model.ports import CasLost, NotFound, PortError, Versioned, World


class RegisterOperations(Making[Versioned]):
    """`TableOperations` over `world.register`; `loaded`: what the client knows from the start, if it loaded before."""

    __slots__ = ("_loaded",)

    def __init__(self, world: World, name: str, loaded: Versioned | None = None) -> None:
        super().__init__(world, name, loaded)
        self._loaded: TableMetadata | None = None if loaded is None else loaded.value
        """The table as it was loaded last, without what this client has committed since."""

    def refresh(self) -> TableMetadata:
        """Load the register. Raises `NoSuchTable`, or `ServiceFailure` if no usable answer came."""
        found = self.find()
        if found is None:
            raise NoSuchTable(f"load {self._name}: expected a table, the catalog has none")
        return found

    def find(self) -> TableMetadata | None:
        """Load the register. Returns: the table; if it is gone, as it was loaded last; None: it never was.

        Source: `InMemoryTableOperations.doRefresh`: without a location, nothing is refreshed, and a commit of one's own
        is no refresh.
        """
        try:
            seen = self._world.register.load(self._name)
        except NotFound:
            return self._loaded
        except PortError as error:
            raise ServiceFailure(f"load {self._name}: expected its metadata, got {error}") from error
        self._loaded = self._see(seen)
        return self._loaded

    def commit(self, updated: TableMetadata, replaces: TableMetadata | None = None) -> None:
        """Swap the register from what was seen last to `updated`; nothing is asked of it if that is the same.

        Source: `BaseMetastoreTableOperations.commit` ("Nothing to commit"): by identity, which a replacement that has
        been committed already and is read anew does not have.
        """
        seen = self.seen
        if updated is seen.value and replaces is None:
            return
        expected = seen.version
        self._world.notes.intend(Commits(seen.value, updated, True))
        try:
            version = self._world.register.commit(self._name, expected, updated)
        except CasLost as error:
            self._world.notes.learn(LostRace())
            raise CommitFailed(f"commit {self._name}: expected version {expected} to be current; {error}") from None
        except NotFound:
            raise NoSuchTable(f"commit {self._name}: expected a table, the catalog has none") from None
        except PortError as error:
            raise CommitStateUnknown(f"commit {self._name}: expected an answer, got {error}") from error
        self._seen = Versioned(version, updated)

    def create(self, begun: TableMetadata, updated: TableMetadata) -> None:
        """Make the table. Source: `InMemoryTableOperations.doCommit` ("Table already exists")."""
        self._world.notes.intend(Commits(begun, updated, True))
        try:
            self._seen = self._world.register.update(self._name, Create(updated))
        except ports.AlreadyExists as error:
            self._world.notes.learn(LostRace())
            self._world.coverage.hit(coverage.TABLE_EXISTS)
            raise AlreadyExists(f"create {self._name}: {error}") from None
        except CasLost as error:
            raise CommitFailed(f"create {self._name}: {error}") from None
        except PortError as error:
            raise CommitStateUnknown(f"create {self._name}: expected an answer, got {error}") from error

    def drop(self, by: int) -> bool:
        """Source: `InMemoryCatalog.dropTable`."""
        self._world.notes.intend(Commits(DROPPED, DROPPED, fenced=False))
        try:
            self._world.register.update(self._name, Drop(by))
        except NotFound:
            return False
        except CasLost as error:
            raise CommitFailed(f"drop {self._name}: {error}") from None
        except PortError as error:
            raise CommitStateUnknown(f"drop {self._name}: expected an answer, got {error}") from error
        return True

    def rename(self, name: str, to: str) -> None:
        """Give a table another name; nothing of it is compared, and whatever it is at moves with it.

        Source: `InMemoryCatalog.renameTable`, which returns where both names are one. Raises: `NoSuchTable`,
        `AlreadyExists`, and what a drop does.
        """
        if name == to:
            return
        self._world.notes.intend(Renames(name, to, puts_back=False))
        try:
            self._world.register.rename(name, to)
        except NotFound:
            raise NoSuchTable(f"rename {name}: expected a table, the catalog has none") from None
        except ports.AlreadyExists as error:
            raise AlreadyExists(f"rename {name}: {error}") from None
        except CasLost as error:
            raise CommitFailed(f"rename {name}: {error}") from None
        except PortError as error:
            raise CommitStateUnknown(f"rename {name}: expected an answer, got {error}") from error
