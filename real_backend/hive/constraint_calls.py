"""A live metastore's calls of a table's primary key, as `model.hive` makes them.

Choices: a key's live name ends with its table's incarnation, for the log names the table by name alone.
"""

from hive_metastore import ttypes as wire

from model.hive.errors import NoSuchTable
from model.hive.replica import Request, Told
from model.hive.rows import Event
from real_backend.hive.client import split_name
from real_backend.hive.replica import LiveReplica

CATALOG, COLUMN = "hive", "id"


class LiveConstraints(LiveReplica):
    """One actor's view of one metastore, with the primary keys of its tables."""

    def add_key(self, name: str, key: str, write_id: int = 0, table_id: int | None = None) -> Event:
        """Raises: `NoSuchTable`, `KeyExists`. The request has no field for a write id."""
        named = self._live_key(name, key)
        made = wire.SQLPrimaryKey(*split_name(self._names.live(name)), COLUMN, 1, named, False, False, False, CATALOG)
        self._call(lambda calls: calls.add_primary_key(wire.AddPrimaryKeyRequest([made])))
        return self._event(write_id)

    def drop_key(self, name: str, key: str, write_id: int = 0, table_id: int | None = None) -> Event:
        """Raises: `NoSuchTable`."""
        request = wire.DropConstraintRequest(*split_name(self._names.live(name)), self._live_key(name, key), CATALOG)
        self._call(lambda calls: calls.drop_constraint(request))
        return self._event(write_id)

    def _live_key(self, name: str, key: str) -> str:
        row = self._backing.table(self._names.live(name))
        return f"{key}-{0 if row is None else self._names.incarnation(row)}"

    def get_key(self, request: Request) -> Told:
        """What a table's primary key is called. Raises: `NoSuchTable`."""
        asked = wire.PrimaryKeysRequest(
            *split_name(self._names.live(request.name)), CATALOG, self._list(request), self._id(request)
        )
        found = self._call(lambda calls: calls.get_primary_keys(asked).primaryKeys)
        value = found[0].pk_name.rpartition("-")[0] if found else None
        if self._source == "cache":
            return Told(self._table(request.name, self._cached_now(request)), value, "cache")
        row = self._backing.table(self._names.live(request.name))
        if row is None:
            raise NoSuchTable(f"table {request.name}: expected one, the database has none")
        return Told(self._stored(request.name, row).table, value, "database")
