"""A table's primary key in the metastore's database, for all kinds of constraints: who adds it, who drops it.

A cache has the constraints of its load, until somebody adds or drops one: then it asks the database. CachedStore 4.0.1
asks for those of a load in the wrong order: the catalog's name stands where the database's belongs, that in the place
of the table's, and the table's in that of the catalog's. It finds none, and takes the table to have none: in event mode
until somebody adds or drops one, in the default mode after each refresh, of whatever was added through it, too.

Source: hive/7 (row 48); `CachedStore.prewarm`, `CacheUpdateMasterWork.updateAllTableConstraints`, `getPrimaryKeys`,
`SharedCache.addPrimaryKeysToCache`, `removeConstraintFromCache` (`invalidateConstraintsCache`),
`AllTableConstraintsRequest`, `ObjectStore.addPrimaryKeys`, `dropConstraint` 4.0.1; live:
tests/live/hive/test_constraints.py, which has all six kinds.

Choices: one primary key, of which its name is known. The requests of 4.0.1 have no field for a write id, nor have their
events; here a change of a managed table has one, as every other change has. A constraint goes with its table, under
whatever name, and is gone with it.
"""

from model.hive import log
from model.hive.errors import KeyExists, NoSuchTable
from model.hive.rows import ADD_KEY, DROP_KEY, TBLS, Event
from model.hive.tables import locked
from model.ports import Transaction


def add_key(tx: Transaction, name: str, key: str, write_id: int = 0, meant: int | None = None) -> Event:
    """Give a table a primary key. Raises: `NoSuchTable`, `TableReplaced`, `KeyExists`."""
    table = locked(tx, name, meant)
    if table.key is not None:
        raise KeyExists(f"primary key {key} of {name}: expected none, got {table.key}")
    after = table._replace(key=key)
    tx.put(TBLS, name, after)
    return log.append(tx, ADD_KEY, name=name, table=after, write_id=write_id)


def drop_key(tx: Transaction, name: str, key: str, write_id: int = 0, meant: int | None = None) -> Event:
    """Take it away. Raises: `NoSuchTable`, also if it has another one, or none; `TableReplaced`."""
    table = locked(tx, name, meant)
    if table.key != key:
        raise NoSuchTable(f"primary key {key} of {name}: expected it, got {table.key or 'none'}")
    after = table._replace(key=None)
    tx.put(TBLS, name, after)
    return log.append(tx, DROP_KEY, name=name, table=after, write_id=write_id)
