"""A REST server that commits several tables, and the real client's connection to it, without HTTP.

The client is the real `RESTSessionCatalog`, whose `commitTransaction` makes the request. The server does as upstream's
reference, with the real transactions and handlers: it begins a transaction on each table, checks and applies the
request to it in memory, and commits them in turn. Where it is to commit all at once, all of that is one step of the
gate, which lets nobody else act meanwhile; else each of its own loads and commits is one.

Source: `core/src/test/.../rest/RESTCatalogAdapter.java` (`commitTransaction`); `CatalogHandlers.commit`, which is
private to its package; `RESTSessionCatalog.initialize`, 1.11.0.
"""

from collections.abc import Callable
from typing import Any

from py4j.protocol import Py4JJavaError

from real_backend.gating.gate import Gate
from real_backend.iceberg.ops_gate import GatedTableOperations, Snapshots
from real_backend.iceberg.rest_operations import GatedRestClient
from real_backend.jvm.jvm import Jvm

IO = "org.apache.iceberg.inmemory.InMemoryFileIO"


class SeveralServer:
    """Commits tables of a catalog. Args: `moved` is told where main of a table has been moved."""

    def __init__(
        self, jvm: Jvm, catalog: Any, gate: Callable[[], Gate], snapshots: Snapshots, moved: Callable[[Any], None]
    ) -> None:
        self._jvm, self._catalog, self._gate, self._snapshots, self._moved = jvm, catalog, gate, snapshots, moved

    def at_once(self, actor: str, request: Any) -> None:
        """Check and commit all tables while nobody else acts. Raises: `Py4JJavaError`."""
        begun = [(change, self._checked(actor, change, gated=False)) for change in request.tableChanges()]
        for _, transaction in begun:
            transaction.commitTransaction()
        for change, _ in begun:
            table = self._catalog.loadTable(change.identifier())
            self._moved(table.currentSnapshot())

    def one_by_one(self, actor: str, request: Any) -> None:
        """Check all tables, then commit one after the other. Raises: `Py4JJavaError`."""
        for transaction in [self._checked(actor, change, gated=True) for change in request.tableChanges()]:
            transaction.commitTransaction()

    def _checked(self, actor: str, change: Any, *, gated: bool) -> Any:
        """A transaction on a table, with the request applied to its metadata."""
        identifier = change.identifier()
        operations, name = self._catalog.loadTable(identifier).operations(), str(identifier.name())
        if gated:
            held = GatedTableOperations(self._jvm, actor, operations, self._gate, self._snapshots, self._moved)
            operations = held.in_java
        transaction = self._jvm.iceberg.Transactions.newTransaction(name, operations)
        self._commit(transaction.table().operations(), change)
        return transaction

    def _commit(self, operations: Any, change: Any) -> None:
        java, package = self._jvm.java.java, "org.apache.iceberg"
        kinds = self._jvm.gateway.new_array(java.lang.Class, 2)
        kinds[0] = self._jvm.java_class(f"{package}.TableOperations")
        kinds[1] = self._jvm.java_class(f"{package}.rest.requests.UpdateTableRequest")
        commit = self._jvm.java_class(f"{package}.rest.CatalogHandlers").getDeclaredMethod("commit", kinds)
        commit.setAccessible(True)
        given = java.util.ArrayList()  # py4j cannot put a proxy into an array itself
        given.add(operations)
        given.add(change)
        try:
            commit.invoke(None, given.toArray())
        except Py4JJavaError as error:
            raise Py4JJavaError("refused", error.java_exception.getCause()) from None


class SeveralClient(GatedRestClient):
    """A py4j proxy in place of the HTTP connection of one client's `RESTSessionCatalog`.

    Args: `serve` answers a request to commit several tables; `at_once`: that is the step `commit`, else its own steps
    are told by the server.
    """

    def __init__(
        self, jvm: Jvm, actor: str, gate: Callable[[], Gate], serve: Callable[[str, Any], None], *, at_once: bool,
        keyed: bool,
    ) -> None:  # fmt: skip
        super().__init__(jvm, actor, None, None, keyed, gate)
        self._serve, self._at_once = serve, at_once

    def get(self, *_: Any) -> Any:
        """The server's configuration: that it can commit several tables."""
        rest = self._jvm.iceberg.rest
        endpoints = self._jvm.java.java.util.ArrayList()
        endpoints.add(rest.Endpoint.V1_COMMIT_TRANSACTION)
        return rest.responses.ConfigResponse.builder().withEndpoints(endpoints).build()

    def post(self, path: str, request: Any, kind: Any, headers: Any, errors: Any) -> Any:
        """The request to commit several tables, as often as it is sent."""
        if self._at_once:
            return self._send("POST", lambda: self._serve(self._actor, request), errors)
        try:
            self._serve(self._actor, request)
        except Py4JJavaError as error:
            self._refuse(errors, error)
        return None

    def withAuthSession(self, session: Any) -> "SeveralClient":
        """The same: nobody asks who it is."""
        return self

    def close(self) -> None:
        """Nothing is open."""


class _Builder:
    """A Java function that gives the client of a catalog."""

    class Java:
        """Read by py4j."""

        implements = ("java.util.function.Function",)

    def __init__(self, client: SeveralClient) -> None:
        self._client = client

    def apply(self, _: Any) -> SeveralClient:
        """The client."""
        return self._client


def session_catalog(jvm: Jvm, client: SeveralClient) -> Any:
    """The real catalog of one client, over this connection."""
    made = jvm.iceberg.rest.RESTSessionCatalog(_Builder(client), None)
    made.initialize("several", jvm.java_map({"uri": "http://localhost", "io-impl": IO}))
    return made
