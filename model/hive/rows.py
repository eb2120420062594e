"""The rows of the metastore's database and the events of its notification log.

| table | key | row |
| --- | --- | --- |
| TBLS | table name | `Table` |
| PARTITIONS | table id, partition name | `Partition` |
| TXNS | transaction | `Txn` |
| TXN_TO_WRITE_ID | table name, write id | transaction |
| WRITE_ID_OF_TXN | transaction, table name | write id (the unique index over the former) |
| NEXT_WRITE_ID | table name | next id |
| REPL_TXN_MAP | policy, transaction at the source | transaction here |
| COMPACTION_QUEUE | number | what waits for the cleaner (`model.hive.soft_deletes`) |
| TXN_COMPONENTS | transaction, table name, partition | operation |
| WRITE_SET | table name, partition, transaction | `WriteSet` |
| HIVE_LOCKS | request, part | `Lock` |
| NEXT_LOCK_ID | 1 | next request |
| NOTIFICATION_LOG | event id, log id | `Event` |
| NOTIFICATION_SEQUENCE | 1 | next event id |

Source: hive/1.1, hive/5; `hive-schema-4.0.0.*.sql`.

Choices: a table's content is its parameters, a partition's is one value. Events carry the write id of the change, as
`AlterTableMessage` does, and the table's id; the log id (`NL_ID`) is unique even where event ids are not.
"""

from typing import Literal, NamedTuple

TBLS = "TBLS"
PARTITIONS = "PARTITIONS"
TXNS = "TXNS"
TXN_TO_WRITE_ID = "TXN_TO_WRITE_ID"
WRITE_ID_OF_TXN = "WRITE_ID_OF_TXN"
NEXT_WRITE_ID = "NEXT_WRITE_ID"
BASES = "BASES"
"""No table of the metastore: the folders `base_N` of a table, by its id and the write id of the truncate."""
REPL_TXN_MAP = "REPL_TXN_MAP"
COMPACTION_QUEUE = "COMPACTION_QUEUE"
TXN_COMPONENTS = "TXN_COMPONENTS"
WRITE_SET = "WRITE_SET"
HIVE_LOCKS = "HIVE_LOCKS"
NEXT_LOCK_ID = "NEXT_LOCK_ID"
NOTIFICATION_LOG = "NOTIFICATION_LOG"
NOTIFICATION_SEQUENCE = "NOTIFICATION_SEQUENCE"

Parameters = tuple[tuple[str, str], ...]
Partitions = tuple[tuple[str, str], ...]
OPEN, COMMITTED, ABORTED = "o", "c", "a"


class Statistics(NamedTuple):
    """What was said of a table's column last (None: nothing), by which write (0: of a table without), and whether the
    parameters say that it is accurate."""

    value: str | None
    write_id: int
    accurate: bool


NEVER_ANALYZED = Statistics(None, 0, True)


def inaccurate(statistics: Statistics | None, *, managed: bool) -> Statistics | None:
    """The statistics of a table or a partition whose parameters have changed, and say nothing of them."""
    if statistics is None and not managed:
        return None
    return (statistics or NEVER_ANALYZED)._replace(accurate=False)


class Table(NamedTuple):
    """A table as one request or event shows it. `id` is never used again; `managed` tables have write ids; `key` is
    what its primary key is called, if it has one."""

    id: int
    name: str
    managed: bool
    parameters: Parameters = ()
    statistics: Statistics | None = None
    key: str | None = None

    @property
    def analyzed(self) -> str | None:
        """What its statistics tell; None: it has none."""
        return None if self.statistics is None else self.statistics.value

    @property
    def outdated(self) -> Statistics | None:
        """Its statistics once its parameters have changed, and say nothing of them."""
        return inaccurate(self.statistics, managed=self.managed)


class Partition(NamedTuple):
    """A partition in the database: its content, and what was said of its column, if anything was, or it was altered."""

    value: str
    statistics: Statistics | None = None

    def altered(self, value: str, *, managed: bool) -> "Partition":
        """The partition with other content, and parameters that say nothing of its statistics."""
        return Partition(value, inaccurate(self.statistics, managed=managed))


class Txn(NamedTuple):
    """A transaction. A read-only one emits no events and is nobody's exception. `locks`: it has asked for some;
    `commit`: the highest id that there was when it committed."""

    state: str
    started_ms: int
    heartbeat_ms: int
    read_only: bool = False
    locks: bool = False
    commit: int = 0


class WriteSet(NamedTuple):
    """What a committed transaction updated or deleted, for conflict detection: `commit` is its commit id."""

    commit: int
    operation: str


class Lock(NamedTuple):
    """A part of a lock request; `txn` 0: of none. An empty `table` is the whole database, an empty `partition` the
    whole table. Locks of a transaction are as alive as it is."""

    txn: int
    database: str
    table: str
    partition: str
    kind: str
    held: bool
    heartbeat_ms: int


Kind = Literal[
    "OPEN_TXN",
    "ALLOC_WRITE_ID",
    "COMMIT_TXN",
    "ABORT_TXN",
    "CREATE_TABLE",
    "ALTER_TABLE",
    "DROP_TABLE",
    "ADD_PARTITION",
    "ALTER_PARTITION",
    "DROP_PARTITION",
    "INSERT",
    "ALTER_DATABASE",
    "UPDATE_TBL_COL_STAT_EVENT",
    "UPDATE_PART_COL_STAT_EVENT",
    "DELETE_TBL_COL_STAT_EVENT",
    "DELETE_PART_COL_STAT_EVENT",
    "ADD_PRIMARYKEY",
    "DROP_CONSTRAINT",
]
UPDATE_STATISTICS = "UPDATE_TBL_COL_STAT_EVENT"
UPDATE_PARTITION_STATISTICS = "UPDATE_PART_COL_STAT_EVENT"
DELETE_STATISTICS = "DELETE_TBL_COL_STAT_EVENT"
DELETE_PARTITION_STATISTICS = "DELETE_PART_COL_STAT_EVENT"
DELETES_STATISTICS = (DELETE_STATISTICS, DELETE_PARTITION_STATISTICS)
CONSTRAINT_EVENTS = (ADD_KEY, DROP_KEY) = ("ADD_PRIMARYKEY", "DROP_CONSTRAINT")
TXN_EVENTS = ("OPEN_TXN", "ALLOC_WRITE_ID", "COMMIT_TXN", "ABORT_TXN")
CONTENT_EVENTS = (
    "CREATE_TABLE", "ALTER_TABLE", "DROP_TABLE", "ADD_PARTITION", "ALTER_PARTITION", "DROP_PARTITION",
    UPDATE_STATISTICS, UPDATE_PARTITION_STATISTICS, *DELETES_STATISTICS, *CONSTRAINT_EVENTS,
)  # fmt: skip


class Event(NamedTuple):
    """One row of the notification log.

    Fields: `id` orders the log; `txn` of transaction events; `name` the table's name before the change; `table` the
    table after it; `write_id` 0 if the change has none; `partition` its name and new value (None: dropped);
    `old_partition` the name that a partition had, if it has got another one; `replaces` the write id that an allocated
    one takes the place of; `analyzed` the statistics that a partition has got; `unnamed`: statistics of every column
    went, of which none was named; `truncates`: it is a truncate's.
    """

    id: int
    log_id: int
    kind: str
    txn: int = 0
    name: str = ""
    table: Table | None = None
    write_id: int = 0
    partition: tuple[str, str | None] | None = None
    old_partition: str = ""
    replaces: int = 0
    analyzed: Statistics | None = None
    truncates: bool = False
    unnamed: bool = False

    @property
    def new_name(self) -> str:
        """The name that the table has after it."""
        return self.name if self.table is None else self.table.name

    @property
    def renames_table(self) -> bool:
        """Whether the table has another name after it."""
        return self.kind == "ALTER_TABLE" and self.table is not None and self.table.name != self.name


def statistics_key(table_id: int, partition: str = "") -> str:
    """The key under which histories show a table's statistics, or a partition's."""
    return f"statistics:{table_id}/{partition}" if partition else f"statistics:{table_id}"


def constraint_key(table_id: int) -> str:
    """The key under which histories show what a table's primary key is called."""
    return f"constraint:{table_id}"


def content_key(table_id: int, partition: str | None = None) -> str:
    """The key under which histories show a table's or a partition's content."""
    return f"table:{table_id}" if partition is None else f"partition:{table_id}/{partition}"
