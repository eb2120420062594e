"""The rules of the protocol as options: the design document, what was shipped, what repairs it, and what may be broken.

Every default is the reference: the design with the repairs of hive/4. A variant is `dataclasses.replace(FIXED, ...)`;
a mutant is a variant that must fail on a named property (`mutants.py`).

Source: hive/2.2 (read rules), hive/3.2 (CachedStore 4.0), hive/3.4 (the unmerged patch, P51), hive/4 (state machine),
hive/6.2 (R1 to R9); M.. are rows of hive/4.10.
"""

from dataclasses import dataclass, replace
from typing import Literal

from model.hive.comparison import ReadRule


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Switches of the protocol; a boolean's name is a statement that is true of the variant."""

    # Reading from the cache (hive/4.2)
    read_rule: ReadRule = "superset"
    checks_table_id: bool = True  # M6
    null_list_on_managed: Literal["error", "eventual"] = "error"  # M36
    external: Literal["eventual", "database"] = "eventual"  # P51 never serves them from the cache
    fill_on_miss: Literal["never", "unguarded", "unguarded-whole"] = "never"  # M34 and M32; R6

    # The client session (hive/4.3)
    marks_own_write_id: bool = True  # M18
    forgets_lists_at_end: bool = True  # M19
    ddl_allocates_write_id: bool = True  # M20
    table_id_from: Literal["database", "cache"] = "database"  # M7

    # Content events (hive/4.4)
    unfinished: Literal["per-write", "one-flag", "ignored"] = "per-write"  # M24, M1
    content_order: Literal["log", "txn-events-first", "newest-first"] = "log"  # M10, M11
    rename: Literal["moves", "keeps-old-name"] = "moves"  # M26, R3
    batch: int = 1  # events per poll; their effects are one critical section each
    position: Literal["with-effects", "before-effects", "after-batch"] = "with-effects"  # M27
    bad_event: Literal["rebuild", "retry"] = "rebuild"  # M29
    checks_gaps: bool = True  # M31

    # Write ids of the tag (hive/4.5)
    write_ids: Literal["seen-open", "always-seen", "unless-seen-open", "lookup"] = "seen-open"  # M8, M9 (the "unless")
    lookup_finds_all: bool = True  # M23
    ids_by: Literal["table-id", "name"] = "table-id"  # M25
    gaps_are_open: bool = True  # P51 hears of ids at their commit, and takes those below for committed
    on_abort: Literal["aborted", "ignored", "committed"] = "aborted"  # M16, M17
    shifts_aborted_flags: bool = True  # M22

    # Prewarm (hive/4.6)
    prewarm: Literal["guarded", "as-designed", "outdated-list", "content-first"] = "guarded"  # M13, M14

    # The database side (hive/1, hive/5)
    sequence_lock: bool = True  # M30: 2.3 reads and increments without one (HIVE-16886)
    commit_event: Literal["same-transaction", "after", "before"] = "same-transaction"  # M37
    missing_txns_are_open: bool = True  # M38
    conflict_abort_is_logged: bool = True  # R7
    timeout_abort_is_logged: bool = True  # HIVE-27797
    rename_moves_write_ids_with_it: bool = True  # R8: on a connection of its own

    # What the shipped CachedStore does on top (hive/3.2, hive/6.2). It takes up to a million events per poll; one is a
    # batch whose inside can be seen.
    follows: Literal["everything", "content"] = "everything"  # 4.0 skips transaction events
    pulls_after_write: bool = False
    replay_writes_database: bool = False  # R1, R2
    passes_expected_parameter: bool = True  # R9


FIXED = Rules()

# The design document, read literally where it can be: upstream's comparison, its prewarm, its "unless".
DESIGN = replace(FIXED, read_rule="lexicographic", prewarm="as-designed", write_ids="unless-seen-open")

# Hive 4.0's CachedStore in event mode: lists and table ids travel, and nobody looks at them.
SHIPPED = Rules(
    read_rule="none",
    checks_table_id=False,
    null_list_on_managed="eventual",
    fill_on_miss="unguarded",
    unfinished="ignored",
    rename="keeps-old-name",
    bad_event="retry",
    checks_gaps=False,
    prewarm="as-designed",
    conflict_abort_is_logged=False,
    timeout_abort_is_logged=False,
    rename_moves_write_ids_with_it=False,
    follows="content",
    pulls_after_write=True,
    replay_writes_database=True,
    passes_expected_parameter=False,
)
# The same with one method added, so that an alter's expected parameter reaches the database.
SHIPPED_CAS = replace(SHIPPED, passes_expected_parameter=True)
# And without the write back on replay.
SHIPPED_CAS_NO_REPLAY = replace(SHIPPED_CAS, replay_writes_database=False)

VARIANTS = {
    "fixed": FIXED,
    "design": DESIGN,
    "shipped": SHIPPED,
    "shipped-cas": SHIPPED_CAS,
    "shipped-cas-no-replay": SHIPPED_CAS_NO_REPLAY,
}
