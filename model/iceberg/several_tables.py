"""One commit of several tables over REST: the changes of a transaction on each, in one request.

Each transaction's metadata is compared with that which it began with, and what follows from that is required of its
table, as of a commit of its own. All are sent at once, and once: nothing is refreshed, validated or applied again by
this client, nothing reconciled, and whatever the answer, nothing that was written is deleted.

| answer | what the client makes of it |
| --- | --- |
| 204 | committed |
| 409 | `CommitFailed`: of one table at least a requirement does not hold |
| others | as of a commit of one table (`rest`) |

Source: iceberg/5.3; `core/rest/RESTSessionCatalog.java` (`commitTransaction`), `core/catalog/TableCommit.java`
(`create`) of 1.11.0; the REST catalog's specification, `POST /v1/{prefix}/transactions/commit`.

Choices: a table on which nothing was changed is not in the request.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from model import ports
from model.iceberg.api import Step
from model.iceberg.changes import changes_between
from model.iceberg.errors import BadRequest, CommitFailed, NoSuchTable
from model.iceberg.meanings import Commits
from model.iceberg.metadata import TableMetadata
from model.iceberg.requirements import Commit, requirements_of
from model.iceberg.rest_client import RestClient
from model.iceberg.rules import Rules
from model.iceberg.table import IcebergTable
from model.iceberg.transaction import Transaction
from model.ports import CasLost, NotFound, PortError, World


class TableCommit(NamedTuple):
    """What is asked of one table. Source: `TableCommit`, `UpdateTableRequest`."""

    name: str
    request: Commit


class Server(Protocol):
    """Who answers: it commits all of these tables or none, as it is specified. Raises: `PortError`."""

    def __call__(self, world: World, commits: tuple[TableCommit, ...], key: str | None) -> object: ...


class Part(NamedTuple):
    """What is done to one table: how it is opened, its name, and one update."""

    table: IcebergTable
    name: str
    step: Step


def table_commit(name: str, begun: TableMetadata, updated: TableMetadata, rules: Rules) -> TableCommit:
    """What leads from one metadata of a table to the other, and what it requires. Source: `TableCommit.create`."""
    changes = changes_between(begun, updated)
    return TableCommit(name, Commit(requirements_of(begun, changes, rules), changes))


def commit_together(world: World, parts: Sequence[Part], rules: Rules, server: Server) -> None:
    """Begin a transaction on each table, apply its update, and commit all of them in one request.

    Each table's `command` says from then on what was done to it, whatever comes of it. Raises: any `IcebergError`.
    """
    begun = [(part, Transaction(part.table)) for part in parts]
    for part, transaction in begun:
        _apply(part, transaction)
    commits = tuple([_of(part, transaction, rules) for part, transaction in begun if _changes(transaction)])
    names = "+".join([commit.name for commit in commits])
    client = RestClient(world, names, rules)
    _sent(client, names, lambda key: server(world, commits, key), _meaning(begun))


def _changes(transaction: Transaction) -> bool:
    return transaction.current is not transaction.base


def _of(part: Part, transaction: Transaction, rules: Rules) -> TableCommit:
    return table_commit(part.name, transaction.base, transaction.current, rules)


def _apply(part: Part, transaction: Transaction) -> None:
    """Apply one update to the transaction's metadata, and note what it does."""
    start = transaction.current.current_snapshot_id
    planned = part.step(transaction.table(), start)
    transaction.add(planned.update)
    planned.update.commit()
    made = transaction.current.current_snapshot_id
    part.table.command = planned.command._replace(start=start, snapshot=None if made == start else made)


def _meaning(begun: Sequence[tuple[Part, Transaction]]) -> Commits:
    """Of the first table: what an explanation can say of one."""
    _, first = begun[0]
    return Commits(first.base, first.current, fenced=True)


def _sent(client: RestClient, names: str, ask: Callable[[str | None], object], meaning: Any) -> None:
    """Source: `ErrorHandlers.tableCommitHandler`."""
    try:
        client.sent(ask, meaning)
    except CasLost as error:
        raise CommitFailed(f"commit {names}: {error}") from None
    except ports.BadRequest as error:
        raise BadRequest(f"commit {names}: {error}") from None
    except NotFound:
        raise NoSuchTable(f"commit {names}: expected tables, the catalog lacks one") from None
    except PortError as error:
        raise client.commit_error(error) from error
