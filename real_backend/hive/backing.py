"""The database behind the metastores, read past every cache: tables, partitions, the notification log.

Choices: a table of ours carries a number of ours in its parameter `ticket`, and a partition its value in `v`: every
copy of a table shows whose copy it is, whatever a cache makes of the metastore's own ids.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple
from urllib.parse import unquote

from model.hive.rows import CONSTRAINT_EVENTS, DELETES_STATISTICS, UPDATE_PARTITION_STATISTICS, UPDATE_STATISTICS
from real_backend.hive.client import split_name
from real_backend.hive.logged import LoggedEvent, without_repeats
from real_backend.hive.postgres import Postgres

TICKET = "ticket"
# what a cache does not apply, and does not count as a position; source: `CachedStore.updateUsingNotificationEvents`
NOT_APPLIED = (
    "OPEN_TXN", "COMMIT_TXN", "ABORT_TXN", "ALLOC_WRITE_ID_EVENT", "ACID_WRITE_EVENT", "INSERT", "CREATE_FUNCTION",
    "DROP_FUNCTION",
)  # fmt: skip
CONTENT = (
    "CREATE_TABLE", "ALTER_TABLE", "DROP_TABLE", "ADD_PARTITION", "ALTER_PARTITION", "DROP_PARTITION",
    UPDATE_STATISTICS, UPDATE_PARTITION_STATISTICS, *DELETES_STATISTICS, *CONSTRAINT_EVENTS,
)  # fmt: skip
_OF_TXNS = ("TXN_COMPONENTS", "COMPLETED_TXN_COMPONENTS", "WRITE_SET", "TXN_TO_WRITE_ID", "MIN_HISTORY_LEVEL")

_TABLE = """
    select t."TBL_ID", t."TBL_TYPE" = 'MANAGED_TABLE', p."PARAM_KEY", p."PARAM_VALUE"
    from "TBLS" t join "DBS" d using ("DB_ID") left join "TABLE_PARAMS" p using ("TBL_ID")
    where d."NAME" = %s and t."TBL_NAME" = %s"""
_TABLES = 'select t."TBL_NAME" from "TBLS" t join "DBS" d using ("DB_ID") where d."NAME" = %s order by t."TBL_ID"'
_PARTITIONS = """
    select p."PART_NAME", v."PARAM_VALUE" from "PARTITIONS" p join "PARTITION_PARAMS" v using ("PART_ID")
    where p."TBL_ID" = %s and v."PARAM_KEY" = 'v' order by p."PART_NAME\""""

_PARTITION_STATISTICS = """
    select p."PART_NAME", s."LONG_HIGH_VALUE" from "PARTITIONS" p join "PART_COL_STATS" s using ("PART_ID")
    where p."TBL_ID" = %s order by p."PART_NAME\""""
_KEY = 'select "CONSTRAINT_NAME" from "KEY_CONSTRAINTS" where "PARENT_TBL_ID" = %s and "CONSTRAINT_TYPE" = 0'
_STATISTICS = 'select "LONG_HIGH_VALUE" from "TAB_COL_STATS" where "TBL_ID" = %s'


class Row(NamedTuple):
    """A table as the database has it."""

    live_id: int
    managed: bool
    parameters: dict[str, str]

    @property
    def ticket(self) -> int:
        """The number that it was made with."""
        return int(self.parameters[TICKET])


class Backing:
    """One metastore database."""

    def __init__(self, postgres: Postgres, database: str) -> None:
        self.name = database
        self._connection = postgres.connect(database)

    def rows(self, query: str, *values: object) -> list[Any]:
        """The rows of a query."""
        return self._connection.execute(query.encode(), values).fetchall()

    def table(self, name: str) -> Row | None:
        """The table of this name, or None."""
        found = self.rows(_TABLE, *split_name(name))
        if not found:
            return None
        return Row(found[0][0], found[0][1], {key: value for _, _, key, value in found if key is not None})

    def tables(self, database: str) -> list[str]:
        """The names of a database's tables, in the order in which they were made."""
        return [f"{database}.{name}" for (name,) in self.rows(_TABLES, database)]

    def newest_database(self) -> str:
        """The name of the database that was made last."""
        return str(self.rows('select "NAME" from "DBS" order by "DB_ID" desc limit 1')[0][0])

    def partitions(self, live_id: int) -> tuple[tuple[str, str], ...]:
        """A table's partitions as (value of the partition column, content)."""
        rows = self.rows(_PARTITIONS, live_id)
        return tuple((unquote(name.split("=", 1)[1]), value) for name, value in rows)

    def key(self, live_id: int) -> str | None:
        """What a table's primary key is called; None: it has none."""
        found = self.rows(_KEY, live_id)
        return str(found[0][0]).rpartition("-")[0] if found else None

    def statistics(self, live_id: int) -> int | None:
        """The highest value that the statistics of a table's column tell of; None: it has none."""
        found = self.rows(_STATISTICS, live_id)
        return int(found[0][0]) if found else None

    def partition_statistics(self, live_id: int) -> tuple[tuple[str, int], ...]:
        """The same of its partitions that have some, as (value of the partition column, highest value)."""
        rows = self.rows(_PARTITION_STATISTICS, live_id)
        return tuple((unquote(name.split("=", 1)[1]), int(highest)) for name, highest in rows)

    def open_txns(self, txns: Sequence[int]) -> list[int]:
        """Those of these transactions that are open, in order."""
        found = self.rows('select "TXN_ID" from "TXNS" where "TXN_STATE" = %s and "TXN_ID" = any(%s)', "o", list(txns))
        return sorted(txn for (txn,) in found)

    def is_aborted(self, txn: int) -> bool:
        """Whether a transaction is known as aborted."""
        return bool(self.rows('select 1 from "TXNS" where "TXN_ID" = %s and "TXN_STATE" = %s', txn, "a"))

    def silence(self, txn: int) -> bool:
        """Say of a transaction that it was last heard of at the beginning of time; whether it is open."""
        query = """update "TXNS" set "TXN_LAST_HEARTBEAT" = 1
            where "TXN_ID" = %s and "TXN_STATE" = %s returning 1"""
        return bool(self.rows(query, txn, "o"))

    def make_txns_old(self) -> None:
        """Say of every transaction that it was opened longer ago than an open may take."""
        self.rows('update "TXNS" set "TXN_STARTED" = 1 where "TXN_STARTED" > 1 returning 1')

    def forget_txns(self) -> None:
        """Forget everything that is known of transactions, all of which have ended, but for the highest id.

        What earlier runs have left, an aborted update's changes say, would keep history from being cleaned.
        """
        for table in _OF_TXNS:
            self.rows(f'delete from "{table}" returning 1')
        highest = '(select max("TXN_ID") from "TXNS")'
        self.rows(f'delete from "TXNS" where "TXN_ID" < {highest} returning 1')
        self.rows('update "TXNS" set "TXN_STATE" = %s, "TXN_STARTED" = 1 returning 1', "c")

    def last_event(self) -> int:
        """The id of the newest event; 0 if there is none."""
        return int(self.rows('select coalesce(max("EVENT_ID"), 0) from "NOTIFICATION_LOG"')[0][0])

    def last_applicable(self, limit: int) -> int:
        """The newest event up to `limit` that a cache applies; 0 if there is none."""
        query = """select coalesce(max("EVENT_ID"), 0) from "NOTIFICATION_LOG"
            where "EVENT_ID" <= %s and not "EVENT_TYPE" = any(%s)"""
        return int(self.rows(query, limit, list(NOT_APPLIED))[0][0])

    def events_after(self, position: int) -> list[LoggedEvent]:
        """The events with larger ids, in order."""
        query = """select "EVENT_ID", "EVENT_TYPE", "DB_NAME", "TBL_NAME", "MESSAGE" from "NOTIFICATION_LOG"
            where "EVENT_ID" > %s order by "EVENT_ID\""""
        return [LoggedEvent(*row) for row in self.rows(query, position)]

    def content_events(self, databases: Sequence[str], after: int) -> list[LoggedEvent]:
        """The changes of content of these databases' tables with larger ids, in order."""
        events = self.events_after(after)
        return without_repeats([event for event in events if event.database in databases and event.kind in CONTENT])

    def close(self) -> None:
        """End the connection."""
        self._connection.close()
