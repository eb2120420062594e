"""The real client of the REST catalog without HTTP: `RESTTableOperations` computes what it requires and what it wants
changed, the real `CatalogHandlers` checks and applies it, and the gate stands where the network would be.

A GET of the table is the step `load`, its POST the step `commit`. What goes wrong is said to the client's own error
handlers, so that they, and its look for its own snapshot after an unknown outcome, are the real ones, too:

    409-before, 409-after, 5xx-before, 5xx-after   that status, nothing applied or applied
    429-before, 503-after-retry, ...               the same with a time to wait
    drop-before, drop-after                        the connection closes without an answer

Whether such a request is sent again, the HTTP client's own strategy decides (`http_retries`): each sending is a step.

Source: org.apache.iceberg.rest.RESTTableOperations, RESTClient, CatalogHandlers, ErrorHandlers, 1.11.0.

Choices: nobody waits before he sends again. To drop the table, or to rename it, is a step `commit`.
"""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from py4j.protocol import Py4JJavaError

from real_backend.gating.gate import Gate
from real_backend.iceberg.http_retries import HttpRetries
from real_backend.iceberg.idempotency import drawn_key, once
from real_backend.iceberg.ops_gate import GatedTableOperations, Snapshots, current_snapshot
from real_backend.iceberg.rest_gate import APPLIED, COMMIT, LOAD, NOT_APPLIED, REFUSED, STATUS_OF
from real_backend.jvm.jvm import Jvm

_FAULTS = re.compile(r"(409|429|drop)-(before|after)|(500|502|503|504)-(before|after)(-retry)?")


def can_fault(operation: str, fault: str) -> bool:
    """Whether this gate can commit the fault."""
    return operation == COMMIT and _FAULTS.fullmatch(fault) is not None


class GatedRestClient:
    """A py4j proxy in place of one client's HTTP connection. Args: `table`: which table of the server's catalog;
    `keyed`: the server has said that it honours idempotency keys."""

    class Java:
        """Read by py4j."""

        implements = ("org.apache.iceberg.rest.RESTClient",)

    def __init__(self, jvm: Jvm, actor: str, catalog: Any, table: Any, keyed: bool, gate: Callable[[], Gate]) -> None:
        self._keyed = keyed
        self._jvm, self._actor, self._catalog, self._table, self._gate = jvm, actor, catalog, table, gate
        self.adds: str | None = None
        self._retries = HttpRetries(jvm)

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
        """The step `commit`, as often as it is sent."""

        def apply() -> Any:
            answer = self._jvm.iceberg.rest.CatalogHandlers.updateTable(self._catalog, self._table, request)
            self.committed(answer.tableMetadata())
            return answer

        return self._send("POST", apply, errors)

    def stage(self, request: Any, errors: Any) -> Any:
        """The step `load` that asks the server to prepare a table."""
        self._gate().hold(self._actor, LOAD)
        try:
            handlers = self._jvm.iceberg.rest.CatalogHandlers
            return handlers.stageTableCreate(self._catalog, self._table.namespace(), request)
        except Py4JJavaError as error:
            return self._refuse(errors, error)

    def drop(self, dropped: Callable[[], None], errors: Any, *, purges: bool = False) -> None:
        """The step `commit` that drops the table, as often as it is sent. Args: `dropped` is told when it is; `purges`:
        the server deletes its files."""
        handlers = self._jvm.iceberg.rest.CatalogHandlers

        def apply() -> None:
            (handlers.purgeTable if purges else handlers.dropTable)(self._catalog, self._table)
            dropped()

        self._send("DELETE", apply, errors)

    def rename(self, request: Any, renamed: Callable[[], None], errors: Any) -> None:
        """The step `commit` that gives a table another name, as often as it is sent. Args: `renamed`: as in a drop."""

        def apply() -> None:
            self._jvm.iceberg.rest.CatalogHandlers.renameTable(self._catalog, request)
            renamed()

        self._send("POST", apply, errors)

    def _send(self, method: str, apply: Callable[[], Any], errors: Any) -> Any:
        sent = 0
        if self._keyed:
            apply = partial(once, self._jvm, drawn_key(self._jvm), apply)
        while True:
            fault, sent = self._gate().hold(self._actor, COMMIT), sent + 1
            answer, refused = None, None
            if fault is None or "-after" in fault:
                try:
                    answer = apply()
                except Py4JJavaError as error:
                    refused = error
            told = NOT_APPLIED if fault is not None and "-before" in fault else REFUSED if refused else APPLIED
            self._gate().note(self._actor, told, self.adds)
            if fault is None:
                return answer if refused is None else self._refuse(errors, refused)
            if not self._retries.sends_again(method, fault, sent):
                return self._fail(errors, fault)

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
        self, jvm: Jvm, actor: str, server: tuple[Any, Any, bool], known: Any, gate: Callable[[], Gate],
        snapshots: Snapshots, moved: Callable[[Any], None],
    ) -> None:  # fmt: skip
        """Args: `server`: a catalog, a table in it, and whether it honours keys; `known`: operations of the table that
        have loaded it already."""
        self._client = client = GatedRestClient(jvm, actor, *server, gate)
        client.committed = self._committed  # type: ignore[method-assign]  # the client's only listener
        super().__init__(jvm, actor, made(jvm, client, known.io(), known.current()), gate, snapshots, moved)

    def refresh(self) -> Any:
        """As the real ones do."""
        return self._real.refresh()

    def commit(self, base: Any, metadata: Any) -> None:
        """As the real ones do."""
        self._client.adds = self._added(base, metadata)
        self._real.commit(base, metadata)

    def replacing(self, replacement: Any) -> None:
        """They are the client's operations of a transaction that replaces the table from now on."""
        known, kind = self._real, to_replace(self._jvm, replacement)
        self._real = made(self._jvm, self._client, known.io(), known.current(), *kind)
        self.in_java.follow(self._real)

    def _committed(self, metadata: Any) -> None:
        if self._client.adds is not None:
            self._snapshots.made[int(self._client.adds)] = self._actor
        self.made(metadata)
        self._moved(metadata.currentSnapshot())


def made(jvm: Jvm, client: GatedRestClient, io: Any, metadata: Any, *kind: Any) -> Any:
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
    for one in (client, "table", None, io, *kind, metadata, endpoints):
        given.add(one)
    return constructor.newInstance(given.toArray())


def to_replace(jvm: Jvm, replacement: Any) -> tuple[Any, Any]:
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
    return update_type(jvm, "REPLACE"), before


def update_type(jvm: Jvm, name: str) -> Any:
    """A kind of updates (`RESTTableOperations.UpdateType`)."""
    kinds = jvm.java_class("org.apache.iceberg.rest.RESTTableOperations$UpdateType").getEnumConstants()
    return next(kind for kind in kinds if str(kind) == name)
