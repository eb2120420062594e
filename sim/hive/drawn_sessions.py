"""Drawn sessions: transactions and what is outside of one, each with its statements.

Names belong to one kind of table: `default.t`, `.u` and `.w` are managed, `default.e`, `.f` and `.g` external; the last
of each is nobody's at the start.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from sim.generation.draws import Draws
from sim.hive.promises import CLIENTS, SELECTION
from sim.hive.workload import (
    Abort,
    Alter,
    Begin,
    CleanLog,
    Commit,
    Create,
    Drop,
    DropPartition,
    Get,
    HiveSession,
    HiveTable,
    ListPartitions,
    LogEvent,
    PutPartition,
    Rename,
    Statement,
    Update,
    Write,
)  # fmt: skip

T = TypeVar("T")
NAMES_OF = {
    "managed": ("default.t", "default.u", "default.w"),
    "external": ("default.e", "default.f", "default.g"),
}
PARTITIONS = ("d=1", "d=2")
READS = ("get-table", "list-partitions")
CHANGES = ("alter", "put-partition", "create", "drop", "rename", "drop-partition", "write", "update")
TOGETHER = (
    ("alter",), ("alter",), ("put-partition",), ("alter", "drop", "create"), ("rename", "alter"),
    ("drop-partition", "put-partition"), ("drop", "create"), ("rename", "create"), ("write",), ("update",),
)  # fmt: skip
"""Changes that a scenario has together: what takes a name away, and what gives it to another table."""
MEDDLING = ("log-event", "clean-log")
ENDS = ("commit", "abort")
ENDINGS: dict[str, tuple[Statement, ...]] = {"commit": (Commit(),), "abort": (Abort(),), "none": ()}
"""How a transaction ends; by name, none is left open."""
ROOM = 90
"""With so many draws lists grow no more: a name has at most 250 characters."""
ROWS = ("write", "update")
"""Changes of rows, which are made in a transaction."""


@dataclass(slots=True)
class Drawing:
    """What the draws of one scenario share: which statements, tables and replicas there are, and a number for each
    value, so that every value is written once."""

    draws: Draws
    settings: dict[str, str]
    replicas: tuple[str, ...]
    kinds: tuple[str, ...]
    reads: tuple[str, ...]
    changes: tuple[str, ...]
    values: int = 0
    tables: tuple[str, ...] = ()

    def names(self, kinds: tuple[str, ...]) -> tuple[str, ...]:
        """The tables' names: those that there are at the start, and others, less likely, if tables can get them."""
        first = [name for name in self.tables if any(name in NAMES_OF[kind] for kind in kinds)]
        known = [name for kind in kinds for name in NAMES_OF[kind]]
        others = [name for name in known if name not in first] if "rename" in self.changes or not first else []
        return (*first, *first, *others[::-1])

    def value(self) -> str:
        """A value that nothing else of the scenario has."""
        self.values += 1
        return f"v{self.values}"

    def at(self, home: str) -> str:
        """Draw the replica that a call goes to; "" is the session's home."""
        return self.draws.one_of("at", ("", *[name for name in self.replicas if name != home]))


def table(drawing: Drawing, place: int) -> HiveTable:
    """Draw a table that exists before the race; `place` counts them from 0."""
    kind = drawing.draws.one_of("kind of table", drawing.kinds)
    parts = drawing.draws.number("partitions", 0, 2)
    partitions = tuple([(name, drawing.value()) for name in PARTITIONS[:parts]])
    return HiveTable(NAMES_OF[kind][place], drawing.value(), kind == "managed", partitions)


def session(drawing: Drawing, actor: str) -> HiveSession:
    """Draw a client with its transactions."""
    draws, settings = drawing.draws, drawing.settings
    by_turns = settings[SELECTION.key] == "random"
    home = draws.one_of("home", drawing.replicas) if by_turns else drawing.replicas[0]
    lists = settings[CLIENTS.key] == "with lists" or (settings[CLIENTS.key] == "both" and not draws.flag("old"))
    transactions = growing(draws, "transactions", 1, 3, lambda _: _transaction(drawing, home))
    return HiveSession(actor, home, tuple([one for statements in transactions for one in statements]), lists)


def _transaction(drawing: Drawing, home: str) -> list[Statement]:
    """A transaction with its statements; or, of external tables, statements outside of one."""
    draws = drawing.draws
    forms = ("writes", "reads", "none") if "external" in drawing.kinds else ("writes", "reads")
    form = draws.one_of("transaction", forms)
    kinds = ("external",) if form == "none" else drawing.kinds
    statements = growing(draws, "statements", 1, 4, lambda _: _statement(drawing, home, form, kinds))
    if form == "none":
        return statements
    end = draws.one_of("end", ("commit", "commit", "commit", "abort", "none"))
    named = _named(statements) if draws.flag("lists at the begin") else ()
    return [Begin(named, read_only=form == "reads"), *statements, *ENDINGS[end]]


def within(draws: Draws, table: HiveTable, statements: list[Statement]) -> list[Statement]:
    """The statements of a session that is drawn last: in a transaction, if the table has write ids."""
    if not table.managed:
        return statements
    end = draws.one_of("its end", ("commit", "commit", "abort", "none"))
    return [Begin((table.name,)), *statements, *ENDINGS[end]]


def growing(draws: Draws, name: str, least: int, most: int, make: Callable[[int], T]) -> list[T]:
    """Draw a list that does not grow where the tape is long already."""
    return draws.list_of(name, least, most if len(draws.drawn) < ROOM else least, make)


def _named(statements: list[Statement]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([one.table for one in statements if hasattr(one, "table")]))


def _statement(drawing: Drawing, home: str, form: str, kinds: tuple[str, ...]) -> Statement:
    draws = drawing.draws
    changes = drawing.changes if form == "writes" else tuple([k for k in drawing.changes if k not in ROWS])
    known = drawing.reads if form == "reads" or not changes or draws.one_of("read", (False, False, True)) else changes
    kind = draws.one_of("statement", known)
    name = draws.one_of("table", drawing.names(kinds))
    make: dict[str, Callable[[], Statement]] = {
        "get-table": lambda: Get(name, drawing.at(home)),
        "list-partitions": lambda: ListPartitions(name, drawing.at(home)),
        "alter": lambda: Alter(name, drawing.value(), drawing.at(home)),
        "put-partition": lambda: PutPartition(name, _part(draws), drawing.value(), drawing.at(home)),
        "drop-partition": lambda: DropPartition(name, _part(draws), drawing.at(home)),
        "create": lambda: Create(name, drawing.value(), name in NAMES_OF["managed"], drawing.at(home)),
        "drop": lambda: Drop(name, drawing.at(home)),
        "rename": lambda: Rename(name, _other(draws, name), drawing.at(home)),
        "write": lambda: Write(name),
        "update": lambda: Update(name),
        "log-event": lambda: LogEvent("ALTER_DATACONNECTOR", name),
        "clean-log": CleanLog,
    }
    return make[kind]()


def _part(draws: Draws) -> str:
    return draws.one_of("partition", PARTITIONS)


def _other(draws: Draws, name: str) -> str:
    """Another name of the same kind of table, the one that nobody has first."""
    names = next(names for names in NAMES_OF.values() if name in names)
    return draws.one_of("to", [other for other in names[::-1] if other != name])
