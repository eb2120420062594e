"""The statements of a Hudi workload, as data: what an actor can ask for, and each one's name in a history."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

from model.hudi.errors import ConfigError
from model.hudi.file_groups import BULK_INSERT, DELETE_PARTITION, LOG_COMPACT, OVERWRITE, OVERWRITE_TABLE
from model.hudi.names import SAVEPOINT
from sim.hudi.rows import Rows, check_columns, check_rows

PARTITION = "p1"
DAMAGE_MARKERS = "damage_markers"
READ_NEWS, READ_FIRST, READ_AS_OF = "read news", "read at", "read as of"
THEIRS = "the oldest plan that is pending"


@dataclass(frozen=True, slots=True)
class Upsert:
    """Change rows, and insert those whose id no file holds: startCommit, upsert, commit, close with one client.

    Args: `work_ms` is the computation before each data file; `attempts` the tries of each task; `after_ms` a wait
    before it; `tries` how often its owner tries until it is not refused, `between_ms` after each refusal; `tasks` how
    many files are written side by side; `columns` those of its client's schema beside the table's first ones.
    """

    rows: Rows
    work_ms: int = 0
    attempts: int = 1
    after_ms: int = 0
    tries: int = 1
    between_ms: int = 0
    tasks: int = 1
    columns: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_rows("rows", self.rows)
        _at_least(0, work_ms=self.work_ms, after_ms=self.after_ms, between_ms=self.between_ms)
        _at_least(1, attempts=self.attempts, tries=self.tries, tasks=self.tasks)
        check_columns(self.columns)


@dataclass(frozen=True, slots=True)
class Update(Upsert):
    """Change rows by what they are: an UPDATE of Spark SQL, which upserts rows that come of a read of the table."""


@dataclass(frozen=True, slots=True)
class Delete:
    """Delete rows by their ids, of those that are there: a DELETE of Spark SQL, which reads them first."""

    ids: tuple[int, ...]

    def __post_init__(self) -> None:
        check_rows("ids", tuple([(key, "x") for key in self.ids]))

    @property
    def rows(self) -> Rows:
        """The rows that it writes: none."""
        return ()


@dataclass(frozen=True, slots=True)
class Insert:
    """Insert rows into a new file group, without looking for their ids."""

    rows: Rows

    def __post_init__(self) -> None:
        check_rows("rows", self.rows)


@dataclass(frozen=True, slots=True)
class Clean:
    """Wait `after_ms`, then roll back failed writes as a lazy cleaner does, and clean old slices."""

    after_ms: int = 0

    def __post_init__(self) -> None:
        _at_least(0, after_ms=self.after_ms)


@dataclass(frozen=True, slots=True)
class Read:
    """Read the whole table."""


@dataclass(frozen=True, slots=True)
class ReadNews:
    """Read what has come since the actor last read so, or since the race began: an incremental query."""


@dataclass(frozen=True, slots=True)
class ReadFirst:
    """Read the table as of the newest commit of when the race began: `as.of.instant`."""


@dataclass(frozen=True, slots=True)
class ReadAsOf:
    """Read it as of the newest commit that there is, or of one so many commits `back`; none from before the race."""

    back: int = 0

    def __post_init__(self) -> None:
        _at_least(0, back=self.back)


@dataclass(frozen=True, slots=True)
class BulkInsert:
    """As `Insert`, by the operation for first loads."""

    rows: Rows

    def __post_init__(self) -> None:
        check_rows("rows", self.rows)


@dataclass(frozen=True, slots=True)
class Overwrite:
    """Put rows in the place of all that is in their partitions, or in the `whole_table`."""

    rows: Rows
    whole_table: bool = False

    def __post_init__(self) -> None:
        check_rows("rows", self.rows)


@dataclass(frozen=True, slots=True)
class DeletePartition:
    """Delete all that is in a partition."""

    partition: str = PARTITION

    @property
    def rows(self) -> Rows:
        """The rows that it writes: none."""
        return ()


@dataclass(frozen=True, slots=True)
class Cluster:
    """Plan to write the file groups of each partition into a new one, and do so; or carry out the oldest plan that is
    `pending`."""

    pending: bool = False

    @property
    def rows(self) -> Rows:
        """The rows that it changes: none."""
        return ()


@dataclass(frozen=True, slots=True)
class PlanClustering:
    """Plan to cluster, and leave it to others to carry the plan out."""


@dataclass(frozen=True, slots=True)
class Compact:
    """Wait `after_ms`, then plan to compact each file group that has log files, and do so; or carry out the oldest plan
    that is `pending`. `logs`: log files alone, into one."""

    pending: bool = False
    after_ms: int = 0
    logs: bool = False

    def __post_init__(self) -> None:
        _at_least(0, after_ms=self.after_ms)

    @property
    def rows(self) -> Rows:
        """The rows that it changes: none."""
        return ()


@dataclass(frozen=True, slots=True)
class Savepoint:
    """Make a savepoint of the newest commit, or of one so many commits `back`."""

    back: int = 0

    def __post_init__(self) -> None:
        _at_least(0, back=self.back)


@dataclass(frozen=True, slots=True)
class DeleteSavepoint:
    """Delete the newest savepoint."""


@dataclass(frozen=True, slots=True)
class Restore:
    """Take the table back to the newest savepoint; again, up to so many `tries`, while that fails."""

    tries: int = 1

    def __post_init__(self) -> None:
        _at_least(1, tries=self.tries)


@dataclass(frozen=True, slots=True)
class Archive:
    """Move old completed instants out of the active timeline."""


Damage = Literal["vanished", "type vanished", "type cut"]


@dataclass(frozen=True, slots=True)
class DamageMarkers:
    """No client's doing: of the newest instant that has markers the first file of them goes, or `MARKERS.type` does, or
    that ends within its word."""

    what: Damage = "vanished"

    def __post_init__(self) -> None:
        if self.what not in get_args(Damage):
            raise ConfigError("what", self.what, f"one of {', '.join(get_args(Damage))}")


Write = Upsert | Delete | Insert | BulkInsert | Overwrite | DeletePartition | Cluster | Compact
ReadingFirst = Update | Delete
"""The writes whose rows come of a read of the table."""
Replacing = Overwrite | DeletePartition
"""The writes that hide file groups and their rows."""
HIDING = get_args(Replacing)
Waiting = Upsert | Clean | Compact
"""What may wait before it begins."""
Service = Clean | Savepoint | DeleteSavepoint | Restore | Archive | PlanClustering
"""What writes no rows."""
OfConsumers = ReadNews | ReadFirst | ReadAsOf
Reading = Read | OfConsumers
Statement = Write | Service | Reading | DamageMarkers
KINDS = (
    "Upsert, Update, Delete, Insert, BulkInsert, Overwrite, DeletePartition, Cluster, Compact, Clean, Savepoint, "
    "DeleteSavepoint, Restore, Archive, PlanClustering, DamageMarkers, Read, ReadNews, ReadFirst or ReadAsOf"
)


def anybody(actors: Iterable[Iterable[Statement]], *kinds: type) -> bool:
    """Whether any actor does such a thing."""
    return any(isinstance(statement, kinds) for todo in actors for statement in todo)


def describe(statement: Statement) -> tuple[str, str]:
    """The history's name of a statement, and its argument in words: ("upsert", "row 1 = x"), ("clean", "")."""
    match statement:
        case DeletePartition(partition):
            return DELETE_PARTITION, partition
        case Delete(ids):
            return "delete", ", ".join([f"row {key}" for key in ids])
        case Savepoint(back) | ReadAsOf(back):
            named = SAVEPOINT if isinstance(statement, Savepoint) else READ_AS_OF
            return named, f"{back} commit{'s' if back > 1 else ''} back" if back else ""
        case DeleteSavepoint():
            return "delete_savepoint", ""
        case DamageMarkers(what):
            return DAMAGE_MARKERS, what
        case ReadNews():
            return READ_NEWS, ""
        case ReadFirst():
            return READ_FIRST, ""
        case Compact(pending, _, logs):
            return LOG_COMPACT if logs else "compact", THEIRS if pending else ""
        case Cluster(pending):
            return "cluster", THEIRS if pending else ""
        case PlanClustering():
            return "plan_clustering", ""
        case Clean() | Restore() | Archive() | Read():
            return type(statement).__name__.lower(), ""
        case Upsert(rows=rows, columns=columns) if columns:
            return operation_of(statement), f"{_words(rows)}, with {', '.join(columns)}"
        case _:
            return operation_of(statement), _words(statement.rows)


def _words(rows: Rows) -> str:
    return ", ".join([f"row {key} = {value}" for key, value in rows])


def operation_of(statement: Write) -> str:
    """Hudi's name of a write."""
    match statement:
        case BulkInsert():
            return BULK_INSERT
        case Overwrite(_, whole_table):
            return OVERWRITE_TABLE if whole_table else OVERWRITE
        case DeletePartition():
            return DELETE_PARTITION
        case _:
            return type(statement).__name__.lower()


def _at_least(least: int, **values: int) -> None:
    for name, value in values.items():
        if type(value) is not int or value < least:
            raise ConfigError(name, value, f"a whole number, at least {least}")
