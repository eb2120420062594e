"""The REST catalog as a client sees it: a register behind HTTP, with rules for every kind of answer.

A commit is what the client requires of the table, and what it wants changed (`requirements`, `changes`); the server
checks and applies it to whatever metadata it has, and answers with what that has become.

| answer to a commit | what the client makes of it |
| --- | --- |
| 200 | committed |
| 409 | `CommitFailed`: lost, retry |
| 400 | `BadRequest`: an update cannot be applied; not retried |
| 429, or 503 with a time to wait | the HTTP layer waits and sends the same commit again |
| 500, 502, 503, 504 | unknown; if it only added a snapshot: load, and look whether that snapshot is there |
| connection closed | `RestError`: not lost, not unknown, not cleanable, nothing reconciled |

To make a table, 409 says that there is one; to drop it is an idempotent request, sent again as a load is.

Source: iceberg/3, iceberg/3.3; `core/rest/RESTTableOperations.java`, `core/rest/ErrorHandlers.java`
(`TableErrorHandler`), `core/rest/RESTSessionCatalog.java` (idempotency keys). What is sent again: `rest_client`.

Choices: those of `requirements` and `changes`. That the server prepares a table is a load of it, resent as a GET is.
"""

from collections.abc import Callable
from functools import partial

from model import ports
from model.iceberg import coverage
from model.iceberg.catalog import Making
from model.iceberg.changes import RemoveSnapshotRef, changes_between, only_snapshot
from model.iceberg.errors import (
    AlreadyExists,
    BadRequest,
    CommitFailed,
    CommitStateUnknown,
    IcebergError,
    NoSuchTable,
    RenameUnavailable,
    RestError,
    ServiceFailure,
    ServiceUnavailable,
)
from model.iceberg.existence import DROPPED, Create, Drop
from model.iceberg.meanings import FOR_OUTCOME, Commits, FindsOwnCommit, LostRace, Renames
from model.iceberg.metadata import MAIN, TableMetadata
from model.iceberg.requirements import Commit, requirements_of, requirements_to_replace
from model.iceberg.rest_client import MAX_RESENDS, RestClient
from model.iceberg.rules import Rules
from model.ports import CasLost, NotFound, PortError, Request, Status, Versioned, World


class RestOperations(Making[Versioned]):
    """`TableOperations` over `world.register` with the rules of the HTTP client."""

    __slots__ = ("_client", "_rules")

    def __init__(
        self,
        world: World,
        name: str,
        rules: Rules,
        loaded: Versioned | None = None,
        max_resends: int = MAX_RESENDS,
    ) -> None:
        super().__init__(world, name, loaded)
        self._rules = rules
        self._client = RestClient(world, name, rules, max_resends)

    def refresh(self) -> TableMetadata:
        """GET the table. A GET is idempotent, so the HTTP layer resends it after any server error or lost connection.

        Raises: `NoSuchTable`, `ServiceFailure`, `ServiceUnavailable` (cleanable, as in Java), `RestError`.
        """
        try:
            seen = self._client.loaded(partial(self._world.register.load, self._name))
        except NotFound:
            raise NoSuchTable(f"load {self._name}: expected a table, the catalog has none") from None
        except PortError as error:
            raise self._load_error(error) from error
        return self._see(seen)

    def begin(self, *, replaces: bool) -> TableMetadata | None:
        """GET the table that is to be replaced; if there is none, ask the server to prepare one.

        Source: `RESTSessionCatalog.Builder.createOrReplaceTransaction`, `stageCreate`; `CatalogHandlers`
        (`stageTableCreate`).
        """
        found = self.find() if replaces else None
        if found is None and self.find() is not None:
            raise AlreadyExists(f"create {self._name}: expected no table, the catalog has one")
        return found

    def create(self, begun: TableMetadata, updated: TableMetadata) -> None:
        """POST the table's making (`UpdateType.CREATE`); nothing is reconciled.

        Source: `RESTTableOperations.commit`, `ErrorHandlers.CreateTableErrorHandler`: any 409 says that it exists.
        """
        try:
            self._seen = self._client.sent(self._asks(Create(updated)), Commits(begun, updated, fenced=True))
        except (ports.AlreadyExists, CasLost) as error:
            self._world.notes.learn(LostRace())
            self._world.coverage.hit(coverage.TABLE_EXISTS)
            raise AlreadyExists(f"create {self._name}: {error}") from None
        except PortError as error:
            raise self._client.commit_error(error) from error

    def drop(self, by: int, uuid: int | None = None, *, purges: bool = False) -> bool:
        """DELETE the table: sent again after any server error and lost connection, whatever is there by then.

        Args: `uuid`: the table's that is meant, which no catalog compares as shipped; `purges`: as `purge`.

        Source: `RESTSessionCatalog.dropTable`, `ExponentialHttpRequestRetryStrategy` (`Method.isIdempotent`).
        """
        ask = self._asks(Drop(by, uuid, purges))
        try:
            self._client.sent(ask, Commits(DROPPED, DROPPED, fenced=False), idempotent=True)
        except NotFound:
            return False
        except CasLost as error:
            self._world.coverage.hit(coverage.ANOTHER_TABLE)
            raise AlreadyExists(f"drop {self._name}: {error}") from None
        except PortError as error:
            raise self._load_error(error) from error
        return True

    def purge(self, by: int) -> bool:
        """The same, and the server deletes the table's files. Source: `RESTSessionCatalog.purgeTable`."""
        return self.drop(by, purges=True)

    def rename(self, name: str, to: str) -> None:
        """POST the table's new name, as often as a commit is sent; what it is at is not compared, and moves with it.

        Source: `RESTSessionCatalog.renameTable`, `CatalogHandlers.renameTable`, `InMemoryCatalog.renameTable`;
        `ErrorHandlers.TableErrorHandler`: any 409 says that the new name is taken.
        """
        ask = partial(self._world.register.rename, name, to)
        try:
            self._client.sent(ask, Renames(name, to, puts_back=False))
        except NotFound:
            raise NoSuchTable(f"rename {name}: expected a table, the catalog has none") from None
        except (ports.AlreadyExists, CasLost) as error:
            raise AlreadyExists(f"rename {name}: {error}") from None
        except PortError as error:
            unavailable = isinstance(error, Status) and error.code == 503
            text = f"rename {name}: expected an answer, got {error}"
            raise (RenameUnavailable(text) if unavailable else self._load_error(error)) from error

    def commit(self, updated: TableMetadata, replaces: TableMetadata | None = None) -> None:
        """POST the commit, and see what the server has made of it.

        Source: `RESTTableOperations.commit`, `reconcileOnSimpleUpdate`.
        """
        request = self._request(updated, replaces)
        try:
            answer = self._send(request, updated)
        except CommitStateUnknown:
            if replaces is not None or not self._reconciled(only_snapshot(request.changes)):
                raise
            return
        if answer.value != updated:
            self._world.coverage.hit(coverage.APPLIED_TO_NEWER)
        self._seen = answer

    def _request(self, updated: TableMetadata, replaces: TableMetadata | None) -> Commit:
        """Source: `RESTTableOperations.commit` (`UpdateType.SIMPLE`, `REPLACE`)."""
        if replaces is None:
            changes = changes_between(self.current, updated)
            return Commit(requirements_of(self.current, changes, self._rules), changes, updated.last_updated_ms)
        changes = (RemoveSnapshotRef(MAIN), *changes_between(replaces, updated))
        return Commit(requirements_to_replace(replaces, changes), changes, updated.last_updated_ms)

    def _send(self, request: Commit, updated: TableMetadata) -> Versioned:
        try:
            return self._client.sent(self._asks(request), Commits(self.current, updated, fenced=True))
        except CasLost as error:
            self._world.notes.learn(LostRace())
            raise CommitFailed(f"commit {self._name}: {error}") from None
        except ports.BadRequest as error:
            self._world.coverage.hit(coverage.NOT_APPLICABLE)
            raise BadRequest(f"commit {self._name}: {error}") from None
        except NotFound:
            raise NoSuchTable(f"commit {self._name}: expected a table, the catalog has none") from None
        except PortError as error:
            raise self._client.commit_error(error) from error

    def _asks(self, request: Request) -> Callable[[str | None], Versioned]:
        """What sends a request about the table, with a key if there is one."""
        return partial(self._world.register.update, self._name, request)

    def _load_error(self, error: PortError) -> IcebergError:
        text = f"load {self._name}: expected its metadata, got {error}"
        code = error.code if isinstance(error, Status) else None
        return {500: ServiceFailure, 503: ServiceUnavailable}.get(code or 0, RestError)(text)

    def _reconciled(self, added: int | None) -> bool:
        """Look for the added snapshot after an unknown outcome. Source: #14320 (`reconcileOnSimpleUpdate`)."""
        if added is None:
            return False
        self._world.notes.intend(FOR_OUTCOME)
        try:
            found = self.refresh().snapshot(added) is not None
            self._world.notes.learn(FindsOwnCommit(found))
        except IcebergError:
            found = False  # the outcome stays as unknown as it was
        self._world.coverage.hit(coverage.RECONCILED if found else coverage.NOT_RECONCILED)
        return found
