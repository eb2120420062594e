"""How the actors of a race of the Java API reach their catalog, and what of it is held.

| catalog | who has it | a step |
| --- | --- | --- |
| in memory | all have one | a call of `TableOperations`, a drop |
| REST | all ask one server | a request |
| JDBC | each has one of its own, on one database | a statement |
| Hadoop (`java_hadoop`) | each has one of its own, on one file system | as in memory |
| Hive (`java_hive`) | each has one of its own, on one metastore | a call of the metastore's |
"""

from typing import Any, Protocol

from real_backend.gating.gate import Gate, InterpositionPoint
from real_backend.gating.race import SETUP
from real_backend.iceberg import jdbc_gate, ops_gate, rest_operations
from real_backend.iceberg.java_creating import OfRace, Tables, TablesOverRest
from real_backend.iceberg.java_files import JavaFiles
from real_backend.iceberg.java_start import Start
from real_backend.iceberg.jdbc_gate import BegunOnJdbc, GatedJdbcOperations, JdbcCatalogs
from real_backend.iceberg.ops_gate import GatedTableOperations
from real_backend.iceberg.rest_gate import YIELD_POINTS
from real_backend.iceberg.rest_operations import GatedRestOperations
from real_backend.jvm.jvm import Jvm


class Catalogs(Protocol):
    """The catalogs of a race's actors."""

    loads_freely: bool
    """Whether a load of a table is held by nobody below."""
    yield_points: tuple[str, ...]
    """The steps: the first is a load, the second a commit."""
    home: str | None
    """The folder of the data files of its tables; None: in memory, among those of all others."""

    def can_fault(self, operation: str, fault: str) -> bool:
        """Whether what holds can commit the fault at the operation."""
        ...

    def install(self, gate: Gate) -> None:
        """A race begins, whose gate this is."""
        ...

    def is_passable(self, at: InterpositionPoint, identifier: Any) -> bool:
        """Whether a step of a race on this table is on offer."""
        ...

    def of(self, actor: str) -> Any:
        """The catalog of an actor."""
        ...

    def put(self, identifier: Any, start: Start) -> None:
        """Make a table of this name that is as one that was made."""
        ...

    def operations(self, actor: str, identifier: Any, real: Any, race: OfRace) -> GatedTableOperations:
        """An actor's operations of a table, which are `real` ones that have loaded it."""
        ...

    def tables(self, files: JavaFiles, identifier: Any, actor: str, name: str, race: OfRace) -> Tables:
        """What creates and drops the table for a statement of an actor. Args: `name` begins the names of files."""
        ...

    def join(self, actor: str, race: OfRace) -> None:
        """An actor begins: what he has of his own is held from now on."""
        ...

    def leave(self) -> None:
        """A race has ended: nothing is held any more."""
        ...


class InMemory:
    """One catalog in the JVM's memory."""

    loads_freely = True
    yield_points: tuple[str, ...] = YIELD_POINTS
    home: str | None = None

    def __init__(self, jvm: Jvm, catalog: Any) -> None:
        self._jvm, self._catalog = jvm, catalog

    def can_fault(self, operation: str, fault: str) -> bool:
        """Those of the commit loop's catalog."""
        return ops_gate.can_fault(operation, fault)

    def install(self, gate: Gate) -> None:
        """What is held asks the race for its gate."""

    def is_passable(self, at: InterpositionPoint, identifier: Any) -> bool:
        """Nobody waits."""
        return True

    def of(self, actor: str) -> Any:
        """The same for all."""
        return self._catalog

    def put(self, identifier: Any, start: Start) -> None:
        """Register its metadata file."""
        self.of(SETUP).registerTable(identifier, start.metadata)

    def operations(self, actor: str, identifier: Any, real: Any, race: OfRace) -> GatedTableOperations:
        """Held at `refresh` and `commit`."""
        return GatedTableOperations(self._jvm, actor, real, race.gate, race.snapshots, race.moved)

    def tables(self, files: JavaFiles, identifier: Any, actor: str, name: str, race: OfRace) -> Tables:
        """Held at their begin, at `commit`, and at a drop."""
        return Tables(self._jvm, files, self.of(actor), identifier, actor, name, race)

    def join(self, actor: str, race: OfRace) -> None:
        """What is held is made for the race."""

    def leave(self) -> None:
        """What is held was made for the race."""


class OverRest(InMemory):
    """The catalog behind a server."""

    def can_fault(self, operation: str, fault: str) -> bool:
        """Those of HTTP."""
        return rest_operations.can_fault(operation, fault)

    def operations(self, actor: str, identifier: Any, real: Any, race: OfRace) -> GatedTableOperations:
        """Held at requests."""
        server = self._catalog, identifier, race.keyed
        return GatedRestOperations(self._jvm, actor, server, real, race.gate, race.snapshots, race.moved)

    def tables(self, files: JavaFiles, identifier: Any, actor: str, name: str, race: OfRace) -> Tables:
        """Held at requests."""
        return TablesOverRest(self._jvm, files, self._catalog, identifier, actor, name, race)


class OnJdbc(InMemory):
    """A JDBC catalog of each actor, whose files are in memory."""

    loads_freely = False

    def __init__(self, jvm: Jvm) -> None:
        self._jvm, self._catalogs = jvm, JdbcCatalogs(jvm)

    def can_fault(self, operation: str, fault: str) -> bool:
        """A connection that breaks."""
        return jdbc_gate.can_fault(operation, fault)

    def of(self, actor: str) -> Any:
        """The actor's own."""
        return self._catalogs.of(actor)

    def operations(self, actor: str, identifier: Any, real: Any, race: OfRace) -> GatedTableOperations:
        """Held at statements."""
        link = self._catalogs.link(actor)
        return GatedJdbcOperations(self._jvm, link, real, race.gate, race.snapshots, race.moved)

    def tables(self, files: JavaFiles, identifier: Any, actor: str, name: str, race: OfRace) -> Tables:
        """Held at statements."""
        return _TablesOnJdbc(self._jvm, files, self._catalogs, identifier, actor, name, race)

    def join(self, actor: str, race: OfRace) -> None:
        """His connection."""
        self._catalogs.link(actor).join(race.gate)

    def leave(self) -> None:
        """Connections outlive a race."""
        self._catalogs.leave()


class _TablesOnJdbc(Tables):
    """Creates and drops a table of a JDBC catalog."""

    def __init__(
        self, jvm: Jvm, files: JavaFiles, catalogs: JdbcCatalogs, identifier: Any, actor: str, name: str, race: OfRace
    ) -> None:
        super().__init__(jvm, files, catalogs.of(actor), identifier, actor, name, race)
        self._link = catalogs.link(actor)

    def _hold(self) -> None:
        """The statement that looks for it is held."""

    def _gated(self, operations: Any) -> GatedTableOperations:
        race = self._race
        return BegunOnJdbc(self._jvm, self._link, operations, race.gate, race.snapshots, race.moved)

    def drop(self) -> None:
        """Drop the table, if there is one. Raises: `Py4JJavaError`."""
        self._drop(with_files=False)

    def drop_with_files(self) -> None:
        """Drop the table with purge, if there is one. Raises: `Py4JJavaError`."""
        self._drop(with_files=True)

    def _drop(self, *, with_files: bool) -> None:
        self._link.adds, self._link.applied = None, self._race.dropped
        self._catalog.dropTable(self._identifier, with_files)

    def rename(self, name: Any, to: Any) -> None:
        """Rename a table. Raises: `Py4JJavaError`."""
        self._link.adds, self._link.applied = None, lambda: self._race.renamed(to)
        self._catalog.renameTable(name, to)
