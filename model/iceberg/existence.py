"""Whether there is a table, and which: what a catalog is asked to make it, and to take it away.

A table's name outlives it: who has loaded one, and finds another one there, is told by its uuid.

Source: `core/inmemory/InMemoryCatalog.java` (`doCommit`, `dropTable`), `core/rest/CatalogHandlers.java` (`create`,
`dropTable`), `core/UpdateRequirement.java` (`AssertTableDoesNotExist`), `core/BaseMetastoreTableOperations.java`
(`refreshFromMetadataLocation`) and `core/rest/RESTTableOperations.java` (`checkUUID`) of 1.11.0.

Choices: a drop has a name of its own, by which a history knows it: no catalog asks for one.
"""

from typing import NamedTuple

from model.iceberg import coverage
from model.iceberg.errors import InvalidOperation
from model.iceberg.metadata import TableMetadata
from model.ports import Absent, AlreadyExists, CasLost, NotFound, World

DROPPED = TableMetadata(0)
"""What explanations say that a drop leaves."""


class Create(NamedTuple):
    """A request to make a table (`assert-create`, or a location that is compared with none)."""

    metadata: TableMetadata

    def applied_to(self, found: TableMetadata | Absent) -> TableMetadata:
        """The new table. Raises: `AlreadyExists` if there is one."""
        if not isinstance(found, Absent):
            raise AlreadyExists("expected no table, there is one")
        return self.metadata


class Drop(NamedTuple):
    """A request to take a table away, whichever it is by then: no uuid is compared, unless one is given.

    Args: `purges`: whoever serves it deletes the table's files, too.
    """

    by: int
    uuid: int | None = None
    purges: bool = False

    def applied_to(self, found: TableMetadata | Absent) -> Absent:
        """No table. Raises: `NotFound` if there was none, `CasLost` if it is another one."""
        if isinstance(found, Absent):
            raise NotFound("expected a table, there is none")
        if self._is_another(found):
            raise CasLost(f"expected table {self.uuid}, there is another one")
        return Absent(self.by)

    def _is_another(self, found: TableMetadata) -> bool:
        return self.uuid not in (None, found.uuid)


def refuse_another_table(world: World, known: object, found: TableMetadata) -> None:
    """Raise `InvalidOperation` if what has been found is not the table that is known; that is not tried again.

    Source: "Table UUID does not match", an `IllegalStateException`.
    """
    if isinstance(known, TableMetadata) and known.uuid != found.uuid:
        world.coverage.hit(coverage.ANOTHER_TABLE)
        raise InvalidOperation(f"load: expected the table {known.uuid}, got {found.uuid} of the same name")
