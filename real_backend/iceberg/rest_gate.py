"""A REST catalog behind the gate: Iceberg's own `CatalogHandlers` decide every commit, a schedule decides when.

A table's GET is the step `load`, its POST the step `commit`. The faults of a commit are those of a server, or of a
proxy before it, that says something else than what happened:

    <status>-before[-retry]   that status (with Retry-After), nothing applied
    <status>-after[-retry]    applied, then that status: 500, 502, 503, 504, 429, 409
    drop-before, drop-after   the connection closes without an answer

The fault of a load is `stale`: it is answered with the table as it was before its newest version of the race.

Source: Iceberg REST catalog specification (loadTable, updateTable, Idempotency-Key);
org.apache.iceberg.rest.CatalogHandlers, 1.11.0.

Choices: the catalog is `InMemoryCatalog`: metadata files stay in the JVM, unless it is told to have them `on_disk`;
manifests and data go to disk. Tables are renamed, made and dropped ungated. A metadata file that is gone is a 404, as
Apache Polaris answers; upstream's `RESTCatalogAdapter` has 500 for it. With `idempotent`, the answer to a key is stored
and repeated, as the specification asks of a server that announces a key lifetime; `keys`: as `sim.services.register`.
"""

import json
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from py4j.protocol import Py4JJavaError

from model.iceberg.spark_target import MAIN_ALONE
from real_backend.errors import Abandoned
from real_backend.gating.gate import Gate
from real_backend.iceberg.live_ages import put_ages
from real_backend.iceberg.rest_server import WRITER_HEADER, Answer, LoopbackServer, Request, error_answer
from real_backend.iceberg.sql_target import head_of
from real_backend.jvm.jvm import Jvm
from sim.kernel.fault_kinds import LOST_RACE, STATUSES
from sim.services.register import Keys

LOAD, COMMIT = "load", "commit"
STALE = "stale"
YIELD_POINTS = (LOAD, COMMIT)
APPLIED, REFUSED, NOT_APPLIED, REPLAYED = "applied", "refused", "not-applied", "replayed"
RETRY_AFTER_S = 1  # the header counts in whole seconds
STATUS_OF = {
    "NoSuchTableException": 404, "NoSuchNamespaceException": 404, "NotFoundException": 404,
    "AlreadyExistsException": 409,
    "CommitFailedException": 409, "ValidationException": 400, "BadRequestException": 400,
    "CommitStateUnknownException": 500,
}  # fmt: skip


def can_fault(operation: str, fault: str) -> bool:
    """Whether this gate can commit the fault: statuses and closed connections of a commit, an old answer to a load."""
    if operation == LOAD:
        return fault == STALE
    return operation == COMMIT and (fault in ("drop-before", "drop-after") or fault in STATUSES)


class RestGate:
    """A gated REST catalog on a loopback port. `gate` and `target` are set before a run; else nothing is held."""

    def __init__(
        self, jvm: Jvm, warehouse: str, *, idempotent: bool = False, keys: Keys = "kept", on_disk: bool = False
    ) -> None:
        self.idempotent = idempotent
        self.keys = keys
        self.gate = Gate(())
        self.table: str | None = None
        self.made: dict[int, str] = {}
        self.target = MAIN_ALONE
        self._moved: Callable[[str, Any], None] | None = None
        self._jvm = jvm
        self._replies: dict[str, Answer] = {}
        self._older = ""
        self._one_at_a_time = threading.Lock()
        self._catalog = jvm.iceberg.inmemory.InMemoryCatalog()
        self._catalog.initialize("server", jvm.java_map({"warehouse": warehouse}))
        if on_disk:
            _write_to_disk(jvm, self._catalog)
        self._mapper = _object_mapper(jvm)
        self._server = LoopbackServer(self._answer)
        self.uri = self._server.uri

    can_fault = staticmethod(can_fault)

    def named(self, actor: str) -> str:
        """What an actor's catalog is called in Spark."""
        return f"{self.keys}_{actor}" if self.idempotent else actor

    def settings(self, actor: str) -> dict[str, str]:
        """Those of an actor's catalog in Spark."""
        told = {f"header.{WRITER_HEADER}": actor, "rest-metrics-reporting-enabled": "false"}
        return {"type": "rest", "uri": self.uri, **told}

    def install(self, gate: Gate, table: str | None = None, moved: Callable[[str, Any], None] | None = None) -> Gate:
        """Put a run's gate before the catalog; what earlier runs left in memory is forgotten.

        Args: `table` is the run's: a late request for another one comes from a run that was given up; `moved` is told,
        after each commit, whose it was, and what main is at then (None: nowhere).
        """
        self.gate, self.table, self._moved = gate, table, moved
        self._replies.clear()
        self._older = ""
        return gate

    def table_metadata(self, namespace: str, table: str) -> dict[str, Any]:
        """The table's metadata as the server has it, ungated, in its JSON form."""
        metadata: dict[str, Any] = json.loads(self._load(namespace, table))["metadata"]
        return metadata

    def committed_files(self, namespace: str, table: str) -> tuple[str, ...]:
        """The files on disk that the table's snapshots name, as the server has it, ungated."""
        return files_named(self._jvm, self._catalog.loadTable(self._identifier(namespace, table)))

    def put_ages(self, namespace: str, table: str, ages_h: tuple[float, ...]) -> int:
        """Give a table's snapshots ages, ungated. Returns: the time from which they count."""
        now_ms = int(self._jvm.java.java.lang.System.currentTimeMillis())
        put_ages(self._jvm, self._catalog.loadTable(self._identifier(namespace, table)).operations(), ages_h, now_ms)
        return now_ms

    def drop(self, namespace: str, table: str) -> None:
        """Forget a table (its files stay)."""
        self._catalog.dropTable(self._identifier(namespace, table), False)

    def close(self) -> None:
        """Stop the server; calls that are blocked end."""
        self.gate.abandon("the catalog was closed")
        self._server.close()

    def _identifier(self, namespace: str, table: str = "t") -> Any:
        return self._jvm.iceberg.catalog.TableIdentifier.parse(f"{namespace}.{table}")

    def _from_json(self, text: str, name: str) -> Any:
        return self._mapper.readValue(text, self._jvm.java_class(f"org.apache.iceberg.rest.requests.{name}"))

    def _json(self, response: Any) -> str:
        return str(self._mapper.writeValueAsString(response))

    def _load(self, namespace: str, table: str) -> str:
        handlers = self._jvm.iceberg.rest.CatalogHandlers
        return self._json(handlers.loadTable(self._catalog, self._identifier(namespace, table)))

    def _answer(self, request: Request) -> Answer:
        try:
            return self._route(request)
        except Py4JJavaError as error:
            return _refusal(error)
        except Abandoned as error:
            return error_answer(400, "BadRequestException", str(error))  # a 5xx would be resent for half a minute

    def _route(self, request: Request) -> Answer:
        match request.method, request.path:
            case "GET", ("config",):
                lifetime = {"idempotency-key-lifetime": "PT30M"} if self.idempotent else {}
                return Answer(200, json.dumps({"defaults": {}, "overrides": {}, **lifetime}))
            case "GET" | "HEAD", ("namespaces", namespace, "tables", table):
                return self._gated_load(request, namespace, table)
            case "POST", ("namespaces", namespace, "tables", table):
                return self._gated_commit(request, namespace, table)
            case _:
                return self._ungated(request)

    def _ungated(self, request: Request) -> Answer:
        handlers = self._jvm.iceberg.rest.CatalogHandlers
        match request.method, request.path:
            case "POST", ("namespaces",):
                asked = self._from_json(request.body, "CreateNamespaceRequest")
                return Answer(200, self._json(handlers.createNamespace(self._catalog, asked)))
            case "GET" | "HEAD", ("namespaces", name):
                namespace = self._identifier(name).namespace()
                return Answer(200, self._json(handlers.loadNamespace(self._catalog, namespace)))
            case "POST", ("namespaces", name, "tables"):
                body = self._from_json(request.body, "CreateTableRequest")
                staged = json.loads(request.body).get("stage-create")
                create = handlers.stageTableCreate if staged else handlers.createTable
                return Answer(200, self._json(create(self._catalog, self._identifier(name).namespace(), body)))
            case "POST", ("tables", "rename"):
                handlers.renameTable(self._catalog, self._from_json(request.body, "RenameTableRequest"))
                return Answer(204)
            case "DELETE", ("namespaces", name, "tables", table):
                handlers.dropTable(self._catalog, self._identifier(name, table))
                return Answer(204)
            case _, ("namespaces", _, "views", *_):
                return error_answer(404, "NoSuchViewException", "this catalog has no views")
            case _:
                return error_answer(501, "UnsupportedOperationException", f"{request.method} {'/'.join(request.path)}")

    def _gated_load(self, request: Request, namespace: str, table: str) -> Answer:
        if namespace.replace("\x1f", ".") == self.table:  # a name inside it, which is looked for first
            return Answer(200, self._load(namespace, table))
        fault = self._hold(request, LOAD, f"{namespace}.{table}")
        body = (self._older if fault == STALE else "") or self._load(namespace, table)
        self.gate.note(request.actor, version=_text(head_of(json.loads(body)["metadata"], self.target)))
        return Answer(200, body)

    def _gated_commit(self, request: Request, namespace: str, table: str) -> Answer:
        resource = f"{namespace}.{table}"
        fault = self._hold(request, COMMIT, resource)
        if fault is not None and "-before" in fault:
            self.gate.note(request.actor, NOT_APPLIED, _text(_added_snapshot(request)))
            return _faulty(fault)
        answer = self._commit(request, namespace, table)
        self.gate.hold(request.actor, COMMIT, resource, reply=True)
        if fault is not None and fault.startswith("5") and self.keys == "released":
            self._replies.pop(request.key or "", None)
        return answer if fault is None else _faulty(fault)

    def _hold(self, request: Request, operation: str, resource: str) -> str | None:
        if request.actor in self.gate.actors and resource != self.table:
            raise Abandoned(f"{request.actor}: expected a request for {self.table}, got one for {resource}")
        return self.gate.hold(request.actor, operation, resource)

    def _commit(self, request: Request, namespace: str, table: str) -> Answer:
        key = request.key if self.idempotent and self.keys != "expired" else None
        with self._one_at_a_time:
            if key is not None and key in self._replies:
                busy = self.keys == "busy"
                self.gate.note(request.actor, REFUSED if busy else REPLAYED)
                return error_answer(409, "CommitFailedException", "in progress") if busy else self._replies[key]
            snapshot = _added_snapshot(request)
            try:
                is_there = self._catalog.tableExists(self._identifier(namespace, table))
                before = self._load(namespace, table) if is_there else ""
                asked = self._from_json(request.body, "UpdateTableRequest")
                handlers = self._jvm.iceberg.rest.CatalogHandlers
                reply = self._json(handlers.updateTable(self._catalog, self._identifier(namespace, table), asked))
            except Py4JJavaError as error:
                self.gate.note(request.actor, REFUSED, _text(snapshot))
                return self._kept(key, _refusal(error))
            if before and json.loads(reply)["metadata-location"] != json.loads(before)["metadata-location"]:
                self._older = before
            if snapshot is not None:
                self.made[snapshot] = request.actor
            self.gate.note(request.actor, APPLIED, _text(snapshot))
            if self._moved is not None and request.actor in self.gate.actors:
                self._moved(
                    request.actor, self._catalog.loadTable(self._identifier(namespace, table)).currentSnapshot()
                )
            return self._kept(key, Answer(200, reply))

    def _kept(self, key: str | None, answer: Answer) -> Answer:
        """The answer, kept to be repeated, unless it is 5xx."""
        if key is not None and answer.status < 500:
            self._replies[key] = answer
        return answer


def files_named(jvm: Jvm, loaded: Any) -> tuple[str, ...]:
    """The files on disk that a table's snapshots name; of a snapshot whose manifests are gone, no others."""
    hadoop = jvm.gateway.jvm.org.apache.hadoop.conf.Configuration()
    io = jvm.iceberg.hadoop.HadoopFileIO(hadoop)  # a server's own knows metadata files alone
    found: list[str] = []
    for snapshot in loaded.snapshots():
        found.append(str(snapshot.manifestListLocation()))
        with suppress(Py4JJavaError):
            found += [str(one.path()) for one in snapshot.allManifests(io)]
            found += [str(one.location()) for one in snapshot.addedDataFiles(io)]
            found += [str(one.location()) for one in snapshot.addedDeleteFiles(io)]
    return tuple([path.removeprefix("file:") for path in found])


def _write_to_disk(jvm: Jvm, catalog: Any) -> None:
    """Metadata files go to disk, too, from now on. The catalog takes no other `FileIO` than its own: a field is set."""
    field = jvm.java_class("org.apache.iceberg.inmemory.InMemoryCatalog").getDeclaredField("io")
    field.setAccessible(True)
    hadoop = jvm.gateway.jvm.org.apache.hadoop.conf.Configuration()
    field.set(catalog, jvm.iceberg.hadoop.HadoopFileIO(hadoop))


def _object_mapper(jvm: Jvm) -> Any:
    # Package-private, but the only mapper with every (de)serializer of the REST protocol registered.
    classes = jvm.gateway.new_array(jvm.java.java.lang.Class, 0)
    method = jvm.java_class("org.apache.iceberg.rest.RESTObjectMapper").getDeclaredMethod("mapper", classes)
    method.setAccessible(True)
    return method.invoke(None, jvm.gateway.new_array(jvm.java.java.lang.Object, 0))


def _refusal(error: Py4JJavaError) -> Answer:
    name = str(error.java_exception.getClass().getSimpleName())
    return error_answer(STATUS_OF.get(name, 500), name, str(error.java_exception.getMessage()))


def _faulty(fault: str) -> Answer:
    status = STATUSES.get(fault)
    if status is None:
        return Answer(0, drop=True)
    kind = "CommitFailedException" if status.code == LOST_RACE else "InjectedFault"
    return error_answer(status.code, kind, f"injected: {fault}", RETRY_AFTER_S if status.retry else None)


def _added_snapshot(request: Request) -> int | None:
    """The id of the snapshot that a commit request adds, if it adds one."""
    for update in json.loads(request.body).get("updates", ()):
        if update.get("action") == "add-snapshot":
            return int(update["snapshot"]["snapshot-id"])
    return None


def _text(snapshot: int | None) -> str | None:
    return None if snapshot is None or snapshot == -1 else str(snapshot)
