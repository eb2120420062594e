"""Protocols that must fail: the reference with one rule broken.

A checker or a test vector that does not notice a mutant proves nothing about the rule that the mutant lacks.

Source: hive/4.10 (the ids), hive/3.4 (P51, the unmerged patch), hive/6.2 (R..).
"""

from dataclasses import replace
from typing import Any, NamedTuple

from model.hive.rules import FIXED, Rules

BATCH = 10
"""Events per poll, where the inside of a batch must be seen."""


class Mutant(NamedTuple):
    """A row of hive/4.10: `row` its shortest interleaving and `breaks` what it breaks, in the row's words."""

    id: str
    change: str
    rules: Rules
    row: str
    breaks: str


def _m(number: int, change: str, row: str, breaks: str, **changes: Any) -> Mutant:
    return Mutant(f"M{number}", change, replace(FIXED, **changes), row, breaks)


READING = (
    _m(1, "readable on ALTER, not on COMMIT", "ALTER1 of t polled, read, ALTER2 of t", "all-or-nothing, dirty",
       unfinished="ignored"),
    _m(2, "compare hwm only", "tag [12:7,8], L [12:7] (8 committed)", "freshness", read_rule="high-water-mark"),
    _m(3, "compare invalid lists only, ignore hwm", "tag [11:7,8], L [12:7,8]", "freshness", read_rule="exceptions"),
    _m(4, "2.8.1 compare", "tag [1:1], L [1:] (vector 16)", "freshness", read_rule="lexicographic-2.8.1"),
    _m(5, "LEX instead of SUP", "vectors 25, 27", "read your writes, freshness", read_rule="lexicographic"),
    _m(6, "ignore table id", "drop t, create t, same-shape list", "wrong incarnation", checks_table_id=False),
    _m(7, "table id read from the cache at txn start", "rename before poll", "wrong incarnation",
       table_id_from="cache"),
    _m(36, "null list on managed table accepted", "any", "freshness", null_list_on_managed="eventual"),
)  # fmt: skip

WRITE_IDS = (
    _m(8, "ALLOC optimisation without open check", "start polling between ALLOC and COMMIT of a 2-table txn",
       "convergence", write_ids="always-seen"),
    _m(9, 'optimisation inverted (the document\'s "unless")', "any txn fully seen", "convergence or extra lookups",
       write_ids="unless-seen-open"),
    _m(16, "ignore ABORT", "abort of DDL txn", "convergence", on_abort="ignored"),
    _m(17, "treat ABORT as COMMIT", "aborted id valid in tag", "freshness claims false; SI", on_abort="committed"),
    _m(22, "aborted bits not shifted", "abort 8, commit 7", "classification", shifts_aborted_flags=False),
    _m(23, "lookup returns first table only", "2-table txn, cold start", "convergence", lookup_finds_all=False),
    _m(24, "one valid flag for all txns", "ALTER by A (open), COMMIT by B", "dirty read", unfinished="one-flag"),
    _m(25, "name-keyed write-id map across rename", "ALLOC t, rename t to u, create t, COMMIT",
       "tag of wrong table too new: freshness", ids_by="name"),
)  # fmt: skip

FOLLOWING = (
    _m(10, "process by arrival, not event id", "COMMIT before its ALTER", "freshness",
       content_order="txn-events-first", batch=BATCH),
    _m(11, "poll per table in parallel without per-table order", "ALTER2 then ALTER1", "monotonic",
       content_order="newest-first", batch=BATCH),
    _m(26, "rename keeps old key", "rename, then read old name by null list", "phantom table",
       rename="keeps-old-name"),
    _m(27, "poller crash between position advance and apply", "crash, restart", "skip = freshness",
       position="before-effects", batch=BATCH),
    _m(29, "failing event retried", "one bad event", "frozen cache", bad_event="retry"),
    _m(30, "duplicate event ids, poll > last", "two HMS, 2.3 writer", "lost event", sequence_lock=False),
    _m(31, "cleaner removes unpolled events, gap ignored", "poller paused > TTL", "stale forever for external",
       checks_gaps=False),
)  # fmt: skip

LOADING = (
    _m(13, "prewarm: replay from before the tag", "two DDL txns in the window", "freshness, monotonic",
       prewarm="as-designed"),
    _m(14, "prewarm: last event id taken after content", "change between read and id", "freshness forever",
       prewarm="content-first"),
    _m(32, "read-miss result inserted without version check", "miss-load, event, insert", "stale resurrect",
       fill_on_miss="unguarded-whole"),
    _m(34, "entry inserted on miss without partitions", "get_table miss then list partitions", "missing partitions",
       fill_on_miss="unguarded"),
)  # fmt: skip

SESSION = (
    _m(18, "client does not mark own wid", "write then read, other replica", "read your writes",
       marks_own_write_id=False),
    _m(19, "client marks own wid, then aborts, list reused", "next read with stale list", "SI",
       forgets_lists_at_end=False),
    _m(20, "DDL does not allocate a wid", "alter on A, read on B before poll", "freshness",
       ddl_allocates_write_id=False),
)  # fmt: skip

DATABASE = (
    _m(37, "COMMIT event appended in a separate RDBMS txn", "crash between", "committed but never readable",
       commit_event="after"),
    _m(38, "snapshot gap rule dropped (missing ids ignored)", "slow open of txn 2, snapshot by txn 3", "dirty read",
       missing_txns_are_open=False),
)  # fmt: skip

PATCH = (
    Mutant("P51-1", "ids between the high-water mark and a commit count as committed",
           replace(FIXED, gaps_are_open=False), "tag [11:7,8], COMMIT of 14: 12 and 13 may be open", "freshness"),
    Mutant("M37-reversed", "COMMIT event appended before the commit, in a transaction of its own",
           replace(FIXED, commit_event="before"), "the commit is refused", "readable before commit: dirty read"),
)  # fmt: skip
"""More of what the unmerged patch gets wrong (hive/3.4), and the reverse order of M37."""

ROWS: tuple[Mutant, ...] = (*READING, *WRITE_IDS, *FOLLOWING, *LOADING, *SESSION, *DATABASE)
MUTANTS: tuple[Mutant, ...] = (*ROWS, *PATCH)
BY_ID = {mutant.id: mutant for mutant in MUTANTS}
