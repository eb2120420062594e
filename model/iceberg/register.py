"""The plainest catalog: one compare-and-swap register per table, no transport rules.

Source: iceberg/3 ("an Iceberg table is one CAS register");
`core/inmemory/InMemoryCatalog.java` (`InMemoryTableOperations`).

Choices: the register holds the metadata itself, where Iceberg's holds the location of a JSON file that only this
commit could have written. An answer that leaves the outcome open is an unknown state, with no status check: nothing
but the metadata itself could be asked.
"""

from model.iceberg.catalog import LastSeen
from model.iceberg.errors import CommitFailed, CommitStateUnknown, NoSuchTable, ServiceFailure
from model.iceberg.meanings import Commits, LostRace, Sees
from model.iceberg.metadata import TableMetadata
from model.ports import CasLost, NotFound, PortError, Versioned, World


class RegisterOperations(LastSeen[Versioned]):
    """`TableOperations` over `world.register`; `loaded`: what the client knows from the start, if it loaded before."""

    __slots__ = ("_name", "_world")

    def __init__(self, world: World, name: str, loaded: Versioned | None = None) -> None:
        super().__init__(loaded)
        self._world = world
        self._name = name

    def refresh(self) -> TableMetadata:
        """Load the register. Raises `NoSuchTable`, or `ServiceFailure` if no usable answer came."""
        try:
            self._seen = self._world.register.load(self._name)
        except NotFound:
            raise NoSuchTable(f"load {self._name}: expected a table, the catalog has none") from None
        except PortError as error:
            raise ServiceFailure(f"load {self._name}: expected its metadata, got {error}") from error
        metadata: TableMetadata = self._seen.value
        self._world.notes.learn(Sees(metadata))
        return metadata

    def commit(self, updated: TableMetadata, replaces: TableMetadata | None = None) -> None:
        """Swap the register from what was seen last to `updated`; nothing is asked of it if that is the same.

        Source: `BaseMetastoreTableOperations.commit` ("Nothing to commit").
        """
        seen = self.seen
        if updated is seen.value:
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
