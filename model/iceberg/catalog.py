"""What the commit loop asks of a catalog.

Source: iceberg/3; `core/TableOperations.java`: `commit` verifies that the base is current, swaps atomically, does
nothing fallible after the swap, and says so when it cannot know the outcome.
"""

from typing import Any, Generic, Protocol, TypeVar

from model.iceberg.errors import AlreadyExists, NoSuchTable
from model.iceberg.existence import refuse_another_table
from model.iceberg.meanings import Sees
from model.iceberg.metadata import TableMetadata
from model.ports import World


class TableOperations(Protocol):
    """One client's view of one table's pointer. Not shared between clients."""

    @property
    def seen(self) -> Any:
        """What `current` was read from, to hand to another client that loaded the table at the same time."""
        ...

    @property
    def current(self) -> TableMetadata:
        """The metadata of the last refresh or commit; no call to the catalog."""
        ...

    @property
    def location(self) -> str:
        """Where new files are written, as far as the table was moved (`metadataFileLocation`); no call to the
        catalog."""
        ...

    def refresh(self) -> TableMetadata:
        """Load the current metadata from the catalog."""
        ...

    def commit(self, updated: TableMetadata, replaces: TableMetadata | None = None) -> None:
        """Replace `current` by `updated`.

        Args: `replaces`: the metadata that `updated` was built on, which is not current any more, perhaps, if it is to
        replace the whole table. Only who sends updates of it needs to know.

        Raises: `CommitFailed` if `current` was not current, `CommitStateUnknown` if the outcome is not known.
        """
        ...


class Holding(Protocol):
    """A version of a table, as a catalog gives it: it has the metadata, and whatever names the version."""

    @property
    def value(self) -> Any: ...


Held = TypeVar("Held", bound=Holding)


class LastSeen(Generic[Held]):
    """The part of `TableOperations` that all catalogs share: what was seen last, loaded if nothing was."""

    __slots__ = ("_seen",)

    def __init__(self, loaded: Held | None) -> None:
        self._seen = loaded

    @property
    def seen(self) -> Held:
        """The table as last seen."""
        if self._seen is None:
            self.refresh()
        assert self._seen is not None
        return self._seen

    @property
    def last(self) -> Held | None:
        """The table as last seen, or as this client has made it; no call to the catalog."""
        return self._seen

    @property
    def location(self) -> str:
        """That of the metadata as last seen; "": where the table was made."""
        location: str = "" if self._seen is None else self._seen.value.location
        return location

    @property
    def current(self) -> TableMetadata:
        """The metadata as last seen."""
        metadata: TableMetadata = self.seen.value
        return metadata

    def refresh(self) -> TableMetadata:
        """Load the table, and see it."""
        raise NotImplementedError


def last_of(operations: TableOperations) -> TableMetadata:
    """The metadata that a client has seen or made last; no call to the catalog."""
    if isinstance(operations, LastSeen) and operations.last is not None:
        metadata: TableMetadata = operations.last.value
        return metadata
    return operations.current


class Making(LastSeen[Held]):
    """The part that catalogs share that make tables; each has a load, `refresh`, of its own."""

    __slots__ = ("_name", "_world")

    def __init__(self, world: World, name: str, loaded: Held | None) -> None:
        super().__init__(loaded)
        self._world, self._name = world, name

    def find(self) -> TableMetadata | None:
        """Load the table; None if there is none."""
        try:
            return self.refresh()
        except NoSuchTable:
            return None

    def begin(self, *, replaces: bool) -> TableMetadata | None:
        """Source: `BaseMetastoreCatalogTableBuilder.createTransaction`, `newReplaceTableTransaction`."""
        found = self.find()
        if found is not None and not replaces:
            raise AlreadyExists(f"create {self._name}: expected no table, the catalog has one")
        return found

    def _see(self, found: Held) -> TableMetadata:
        """See what was loaded. Raises: `IcebergError` if it is another table. Source: `updateCurrentMetadata`."""
        metadata: TableMetadata = found.value
        self._world.notes.learn(Sees(metadata))
        if self._seen is not None:
            refuse_another_table(self._world, self._seen.value, metadata)
        self._seen = found
        return metadata


class Creating(Protocol):
    """Operations of a catalog that makes tables, and drops them."""

    def begin(self, *, replaces: bool) -> TableMetadata | None:
        """What a transaction that makes the table begins with; None: there is none.

        Raises: `AlreadyExists` if there is one that is not to be replaced.
        """
        ...

    def find(self) -> TableMetadata | None:
        """Load the table as `refresh` does, if there is one."""
        ...

    def create(self, begun: TableMetadata, updated: TableMetadata) -> None:
        """Make the table, of what was `begun` without a snapshot. Raises: `AlreadyExists`, and what a commit does."""
        ...

    def drop(self, by: int) -> bool:
        """Take away the table of that name. Args: `by` names the drop. Returns: whether there was one."""
        ...
