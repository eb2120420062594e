"""What a REST server makes of a request to commit several tables: at once, or one table after the other.

| server | does |
| --- | --- |
| `at_once` | checks and applies all requests to what is there then, and swaps all tables, or none: as specified |
| `one_by_one` | begins a transaction on each table, checks and applies its request to it; then commits each in turn |

`one_by_one` is not atomic, and loses changes: each of its transactions has no updates to apply again, so if its table
has changed since it was checked, the transaction takes what it finds for what it wanted, and has nothing to commit; it
is answered 204 all the same.

Source: iceberg/5.3, J39; the REST catalog's specification; `core/src/test/.../rest/RESTCatalogAdapter.java`
(`commitTransaction`: "does not guarantee true transactional atomicity"), which the image `iceberg-rest-fixture` runs,
and which Apache Hive has copied (`HMSCatalogAdapter.java`); `core/rest/CatalogHandlers.java` (`commit`),
`core/BaseTransaction.java` (`commitSimpleTransaction`, `applyUpdates`) of 1.11.0.

Choices: the server plays in its client's task, on the same register: what its catalog is answered it passes on, and a
connection that it loses its client has lost. To begin a transaction is one load, where upstream's is two. It keeps no
idempotency keys.
"""

from model.iceberg import coverage
from model.iceberg.errors import CommitFailed, IcebergError, NoSuchTable
from model.iceberg.register import RegisterOperations
from model.iceberg.rules import SHIPPED
from model.iceberg.several_tables import TableCommit
from model.iceberg.table import IcebergTable
from model.iceberg.transaction import Staged, Transaction
from model.ports import CasLost, ConnectionLost, NotFound, PortError, World


def at_once(world: World, commits: tuple[TableCommit, ...], key: str | None) -> object:
    """Commit all tables in one step, or none. Raises: `PortError`."""
    return world.register.update_all(tuple([(commit.name, commit.request) for commit in commits]), key)


def one_by_one(world: World, commits: tuple[TableCommit, ...], key: str | None) -> None:
    """Check all tables, then commit one after the other. Raises: `PortError`."""
    try:
        transactions = [_checked(world, commit) for commit in commits]
        for transaction in transactions:
            _commit(world, transaction)
    except CommitFailed as error:
        raise CasLost(str(error)) from None
    except NoSuchTable as error:
        raise NotFound(str(error)) from None
    except IcebergError as error:
        raise _passed_on(error) from error


def _checked(world: World, commit: TableCommit) -> Transaction:
    """A transaction whose metadata is that of its table with the request applied, and which has no updates.

    Raises: `Refused` if a requirement does not hold, or an update cannot be applied.
    """
    table = IcebergTable(world, RegisterOperations(world, commit.name), commit.name, SHIPPED)
    transaction = Transaction(table)
    Staged(transaction).commit(commit.request.applied_to(transaction.current))
    return transaction


def _commit(world: World, transaction: Transaction) -> None:
    wanted = transaction.current
    if transaction.commit() is not wanted:
        world.coverage.hit(coverage.CHANGES_DROPPED)


def _passed_on(error: IcebergError) -> PortError:
    """What the server's own catalog was answered."""
    cause = error.__cause__
    return cause if isinstance(cause, PortError) else ConnectionLost(str(error))


SERVERS = {"at once": at_once, "one by one": one_by_one}
