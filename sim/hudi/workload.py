"""What actors do to one Hudi table, as data: the simulator and the live backend interpret the same objects.

The table is copy-on-write, `(id int, v string)`, and begins with one completed instant that made its file groups, in
one partition or in several. Values are unique per row, so that a value read back names the statement that wrote it.
"""

import re
from dataclasses import dataclass
from typing import Any, Literal, get_args

from model.hudi.errors import ConfigError
from model.hudi.file_groups import BULK_INSERT, DELETE_PARTITION, OVERWRITE, OVERWRITE_TABLE
from model.hudi.partitions import Partitions
from sim.hudi.rows import Rows, check_elsewhere, check_partitions, check_rows, no_two, pairs

Options = tuple[tuple[str, str], ...]
"""Hudi's own keys and values, as a user would set them."""

PARTITION = "p1"
OURS = ("setup", "lineage", "r-final", "r-inspect", "r-janitor")
_ACTOR, _FILE_ID = re.compile(r"[A-Za-z_][\w-]*"), re.compile(r"[A-Za-z0-9-]+")


@dataclass(frozen=True, slots=True)
class Upsert:
    """Change rows, and insert those whose id no file holds: startCommit, upsert, commit, close with one client.

    Args: `work_ms` is the computation before each data file; `attempts` the tries of each task; `after_ms` a wait
    before it; `tries` how often its owner tries until it is not refused, `between_ms` after each refusal; `tasks` how
    many files are written side by side.
    """

    rows: Rows
    work_ms: int = 0
    attempts: int = 1
    after_ms: int = 0
    tries: int = 1
    between_ms: int = 0
    tasks: int = 1

    def __post_init__(self) -> None:
        check_rows("rows", self.rows)
        _at_least(0, work_ms=self.work_ms, after_ms=self.after_ms, between_ms=self.between_ms)
        _at_least(1, attempts=self.attempts, tries=self.tries, tasks=self.tasks)


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
    """Plan to write the file groups of each partition into a new one, and do so."""

    @property
    def rows(self) -> Rows:
        """The rows that it changes: none."""
        return ()


Write = Upsert | Insert | BulkInsert | Overwrite | DeletePartition | Cluster
Replacing = Overwrite | DeletePartition
"""The writes that hide file groups and their rows."""
Statement = Write | Clean | Read
KINDS = "Upsert, Insert, BulkInsert, Overwrite, DeletePartition, Cluster, Clean or Read"
Storage = Literal["atomic", "check-then-put", "overwrite"]
Ending = Literal["committed", "left behind", "requested", "written", "rolling back"]


@dataclass(frozen=True, slots=True)
class Past:
    """An upsert from before the race, and how far it got.

    Args: `ending`: it was committed; committed, and its markers and heartbeat stayed behind; or its writer died when it
    was requested, or written, or a cleaner died that had planned its rollback. `recent`: the heartbeat of who died, or
    left it, is from the moment in which the race begins, else from long before.
    """

    rows: Rows
    ending: Ending = "committed"
    recent: bool = False

    def __post_init__(self) -> None:
        check_rows("history", self.rows)
        if self.ending not in get_args(Ending):
            raise ConfigError("history", self.ending, f"one of {', '.join(get_args(Ending))}")


@dataclass(frozen=True, slots=True)
class HudiWorkload:
    """One race on one table. `writers`: actor name and its statements, one after the other (cleaners and readers too).

    Raises: ConfigError, a ValueError, naming the argument.

    Args: `groups` is the initial content, file id and rows; `options` go to every client; `one_process`: all actors are
    threads of one JVM; `clock_offsets_ms`: how far actors' clocks are ahead of the storage's; `storage` is how atomic a
    create-only write is; `history` are the writes that came after the initial content and before the race;
    `partitions` are those of the file groups, in their order (none: all are in `p1`); new ids belong to the first one,
    but those named `elsewhere` to a partition that is empty at first.
    """

    writers: tuple[tuple[str, tuple[Statement, ...]], ...]
    groups: tuple[tuple[str, Rows], ...] = (("fg1", ((1, "a"), (2, "b"))),)
    options: Options = ()
    one_process: bool = True
    clock_offsets_ms: tuple[tuple[str, int], ...] = ()
    storage: Storage = "atomic"
    history: tuple[Past, ...] = ()
    partitions: tuple[str, ...] = ()
    elsewhere: tuple[tuple[int, str], ...] = ()

    def __post_init__(self) -> None:
        check_writers(self.writers)
        check_groups(self.groups)
        check_options(self.options)
        if type(self.one_process) is not bool:
            raise ConfigError("one_process", self.one_process, "True or False")
        if self.storage not in get_args(Storage):
            raise ConfigError("storage", self.storage, f"one of {', '.join(get_args(Storage))}")
        check_partitions(self.partitions, self.groups)
        check_elsewhere(self.elsewhere, self.placed, self.rows)
        check_clocks(self.clock_offsets_ms, self.actors, self.one_process)
        writes = [each for _, todo in self.writers for each in todo if isinstance(each, Write)]
        rows = [row for all_ in (self.rows, *[each.rows for each in (*self.history, *writes)]) for row in all_]
        no_two("writers", rows, "each value of a row once")
        for each in writes:
            if isinstance(each, DeletePartition) and each.partition not in self.placed:
                raise ConfigError("writers", each.partition, f"one of the partitions ({', '.join(self.where.names)})")

    @property
    def actors(self) -> tuple[str, ...]:
        """The actors' names, in order."""
        return tuple(name for name, _ in self.writers)

    @property
    def rows(self) -> Rows:
        """The initial content."""
        return tuple(row for _, rows in self.groups for row in rows)

    @property
    def placed(self) -> tuple[str, ...]:
        """The partition of each file group."""
        return self.partitions or (PARTITION,) * len(self.groups)

    @property
    def apart(self) -> tuple[str, ...]:
        """A partition for each file group alone: as they are named, or by their number where nobody named them."""
        return self.partitions or tuple([f"p{number}" for number, _ in enumerate(self.groups, 1)])

    @property
    def where(self) -> Partitions:
        """Where rows belong."""
        new = tuple([(str(key), name) for key, name in self.elsewhere])
        if len(set(self.placed)) == 1 and not new:
            return Partitions(self.placed[0])
        pairs = zip(self.groups, self.placed, strict=True)
        return Partitions(self.placed[0], (*[(str(key), name) for (_, rows), name in pairs for key, _ in rows], *new))


def describe(statement: Statement) -> tuple[str, str]:
    """The history's name of a statement, and its argument in words: ("upsert", "row 1 = x"), ("clean", "")."""
    match statement:
        case DeletePartition(partition):
            return DELETE_PARTITION, partition
        case Clean() | Read() | Cluster():
            return type(statement).__name__.lower(), ""
        case _:
            return operation_of(statement), ", ".join([f"row {key} = {value}" for key, value in statement.rows])


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


def check_writers(writers: Any) -> None:
    """Check that each actor has a name that a schedule can write, and statements. Raises: ConfigError."""
    pairs("writers", writers)
    for actor, statements in writers:
        if not isinstance(actor, str) or not _ACTOR.fullmatch(actor):
            raise ConfigError("writers", actor, "a name such as w1")
        if actor in OURS:
            raise ConfigError("writers", actor, f"another name than {', '.join(OURS)}")
        if not isinstance(statements, tuple):
            raise ConfigError("writers", statements, f"for {actor}: expected a tuple of statements")
        for each in statements:
            if not isinstance(each, Statement):
                raise ConfigError("writers", each, f"for {actor}: expected {KINDS}")
    no_two("writers", [actor for actor, _ in writers])


def check_groups(groups: Any) -> None:
    """Check that file groups have names that file names can hold, and rows, of one id each. Raises: ConfigError."""
    pairs("groups", groups)
    if not groups:
        raise ConfigError("groups", groups, "at least one file group")
    for name, rows in groups:
        if not isinstance(name, str) or not _FILE_ID.fullmatch(name):
            raise ConfigError("groups", name, "a name of letters, digits and '-'")
        check_rows("groups", rows)
    no_two("groups", [name for name, _ in groups])
    no_two("groups", [key for _, rows in groups for key, _ in rows], "each id once")


def check_options(options: Any) -> None:
    """Check that options are pairs of texts; what they say is `parse_options`' to check. Raises: ConfigError."""
    pairs("options", options)
    for key, value in options:
        if not (isinstance(key, str) and isinstance(value, str)):
            raise ConfigError("options", (key, value), "texts, as in Hudi's properties")
    no_two("options", [key for key, _ in options])


def check_clocks(offsets: Any, actors: tuple[str, ...], one_process: bool) -> None:
    """Check that clocks are of actors with hosts of their own. Raises: ConfigError."""
    pairs("clock_offsets_ms", offsets)
    for actor, offset_ms in offsets:
        if actor not in actors:
            raise ConfigError("clock_offsets_ms", actor, f"one of the writers ({', '.join(actors)})")
        if type(offset_ms) is not int:
            raise ConfigError("clock_offsets_ms", offset_ms, f"whole milliseconds for {actor}")
    if one_process and any(offset_ms for _, offset_ms in offsets):
        raise ConfigError("clock_offsets_ms", offsets, "none in one process, which has one clock")


def _at_least(least: int, **values: int) -> None:
    for name, value in values.items():
        if type(value) is not int or value < least:
            raise ConfigError(name, value, f"a whole number, at least {least}")
