"""A database that is to get another name: its tables with it, or, as shipped, what is known of their writes alone.

4.0.1 acknowledges `alter_database` with another name in it, and leaves the database and its tables as they are called.
Then, in a transaction of its own, it moves the write ids of all its tables, their locks, and what was changed of them
to the name that it did not give: who writes to them next begins with write id 1 again.

It does so if the request says something else of the owner or of the parameters, too: else nobody is told of it.

Source: `HMSHandler.alter_database_req`, `ObjectStore.alterDatabase` (which sets everything but the name),
`AlterDatabaseEvent.shouldSkipCapturing`, `AcidEventListener.onAlterDatabase`, `OnRenameFunction` 4.0.1; the design
document, "Deal with Rename".

A cache of 4.0.1 that hears of it calls the database by the name that it did not get from then on, and knows nothing of
the old one (`SharedCache.alterDatabaseInCache`): by events that is every metastore's, until it is filled anew; by
default it is that of the metastore that was asked, until its timer goes off. There no table of the database
can be made or altered (`HMSHandler.create_table_core`, "Alter table in REMOTE database is not allowed"), and, by
default, none can be dropped, nor a partition added or dropped: of a drop the database is asked last, when the cache has
made the change, which it keeps until it is refreshed. Reads do not ask for the database.

Choices: of databases a cache knows here whether they have another name; one that is filled before there is a database
knows of none, and asks the database. A database is there if a table has its name.
One that goes to its new name with its tables does so in one database transaction, with an event for each; the name must
be nobody's.
"""

from model.hive import log
from model.hive.conflicts import changed_tables, rename_components
from model.hive.errors import DatabaseExists, NoSuchDatabase
from model.hive.lock_queue import move_locks, split
from model.hive.rows import NEXT_WRITE_ID, TBLS, Event
from model.hive.rules import Rules
from model.hive.tables import rename
from model.hive.write_ids import rename_records
from model.ports import Transaction


def rename_database(tx: Transaction, rules: Rules, database: str, to: str) -> tuple[Event, ...]:
    """Give a database another name, or answer as if. Returns: the event of each table that has another name now.

    Raises: `NoSuchDatabase`, `DatabaseExists`.
    """
    names = _of(tx, TBLS, database)
    if not names:
        raise NoSuchDatabase(f"rename of database {database}: expected one, got none")
    if not rules.renames_databases:
        log.append(tx, "ALTER_DATABASE", name=database)
        return ()
    if _of(tx, TBLS, to):
        raise DatabaseExists(f"rename of database {database}: expected no database {to}, got one")
    return tuple([rename(tx, rules, name, _moved(name, to)) for name in names])


def move_records(tx: Transaction, database: str, to: str) -> None:
    """Move what is known of the writes to a database's tables to another name. Raises: `WriteIdsTaken`."""
    for name in _of(tx, NEXT_WRITE_ID, database):
        rename_records(tx, name, _moved(name, to))
    for name in changed_tables(tx):
        if split(name)[0] == database:
            rename_components(tx, name, _moved(name, to))
    move_locks(tx, database, to)


def _of(tx: Transaction, table: str, database: str) -> tuple[str, ...]:
    """The names in a database that have a row."""
    return tuple([name for name, _ in tx.scan(table) if split(name)[0] == database])


def _moved(name: str, to: str) -> str:
    return f"{to}.{split(name)[1]}"
