"""The metastore cache with one rule broken.

A checker or a test vector that does not notice a mutant proves nothing about the rule that the mutant lacks. Where the
broken rule is a variant's (as in the document, as shipped), the mutant is the reference with that one field changed.

Source: hive/4.10 (the ids), hive/3.4 (P51, the unmerged patch), hive/6.2 (R..).
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from model.hive import FIXED, Answer, Replica, Request, Session, ValidWriteIdList, compare_2_8_1, log, txns
from model.hive import log_write_ids as ids
from model.hive import replica as replicas
from model.hive.cache import Cache
from model.hive.comparison import RULES
from model.hive.entry import Entry
from model.hive.log_write_ids import Allocated, LogWriteIds
from model.hive.poller import Poller
from model.hive.prewarm import Prewarm, list_tables, read_table
from model.hive.rows import NOTIFICATION_SEQUENCE, TXN_EVENTS, Event, Table
from model.hive.txn_service import TableIds, TxnService
from model.hive.write_ids import look_up
from model.ports import Transaction
from tests.mutants.edited import edited
from tests.mutants.mutant import Mutant, Patch

BATCH = replace(FIXED, batch=10)
"""Several events per poll, where the inside of a batch must be seen."""


def _variant(number: int, why: str, **field: Any) -> Mutant:
    """The reference with one field as a variant has it."""
    return Mutant(f"M{number}", why, (), replace(FIXED, **field))


def _broken(number: int, why: str, *patches: Patch, base: Any = FIXED) -> Mutant:
    return Mutant(f"M{number}", why, patches, base)


# -- reading -----------------------------------------------------------------------------------------------------


def _reads_by(rule: Callable[[ValidWriteIdList, ValidWriteIdList], bool]) -> Patch:
    return replicas, "RULES", {**RULES, "superset": rule}


def _ids_from_cache(session: Session, name: str) -> TableIds | None:
    known = session.tables.get(name)
    if known is None and session.snapshot is not None:
        home = session._replica(session.home)
        known = home.table_ids(session.snapshot, name)
        cached = home.memory.critical("get_cached_table", home.name, lambda: _cached(home, name))
        if cached is not None:
            known = known._replace(table_id=cached.id, managed=cached.managed)
        session.tables[name] = known
    return known


def _cached(replica: Replica, name: str) -> Table | None:
    entry = replica.cache.entries.get(name)
    return None if entry is None else entry.table


READING = (
    _variant(1, "readable on ALTER, not on COMMIT", unfinished="ignored"),
    _broken(2, "compare hwm only", _reads_by(lambda tag, request: tag.high >= request.high)),
    _broken(
        3, "compare invalid lists only, ignore hwm", _reads_by(lambda tag, asked: tag.exceptions <= asked.exceptions)
    ),
    _broken(4, "2.8.1 compare", _reads_by(lambda tag, request: compare_2_8_1(tag, request) >= 0)),
    _variant(5, "LEX instead of SUP", read_rule="lexicographic"),
    _variant(6, "ignore table id", checks_table_id=False),
    _broken(7, "table id read from the cache at txn start", (Session, "ids", _ids_from_cache)),
    _variant(36, "null list on managed table accepted", null_list_on_managed="eventual"),
)


# -- write ids ---------------------------------------------------------------------------------------------------


def _always(replica_poller: Poller, txn: int) -> bool:
    return True


def _ignore(cache: Cache, entry: Entry, write_id: int, replaces: int = 0) -> None:
    """Leave the entry as it is."""


def _commit_with_flags_in_place(cache: Cache, entry: Entry, write_id: int) -> None:
    """A bit set of aborted exceptions that is not shifted when an exception goes (P51)."""
    if entry.tag is None:
        return
    tag = entry.tag.opened(write_id)
    flags = [tag.is_aborted(other) for other in tag.invalid]
    if write_id in tag.open:
        pairs = list(zip([other for other in tag.invalid if other != write_id], flags, strict=False))
        is_open, aborted = ([i for i, flag in pairs if flag is wanted] for wanted in (False, True))
        tag = ValidWriteIdList(tag.table, tag.high, is_open, aborted)
    entry.tag = tag
    cache._settle(entry, write_id)


def _commit_without_gap(cache: Cache, entry: Entry, write_id: int) -> None:
    if entry.tag is not None and write_id > entry.tag.high:
        entry.tag = ValidWriteIdList(entry.tag.table, write_id, entry.tag.open, entry.tag.aborted)
    _commit_id(cache, entry, write_id)


_commit_id = Cache.commit_id


def _settle_all(cache: Cache, entry: Entry, write_id: int) -> None:
    entry.unfinished = ()


def _first_only(tx: Transaction, txn: int) -> tuple[Allocated, ...]:
    return look_up(tx, txn)[:1]


def _entry_by_name(notes: LogWriteIds, allocated: Allocated) -> Entry | None:
    return notes.cache.entries.get(allocated[1])


WRITE_IDS = (
    _broken(8, "ALLOC optimisation without open check",
            (LogWriteIds, "_keeps_ids", _always), (LogWriteIds, "_ids_are_known", _always)),
    _variant(9, 'optimisation inverted (the document\'s "unless")', write_ids="unless-seen-open"),
    _broken(16, "ignore ABORT", (Cache, "abort_id", _ignore)),
    _broken(17, "treat ABORT as COMMIT", (Cache, "abort_id", Cache.commit_id)),
    _broken(22, "aborted bits not shifted", (Cache, "commit_id", _commit_with_flags_in_place)),
    _broken(23, "lookup returns first table only", (ids, "look_up", _first_only)),
    _broken(24, "one valid flag for all txns", (Cache, "_settle", _settle_all)),
    _broken(25, "name-keyed write-id map across rename", (LogWriteIds, "_entry", _entry_by_name)),
)  # fmt: skip


# -- following the log -------------------------------------------------------------------------------------------


def _polls(order: Callable[[tuple[Event, ...]], tuple[Event, ...]], *, position_first: bool = False) -> Patch:
    """Batches are applied in another order, or after the position has moved."""

    def poll_batch(self: Poller) -> int:
        events = self.memory.critical("poll", self.name, self._read)
        if events and position_first:
            self.position = events[-1].id
        for event in order(events):
            self.memory.critical("apply", self.name, lambda event=event: _applied(self, event))  # type: ignore[misc]
        if events:
            self.position = events[-1].id
        return len(events)

    return Poller, "_poll_batch", poll_batch


def _applied(self: Poller, event: Event) -> tuple[int, str]:
    self._apply(event)
    return event.id, event.kind


def _txn_events_first(events: tuple[Event, ...]) -> tuple[Event, ...]:
    return tuple(sorted(events, key=lambda event: event.kind not in TXN_EVENTS))


def _unlocked(tx: Transaction) -> int:
    following: int | None = tx.get(NOTIFICATION_SEQUENCE, 1)
    return following or 1


FOLLOWING = (
    _broken(10, "process by arrival, not event id", _polls(_txn_events_first), base=BATCH),
    _broken(11, "poll per table in parallel without per-table order", _polls(lambda events: events[::-1]), base=BATCH),
    _variant(26, "rename keeps old key", rename="keeps-old-name"),
    _broken(27, "poller crash between position advance and apply", _polls(tuple, position_first=True), base=BATCH),
    _variant(29, "failing event retried", bad_event="retry"),
    _broken(30, "duplicate event ids, poll > last", (log, "next_id", _unlocked)),
    _variant(31, "cleaner removes unpolled events, gap ignored", checks_gaps=False),
)


# -- loading, the session, the database --------------------------------------------------------------------------


def _fill_content_first(self: Prewarm, stored: int | None = None) -> int:
    """The event to follow from is asked for after the content was read."""
    position, names = self.database.transact("prewarm", self.replica, list_tables)
    self.cache.entries.clear()
    self.cache.listed_at = 0
    for name in names:
        position = _load_before_tag(self, name)
    return position


def _load_before_tag(self: Prewarm, name: str) -> int:
    loaded = self.database.transact("prewarm_table", self.replica, lambda tx: read_table(tx, name))
    table, parts, unfinished = loaded[1:4]
    _, tag = self._tag(name, None)
    if table is not None:
        self._put(table, parts, tag, unfinished, 0)
    return self.database.transact("prewarm_position", self.replica, log.current_event_id)


def _fill_whole(self: Replica, answer: Answer, request: Request) -> None:
    self.cache.entries[answer.table.name] = Entry(answer.table, answer.partitions, request.writes)


def _not_marked(session: Session, name: str, ids: TableIds) -> None:
    """The list stays as it was."""


def _end_with_lists(session: Session) -> None:
    session.snapshot = None
    session.own.clear()


def _no_write_id(session: Session, name: str) -> int:
    session.ids(name)
    return 0


def _commit_then_log(self: TxnService, txn: int) -> txns.Ending:
    ending = _commit_txn(self, txn)
    if not ending.why:
        self.database.transact("log_commit", self.name, lambda tx: log.append(tx, "COMMIT_TXN", txn=txn))
    return ending


def _log_then_commit(self: TxnService, txn: int) -> txns.Ending:
    self.database.transact("log_commit", self.name, lambda tx: log.append(tx, "COMMIT_TXN", txn=txn))
    return _commit_txn(self, txn)


_commit_txn = TxnService.commit_txn
_UNLOGGED: Patch = (txns, "log_commit", lambda tx, txn: None)
_NO_GAPS: Patch = (txns, "missing_may_turn_up", lambda above, now_ms: False)

LOADING = (
    _variant(13, "prewarm: replay from before the tag", prewarm="as-designed"),
    _broken(14, "prewarm: last event id taken after content", (Prewarm, "fill", _fill_content_first),
            base=replace(FIXED, prewarm="as-designed")),
    _broken(32, "read-miss result inserted without version check", (Replica, "_fill", _fill_whole),
            base=replace(FIXED, fills_on_miss=True)),
    _variant(34, "entry inserted on miss without partitions", fills_on_miss=True),
)  # fmt: skip
SESSION = (
    _broken(18, "client does not mark own wid", (Session, "_mark_own", _not_marked)),
    _broken(19, "client marks own wid, then aborts, list reused", (Session, "_end", _end_with_lists)),
    _broken(20, "DDL does not allocate a wid", (Session, "write_id", _no_write_id)),
)
DATABASE = (
    _broken(
        37, "COMMIT event appended in a separate RDBMS txn", _UNLOGGED, (TxnService, "commit_txn", _commit_then_log)
    ),
    _broken(38, "snapshot gap rule dropped (missing ids ignored)", _NO_GAPS),
)
PATCH = (
    Mutant("P51-1", "ids between the high-water mark and a commit count as committed",
           ((Cache, "open_id", _ignore), (Cache, "commit_id", _commit_without_gap)), FIXED),
    Mutant("M37-reversed", "COMMIT event appended before the commit, in a transaction of its own",
           (_UNLOGGED, (TxnService, "commit_txn", _log_then_commit)), FIXED),
    Mutant("M26-event", "the event of a rename is looked for under the new name", (),
           replace(FIXED, rename="asks-new-name")),
)  # fmt: skip
"""More of what the unmerged patch gets wrong (hive/3.4), the reverse order of M37, and R3 in event mode."""

# -- partitions that get other names -----------------------------------------------------------------------------


def _unfinished_but_renames(cache: Cache, entry: Entry | None, event: Event) -> None:
    if not event.old_partition:
        _unfinished(cache, entry, event)


def _rename_without_id(session: Session, name: str, old: str, partition: str, value: str, at: str = "") -> Event:
    session.ids(name)
    return session._replica(at or session.home).rename_partition(name, old, partition, value, 0, session._meant(name))


_unfinished = Cache._unfinished
OLD_NAME = "entry.partitions.pop(event.old_partition, None)"
NO_NEW_NAME = "entry.partitions.update({} if event.old_partition else {name: value})"
RENAMES = (
    replace(edited("renamed-partition-kept", "a partition that gets another name stays there under the old one",
                   (Cache, "_change", (OLD_NAME, "pass"))), base=FIXED),
    replace(edited("renamed-partition-gone", "a partition that gets another name is gone, and that is all",
                   (Cache, "_change", ("entry.partitions[name] = value", NO_NEW_NAME))), base=FIXED),
    Mutant("renamed-partition-readable", "a partition's new name is readable before its transaction has committed",
           ((Cache, "_unfinished", _unfinished_but_renames),), FIXED),
    Mutant("renamed-partition-without-id", "the rename of a partition does not advance the table's write id",
           ((Session, "rename_partition", _rename_without_id),), FIXED),
)  # fmt: skip
"""The document's "every add/remove/alter/rename partition request", each part of it left out."""

ROWS: tuple[Mutant, ...] = (*READING, *WRITE_IDS, *FOLLOWING, *LOADING, *SESSION, *DATABASE)
MUTANTS: tuple[Mutant, ...] = (*ROWS, *PATCH, *RENAMES)
BY_NAME = {mutant.name: mutant for mutant in MUTANTS}
