"""The live notification log as the model's rows, up to a limit: what the model's own poller can follow.

Source: the messages of `org.apache.hadoop.hive.metastore.messaging.json`, which hold Thrift objects in Thrift's JSON
form, zipped and in base64.

Choices: it is a database that has nothing but the log. The log names tables by name, the model by incarnation; content
events carry their table's id (that of a creation only its ticket), and for allocations the database is asked. The drop
of a partition carries no write id.
"""

import json
from collections.abc import Callable
from typing import Any, TypeVar

from model.hive.rows import (
    ADD_KEY,
    CONSTRAINT_EVENTS,
    DELETES_STATISTICS,
    NOTIFICATION_LOG,
    NOTIFICATION_SEQUENCE,
    TBLS,
    UPDATE_PARTITION_STATISTICS,
    UPDATE_STATISTICS,
    Event,
    Statistics,
    Table,
)
from real_backend.hive.backing import Backing, Row
from real_backend.hive.logged import (
    PARTITION_PARAMETERS,
    PARTITION_VALUES,
    TABLE_PARAMETERS,
    LoggedEvent,
    entries_of,
    message_of,
    truncates,
)
from real_backend.hive.names import Names, as_text

Result = TypeVar("Result")
_TABLE_NAME, _TABLE_DATABASE, _TABLE_TYPE, _TABLE_ID = "1", "2", "12", "25"
_COLUMNS, _COLUMN_DATA, _LONG, _HIGHEST = "2", "3", "2", "2"
_PARTITION_WRITE_ID = "9"


class LogView:
    """Implements `model.ports.Database` for readers of the log. `limit`: the newest event that is shown."""

    def __init__(self, backing: Backing, names: Names, limit: Callable[[], int]) -> None:
        self._backing = backing
        self._names = names
        self._limit = limit
        self._given: dict[tuple[int, str], dict[int, None]] = {}

    def transact(self, operation: str, resource: str, body: Callable[[Any], Result]) -> Result:
        """Run `body` on this view."""
        return body(self)

    def get(self, table: str, key: Any) -> Any:
        """The next event's id. No table is there: whether one that was dropped has been made anew is asked at its
        drop, and nothing comes of it where drops do not wait for that."""
        if table == TBLS:
            return None
        assert table == NOTIFICATION_SEQUENCE, f"{table}: expected a reader of the log only"
        return self._limit() + 1

    def scan(
        self, table: str, low: Any = None, high: Any = None, limit: int | None = None
    ) -> tuple[tuple[Any, Event], ...]:
        """The events from `low` on, the first `limit` of them."""
        assert table == NOTIFICATION_LOG, f"{table}: expected a reader of the log only"
        end = self._limit()
        rows = [row for row in self._backing.events_after(low[0] - 1) if row.id <= end]
        return tuple(((row.id, row.id), self._event(row)) for row in rows[:limit])

    def _event(self, row: LoggedEvent) -> Event:
        message = message_of(row)
        match row.kind:
            case "OPEN_TXN":
                return Event(row.id, row.id, row.kind, self._names.number_of(message["fromTxnId"]))
            case "COMMIT_TXN" | "ABORT_TXN":
                return Event(row.id, row.id, row.kind, self._names.number_of(message["txnid"]))
            case "ALTER_DATABASE":
                return Event(row.id, row.id, row.kind, name=str(row.database))
            case "ALLOC_WRITE_ID_EVENT":
                name = f"{row.database}.{row.table}"
                txn = self._names.number_of(message["txnIdList"][0])
                write_id = message["writeIdList"][0]
                given = self._given.setdefault((txn, name), {})
                given[write_id] = None
                return Event(
                    row.id, row.id, "ALLOC_WRITE_ID", txn, self._names.ours(name), self._now(name), write_id,
                    replaces=max([other for other in given if other < write_id], default=0),
                )  # fmt: skip
        return content_event(row, self._names)

    def _now(self, name: str) -> Table | None:
        row = self._backing.table(name)
        return None if row is None else Table(self._names.incarnation(row), self._names.ours(name), row.managed)


def content_event(row: LoggedEvent, names: Names) -> Event:
    """The change of a table's or a partition's content that a row of the log tells of."""
    message = message_of(row)
    if row.kind in CONSTRAINT_EVENTS:
        return _of_key(row, message, names)
    if row.kind in DELETES_STATISTICS:
        return _deletion(row, message, names)
    found = json.loads(message.get("tableObjAfterJson") or message["tableObjJson"])
    parameters = entries_of(found[TABLE_PARAMETERS])
    managed = found[_TABLE_TYPE]["str"] == "MANAGED_TABLE"
    before = json.loads(message["tableObjBeforeJson"]) if "tableObjBeforeJson" in message else found
    live_id = before.get(_TABLE_ID, {}).get("i64", 0)
    name = names.ours(_full_name(found))
    after = Table(names.incarnation(Row(live_id, managed, parameters)), name, managed, (("v", parameters["v"]),))
    write_id = max(0, message.get("writeId") or 0)
    if row.kind == UPDATE_STATISTICS:
        after = after._replace(statistics=_statistics(message, write_id))
    partition: tuple[str, str | None] | None = None
    old_partition = ""
    analyzed: Statistics | None = None
    if row.kind == UPDATE_PARTITION_STATISTICS:
        partition, analyzed = (message["partVals"][0], message["parameters"]["v"]), _statistics(message, write_id)
    elif row.kind in ("ADD_PARTITION", "ALTER_PARTITION"):
        text = message["partitionListJson"][0] if row.kind == "ADD_PARTITION" else message["partitionObjAfterJson"]
        added = json.loads(text)
        partition = (_value(added), entries_of(added[PARTITION_PARAMETERS])["v"])
        earlier = _value(json.loads(message.get("partitionObjBeforeJson", text)))
        old_partition = earlier if earlier != partition[0] else ""
        write_id = max(0, added.get(_PARTITION_WRITE_ID, {}).get("i64", 0))
    elif row.kind == "DROP_PARTITION":
        partition = (next(iter(message["partitions"][0].values())), None)
    old_name = names.ours(_full_name(before))
    return Event(
        row.id, row.id, row.kind, 0, old_name, after, write_id, partition, old_partition, analyzed=analyzed,
        truncates=truncates(row),
    )  # fmt: skip


def _of_key(row: LoggedEvent, message: dict[str, Any], names: Names) -> Event:
    """The change of a table's primary key: the name that the key has live tells whose it is."""
    name = names.ours(f"{row.database}.{row.table}")
    added = row.kind == ADD_KEY
    live = json.loads(message["primaryKeyListJson"][0])["5"]["str"] if added else message["constraintName"]
    key, _, incarnation = live.rpartition("-")
    table = Table(int(incarnation), name, False, key=key if added else None)
    return Event(row.id, row.id, row.kind, 0, name, table)


def _deletion(row: LoggedEvent, message: dict[str, Any], names: Names) -> Event:
    """Whose statistics were deleted: the message has names alone."""
    table_id, part = names.deleted[row.id]
    name = names.ours(f"{row.database}.{row.table}")
    partition = (part, None) if part else None
    unnamed = not message.get("colName")
    return Event(row.id, row.id, row.kind, 0, name, Table(table_id, name, False), partition=partition, unnamed=unnamed)


def _full_name(table: dict[str, Any]) -> str:
    """A table's live name, with its database's."""
    return f"{table[_TABLE_DATABASE]['str']}.{table[_TABLE_NAME]['str']}"


def _statistics(message: dict[str, Any], write_id: int) -> Statistics:
    """Those of the one column."""
    column = json.loads(message["colStatsJson"])[_COLUMNS]["lst"][2]
    return Statistics(as_text(column[_COLUMN_DATA]["rec"][_LONG]["rec"][_HIGHEST]["i64"]), write_id, True)


def value_after(row: LoggedEvent) -> str:
    """The content that a table has after the change that a row of the log tells of."""
    message = message_of(row)
    found = json.loads(message.get("tableObjAfterJson") or message["tableObjJson"])
    return entries_of(found[TABLE_PARAMETERS])["v"]


def _value(partition: dict[str, Any]) -> str:
    """What a partition's key is, of one that has one key."""
    value: str = partition[PARTITION_VALUES]["lst"][2]
    return value
