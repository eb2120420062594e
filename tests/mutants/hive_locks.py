"""The lock manager with one step broken, and the race in which each is noticed.

Who is granted what he must wait for sees what is not committed: reads of one metastore go back. What is not released is
waited for, for ever. Who is granted a part of what overlaps with another's holds it beside him. What no race of
sessions can tell apart (who is first among those that wait, locks without a transaction) is told by
`tests/vectors/hive_locks.json` and by the drawn sequences of live calls.
"""

from model.hive import FIXED, lock_queue, locks, txns
from model.hive.lock_queue import SHARED_READ, WAITS_FOR, LockKind, in_the_way, overlap, request_of
from model.hive.locks import Locked
from model.hive.rows import HIVE_LOCKS, Lock, Txn
from model.hive.rules import UNCACHED, Rules
from model.ports import Transaction
from sim.hive.build import ONE_CHANGE, B, T, metastore
from sim.hive.lock_statements import Lock as LockTable
from sim.hive.lock_statements import LockSet, TimeOut
from sim.hive.locking import locked
from sim.hive.scenarios import LOCKING
from sim.hive.workload import Abort, Alter, Commit, Get, Statement
from sim.world.scenario import Scenario
from tests.mutants.mutant import Mutant, Patch

BY_NAME = {scenario.name: scenario for scenario in LOCKING}


def _nobody_waits(tx: Transaction, number: int) -> bool:
    return False


def _grants_to_who_asks_again(tx: Transaction, number: int) -> Locked:
    return Locked(number, True)


def _releases_everybody(tx: Transaction, txn: int, row: Txn) -> None:
    for key, _ in tx.scan(HIVE_LOCKS):
        tx.delete(HIVE_LOCKS, key)


def _releases_what_is_waited_for(tx: Transaction, txn: int, row: Txn) -> None:
    for key, part in tx.scan(HIVE_LOCKS):
        if part.txn == txn and not part.held:
            tx.delete(HIVE_LOCKS, key)


def _releases_nothing(tx: Transaction, txn: int, row: Txn) -> None:
    return None


def _overlap_if_alike(a: Lock, b: Lock) -> bool:
    whole = not (a.table and b.table)
    return a.database == b.database and (whole or (a.table, a.partition) == (b.table, b.partition))


def _overlap_in_tables(a: Lock, b: Lock) -> bool:
    return a.table == b.table and overlap(a, b)


def _asks_for_the_first_part(tx: Transaction, number: int) -> bool:
    earlier = tx.scan(HIVE_LOCKS, None, (number,))
    return any(in_the_way(mine, other) for _, mine in request_of(tx, number)[:1] for _, other in earlier)


def _together(name: str, *parts: tuple[LockKind, str]) -> Scenario:
    """A session locks a table and looks at it; another one asks for these locks."""
    sessions: dict[str, tuple[str, tuple[Statement, ...]]] = {
        "w1": ("h1", locked(Get(T))), "w2": ("h1", (B, LockSet(parts), Get(T), Commit())),
    }  # fmt: skip
    steps = ("lock_table", "check_lock", "commit_txn", "abort_txn", "get_table")
    return metastore(name, "", sessions, rules=UNCACHED, properties=("locks-exclude",), pollers=(), steps=steps)


def _ending(name: str, *ends: Statement, keeper: bool = False) -> Scenario:
    """A session locks a table and ends its transaction in one way; another one wants the lock."""
    sessions: dict[str, tuple[str, tuple[Statement, ...]]] = {
        "w1": ("h1", (B, LockTable(T, "exclusive"), *ends)), "w2": ("h1", locked(Alter(T, "v2"))),
    }  # fmt: skip
    if keeper:
        sessions["k1"] = ("h1", (TimeOut("w1"),))
    steps = ("lock_table", "check_lock", "commit_txn", "abort_txn", "time_out")
    return metastore(name, "", sessions, rules=UNCACHED, properties=("calls-answered",), pollers=(), steps=steps)


READERS = BY_NAME["hive/locked-readers"]
BESIDE = metastore(
    "locked-beside", "",
    {"w1": ("h1", ONE_CHANGE), "w2": ("h1", (B, LockTable(T, "exclusive"), Alter(T, "v2"))),
     "r1": ("h2", (B, LockTable(T, "shared-read"), Get(T), Get(T)))},
    properties=("monotonic-reads-per-replica",),
    steps=("lock_table", "alter_table", "commit_txn", "get_table", "poll"),
)  # fmt: skip
"""The same, but for a first writer who locks nothing, and whose commit is to release nothing."""
RELEASE = txns, "release"


def _kill(
    name: str, why: str, patch: Patch, scenario: Scenario, broken: str, base: Rules
) -> tuple[Mutant, Scenario, str]:
    return Mutant(name, why, (patch,), base), scenario, broken


def _read(name: str, why: str, patch: Patch, scenario: Scenario = READERS) -> tuple[Mutant, Scenario, str]:
    return _kill(name, why, patch, scenario, "monotonic-reads-per-replica", FIXED)


def _hang(name: str, why: str, patch: Patch, scenario: Scenario) -> tuple[Mutant, Scenario, str]:
    return _kill(name, why, patch, scenario, "calls-answered", UNCACHED)


KILLS: dict[str, tuple[Mutant, Scenario, str]] = {
    row[0].name: row
    for row in (
        _read("nobody-waits", "every request is granted", (lock_queue, "is_blocked", _nobody_waits)),
        _read("granted-when-asked-again", "a check does not look", (locks, "check_lock", _grants_to_who_asks_again)),
        _read(
            "reads-pass-exclusive",
            "a shared read waits for nothing",
            (lock_queue, "WAITS_FOR", {**WAITS_FOR, SHARED_READ: ()}),
        ),
        _read("one-ends-all-released", "an end releases the locks of all", (*RELEASE, _releases_everybody), BESIDE),
        _kill(
            "partitions-beside-their-table",
            "the lock of a partition is in the way of none of its table",
            (lock_queue, "overlap", _overlap_if_alike),
            _together("locked-partition", ("shared-read", "default.t/d=1")),
            "locks-exclude",
            UNCACHED,
        ),
        _kill(
            "tables-beside-their-database",
            "the lock of a database is in the way of none of its tables",
            (lock_queue, "overlap", _overlap_in_tables),
            _together("locked-database", ("excl-write", "default")),
            "locks-exclude",
            UNCACHED,
        ),
        _kill(
            "first-part-alone",
            "whoever can have the first of his locks has them all",
            (lock_queue, "is_blocked", _asks_for_the_first_part),
            _together("locked-set", ("shared-read", "default.u"), ("shared-read", T)),
            "locks-exclude",
            UNCACHED,
        ),
        _hang(
            "commit-keeps-locks",
            "a commit releases nothing",
            (*RELEASE, _releases_nothing),
            _ending("locked-commit", Commit()),
        ),
        _hang(
            "abort-keeps-what-is-held",
            "an abort releases what is waited for alone",
            (*RELEASE, _releases_what_is_waited_for),
            _ending("locked-abort", Abort()),
        ),
        _hang(
            "time-out-keeps-locks",
            "a time-out releases nothing",
            (*RELEASE, _releases_nothing),
            _ending("locked-time-out", keeper=True),
        ),
    )
}
"""Each mutant by its name, with the race that it loses, and the property."""
