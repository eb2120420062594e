"""The real client of the REST catalog without HTTP: `RESTTableOperations` computes what it requires and what it wants
changed, the real `CatalogHandlers` checks and applies it, and the gate stands where the network would be.

A GET of the table is the step `load`, its POST the step `commit`. What goes wrong is said to the client's own error
handlers, so that they, and its look for its own snapshot after an unknown outcome, are the real ones, too:

    409-before, 409-after, 5xx-before, 5xx-after   that status, nothing applied or applied
    drop-before, drop-after                        the connection closes without an answer

Source: org.apache.iceberg.rest.RESTTableOperations, RESTClient, CatalogHandlers, ErrorHandlers, 1.11.0.

Choices: a status with Retry-After, and 429, are the HTTP client's own business, which is not here; nor are keys.
"""

import re
from collections.abc import Callable
from typing import Any

from py4j.protocol import Py4JJavaError

from real_backend.gating.gate import Gate
from real_backend.iceberg.ops_gate import GatedTableOperations, Snapshots, current_snapshot
from real_backend.iceberg.rest_gate import APPLIED, COMMIT, LOAD, NOT_APPLIED, REFUSED, STATUS_OF
from real_backend.jvm.jvm import Jvm

_FAULTS = re.compile(r"(409|500|502|503|504|drop)-(before|after)")


def can_fault(operation: str, fault: str) -> bool:
    """Whether this gate can commit the fault."""
    return operation == COMMIT and _FAULTS.fullmatch(fault) is not None


class GatedRestClient:
    """A py4j proxy in place of one client's HTTP connection. Args: `table`: which table of the server's catalog."""

    class Java:
        """Read by py4j."""

        implements = ("org.apache.iceberg.rest.RESTClient",)

    def __init__(self, jvm: Jvm, actor: str, catalog: Any, table: Any, gate: Callable[[], Gate]) -> None:
        self._jvm, self._actor, self._catalog, self._table, self._gate = jvm, actor, catalog, table, gate
        self.adds: str | None = None

    def get(self, *asked: Any) -> Any:
        """The step `load`. Args: the last one handles errors."""
        errors = asked[-1]
        self._gate().hold(self._actor, LOAD)
        try:
            loaded = self._jvm.iceberg.rest.CatalogHandlers.loadTable(self._catalog, self._table)
        except Py4JJavaError as error:
            return self._refuse(errors, error)
        self._gate().note(self._actor, version=current_snapshot(loaded.tableMetadata()))
        return loaded

    def post(self, path: str, request: Any, kind: Any, headers: Any, errors: Any) -> Any:
        """The step `commit`."""
        fault = self._gate().hold(self._actor, COMMIT)
        if fault is not None and fault.endswith("-before"):
            self._gate().note(self._actor, NOT_APPLIED, self.adds)
            return self._fail(errors, fault)
        try:
            answer = self._jvm.iceberg.rest.CatalogHandlers.updateTable(self._catalog, self._table, request)
        except Py4JJavaError as error:
            self._gate().note(self._actor, REFUSED, self.adds)
            return self._refuse(errors, error) if fault is None else self._fail(errors, fault)
        self.committed(answer.tableMetadata())
        self._gate().note(self._actor, APPLIED, self.adds)
        return answer if fault is None else self._fail(errors, fault)

    def committed(self, metadata: Any) -> None:
        """The server has made this of the table."""

    def _refuse(self, errors: Any, error: Py4JJavaError) -> None:
        name = str(error.java_exception.getClass().getSimpleName())
        self._answer(errors, STATUS_OF.get(name, 500), name, str(error.java_exception.getMessage()))

    def _fail(self, errors: Any, fault: str) -> None:
        if fault.startswith("drop"):
            java = self._jvm.java.java.lang
            nothing = self._jvm.gateway.new_array(java.Object, 0)
            made = self._jvm.iceberg.exceptions.RESTException(java.RuntimeException(fault), "injected", nothing)
            raise Py4JJavaError("injected", made)
        self._answer(errors, int(fault[:3]), "CommitFailedException" if fault.startswith("409") else "Injected", fault)

    def _answer(self, errors: Any, status: int, kind: str, message: str) -> None:
        """Tell the client's own handler, which throws."""
        response = self._jvm.iceberg.rest.responses.ErrorResponse.builder().responseCode(status)
        errors.accept(response.withType(kind).withMessage(message).build())


class GatedRestOperations(GatedTableOperations):
    """A py4j proxy around one client's real `RESTTableOperations`, whose requests are held, and not its calls."""

    def __init__(
        self, jvm: Jvm, actor: str, server: tuple[Any, Any], known: Any, gate: Callable[[], Gate],
        snapshots: Snapshots, moved: Callable[[Any], None],
    ) -> None:  # fmt: skip
        """Args: `server`: a catalog and a table in it; `known`: operations of it that have loaded it already."""
        self._client = client = GatedRestClient(jvm, actor, *server, gate)
        client.committed = self._committed  # type: ignore[method-assign]  # the client's only listener
        super().__init__(jvm, actor, _made(jvm, client, known), gate, snapshots, moved)

    def refresh(self) -> Any:
        """As the real ones do."""
        return self._real.refresh()

    def commit(self, base: Any, metadata: Any) -> None:
        """As the real ones do."""
        self._client.adds = self._added(base, metadata)
        self._real.commit(base, metadata)

    def replacing(self, replacement: Any) -> None:
        """They are the client's operations of a transaction that replaces the table from now on."""
        self._real = _made(self._jvm, self._client, self._real, *_to_replace(self._jvm, replacement))

    def _committed(self, metadata: Any) -> None:
        if self._client.adds is not None:
            self._snapshots.made[int(self._client.adds)] = self._actor
        self._moved(metadata.currentSnapshot())


def _made(jvm: Jvm, client: GatedRestClient, known: Any, *kind: Any) -> Any:
    """`RESTTableOperations`, which are private to their package; headers are asked for by no client of ours.

    Args: `kind`: of updates, and changes that go before them; none: of the simple ones.
    """
    java, endpoint, package = jvm.java.java, jvm.iceberg.rest.Endpoint, "org.apache.iceberg"
    of_kind = (f"{package}.rest.RESTTableOperations$UpdateType", "java.util.List") if kind else ()
    names = (
        f"{package}.rest.RESTClient", "java.lang.String", "java.util.function.Supplier", f"{package}.io.FileIO",
        *of_kind, f"{package}.TableMetadata", "java.util.Set",
    )  # fmt: skip
    classes = jvm.gateway.new_array(java.lang.Class, len(names))
    for place, name in enumerate(names):
        classes[place] = jvm.java_class(name)
    constructor = jvm.java_class(f"{package}.rest.RESTTableOperations").getDeclaredConstructor(classes)
    constructor.setAccessible(True)
    endpoints = java.util.HashSet()
    endpoints.add(endpoint.V1_LOAD_TABLE)
    endpoints.add(endpoint.V1_UPDATE_TABLE)
    given = java.util.ArrayList()  # py4j cannot put a proxy into an array itself
    for one in (client, "table", None, known.io(), *kind, known.current(), endpoints):
        given.add(one)
    return constructor.newInstance(given.toArray())


def _to_replace(jvm: Jvm, replacement: Any) -> tuple[Any, Any]:
    """The kind of updates that replace a table, and what goes before them: that what is not new is set all the same.

    Source: `RESTSessionCatalog.Builder.replaceTransaction`.
    """
    made = {str(change.getClass().getSimpleName()) for change in replacement.changes()}
    updates, before = jvm.iceberg.MetadataUpdate, jvm.java.java.util.ArrayList()
    for name, number in (
        ("SetCurrentSchema", replacement.currentSchemaId()),
        ("SetDefaultPartitionSpec", replacement.defaultSpecId()),
        ("SetDefaultSortOrder", replacement.defaultSortOrderId()),
    ):
        if name not in made:
            before.add(getattr(updates, name)(number))
    kinds = jvm.java_class("org.apache.iceberg.rest.RESTTableOperations$UpdateType").getEnumConstants()
    return next(kind for kind in kinds if str(kind) == "REPLACE"), before
