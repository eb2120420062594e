"""What actors do to one Hudi table, as data: the simulator and the live backend interpret the same objects.

The table is copy-on-write, `(id int, v string)`, one partition, and begins with one completed instant that made its
file groups. Values are unique per row, so that a value read back names the statement that wrote it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

from model.hudi.errors import ConfigError

Rows = tuple[tuple[int, str], ...]
Options = tuple[tuple[str, str], ...]
"""Hudi's own keys and values, as a user would set them."""

PARTITION = "p1"


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
        _at_least(0, work_ms=self.work_ms, after_ms=self.after_ms, between_ms=self.between_ms)
        _at_least(1, attempts=self.attempts, tries=self.tries, tasks=self.tasks)


@dataclass(frozen=True, slots=True)
class Insert:
    """Insert rows into a new file group, without looking for their ids."""

    rows: Rows


@dataclass(frozen=True, slots=True)
class Clean:
    """Wait `after_ms`, then roll back failed writes as a lazy cleaner does."""

    after_ms: int = 0

    def __post_init__(self) -> None:
        _at_least(0, after_ms=self.after_ms)


@dataclass(frozen=True, slots=True)
class Read:
    """Read the whole table."""


Statement = Upsert | Insert | Clean | Read
Storage = Literal["atomic", "check-then-put", "overwrite"]


@dataclass(frozen=True, slots=True)
class HudiWorkload:
    """One race on one table. `writers`: actor name and its statements, one after the other (cleaners and readers too).

    Args: `groups` is the initial content, file id and rows; `options` go to every client; `one_process`: all actors are
    threads of one JVM; `clock_offsets_ms`: how far actors' clocks are ahead of the storage's; `storage` is how atomic a
    create-only write is.
    """

    writers: tuple[tuple[str, tuple[Statement, ...]], ...]
    groups: tuple[tuple[str, Rows], ...] = (("fg1", ((1, "a"), (2, "b"))),)
    options: Options = ()
    one_process: bool = True
    clock_offsets_ms: tuple[tuple[str, int], ...] = ()
    storage: Storage = "atomic"

    def __post_init__(self) -> None:
        _no_two("options", [key for key, _ in self.options])
        _no_two("writers", self.actors)
        if self.storage not in get_args(Storage):
            raise ConfigError("storage", self.storage, f"one of {', '.join(get_args(Storage))}")
        for actor, offset_ms in self.clock_offsets_ms:
            if actor not in self.actors:
                raise ConfigError("clock_offsets_ms", actor, f"one of the writers ({', '.join(self.actors)})")
            if type(offset_ms) is not int:
                raise ConfigError("clock_offsets_ms", offset_ms, f"whole milliseconds for {actor}")
        if self.one_process and any(offset_ms for _, offset_ms in self.clock_offsets_ms):
            raise ConfigError("clock_offsets_ms", self.clock_offsets_ms, "none in one process, which has one clock")

    @property
    def actors(self) -> tuple[str, ...]:
        """The actors' names, in order."""
        return tuple(name for name, _ in self.writers)

    @property
    def rows(self) -> Rows:
        """The initial content."""
        return tuple(row for _, rows in self.groups for row in rows)


def describe(statement: Statement) -> tuple[str, str]:
    """The history's name of a statement, and its argument in words: ("upsert", "row 1 = x"), ("clean", "")."""
    name = type(statement).__name__.lower()
    match statement:
        case Upsert(rows) | Insert(rows):
            return name, ", ".join([f"row {key} = {value}" for key, value in rows])
        case Clean() | Read():
            return name, ""


def _at_least(least: int, **values: int) -> None:
    for name, value in values.items():
        if type(value) is not int or value < least:
            raise ConfigError(name, value, f"a whole number, at least {least}")


def _no_two(what: str, names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ConfigError(what, name, "each name once")
        seen.add(name)
