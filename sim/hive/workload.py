"""What sessions do to a metastore with replicas, as data: the simulator and a live backend interpret the same objects.

A table's content is its parameter `v`, a partition's is one value. Values are unique per table and partition, so that
a value read back names the statement that wrote it. `at` names the replica that a call goes to; "" is the session's
home. The steps of a statement have the names of the metastore's calls:

| statement | steps (operation at the replica) | Thrift call |
| --- | --- | --- |
| `Begin` | `open_txn`, `get_open_txns`, per table `get_valid_write_ids` | `open_txns`, `get_open_txns`, `get_valid_write_ids` with `get_table_req` past the cache |
| `Get` | `get_table`; on a miss `read_table` | `get_table_req` |
| `ListPartitions` | `get_partitions`; on a miss `read_table` | `get_partitions_by_expr` |
| `Alter` | first `allocate_write_id`; `alter_table` | `allocate_table_write_ids`, `alter_table_req` |
| `PutPartition`, `DropPartition` | first `allocate_write_id`; `put_partition`, `drop_partition` | `add_partitions_req`, `drop_partition` |
| `Create`, `Rename`, `Drop` | `new_table`, `rename_table`, `drop_table` | `new_table`, `alter_table_req`, `drop_table` |
| `Commit`, `Abort` | `commit_txn`, `abort_txn` | the same |
| `Write` | `allocate_write_id` | `allocate_table_write_ids` |
| `Update` | `allocate_write_id`, `record_update` | `allocate_table_write_ids`, `lock` |
| `CleanLog`, `LogEvent` | `clean_log`, `log_event` at the database | none: rows of `NOTIFICATION_LOG` |
| `Lock`, `LockSet`, `TimeOut`, `Evict`, `Restart` | see `sim.hive.lock_statements`, `.evictions`, `.restarts` | |
| `RenamePartition`, `Analyze`, `DeleteStatistics`, `GetStatistics`, `GetAggregate` | see `sim.hive.partition_renames`, `sim.hive.statistics_statements` | |
| `RenameDatabase` | see `sim.hive.database_renames` | |
| `Truncate` | see `sim.hive.truncate_statements` | |
| `AddKey`, `DropKey`, `GetKey` | see `sim.hive.constraint_statements` | |
| `LockedUpdate`, `LockedInsert`, `CleanHistory` | see `sim.hive.update_statements` | |
| (a poller) | `poll`: reads and applies the next event | the watermark moves on by one event |
"""  # noqa: E501 (a table's row is one line)

from dataclasses import dataclass

from model.hive.cached_objects import EVERYTHING, CachedObjects
from sim.hive.constraint_statements import AddKey, DropKey, GetKey
from sim.hive.database_renames import RenameDatabase, connected
from sim.hive.evictions import Evict
from sim.hive.lock_statements import Lock, LockSet, TimeOut
from sim.hive.partition_renames import RenamePartition
from sim.hive.restarts import Restart, restarted
from sim.hive.statistics_statements import Analyze, DeleteStatistics, GetAggregate, GetStatistics
from sim.hive.truncate_statements import Truncate
from sim.hive.update_statements import CleanHistory, LockedInsert, LockedUpdate
from sim.hive.validation import check_known, check_once, check_statement, check_table, check_text, check_word, sequence


class _Checked:
    """A statement, whose fields are looked at when it is made."""

    __slots__ = ()

    def __post_init__(self) -> None:
        check_statement(self)


@dataclass(frozen=True, slots=True)
class Begin(_Checked):
    """Open a transaction and take its snapshot, with the lists and ids of `tables`."""

    tables: tuple[str, ...] = ()
    read_only: bool = False


@dataclass(frozen=True, slots=True)
class Get(_Checked):
    """Read a table."""

    table: str
    at: str = ""


@dataclass(frozen=True, slots=True)
class ListPartitions(_Checked):
    """Read a table with all its partitions."""

    table: str
    at: str = ""


@dataclass(frozen=True, slots=True)
class Alter(_Checked):
    """Set the table's parameter `v`."""

    table: str
    value: str
    at: str = ""


@dataclass(frozen=True, slots=True)
class PutPartition(_Checked):
    """Add a partition, or alter the one of that name."""

    table: str
    partition: str
    value: str
    at: str = ""


@dataclass(frozen=True, slots=True)
class DropPartition(_Checked):
    """Drop a partition."""

    table: str
    partition: str
    at: str = ""


@dataclass(frozen=True, slots=True)
class Create(_Checked):
    """Make a table with parameter `v` = value."""

    table: str
    value: str
    managed: bool = True
    at: str = ""


@dataclass(frozen=True, slots=True)
class Rename(_Checked):
    """Give a table another name."""

    table: str
    to: str
    at: str = ""


@dataclass(frozen=True, slots=True)
class Drop(_Checked):
    """Drop a table."""

    table: str
    at: str = ""


@dataclass(frozen=True, slots=True)
class Commit(_Checked):
    """Commit the session's transaction."""


@dataclass(frozen=True, slots=True)
class Abort(_Checked):
    """Abort the session's transaction."""


@dataclass(frozen=True, slots=True)
class Write(_Checked):
    """Write rows: no change of metadata, but a write id (`INSERT`)."""

    table: str


@dataclass(frozen=True, slots=True)
class Update(_Checked):
    """Change rows: a write id, and a write that conflicts with others' (`UPDATE`)."""

    table: str


@dataclass(frozen=True, slots=True)
class LogEvent(_Checked):
    """Add an event to the log, as some other component might: of a kind that this version may not know."""

    kind: str
    table: str


@dataclass(frozen=True, slots=True)
class CleanLog(_Checked):
    """Delete every event that is in the notification log now."""


Statement = (
    Begin | Get | ListPartitions | Alter | PutPartition | DropPartition | Create | Rename | Drop | Commit | Abort
    | Write | Update | LogEvent | CleanLog | Lock | LockSet | TimeOut | Evict | RenamePartition
    | Analyze | DeleteStatistics | GetStatistics | GetAggregate | Restart | LockedUpdate | LockedInsert | CleanHistory
    | RenameDatabase | AddKey | DropKey | GetKey | Truncate
)  # fmt: skip
OF_PARTITIONS = (PutPartition, DropPartition, RenamePartition, Analyze, DeleteStatistics, GetStatistics)
"""Those that may name a partition."""


@dataclass(frozen=True, slots=True)
class HiveTable:
    """A table that exists before the race."""

    name: str
    value: str
    managed: bool = True
    partitions: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        check_table("HiveTable: name", self.name)
        check_text(f"table {self.name}: value", self.value)
        for pair in sequence(f"table {self.name}: partitions", self.partitions):
            if len(sequence(f"table {self.name}: partitions", pair)) != 2:
                raise ValueError(f"table {self.name}: partitions: expected (name, value), got {pair!r}")
            for text in pair:
                check_text(f"table {self.name}: partitions", text)


@dataclass(frozen=True, slots=True)
class HiveSession:
    """One client: its name, the replica that it is connected to, and what it does.

    `sends_lists` False is an old client, which sends neither lists nor table ids; one that `asks_again` is Hive's own,
    which makes a call again that got no answer (`model.hive.asking_again`).
    """

    actor: str
    home: str
    statements: tuple[Statement, ...]
    sends_lists: bool = True
    asks_again: bool = False

    def __post_init__(self) -> None:
        check_word("HiveSession: actor", self.actor)
        check_word(f"session {self.actor}: home", self.home)
        for statement in sequence(f"session {self.actor}: statements", self.statements):
            if not isinstance(statement, Statement):
                raise ValueError(f"session {self.actor}: statements: expected a statement, got {statement!r}")

    @property
    def replicas(self) -> tuple[str, ...]:
        """Those that it goes to, its home first."""
        named = [getattr(statement, "at", "") for statement in self.statements]
        return tuple(dict.fromkeys([self.home, *filter(None, named)]))


@dataclass(frozen=True, slots=True)
class HiveWorkload:
    """Sessions on replicas over one database.

    Replicas in `cold` start, and prewarm, during the race. `earlier` sessions have ended when it begins, one after the
    other; `lagging` replicas had prewarmed before them and have followed the log no further, all others start after.
    `cached` are the lists of what caches may hold.
    """

    sessions: tuple[HiveSession, ...]
    tables: tuple[HiveTable, ...] = (HiveTable("default.t", "v0"),)
    replicas: tuple[str, ...] = ("h1", "h2")
    pollers: tuple[str, ...] = ("h2",)
    cold: tuple[str, ...] = ()
    earlier: tuple[HiveSession, ...] = ()
    lagging: tuple[str, ...] = ()
    cached: CachedObjects = EVERYTHING

    def __post_init__(self) -> None:
        for name in ("sessions", "tables", "replicas", "pollers", "cold", "earlier", "lagging"):
            sequence(f"HiveWorkload: {name}", getattr(self, name))
        if not (self.sessions and self.replicas):
            raise ValueError("HiveWorkload: expected sessions and replicas, got none")
        for replica in self.replicas:
            check_word("HiveWorkload: replicas", replica)
        check_once("HiveWorkload: sessions and replicas", [*(each.actor for each in self.everybody), *self.replicas])
        check_once("HiveWorkload: tables", [table.name for table in self.tables])
        check_known("HiveWorkload: pollers", self.pollers, self.replicas)
        check_known("HiveWorkload: cold", self.cold, self.pollers)
        check_known("HiveWorkload: lagging", self.lagging, [name for name in self.replicas if name not in self.cold])
        for session in self.everybody:
            check_known(f"session {session.actor}: home and at", session.replicas, self.replicas)
            check_known(f"session {session.actor}: restarts", restarted(session.statements, session.home), self.pollers)
            silent = [one.session for one in session.statements if isinstance(one, TimeOut)]
            check_known(f"session {session.actor}: sessions that time out", silent, self.actors)
        check_once("HiveWorkload: values of a table or partition", self._values())

    def _values(self) -> list[tuple[str, str, str]]:
        """Every (table, partition, value) that the workload writes: a value read back names its statement."""
        written = [(table.name, "", table.value) for table in self.tables]
        written += [(table.name, *pair) for table in self.tables for pair in table.partitions]
        for session in self.everybody:
            written += [
                (statement.table, getattr(statement, "partition", ""), statement.value)
                for statement in session.statements
                if isinstance(statement, AddKey | Alter | Analyze | Create | PutPartition | RenamePartition)
            ]
        return written

    @property
    def everybody(self) -> tuple[HiveSession, ...]:
        """The earlier sessions, then those of the race."""
        return (*self.earlier, *self.sessions)

    @property
    def actors(self) -> tuple[str, ...]:
        """The sessions' names, in order."""
        return tuple(session.actor for session in self.sessions)

    def has(self, *kinds: type) -> bool:
        """Whether a session of the race has a statement of one of these kinds."""
        return any(isinstance(one, kinds) for session in self.sessions for one in session.statements)

    def partitions_of(self, table: str) -> tuple[str, ...]:
        """Every partition name that the workload mentions for a table, or for one whose name it may have got."""
        renames = [one for session in self.everybody for one in session.statements if isinstance(one, Rename)]
        databases = [one for session in self.everybody for one in session.statements if isinstance(one, RenameDatabase)]
        known = connected(table, [(one.table, one.to) for one in renames], databases)
        names = [name for each in self.tables if each.name in known for name, _ in each.partitions]
        for session in self.everybody:
            for statement in session.statements:
                if isinstance(statement, OF_PARTITIONS) and statement.table in known:
                    names += [getattr(statement, "old", statement.partition), statement.partition]
        return tuple([name for name in dict.fromkeys(names) if name])
