"""Generated races on metastores: tables, replicas with warm, cold and lagging caches, sessions, what may fail.

Start at `draw`. Names belong to one kind of table: `default.t`, `.u` and `.w` are managed, `default.e`, `.f` and `.g`
external; the last of each is nobody's at the start.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from model.hive.rules import VARIANTS, Rules
from sim.generation.draws import Draws
from sim.generation.generator import Generator, promised
from sim.hive.bounds import bounds_of
from sim.hive.build import STEPS
from sim.hive.faults import METASTORES, UPDATE_THREADS
from sim.hive.known import KNOWN
from sim.hive.live import live_of
from sim.hive.promises import (
    BY,
    CACHED_STORE,
    CLIENTS,
    DOCUMENT,
    EXCLUSIVE,
    NAMES,
    OBJECT_STORE,
    OPTIONS,
    PROMISES,
    REPLICAS,
    SELECTION,
    STORE,
    TABLES,
    TIME_TO_LIVE,
)  # fmt: skip
from sim.hive.race import HiveRace
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
    HiveWorkload,
    ListPartitions,
    LogEvent,
    PutPartition,
    Rename,
    Statement,
    Update,
    Write,
)  # fmt: skip
from sim.world.fault_spaces import STATEMENTS, wide
from sim.world.scenario import FaultSpace, Scenario, parameters_of, scenario_of

T = TypeVar("T")
NAMES_OF = {
    "managed": ("default.t", "default.u", "default.w"),
    "external": ("default.e", "default.f", "default.g"),
}
PARTITIONS = ("d=1", "d=2")
READS = ("get-table", "list-partitions")
CHANGES = ("alter", "put-partition", "create", "drop", "rename", "drop-partition", "write", "update")
TOGETHER = (
    ("alter",), ("alter",), ("put-partition",), ("alter", "drop", "create"), ("rename", "alter"), ("drop-partition", "put-partition"),
    ("drop", "create"), ("rename", "create"), ("write",), ("update",),
)  # fmt: skip
"""Changes that a scenario has together: what takes a name away, and what gives it to another table."""
MEDDLING = ("log-event", "clean-log")
ENDS = ("commit", "abort")
FAULTS = ("crash", "crash-after", "drop-before", "drop-after", "late", "pause")
ROOM = 90
"""With so many draws lists grow no more: a name has at most 200 characters."""
ROWS = ("write", "update")
"""Changes of rows, which are made in a transaction."""
STEPS_OF = ("calls", "calls", "calls", "everything", "everything", "database statements")
"""What is a step; what is there several times is as many times as likely."""
PAUSE_MS = 2_000  # longer than an open of a transaction may take
UNCACHED = replace(VARIANTS["shipped"], caches=False, fills_on_miss=False, create_asks_cache=False,
                   pulls_after_write=False, replay_writes_database=False, passes_expected_parameter=True)  # fmt: skip


class Given(NamedTuple):
    """The rules that a scenario is made for, and who makes the promises that are held against them."""

    rules: Rules
    by: str


@dataclass(slots=True)
class _Drawing:
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
        self.values += 1
        return f"v{self.values}"

    def at(self, home: str) -> str:
        return self.draws.one_of("at", ("", *[name for name in self.replicas if name != home]))


def draw(draws: Draws, given: Given) -> Scenario:
    """Draw a race. Returns: its scenario, without a name of its own."""
    settings = {option.key: draws.one_of(option.key, option.values) for option in OPTIONS}
    cached = settings[STORE.key] == CACHED_STORE
    rules = replace(given.rules if cached else UNCACHED, exclusive_writes=settings[EXCLUSIVE.key] == "true")
    workload, changes = _workload(draws, settings, cached)
    settings[BY] = given.by if cached else OBJECT_STORE
    settings[NAMES] = "yes" if {"create", "drop", "rename"} & set(changes) else "no"
    drains = cached and draws.flag("the log is read to its end")
    properties = tuple([name for name in promised(PROMISES, settings) if drains or name != "convergence"])
    steps = draws.one_of("steps", STEPS_OF)
    dies = draws.one_of("dies", ("replica", "thread"))
    race = HiveRace(workload, rules, steps == "database statements", drains, dies)  # type: ignore[arg-type]
    return scenario_of(
        race,
        "generated",
        protocol="hive",
        summary=_words(workload),
        properties=properties,
        faults=_faults(draws, statements=race.statements),
        yield_points=(*STEPS, "apply") if steps == "calls" else None,
        bounds=bounds_of(workload, rules, drains=drains),
        live=live_of(race),
        parameters=parameters_of(workload, without=("sessions", "tables", "earlier")),
    )


def _workload(draws: Draws, settings: dict[str, str], cached: bool) -> tuple[HiveWorkload, tuple[str, ...]]:
    """Returns: the workload, and the kinds of changes that its sessions may make."""
    kinds = ("managed", "external") if settings[TABLES.key] == "both" else (settings[TABLES.key],)
    replicas = tuple([f"h{number}" for number in range(1, int(settings[REPLICAS.key]) + 1)])
    groups = draws.list_of("changes", 1, 3, lambda _: draws.one_of("change", TOGETHER))
    changes = tuple(dict.fromkeys([kind for group in groups for kind in group]))
    if settings[TIME_TO_LIVE.key] == TIME_TO_LIVE.values[0]:
        meddling = draws.some("meddling", MEDDLING[:1], 0)
    else:
        meddling = draws.some("meddling", MEDDLING[::-1])
    drawing = _Drawing(draws, settings, replicas, kinds, draws.some("reads", READS), (*changes, *meddling))
    tables = draws.list_of("tables", 1, 2, lambda place: _table(drawing, place))
    drawing.tables = tuple([table.name for table in tables])
    pollers = draws.some("pollers", replicas[::-1]) if cached else ()
    cold = draws.some("cold", pollers, 0)
    earlier = _list(draws, "earlier", 0, 2, lambda i: _session(drawing, f"e{i + 1}"))
    warm = [name for name in replicas if name not in cold]
    lagging = draws.some("lagging", warm, 0) if earlier and cached else ()
    sessions = _list(draws, "sessions", 2, 4, lambda i: _session(drawing, f"w{i + 1}"))
    workload = HiveWorkload(
        tuple(sessions), tuple(tables), replicas, pollers=pollers, cold=cold, earlier=tuple(earlier), lagging=lagging
    )
    return workload, changes


def _table(drawing: _Drawing, place: int) -> HiveTable:
    kind = drawing.draws.one_of("kind of table", drawing.kinds)
    parts = drawing.draws.number("partitions", 0, 2)
    partitions = tuple([(name, drawing.value()) for name in PARTITIONS[:parts]])
    return HiveTable(NAMES_OF[kind][place], drawing.value(), kind == "managed", partitions)


def _session(drawing: _Drawing, actor: str) -> HiveSession:
    draws, settings = drawing.draws, drawing.settings
    by_turns = settings[SELECTION.key] == "random"
    home = draws.one_of("home", drawing.replicas) if by_turns else drawing.replicas[0]
    lists = settings[CLIENTS.key] == "with lists" or (settings[CLIENTS.key] == "both" and not draws.flag("old"))
    transactions = _list(draws, "transactions", 1, 3, lambda _: _transaction(drawing, home))
    return HiveSession(actor, home, tuple([one for statements in transactions for one in statements]), lists)


def _transaction(drawing: _Drawing, home: str) -> list[Statement]:
    """A transaction with its statements; or, of external tables, statements outside of one."""
    draws = drawing.draws
    forms = ("writes", "reads", "none") if "external" in drawing.kinds else ("writes", "reads")
    form = draws.one_of("transaction", forms)
    kinds = ("external",) if form == "none" else drawing.kinds
    statements = _list(draws, "statements", 1, 4, lambda _: _statement(drawing, home, form, kinds))
    if form == "none":
        return statements
    end = draws.one_of("end", ("commit", "commit", "commit", "abort", "none"))
    ends: dict[str, list[Statement]] = {"commit": [Commit()], "abort": [Abort()], "none": []}
    named = _named(statements) if draws.flag("lists at the begin") else ()
    return [Begin(named, read_only=form == "reads"), *statements, *ends[end]]


def _list(draws: Draws, name: str, least: int, most: int, make: Callable[[int], T]) -> list[T]:
    return draws.list_of(name, least, most if len(draws.drawn) < ROOM else least, make)


def _named(statements: list[Statement]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([one.table for one in statements if hasattr(one, "table")]))


def _statement(drawing: _Drawing, home: str, form: str, kinds: tuple[str, ...]) -> Statement:
    draws = drawing.draws
    changes = drawing.changes if form == "writes" else tuple([k for k in drawing.changes if k not in ROWS])
    known = drawing.reads if form == "reads" or not changes or draws.flag("read") else changes
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


def _faults(draws: Draws, *, statements: bool) -> FaultSpace:
    limit = draws.one_of("faults", (0, 0, 1, 2))
    if not limit:
        return FaultSpace()
    kinds = draws.some("kinds of faults", FAULTS)
    ports = (METASTORES, UPDATE_THREADS, STATEMENTS) if statements else (METASTORES, UPDATE_THREADS)
    reasons = dict.fromkeys([kind for kind in FAULTS if kind not in kinds], "not drawn")
    return wide(*ports, limit=limit, pause_ms=PAUSE_MS, without={"resend": "what was done is then refused", **reasons})


def _words(workload: HiveWorkload) -> str:
    return "; ".join(
        [f"{each.actor}: {', '.join([type(one).__name__ for one in each.statements])}" for each in workload.everybody]
    )


DEFAULT = {option.key: option.values[0] for option in OPTIONS}
CONFIGURATIONS = {
    "default": DEFAULT,
    "one-metastore": DEFAULT | {REPLICAS.key: "1"},
    "three-metastores": DEFAULT | {REPLICAS.key: "3"},
    "external": DEFAULT | {TABLES.key: "external"},
    "external-one-metastore": DEFAULT | {TABLES.key: "external", REPLICAS.key: "1"},
    "external-three-metastores": DEFAULT | {TABLES.key: "external", REPLICAS.key: "3"},
    "both": DEFAULT | {TABLES.key: "both"},
    "conflicts-at-commit": DEFAULT | {EXCLUSIVE.key: "false"},
    "old-clients": DEFAULT | {TABLES.key: "both", CLIENTS.key: "both"},
    "sequential": DEFAULT | {TABLES.key: "both", SELECTION.key: "sequential"},
    "short-log": DEFAULT | {TABLES.key: "both", TIME_TO_LIVE.key: "1s"},
    "no-cache": DEFAULT | {TABLES.key: "both", STORE.key: OBJECT_STORE},
    "no-cache-conflicts-at-commit": DEFAULT | {STORE.key: OBJECT_STORE, EXCLUSIVE.key: "false"},
}
SHIPPED_BY_DOCUMENT = "shipped-by-document"
GIVEN = {
    name: Given(rules, CACHED_STORE if name.startswith("shipped") else DOCUMENT) for name, rules in VARIANTS.items()
} | {SHIPPED_BY_DOCUMENT: Given(VARIANTS["shipped"], DOCUMENT)}
"""The rules by name; CachedStore 4.0.1 also held against what the document promises."""

GENERATOR = Generator(
    "hive",
    OPTIONS,
    GIVEN,
    PROMISES,
    draw,
    (*CHANGES, *READS, *MEDDLING, *ENDS),
    FAULTS,
    (
        "metastores without event mode (metastore.cache.can.use.event is off by default)",
        "locks, and what waits for them",
        "partitions renamed, databases, statistics, limits on a cache's memory",
        "the hang of a replayed drop whose table was made anew with partitions",
        "requests that arrive twice: what was done is then refused",
    ),
    CONFIGURATIONS,
    KNOWN,
)
