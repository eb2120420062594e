"""Generated races on metastores: tables, replicas with warm, cold and lagging caches, sessions, what may fail.

Start at `draw`; `drawn_sessions` has what clients do.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from model.hive.cached_objects import EVERYTHING
from model.hive.rules import UNCACHED, Rules
from model.hive.variants import VARIANTS
from sim.generation.draws import Draws
from sim.generation.generator import Generator, promised
from sim.hive.bounds import bounds_of
from sim.hive.build import STEPS
from sim.hive.drawn_constraints import with_constraints
from sim.hive.drawn_databases import with_renamed_under_locks
from sim.hive.drawn_deletions import with_deletions
from sim.hive.drawn_evictions import with_evictions
from sim.hive.drawn_inserts import with_inserts
from sim.hive.drawn_last import last_draws
from sim.hive.drawn_lists import with_lists
from sim.hive.drawn_locks import with_locks
from sim.hive.drawn_opens import STEPS as SLOW_STEPS
from sim.hive.drawn_opens import with_slow_opens
from sim.hive.drawn_partition_renames import with_partition_renames
from sim.hive.drawn_restarts import with_restarts
from sim.hive.drawn_sessions import CHANGES, ENDS, MEDDLING, READS, TOGETHER, Drawing, growing, session, table
from sim.hive.drawn_truncates import with_truncates
from sim.hive.faults import CLEANED, METASTORES, NOTIFICATION_LOG, UNLOCKED, UPDATE_THREADS
from sim.hive.inserting import STEPS as INSERT_STEPS
from sim.hive.known import KNOWN
from sim.hive.live import EVICT, KEYS, LOCK_STEPS, REFRESH, RENAME_PARTITION, RESTART, TRUNCATE_STEPS, live_of
from sim.hive.promises import (
    BY,
    CACHED_STORE,
    CLIENTS,
    DAEMON,
    DOCUMENT,
    EXCLUSIVE,
    FIRST,
    LATE,
    LOCKS,
    LOG,
    NAMES,
    NOBODY,
    OBJECT_STORE,
    OPTIONS,
    PROMISES,
    REFRESHED,
    REPAIRED_DAEMON,
    REPLICAS,
    RETRIES,
    SELECTION,
    STORE,
    TABLES,
    TIME_TO_LIVE,
    TRUNCATED,
)  # fmt: skip
from sim.hive.race import HiveRace
from sim.hive.workload import HiveWorkload
from sim.world.fault_spaces import STATEMENTS, wide
from sim.world.scenario import FaultSpace, Scenario, parameters_of, scenario_of

FAULTS = (
    "crash", "crash-after", "drop-before", "drop-after", "late", "pause", "partition", CLEANED, *UNLOCKED,
)  # fmt: skip
STEPS_OF = ("calls", "calls", "finer", "finer", "everything", "database statements")
"""What is a step; what is there several times is as many times as likely."""
LOADING = ("prewarm", "prewarm_txns", "prewarm_tag", "prewarm_table", "prewarm_position")
LOADS = ("load_table", "load_list", "load_partitions", "load_check")
"""How a catalog daemon reads a table; drawn with what loads a cache, too."""
LAST_STATEMENTS = (
    "lock", "time-out", "evict", "restart", "rename-partition", "locked-update", "clean-history", "analyze",
    "get-statistics", "lock-set", "get-aggregate", "rename-database", "add-key", "drop-key", "get-key", "truncate",
    "locked-insert", "delete-statistics",
)  # fmt: skip
"""What is drawn when the sessions have been."""
FINER = (
    ("open_txn", "get_valid_write_ids"),
    LOADING,
    ("read_table", "fill", "get_cached_table"),
    ("look_up_write_ids", "rename_write_ids", "record_update", "pull", "log_event"),
)
"""Steps that are drawn beside the calls of sessions and the polls: the fewer there are, the sooner they meet."""
OF_STATEMENTS = (("next_value",), ("select",), ("select_for_update", "update", "delete"))
PAUSE_MS = 2_000  # of a partition too: longer than an open of a transaction may take


class Given(NamedTuple):
    """The rules that a scenario is made for, and who makes the promises that are held against them."""

    rules: Rules
    by: str


def draw(draws: Draws, given: Given) -> Scenario:
    """Draw a race. Returns: its scenario, without a name of its own."""
    settings = {option.key: draws.one_of(option.key, option.values) for option in FIRST}
    cached = settings[STORE.key] == CACHED_STORE
    rules = given.rules if cached else _without_cache(given.rules)
    rules = replace(rules, exclusive_writes=settings[EXCLUSIVE.key] == "true")
    workload, changes = _workload(draws, settings, cached)
    drains = cached and draws.flag("the log is read to its end")
    statements, steps = _steps(draws, rules)
    dies = draws.one_of("dies", ("replica", "thread"))
    faults = _faults(draws, statements=statements, cached=cached)
    unlocked = any(kind in faults.names for kind in UNLOCKED)
    settings[BY] = (NOBODY if unlocked else given.by) if cached else OBJECT_STORE
    settings[NAMES] = "yes" if {"create", "drop", "rename"} & set(changes) else "no"
    settings[LOG] = "yes" if CLEANED in faults.names else "no"
    plain, workload = workload, with_locks(draws, workload)
    settings[LOCKS] = "yes" if (locks := workload is not plain) else "no"
    settings[LATE] = "yes" if {"late", "partition"} & set(faults.names) else "no"
    if steps is not None and locks:
        steps = (*steps, *LOCK_STEPS)
    plain = workload
    if cached and not locks and rules.catalogd is None:
        workload = with_evictions(draws, workload)
    if steps is not None and workload is not plain:
        steps = (*steps, EVICT)
    plain, workload = workload, with_partition_renames(draws, workload)
    if steps is not None and workload is not plain:
        steps = (*steps, RENAME_PARTITION)
    if cached and rules.catalogd is None:
        workload = with_lists(draws, workload)
        plain, (workload, rules) = workload, with_restarts(draws, workload, rules)
        if steps is not None and workload is not plain:
            steps = (*steps, RESTART)
    workload, steps = last_draws(draws, rules, workload, settings, steps, statements=statements)
    if statements and rules.catalogd is None and settings[LOCKS] == "no":
        plain, (workload, faults) = workload, with_slow_opens(draws, workload, faults)
        if workload is not plain and steps is not None:
            steps = SLOW_STEPS
    if rules.catalogd is None and settings[LOCKS] == "no":
        workload, more = _with_the_last(draws, workload, settings)
        steps = steps if steps is None else (*steps, *more)
    plain, (workload, rules) = workload, with_inserts(draws, workload, rules, settings)
    if workload is not plain:
        steps, faults = INSERT_STEPS, FaultSpace()
    workload, steps = with_renamed_under_locks(draws, rules, with_deletions(draws, workload), settings, steps)
    properties = tuple([name for name in promised(PROMISES, settings) if drains or name != "convergence"])
    unlisted = ("cached",) if workload.cached == EVERYTHING else ()
    race = HiveRace(workload, rules, statements, drains, dies)  # type: ignore[arg-type]
    return scenario_of(
        race,
        "generated",
        protocol="hive",
        summary=_words(workload),
        properties=properties,
        faults=faults,
        yield_points=steps,
        bounds=bounds_of(workload, rules, drains=drains),
        live=live_of(race),
        parameters=parameters_of(workload, without=("sessions", "tables", "earlier", *unlisted)),
    )


def _with_the_last(
    draws: Draws, workload: HiveWorkload, settings: dict[str, str]
) -> tuple[HiveWorkload, tuple[str, ...]]:
    """Draw constraints, and truncates. Returns: the workload, and what else is a step of it."""
    steps: tuple[str, ...] = ()
    plain, workload = workload, with_constraints(draws, workload)
    if workload is not plain:
        steps = KEYS
    plain, workload = workload, with_truncates(draws, workload)
    if workload is not plain:
        settings[TRUNCATED] = "yes"
        steps = (*steps, *TRUNCATE_STEPS)
    return workload, steps


def _without_cache(rules: Rules) -> Rules:
    """What is left of the rules: how the database renames, and what of its history is cleaned."""
    return replace(
        UNCACHED,
        rename_moves_write_ids_with_it=rules.rename_moves_write_ids_with_it,
        cleaner_keeps_write_ids=rules.cleaner_keeps_write_ids,
        lists_count_cleaned_ids=rules.lists_count_cleaned_ids,
        truncates_what_is_there=rules.truncates_what_is_there,
        cleaner_dates_inserts=rules.cleaner_dates_inserts,
        renames_databases=rules.renames_databases,
        opens_count_commit=rules.opens_count_commit,
        opens_begin_with_id=rules.opens_begin_with_id,
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
    drawing = Drawing(draws, settings, replicas, kinds, draws.some("reads", READS), (*changes, *meddling))
    tables = draws.list_of("tables", 1, 2, lambda place: table(drawing, place))
    drawing.tables = tuple([table.name for table in tables])
    pollers = draws.some("pollers", replicas[::-1]) if cached else ()
    cold = draws.some("cold", pollers, 0)
    earlier = growing(draws, "earlier", 0, 2, lambda i: session(drawing, f"e{i + 1}"))
    warm = [name for name in replicas if name not in cold]
    lagging = draws.some("lagging", warm, 0) if earlier and cached else ()
    sessions = growing(draws, "sessions", 2, 4, lambda i: session(drawing, f"w{i + 1}"))
    workload = HiveWorkload(
        tuple(sessions), tuple(tables), replicas, pollers=pollers, cold=cold, earlier=tuple(earlier), lagging=lagging
    )
    return workload, changes


def _steps(draws: Draws, rules: Rules) -> tuple[bool, tuple[str, ...] | None]:
    """Returns: whether database statements can be steps, and what is one (None: everything)."""
    which = draws.one_of("steps", STEPS_OF)
    if which == "everything":
        return False, None
    statements = which == "database statements"
    groups = draws.some("finer steps", (*OF_STATEMENTS, *FINER) if statements else FINER) if which != "calls" else ()
    names = [name for group in groups for name in group]
    more = REFRESH if rules.follows == "nothing" else LOADS if rules.catalogd is not None else ()
    return statements, (*STEPS, "apply", *names, *(more if LOADING[0] in names else ()))


def _faults(draws: Draws, *, statements: bool, cached: bool) -> FaultSpace:
    """A few kinds of faults on a few ports: what is drawn narrowly is struck often."""
    limit = draws.one_of("faults", (0, 0, 1, 2))
    if not limit:
        return FaultSpace()
    more = [STATEMENTS] if statements else [NOTIFICATION_LOG] if cached else []
    ports = draws.some("ports", (METASTORES, UPDATE_THREADS, *more))
    there = {kind for port in ports for kinds in port.kinds.values() for kind in kinds}
    possible = tuple([kind for kind in FAULTS if kind in there])
    kinds = draws.some("kinds of faults", possible)
    without = {kind: "not drawn" for kind in possible if kind not in kinds}
    if "resend" in there:
        without["resend"] = "what was done is then refused"
    return wide(*ports, limit=limit, pause_ms=PAUSE_MS, partition_ms=PAUSE_MS, without=without)


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
    "hives-own-client": DEFAULT | {TABLES.key: "both", RETRIES.key: "1"},
}
SHIPPED_BY_DOCUMENT = "shipped-by-document"
BY_THEMSELVES = (
    {"shipped-refresh": REFRESHED}
    | dict.fromkeys(("shipped", "shipped-cas", "shipped-cas-no-replay"), CACHED_STORE)
    | dict.fromkeys(("impala", "impala-synced"), DAEMON)
    | {"impala-repaired": REPAIRED_DAEMON}
)
GIVEN = {name: Given(rules, BY_THEMSELVES.get(name, DOCUMENT)) for name, rules in VARIANTS.items()} | {
    SHIPPED_BY_DOCUMENT: Given(VARIANTS["shipped"], DOCUMENT)
}
"""The rules by name; CachedStore 4.0.1 also held against what the document promises."""

GENERATOR = Generator(
    "hive",
    OPTIONS,
    GIVEN,
    PROMISES,
    draw,
    (*CHANGES, *READS, *MEDDLING, *ENDS, *LAST_STATEMENTS),
    FAULTS,
    (
        "locks outside of a transaction",
        "evictions, statistics, constraints and truncates beside locks",
        "constraints beside drops of tables, truncates beside drops and renames of partitions",
        "updates under locks through Impala's daemon, and calls of its clients that are made again",
        "the hang of a replayed drop whose table was made anew with partitions",
        "requests that arrive twice: what was done is then refused",
        "ids of events that are drawn without a lock (2.3) where each database statement is a step",
    ),
    CONFIGURATIONS,
    KNOWN,
)
