"""The rules of the protocol as options: what Hudi 1.2.0 ships, what RFC-56 says, what repairs it, what may be broken.

Every default is the shipped behaviour. A variant is `dataclasses.replace(SHIPPED, ...)`; a mutant is a variant that
must fail on a named property (`mutants.py`). What a user sets is in `config.py`.

Source: hudi/1 to hudi/4; the ids F-.. (hudi/3.9) and G-.. (hudi/5) at the single rules; RFC-56.
"""

from dataclasses import dataclass, replace
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Switches of the protocol; read the name as a statement that is true of the variant."""

    # Instants (hudi/1.4)
    start_is_one_critical_section: bool = True  # False: up to 1.0.x, requested file after the lock (G-4, HUDI-9387)
    instants_from_locked_clock: bool = True  # False: the host's clock, no lock and no wait (hudi/5.1: not monotonic)
    waits_out_clock_skew: bool = True
    unlocks_after_failed_time_lock: bool = True  # F-2: only where time generation takes the lock itself (1.0.x)
    salted_file_names: bool = False  # the fix of hudi/5.1: data files of one instant never have one name

    # Files (hudi/1.5, hudi/2.7)
    lists_committed_files: bool = (
        False  # the metadata table, and the TLA+ specification: only what commits name is seen
    )

    # Timeline (hudi/1.2)
    next_state_needs_present_one: bool = True

    # Conflict snapshot and pre-commit check (hudi/2.1, hudi/2.2)
    checks_conflicts: bool = True
    checks_under_lock: bool = True
    checks_reloaded_timeline: bool = True
    checks_pending_at_start: bool = True  # HUDI-3355
    checks_file_groups: bool = True  # False: partitions only, a coarser conflict
    conflict_window: Literal["last-completed", "merge-base"] = "last-completed"  # merge-base: the TLA+ specification
    refuses_newer_merge_base: bool = False  # repair, and the TLA+ specification: abort unless the slice is older
    own_rollback_is_conflict: bool = False  # repair of G-6, first half (PreferWriter since #18089)
    completes_under_lock: bool = True

    # Heartbeats (hudi/4)
    aborts_when_expired: bool = True
    checks_heartbeat_under_lock: bool = False  # narrows G-6; does not close it
    beats: bool = True
    remembers_late_beat: bool = True  # up to 1.2.0; False: a beat after a lapse is no sign of life (#18904, 1.3.0)
    loser_deletes_heartbeat: bool = True  # 1.2.0, seen live: a pre-commit loser's heartbeat file is deleted
    early_loser_deletes_heartbeat: bool = False  # repair of F-12

    # Markers (hudi/4)
    marks_before_data: bool = True
    reconciles_markers: bool = True
    deletes_markers_after_commit: bool = True
    deletes_heartbeat_after_commit: bool = True
    cleans_up_under_lock: bool = False  # as before #18196 (1.2.0): nobody starts between COMPLETED and the clean-up

    # Early conflict detection (hudi/3)
    early_smaller_instants_only: bool = True
    early_needs_live_heartbeat: bool = True
    early_matches_substring: bool = True  # F-8
    marker_lock_covers_creation: bool = False  # F-4; True: as RFC-56 says

    # File system lock (hudi/2.5)
    closes_after_unlock: bool = True  # F-1: unlock deletes the file, close deletes it again
    deletes_lock_it_does_not_hold: bool = True  # F-1: close after a failed acquisition deletes the holder's file
    creates_lock_exclusively: bool = True

    # Lazy rollback (hudi/4)
    rollback_needs_expired_heartbeat: bool = True
    rollback_rechecks_timeline: bool = True  # HUDI-5675
    rollback_rechecks_under_lock: bool = False  # repair of G-6, second half
    rollback_scheduled_under_lock: bool = True
    rollback_deletes_data: bool = True
    rollback_deletes_markers: bool = True


SHIPPED = Rules()
AS_DOCUMENT = replace(SHIPPED, marker_lock_covers_creation=True, early_matches_substring=False)
ALL_INSTANTS = replace(AS_DOCUMENT, early_smaller_instants_only=False, refuses_newer_merge_base=True)
VERSION_1_0 = replace(SHIPPED, start_is_one_critical_section=False)

# Repairs that are not shipped in 1.2.0. (`hoodie.rollback.avoid.duplicate.plan` is none of G-6: it looks for the target
# again under the lock, and takes a completed one.) The first one stops a loss that needs no fault: an
# instant drawn before a newer commit of its group writes over that commit's slice afterwards, and its own slice, being
# the older one, is never seen. It would hide everything else, so the others are built on it.
NEWER_BASE_REFUSED = replace(SHIPPED, refuses_newer_merge_base=True)
OWNED_LOCK = replace(NEWER_BASE_REFUSED, deletes_lock_it_does_not_hold=False)
CLOSES_ONCE = replace(NEWER_BASE_REFUSED, closes_after_unlock=False)  # the half of F-1 that a failed client is not
ROLLBACK_AWARE = replace(NEWER_BASE_REFUSED, own_rollback_is_conflict=True, rollback_rechecks_under_lock=True)
ABORT_IS_DEATH = replace(NEWER_BASE_REFUSED, early_loser_deletes_heartbeat=True, cleans_up_under_lock=True)
# The other way to stop G-6: the heartbeat is a lease, which both sides look at under the lock, and a lapse is for good.
LEASED = replace(
    NEWER_BASE_REFUSED,
    checks_heartbeat_under_lock=True,
    remembers_late_beat=False,
    rollback_rechecks_under_lock=True,
)
FIXED = replace(
    NEWER_BASE_REFUSED,
    unlocks_after_failed_time_lock=False,
    own_rollback_is_conflict=True,
    rollback_rechecks_under_lock=True,
    early_loser_deletes_heartbeat=True,
    cleans_up_under_lock=True,
    early_matches_substring=False,
    marker_lock_covers_creation=True,
    deletes_lock_it_does_not_hold=False,
)
# The protocol of Vanlightly's TLA+ specification (hudi/5.1), whose table of results is recomputed by a study.
TLA_SPECIFICATION = replace(
    SHIPPED, conflict_window="merge-base", refuses_newer_merge_base=True, lists_committed_files=True
)

VARIANTS = {
    "shipped": SHIPPED,
    "as-document": AS_DOCUMENT,
    "as-document-all-instants": ALL_INSTANTS,
    "1.0": VERSION_1_0,
    "newer-base-refused": NEWER_BASE_REFUSED,
    "owned-lock": OWNED_LOCK,
    "closes-once": CLOSES_ONCE,
    "rollback-aware": ROLLBACK_AWARE,
    "abort-is-death": ABORT_IS_DEATH,
    "leased": LEASED,
    "fixed": FIXED,
    "tla-specification": TLA_SPECIFICATION,
}
