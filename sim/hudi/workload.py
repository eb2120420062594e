"""What actors do to one Hudi table, as data: the simulator and the live backend interpret the same objects.

The table is `(id int, v string)`, of the type that its options name, and begins with one completed instant that made
its file groups, in one partition or in several. Values are unique per row, so that a value read back names the
statement that wrote it.
"""

import re
from dataclasses import dataclass
from typing import Any, Literal, get_args

from model.hudi.errors import ConfigError
from model.hudi.partitions import Partitions
from sim.hudi.rows import Rows, check_elsewhere, check_partitions, check_rows, no_two, pairs
from sim.hudi.statements import KINDS, PARTITION, DeletePartition, Statement, Write, anybody

Options = tuple[tuple[str, str], ...]
"""Hudi's own keys and values, as a user would set them."""

OURS = ("setup", "lineage", "r-final", "r-inspect", "r-janitor")
_ACTOR, _FILE_ID = re.compile(r"[A-Za-z_][\w-]*"), re.compile(r"[A-Za-z0-9-]+")


Storage = Literal["atomic", "check-then-put", "overwrite"]
Ending = Literal["committed", "left behind", "requested", "written", "cut", "rolling back"]


@dataclass(frozen=True, slots=True)
class Past:
    """An upsert from before the race, and how far it got.

    Args: `ending`: it was committed; committed, and its markers and heartbeat stayed behind; or its writer died when it
    was requested, or written, or (cut) while a timeline server wrote its marker file anew, which ends within a line; or
    a cleaner died that had planned its rollback. `recent`: the heartbeat of who died, or left it, is from the moment in
    which the race begins, else from long before.
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
        writes = [each for each in self.statements if isinstance(each, Write)]
        rows = [row for all_ in (self.rows, *[each.rows for each in (*self.history, *writes)]) for row in all_]
        no_two("writers", rows, "each value of a row once")
        for each in writes:
            if isinstance(each, DeletePartition) and each.partition not in self.where.names:
                raise ConfigError("writers", each.partition, f"one of the partitions ({', '.join(self.where.names)})")

    @property
    def actors(self) -> tuple[str, ...]:
        """The actors' names, in order."""
        return tuple(name for name, _ in self.writers)

    @property
    def statements(self) -> tuple[Statement, ...]:
        """What all actors do."""
        return tuple([statement for _, todo in self.writers for statement in todo])

    def has(self, *kinds: type) -> bool:
        """Whether anybody does such a thing."""
        return anybody([self.statements], *kinds)

    @property
    def rows(self) -> Rows:
        """The initial content."""
        return tuple(row for _, rows in self.groups for row in rows)

    @property
    def keys(self) -> tuple[int, ...]:
        """The ids of all rows that anybody writes."""
        writes = [each.rows for each in self.statements if isinstance(each, Write)]
        rows = [row for all_ in (self.rows, *[past.rows for past in self.history], *writes) for row in all_]
        return tuple(sorted({key for key, _ in rows}))

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
