"""Statements that make, drop or rename a table, as calls of Iceberg's Java API on a catalog in memory, or over REST.

In memory the real table builder begins the transaction, and its operations are gated; over REST the builder's own calls
are made here, on a gated client (`RESTSessionCatalog.Builder`, which needs HTTP).

Source: `BaseMetastoreCatalog.BaseMetastoreCatalogTableBuilder`, `RESTSessionCatalog.Builder` (`createTransaction`,
`replaceTransaction`, `createOrReplaceTransaction`, `stageCreate`, `createChanges`), `dropTable`, `renameTable`, 1.11.0.

Choices: to begin is the step `load`, to drop or rename the step `commit`, whose faults in memory are those of a commit.
Between the load and the drop of a purge in memory nothing can be held: its three calls are made here
(`InMemoryCatalog.dropTable`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from py4j.protocol import Py4JJavaError

from real_backend.gating.gate import Gate
from real_backend.iceberg.java_files import JavaFiles
from real_backend.iceberg.java_names import Names
from real_backend.iceberg.ops_gate import GatedTableOperations, Snapshots, current_snapshot, injected
from real_backend.iceberg.rest_gate import APPLIED, COMMIT, LOAD, NOT_APPLIED, REFUSED
from real_backend.iceberg.rest_operations import GatedRestClient, GatedRestOperations, made, to_replace, update_type
from real_backend.jvm.jvm import Jvm
from sim.iceberg.creating import MOVED, CreateTable, DropWithFiles, OfTables, PutTable, RenameTable


class _Begun(GatedTableOperations):
    """Operations of a transaction whose begin is known: what it refreshes is not what it was begun on."""

    def refresh(self) -> Any:
        """The step `load`."""
        self._gate().hold(self._actor, LOAD)
        return self._real.refresh()


class _BegunOverRest(GatedRestOperations):
    """The same over REST."""

    def __init__(self, jvm: Jvm, actor: str, client: GatedRestClient, real: Any, of_race: "OfRace") -> None:
        self._client = client
        client.committed = self._committed  # type: ignore[method-assign]  # the client's only listener
        GatedTableOperations.__init__(self, jvm, actor, real, of_race.gate, of_race.snapshots, of_race.moved)


@dataclass(frozen=True, slots=True)
class OfRace:
    """What belongs to the race: its gate, the ids of snapshots, and who is told where main goes, or that it is gone.

    Args: `keyed`: over REST the server honours idempotency keys.
    """

    gate: Callable[[], Gate]
    snapshots: Snapshots
    moved: Callable[[Any], None]
    dropped: Callable[[], None]
    keyed: bool = False
    renamed: Callable[[Any], None] = lambda _: None
    """Told the new name of a table that was renamed."""


class Tables:
    """Creates and drops one table of a catalog in memory, for one statement. Args: `name` begins the names of files."""

    def __init__(
        self, jvm: Jvm, files: JavaFiles, catalog: Any, identifier: Any, actor: str, name: str, of_race: OfRace
    ) -> None:
        self._jvm, self._files, self._catalog, self._identifier = jvm, files, catalog, identifier
        self._actor, self._name, self._race = actor, name, of_race

    def carry_out(self, statement: OfTables, names: Names) -> None:
        """Do what a statement says. Args: `names` of the race's tables. Raises: `Py4JJavaError`."""
        if isinstance(statement, CreateTable):
            self.create(statement)
        elif isinstance(statement, RenameTable):
            self.rename(self._identifier, names.of(MOVED))
        elif isinstance(statement, PutTable):
            self.rename(names.of(statement.aside), self._identifier)
        elif isinstance(statement, DropWithFiles):
            self.drop_with_files()
        else:
            self.drop()

    def create(self, statement: CreateTable) -> None:
        """Create the table, or put one in the place of what is there. Raises: `Py4JJavaError`."""
        transaction, io = self._begin(replaces=statement.replaces)
        transaction.newFastAppend().appendFile(self._files.data_file(io, f"{self._name}-1", statement.rows)).commit()
        transaction.commitTransaction()

    def _begin(self, *, replaces: bool) -> tuple[Any, Any]:
        """A transaction, and its table's files."""
        gate = self._race.gate()
        self._hold()
        builder = self._catalog.buildTable(self._identifier, self._files.schema)
        real = builder.createOrReplaceTransaction() if replaces else builder.createTransaction()
        operations, start = real.underlyingOps(), real.currentMetadata()
        if operations.current() is not None:
            gate.note(self._actor, version=current_snapshot(operations.current()))
        gated = self._gated(operations)
        transactions = self._jvm.iceberg.Transactions
        kind = "createOrReplaceTableTransaction" if replaces else "createTableTransaction"
        return getattr(transactions, kind)(self._name, gated.in_java, start), operations.io()

    def _hold(self) -> None:
        """The step in which the table is looked for."""
        self._race.gate().hold(self._actor, LOAD)

    def _gated(self, operations: Any) -> GatedTableOperations:
        race = self._race
        return _Begun(self._jvm, self._actor, operations, race.gate, race.snapshots, race.moved)

    def drop_with_files(self) -> None:
        """Drop the table with purge, if there is one. Raises: `Py4JJavaError`."""
        gate = self._race.gate()
        self._hold()
        known = self._operations()
        if known is not None:
            gate.note(self._actor, version=current_snapshot(known.current()))

        def apply() -> None:
            if self._catalog.dropTable(self._identifier, False):
                self._race.dropped()
                if known is not None:
                    self._jvm.iceberg.CatalogUtil.dropTableData(known.io(), known.current())

        self._change(apply)

    def _operations(self) -> Any:
        """Those of the table; None if there is none."""
        try:
            return self._catalog.loadTable(self._identifier).operations()
        except Py4JJavaError as error:
            if not _finds_none(error):
                raise
            return None

    def rename(self, name: Any, to: Any) -> None:
        """Rename a table. Raises: `Py4JJavaError`."""

        def apply() -> None:
            self._catalog.renameTable(name, to)
            self._race.renamed(to)

        self._change(apply)

    def drop(self) -> None:
        """Drop the table, if there is one. Raises: `Py4JJavaError`."""

        def apply() -> None:
            if self._catalog.dropTable(self._identifier, False):
                self._race.dropped()

        self._change(apply)

    def _change(self, apply: Callable[[], None]) -> None:
        """The step in which the catalog is changed."""
        gate = self._race.gate()
        fault = gate.hold(self._actor, COMMIT)
        refused = None
        if fault is None or fault.endswith("-after"):
            try:
                apply()
            except Py4JJavaError as error:
                refused = error
            gate.note(self._actor, APPLIED if refused is None else REFUSED)
        else:
            gate.note(self._actor, NOT_APPLIED)
        if fault is not None:
            raise injected(self._jvm, fault)
        if refused is not None:
            raise refused


class TablesOverRest(Tables):
    """The same over REST."""

    def _client(self) -> GatedRestClient:
        server = self._catalog, self._identifier, self._race.keyed
        return GatedRestClient(self._jvm, self._actor, *server, self._race.gate)

    def _begin(self, *, replaces: bool) -> tuple[Any, Any]:
        """A transaction, and its table's files."""
        client = self._client()
        errors, transactions = self._jvm.iceberg.rest.ErrorHandlers, self._jvm.iceberg.Transactions
        io = self._catalog.buildTable(self._identifier, self._files.schema).createOrReplaceTransaction()
        io = io.underlyingOps().io()
        found = self._found(client) if replaces else None
        if found is not None:
            new = self._replacement(found)
            real = made(self._jvm, client, io, found, *to_replace(self._jvm, new))
            return transactions.replaceTableTransaction(self._name, self._of_client(client, real).in_java, new), io
        request = self._jvm.iceberg.rest.requests.CreateTableRequest.builder().withName(str(self._identifier.name()))
        request = request.withSchema(self._files.schema).stageCreate().build()
        start = client.stage(request, errors.tableErrorHandler()).tableMetadata()
        real = made(self._jvm, client, io, start, update_type(self._jvm, "CREATE"), self._changes(start))
        return transactions.createTableTransaction(self._name, self._of_client(client, real).in_java, start), io

    def _found(self, client: GatedRestClient) -> Any:
        """The table's metadata; None if there is none."""
        try:
            loaded = client.get("table", self._jvm.iceberg.rest.ErrorHandlers.tableErrorHandler())
        except Py4JJavaError as error:
            if not _finds_none(error):
                raise
            return None
        return loaded.tableMetadata()

    def _of_client(self, client: GatedRestClient, real: Any) -> _BegunOverRest:
        return _BegunOverRest(self._jvm, self._actor, client, real, self._race)

    def _replacement(self, base: Any) -> Any:
        iceberg = self._jvm.iceberg
        spec, order = iceberg.PartitionSpec.unpartitioned(), iceberg.SortOrder.unsorted()
        return base.buildReplacement(self._files.schema, spec, order, base.location(), self._jvm.java_map({}))

    def _changes(self, metadata: Any) -> Any:
        """Source: `RESTSessionCatalog.createChanges`, which is private."""
        java = self._jvm.java.java.lang
        kinds, given = self._jvm.gateway.new_array(java.Class, 1), self._jvm.gateway.new_array(java.Object, 1)
        kinds[0], given[0] = self._jvm.java_class("org.apache.iceberg.TableMetadata"), metadata
        changes = self._jvm.java_class("org.apache.iceberg.rest.RESTSessionCatalog")
        method = changes.getDeclaredMethod("createChanges", kinds)
        method.setAccessible(True)
        return method.invoke(None, given)

    def rename(self, name: Any, to: Any) -> None:
        """Rename a table. Raises: `Py4JJavaError`. Source: `RESTSessionCatalog.renameTable`."""
        request = self._jvm.iceberg.rest.requests.RenameTableRequest.builder().withSource(name).withDestination(to)
        errors = self._jvm.iceberg.rest.ErrorHandlers.tableErrorHandler()
        self._client().rename(request.build(), lambda: self._race.renamed(to), errors)

    def drop(self) -> None:
        """Drop the table, if there is one. Raises: `Py4JJavaError`."""
        self._drop(purges=False)

    def drop_with_files(self) -> None:
        """Ask the server to purge it. Raises: `Py4JJavaError`. Source: `RESTSessionCatalog.purgeTable`."""
        self._drop(purges=True)

    def _drop(self, *, purges: bool) -> None:
        errors = self._jvm.iceberg.rest.ErrorHandlers.tableErrorHandler()
        try:
            self._client().drop(self._race.dropped, errors, purges=purges)
        except Py4JJavaError as error:
            if not _finds_none(error):
                raise


def _finds_none(error: Py4JJavaError) -> bool:
    """Whether it says that there is no table."""
    return str(error.java_exception.getClass().getSimpleName()) == "NoSuchTableException"
