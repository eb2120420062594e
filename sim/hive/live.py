"""The live counterpart of sessions on metastores: shipped servers with their caches, and which side reads as designed.

Choices: live metastores can have the rules of the shipped cache, or of one of its repairs. Under the reference's rules
the servers are the shipped ones, and the client alone decides as designed whether it takes an answer from a cache; what
the reference's servers do otherwise is simulated only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from model.hive import FIXED, Rules
from model.hive.cached_objects import EVERYTHING
from model.hive.coverage import CALL_CUT_OFF, CALLED_UNFILLED, DROP_OF_REMADE
from model.hive.rules import SHIPPED, SHIPPED_CAS, SHIPPED_CAS_NO_REPLAY, SHIPPED_REFRESH, UNCACHED
from sim.hive.constraint_statements import AddKey, DropKey, GetKey
from sim.hive.database_renames import RenameDatabase
from sim.hive.evictions import Evict
from sim.hive.lock_statements import Lock, LockSet, TimeOut
from sim.hive.partition_renames import RenamePartition
from sim.hive.race import HiveRace
from sim.hive.restarts import restarted
from sim.hive.statistics_statements import Analyze, DeleteStatistics, GetAggregate, GetStatistics
from sim.hive.truncate_statements import Truncate
from sim.hive.update_statements import CleanHistory, LockedUpdate
from sim.hive.workload import Abort, Begin, CleanLog, Create, DropPartition, HiveWorkload, LogEvent, Rename, Update
from sim.world.live import Live

SYSTEM = "metastores"
CALLS = (
    "get_open_txns", "allocate_write_id", "create_table", "alter_table", "rename_table", "drop_table", "put_partition",
    "drop_partition", "commit_txn", "abort_txn", "get_table", "get_partitions",
)  # fmt: skip
"""The calls whose order matters to a cache."""
STEPS = (*CALLS, "poll", "apply")
"""And what the caches' update threads do: read the log, and, where that is a step of its own, apply what was read."""
REFRESH = ("refresh_names", "refresh_table", "refresh_check", "refresh_partitions")
"""And what a cache that follows no log does between the two."""
RENAME_PARTITION = "rename_partition"
"""And this, where partitions get other names."""
TIME_OUT = "time_out"
LOCK_STEPS = ("lock_table", "check_lock", "give_up_lock", TIME_OUT)
"""Calls of the lock manager, and what the house keeper does."""
LOCKING_STEPS = (*STEPS, *LOCK_STEPS)
"""And these, where sessions lock or time out."""
LATE_CALLS = (
    "allocate_write_id", "create_table", "alter_table", "drop_table", "drop_partition", "commit_txn", "abort_txn",
    RENAME_PARTITION, "lock_table",
)  # fmt: skip
"""What can be late live: a rename is two steps of which one is, and who puts a partition looks first whether to add."""
UPDATE_STEPS = ("lock_update", "latest_conflict", "reallocate_write_id", "add_dynamic_partitions")
"""And these, where sessions update rows under locks."""
CLEAN_TXNS = "clean_txns"
CLEAN_STEPS = ("clean_write_set", "clean_write_ids", CLEAN_TXNS)
"""What the house keeper does with history."""
EVICT = "evict"
RESTART = "restart"
PREWARM = ("prewarm", "prewarm_table")
"""What fills a cache: the position and the names of the tables, then each of them."""
"""And what a full cache does."""
RENAME_DATABASE = "rename_database"
"""And this, where databases get other names."""
STATISTICS = ("update_statistics", "delete_statistics", "get_statistics")
"""And these, where tables are analyzed."""
KEYS = ("add_key", "drop_key", "get_key")
"""And these, where tables have primary keys."""
TRUNCATE = "truncate_table"
"""And this, where tables are truncated."""
TRUNCATE_STEPS = ("read_to_truncate", TRUNCATE)
"""With what is read for it before, which live is one step with it."""
Servers = Literal["off", "shipped", "cas", "cas-no-replay", "synchronized", "refresh"]
"""Which metastores a run meets: without a cache, as shipped, comparing an alter's expected value, the same without the
replay of alters, as shipped with the reading rule in the client, or as shipped in the default mode."""
ON_SERVERS: Mapping[Servers, Rules] = {
    "off": UNCACHED, "shipped": SHIPPED, "cas": SHIPPED_CAS, "cas-no-replay": SHIPPED_CAS_NO_REPLAY,
    "refresh": SHIPPED_REFRESH,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class OnMetastores:
    """What live metastores are given: `rules` are the sessions'; `drains`: the caches see to the rest of the log."""

    workload: HiveWorkload
    servers: Servers
    rules: Rules
    drains: bool


def live_of(race: HiveRace) -> Live | str:
    """The live counterpart of a race; if there is none, what it lacks for one.

    Of faults it can lose an answer, and a call, unless the log is seen to its end: live, a transaction of which the end
    was lost does not time out before that. A call can be late where no cache learns of it.
    """
    if found := obstacle(race.workload):
        return found
    if race.statements:
        return "expected a client's calls as steps, got statements of the database"
    if race.rules.catalogd is not None:
        return "expected metastores, got catalog daemons of Impala, which are not run here"
    servers = _servers_of(race.rules)
    if servers is None or (servers == "synchronized" and _needs_its_servers(race)):
        return "expected the rules of shipped servers, got those of servers that nobody ships"
    given = OnMetastores(race.workload, servers, race.rules, race.drains)
    kinds = ("drop-after",) if race.drains else ("drop-before", "drop-after")
    faults = dict.fromkeys((*CALLS, RENAME_PARTITION), kinds)
    if servers == "off":
        faults |= {name: (*faults.get(name, ()), "late") for name in LATE_CALLS}
    renames = _has_write_ids(race.workload) and race.workload.has(Rename)
    joined = ("rename_write_ids",) if renames else ()  # a database's comes when it has been renamed, at once
    if race.workload.has(Truncate):
        joined = (*joined, TRUNCATE_STEPS[0])
        if race.workload.has(DropPartition, RenamePartition):
            return "expected no drop of a partition beside a truncate, which goes as far as it comes, got one"
    hangs_too = servers in ("off", "refresh") or race.rules.drops_wait
    left_out: tuple[str, ...] = () if hangs_too else (DROP_OF_REMADE,)  # a shipped cache hangs there (R5)
    steps = LOCKING_STEPS if locks(race.workload) else STEPS
    if servers == "refresh":
        steps = (*steps, *REFRESH)
    if race.workload.has(LockedUpdate):
        steps = (*steps, *UPDATE_STEPS)
    if race.workload.has(CleanHistory):
        steps = (*steps, *CLEAN_STEPS)
    evicts = race.workload.has(Evict)
    if evicts and servers == "off":
        return "expected a cache to evict tables from, got metastores without one"
    steps = (*steps, EVICT) if evicts else steps
    if fills(race.workload):
        if servers in ("off", "synchronized"):
            return f"expected shipped caches that are filled in the race, got servers {servers}"
        steps = (*steps, *PREWARM, RESTART)
        left_out = (*left_out, CALLED_UNFILLED, CALL_CUT_OFF)  # live nobody is answered then; and what waits, waits
    if race.workload.has(RenameDatabase) and (race.rules.renames_databases or servers == "synchronized"):
        return "expected metastores as they are shipped, which rename no database, got others"
    if servers not in ("off", "refresh") and _passed_over(race.workload):
        return "expected caches that hear of a database, which live ones always may, got lists without it"
    if servers not in ("off", "refresh") and race.workload.has(GetKey) and race.workload.cached != EVERYTHING:
        return "expected caches that load every table where keys are asked for, got lists of tables"
    steps = (*steps, RENAME_DATABASE) if race.workload.has(RenameDatabase) else steps
    steps = (*steps, RENAME_PARTITION) if race.workload.has(RenamePartition) else steps
    of_statistics = race.workload.has(Analyze, DeleteStatistics, GetStatistics, GetAggregate)
    steps = (*steps, *STATISTICS) if of_statistics else steps
    steps = (*steps, TRUNCATE) if race.workload.has(Truncate) else steps
    steps = (*steps, *KEYS) if race.workload.has(AddKey, DropKey, GetKey) else steps
    return Live(SYSTEM, given, (steps,), faults=faults, joined=joined, left_out=left_out)


def obstacle(workload: HiveWorkload) -> str:
    """Why live metastores cannot run the workload, whatever its rules; "" if they can."""
    filled = fills(workload)
    if set(filled) == set(workload.replicas):
        return f"expected a replica that runs from beginning to end, got {', '.join(filled)}, which fill their caches"
    if workload.earlier:
        return f"expected no session before the race, got {workload.earlier[0].actor}"
    for session in workload.sessions:
        for statement in session.statements:
            if isinstance(statement, CleanLog | LogEvent):
                return f"expected calls of a client, got {statement} of session {session.actor}"
            if isinstance(statement, Update) and locks(workload):
                return f"expected nobody who updates rows, and so locks, beside locks, got {statement}"
    return ""


def fills(workload: HiveWorkload) -> tuple[str, ...]:
    """The replicas that fill their caches during the race."""
    again = [name for each in workload.sessions for name in restarted(each.statements, each.home)]
    return tuple(dict.fromkeys((*workload.cold, *again)))


def locks(workload: HiveWorkload) -> bool:
    """Whether a session locks, or times out."""
    return workload.has(Lock, LockSet, TimeOut, LockedUpdate)


def _passed_over(workload: HiveWorkload) -> bool:
    """Whether a database is to get another name of which no cache may hold the event."""
    renames = [one for each in workload.sessions for one in each.statements if isinstance(one, RenameDatabase)]
    return any(not workload.cached.has(f"{one.database}.") for one in renames)


def _has_write_ids(workload: HiveWorkload) -> bool:
    """Whether a table is managed, so that a rename, which is one call, moves more than the table (R8)."""
    made = [statement for each in workload.sessions for statement in each.statements if isinstance(statement, Create)]
    return any(table.managed for table in workload.tables) or any(statement.managed for statement in made)


def _writers(workload: HiveWorkload) -> int:
    """How many transactions may write."""
    return sum(isinstance(one, Begin) and not one.read_only for each in workload.sessions for one in each.statements)


def _servers_of(rules: Rules) -> Servers | None:
    """Servers that have these rules, whatever clients say at a commit; or the reference but for what its client does,
    which then does it live."""
    for servers, known in ON_SERVERS.items():
        if replace(rules, exclusive_writes=known.exclusive_writes, drops_wait=False) == known:
            return servers
    on_client = replace(
        FIXED, read_rule=rules.read_rule, conflict_abort_is_logged=rules.conflict_abort_is_logged,
        exclusive_writes=rules.exclusive_writes, drop_tells_write_id=rules.drop_tells_write_id,
        truncates_what_is_there=rules.truncates_what_is_there,
        cleaner_keeps_write_ids=rules.cleaner_keeps_write_ids, lists_count_cleaned_ids=rules.lists_count_cleaned_ids,
        cleaner_dates_inserts=rules.cleaner_dates_inserts,
        renames_databases=rules.renames_databases, opens_count_commit=rules.opens_count_commit,
        opens_begin_with_id=rules.opens_begin_with_id,
    )  # fmt: skip
    return "synchronized" if rules == on_client else None


def _needs_its_servers(race: HiveRace) -> bool:
    """Whether the race shows what the reference's servers do: survive a rename (R2), log a conflict's abort (R7), and a
    drop with its write id, remember who has aborted, list what is cleaned, and tell of statistics by lists; and what
    they do not: have the keys of a load, and keep a table without its partitions when they read it again (R6)."""
    conflicts = race.workload.has(Update, LockedUpdate) and not race.rules.exclusive_writes
    drops = _has_write_ids(race.workload) and race.workload.has(DropPartition)
    aborts = race.workload.has(Abort, TimeOut, Update, LockedUpdate)
    cleans, writers = race.workload.has(CleanHistory), _writers(race.workload)
    remembers = (race.rules.cleaner_keeps_write_ids and aborts) or (race.rules.lists_count_cleaned_ids and writers > 1)
    return race.workload.has(
        Rename, Evict, Analyze, DeleteStatistics, GetStatistics, GetAggregate, AddKey, DropKey, GetKey, Truncate
    ) or (
        (cleans and remembers)
        or (race.rules.conflict_abort_is_logged and conflicts)
        or (race.rules.drop_tells_write_id and drops)
    )
