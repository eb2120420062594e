"""Updates under locks, their conflicts, and the cleaning of history with one step broken, and where each is noticed."""

from collections.abc import Sequence
from dataclasses import replace

from model.hive import cleaning, conflicts, databases, lock_queue, locks, txns, write_ids
from model.hive.cache import Cache
from model.hive.conflicts import UNDATED, UPDATE, Components, move_to_write_set, record_component
from model.hive.entry import Entry
from model.hive.lists import ValidTxnList
from model.hive.lock_queue import Component, LockKind, Operation
from model.hive.locks import Locked
from model.hive.log_write_ids import LogWriteIds
from model.hive.rows import COMMITTED, TXN_COMPONENTS, TXNS, WRITE_SET, Event
from model.hive.rules import FIXED, UNCACHED, Rules
from model.hive.session import Session
from model.hive.tables import rename
from model.hive.txn_service import TxnService
from model.hive.txns import Opened, open_txn
from model.hive.write_ids import allocate, clean_records
from model.ports import Transaction
from sim.hive import cluster
from sim.hive.inserting import INSERTING
from sim.hive.opens import OPENS
from sim.hive.renamed_databases import DATABASES
from sim.hive.scenarios import UPDATING
from sim.hive.update_statements import CleanHistory
from sim.hive.updating import CONFLICTS, FEW, NAMED, NAMED_LOCKED, SHARED_1, WRITE_LOCKED, updates
from sim.world.scenario import Scenario
from tests.mutants.mutant import Mutant, Patch

BY_NAME = {scenario.name: scenario for scenario in (*UPDATING, *DATABASES, *OPENS, *INSERTING)}
CLEANED_CONFLICT = updates(
    "cleaned-conflict", "",
    {"w1": ("h1", SHARED_1), "w2": ("h2", SHARED_1), "k1": ("h1", (CleanHistory(),))},
    rules=UNCACHED, properties=CONFLICTS, steps=(*FEW, "clean_write_set"),
)  # fmt: skip
"""Two updates of one partition, and a house keeper."""


def _renews_nothing(session: Session, name: str) -> None:
    return None


def _keeps_the_write_id(tx: Transaction, txn: int, name: str, *, again: bool = False) -> int:
    return allocate(tx, txn, name)


def _never_slow(service: TxnService, opened: Opened, read_only: bool) -> bool:
    return False


def _older_than_its_id(tx: Transaction, read_only: bool = False, *, begins_with_id: bool = True) -> Opened:
    return open_txn(tx, read_only, begins_with_id=False)


def _keeps_the_table(
    tx: Transaction, txn: int, table: str, partitions: Sequence[str], operation: Operation
) -> None:  # fmt: skip
    return None


def _forgets_partitions(
    tx: Transaction, txn: int, table: str, partitions: Sequence[str], operation: Operation
) -> None:  # fmt: skip
    tx.delete(TXN_COMPONENTS, (txn, table, ""))


def _tells_the_first(
    tx: Transaction, txn: int, table: str, partitions: Sequence[str], operation: Operation
) -> None:  # fmt: skip
    record_component(tx, txn, table, "", UPDATE)
    for partition in partitions:
        record_component(tx, txn, table, partition, UPDATE)


def _nobody_has_seen_less(tx: Transaction, rules: Rules) -> None:
    rows = tx.scan(TXNS)
    if rows:
        clean_records(tx, min([rows[-1][0] + 1, *[txn for txn, row in rows if row.state != COMMITTED]]))


def _cleans_all_changes(tx: Transaction) -> None:
    for key, _ in tx.scan(WRITE_SET):
        tx.delete(WRITE_SET, key)


def _dates_nothing(tx: Transaction) -> None:
    for key, row in tx.scan(WRITE_SET):
        if row.commit == UNDATED:
            tx.put(WRITE_SET, key, row._replace(commit=0))


def _keeps_no_insert(
    tx: Transaction, txn: int, components: Components, commit: int, *, inserts: int | None = None
) -> None:
    move_to_write_set(tx, txn, components, commit)


def _stays_behind(tx: Transaction, old: str, new: str) -> None:
    return None


def _reads_nothing(notes: LogWriteIds) -> None:
    return None


def _opens_alone(cache: Cache, entry: Entry, write_id: int, replaces: int = 0) -> None:
    if entry.tag is not None:
        entry.tag = entry.tag.opened(write_id)


def _writes_stay(tx: Transaction, rules: Rules, name: str, to: str) -> Event:
    return rename(tx, replace(rules, rename_moves_write_ids_with_it=False), name, to)


def _says_no_more(given: dict[int, int], txns: ValidTxnList, lowest: int, high: int, *, counts_cleaned: bool) -> bool:
    return any(txns.is_valid(txn) for txn in given.values())


def _lock_any(
    service: TxnService, txn: int, name: str, kind: LockKind, dynamic: bool, table_id: int | None = None
) -> Locked:
    return service._lock("lock_update", txn, Component(kind, name, operation="update", dynamic=dynamic))


def _kill(
    name: str, why: str, patch: Patch, scenario: Scenario | str, broken: str, base: Rules
) -> tuple[Mutant, Scenario, str]:
    race = BY_NAME[f"hive/{scenario}"] if isinstance(scenario, str) else scenario
    return Mutant(name, why, (patch,), base), race, broken


BUILD, FIRST, RIVAL = "updates-build-on-each-other", "first-committer-wins", "conflicts-have-a-rival"
KILLS: dict[str, tuple[Mutant, Scenario, str]] = {
    row[0].name: row
    for row in (
        _kill("nothing-renewed", "who has waited goes on with what he had",
              (Session, "_renew", _renews_nothing), "locked-updates", BUILD, WRITE_LOCKED),
        _kill("write-id-kept", "a write id is not taken anew with the snapshot",
              (write_ids, "allocate", _keeps_the_write_id), "locked-updates", BUILD, WRITE_LOCKED),
        _kill("partitions-forgotten", "a dynamic write says in the end that it has changed nothing",
              (locks, "add_dynamic_partitions", _forgets_partitions), "dynamic-updates", FIRST, UNCACHED),
        _kill("table-for-its-partitions", "a dynamic write stands for its table to the end",
              (locks, "add_dynamic_partitions", _keeps_the_table), "dynamic-updates-apart", RIVAL, UNCACHED),
        _kill("table-beside-its-partitions", "a dynamic write stands for its table, too",
              (locks, "add_dynamic_partitions", _tells_the_first), "dynamic-updates-apart", RIVAL, UNCACHED),
        _kill("write-ids-cleaned-too-early", "whose snapshot lacks a commit is not asked",
              (cluster, "clean_write_ids", _nobody_has_seen_less), "cleaned-history", "lists-keep-their-snapshot",
              FIXED),
        _kill("inserts-as-old-as-can-be", "an insert that the cleaner sees is older than all who read",
              (cleaning, "date_inserts", _dates_nothing), "insert-overtaken", "lists-keep-their-snapshot", FIXED),
        _kill("inserts-not-kept", "what was inserted is no reason to keep its write id",
              (txns, "move_to_write_set", _keeps_no_insert), "insert-overtaken", "lists-keep-their-snapshot", FIXED),
        _kill("forgotten-passed-over", "write ids that nobody knows any more stay open in the tags",
              (LogWriteIds, "_reload_open", _reads_nothing), "cleaned-before-looked-up", "convergence", FIXED),
        _kill("changes-cleaned-too-early", "changes are forgotten that open transactions conflict with",
              (cluster, "clean_write_set", _cleans_all_changes), CLEANED_CONFLICT, FIRST, UNCACHED),
        _kill("locks-keep-the-old-name", "locks do not follow a rename",
              (lock_queue, "rename_locks", _stays_behind), "lock-of-renamed", "locks-exclude", WRITE_LOCKED),
        _kill("changes-keep-the-old-name", "what was changed does not follow a rename",
              (conflicts, "rename_components", _stays_behind), "update-of-renamed", FIRST, NAMED),
        _kill("update-of-any-table", "whatever table has the name is locked for an update, or none",
              (TxnService, "lock_update", _lock_any), "update-by-old-name-checked", FIRST, NAMED),
        _kill("update-of-no-table", "the same where locks keep others out",
              (TxnService, "lock_update", _lock_any), "update-by-old-name", BUILD, NAMED_LOCKED),
        _kill("replaced-id-stays-open", "a cache takes the write id that was given up for open",
              (Cache, "open_id", _opens_alone), "renewed-update", "convergence", FIXED),
        _kill("cleaned-ids-collapse", "a list ends with its lowest exception if all that is committed is cleaned",
              (write_ids, "_shows_more", _says_no_more), "cleaned-higher-id", "lists-have-the-committed", FIXED),
        _kill("open-commits-unwatched", "a commit of an open may take as long as it likes",
              (TxnService, "_was_slow", _never_slow), "slow-open", "no-dirty-reads", FIXED),
        _kill("open-older-than-its-id", "a transaction is as old as the database transaction that opened it",
              (txns, "open_txn", _older_than_its_id), "late-open", "no-dirty-reads", FIXED),
        _kill("database-without-its-write-ids", "write ids stay with the name that a database had",
              (databases, "rename", _writes_stay), "database-renamed", "lists-have-the-committed", FIXED),
    )
}  # fmt: skip
"""Each mutant by its name, with the race that it loses, and the property."""
