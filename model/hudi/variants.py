"""The variants of the protocol: what Hudi 1.2.0 ships with one of its rules repaired, or with several, and their names.

Source: hudi/5 and RFC-56 for the document's; repairs that upstream has made since bear its number at their rule.
"""

from collections.abc import Mapping
from dataclasses import replace

from model.hudi.rules import SHIPPED, Rules

AS_DOCUMENT = replace(
    SHIPPED,
    marker_lock_covers_creation=True,
    early_matches_substring=False,
    unreadable_markers_end_checker=False,
    marker_group_by_underscore=False,
    server_commit_check_by_text=False,
    server_snapshot_at_first_marker=False,
)
ALL_INSTANTS = replace(AS_DOCUMENT, early_smaller_instants_only=False, refuses_newer_merge_base=True)
BLOOM_FIRST = replace(AS_DOCUMENT, bloom_before_marker=True)
BLOOM_FIRST_OR_MARKERS = replace(BLOOM_FIRST, missing_bloom_says_no=False)
VERSION_1_0 = replace(SHIPPED, start_is_one_critical_section=False)

# Repairs that are not shipped in 1.2.0. (`hoodie.rollback.avoid.duplicate.plan` is none of G-6: it takes a completed
# target.) The first one stops a loss that needs no fault under the default conflict strategy: the slice of an instant
# that is drawn before a newer commit of its group is never seen. It would hide everything else, so the others are built
# on it. The strategy that prefers writers refuses that writer too (`model.hudi.conflicts`).
NEWER_BASE_REFUSED = replace(SHIPPED, refuses_newer_merge_base=True)
LATE_REQUESTED = replace(NEWER_BASE_REFUSED, start_is_one_critical_section=False)
OWNED_LOCK = replace(NEWER_BASE_REFUSED, deletes_lock_it_does_not_hold=False)
EMPTY_REFUSED = replace(NEWER_BASE_REFUSED, empty_completion_is_conflict=True)
REPLACED_COMPARED = replace(SHIPPED, deletion_compares_replaced=True, overwrites_compare_partitions=True)
NAMED_FILES_CLEANED = replace(SHIPPED, cleaning_deletes_folders=False)
PENDING_MINDED = replace(SHIPPED, cleaning_minds_pending=True)
CLEANS_FENCED = replace(SHIPPED, cleans_fence_readers=True)
TRAVEL_REFUSED = replace(SHIPPED, time_travel_minds_versions=True)
ARCHIVED_REFUSED = replace(SHIPPED, time_travel_minds_history=True)
TRANSITIONS_READ = replace(SHIPPED, transition_reads_go_by_request=False)
SAVEPOINTS_KEPT = replace(
    SHIPPED, savepoints_take_lock=True, savepoints_keep_partitions=True, savepoints_mind_versions=True,
    savepoints_by_completion=True, cleans_folders_alone=True,
)  # fmt: skip
RESTORE_FENCED = replace(SHIPPED, restores_fence_writers=True)
READERS_FENCED = replace(RESTORE_FENCED, restores_fence_readers=True)
LOST_PLANS_SKIPPED = replace(RESTORE_FENCED, lost_plans_stop_all=False)
LOG_PLANS_TAKEN_BACK = replace(LOST_PLANS_SKIPPED, log_plans_stop_restores=False)
REPLACEMENTS_LISTED = replace(LOST_PLANS_SKIPPED, unlisted_replacements_stop_rollbacks=False)
METADATA_REMADE = replace(RESTORE_FENCED, restores_remake_metadata=True)
LOG_COMPACTIONS_BEAT = replace(SHIPPED, log_compactions_beat=True)
CLUSTERINGS_BEAT = replace(SHIPPED, clusterings_beat=True)
COMPLETION_MINDED = replace(SHIPPED, archiving_minds_completion=True)
ARCHIVING_LOCKED = replace(SHIPPED, archiving_takes_lock=True, savepoints_take_lock=True)
HISTORY_READ = replace(SHIPPED, history_tells_completion=True)
MARKERS_LISTED = replace(SHIPPED, unlisted_markers_are_servers=False)
CUT_MARKERS_LISTED = replace(SHIPPED, cut_markers_stop_rollbacks=False)
ROLLBACK_AWARE = replace(NEWER_BASE_REFUSED, own_rollback_is_conflict=True, rollback_rechecks_under_lock=True)
ABORT_IS_DEATH = replace(NEWER_BASE_REFUSED, early_loser_deletes_heartbeat=True, cleans_up_under_lock=True)
# The other way to stop G-6: the heartbeat is a lease, which both sides look at under the lock, and a lapse is for good.
LEASED = replace(
    NEWER_BASE_REFUSED, checks_heartbeat_under_lock=True, remembers_late_beat=False, rollback_rechecks_under_lock=True
)
# Ours: nobody has them, or has proposed them.
COMMITS_SINCE_INSTANT = replace(SHIPPED, early_commits_since_instant=True)
SERVER_LOOKS_FIRST = replace(AS_DOCUMENT, server_looks_before_marker=True)
COMMITS_DECIDED = replace(ROLLBACK_AWARE, deletes_lock_it_does_not_hold=False, commits_are_decided=True)
NEW_KEYS_INDEXED = replace(SHIPPED, indexes_new_keys=True)
LOST_ANSWERS_LOOKED_UP = replace(SHIPPED, lost_answers_are_looked_up=True)
BUCKETS_BEGUN_ANEW = replace(SHIPPED, deleted_bucket_keeps_name=False)
PENDING_LOG_SKIPPED = replace(SHIPPED, pending_log_hides_group=False)
UPDATES_READ_WITHIN = replace(SHIPPED, updates_read_first=False)
SCHEMA_BY_COMPLETION = replace(SHIPPED, schema_is_last_requested=False)
BUCKETS_COMPARED = replace(SHIPPED, any_strategy_compares_buckets=True)
SILENT_LOCK = replace(SHIPPED, lost_lock_interrupts_holder=False, release_tells_takeover=False)
FIXED = replace(
    NEWER_BASE_REFUSED,
    failed_beat_ends_timer=False,
    pending_log_hides_group=False,
    deleted_bucket_keeps_name=False,
    unlocks_after_failed_time_lock=False,
    empty_completion_is_conflict=True,
    updates_read_first=False,
    any_strategy_compares_buckets=True,
    schema_is_last_requested=False,
    deletion_compares_replaced=True,
    overwrites_compare_partitions=True,
    cleaning_deletes_folders=False,
    cleaning_minds_pending=True,
    cleans_fence_readers=True,
    transition_reads_go_by_request=False,
    time_travel_minds_versions=True,
    time_travel_minds_history=True,
    savepoints_take_lock=True,
    savepoints_keep_partitions=True,
    savepoints_mind_versions=True,
    savepoints_by_completion=True,
    restores_fence_writers=True,
    restores_fence_readers=True,
    restores_remake_metadata=True,
    lost_plans_stop_all=False,
    log_plans_stop_restores=False,
    unlisted_replacements_stop_rollbacks=False,
    log_compactions_beat=True,
    clusterings_beat=True,
    cleans_folders_alone=True,
    archiving_minds_completion=True,
    archiving_takes_lock=True,
    history_tells_completion=True,
    own_rollback_is_conflict=True,
    rollback_rechecks_under_lock=True,
    early_loser_deletes_heartbeat=True,
    cleans_up_under_lock=True,
    early_matches_substring=False,
    marker_lock_covers_creation=True,
    deletes_lock_it_does_not_hold=False,
    breaks_any_lock=False,
    failed_lock_beat_is_last=False,
    unwritten_markers_are_hidden=False,
    unreadable_markers_end_checker=False,
    marker_group_by_underscore=False,
    server_commit_check_by_text=False,
    server_snapshot_at_first_marker=False,
    marker_suffix_is_first=False,
    retired_checker_raises_flag=False,
    bloom_before_marker=True,
    missing_bloom_says_no=False,
    unlisted_markers_are_servers=False,
    cut_markers_stop_rollbacks=False,
)
# The protocol of Vanlightly's TLA+ specification (hudi/5.1), whose table of results is recomputed by a study.
TLA_SPECIFICATION = replace(
    SHIPPED, conflict_window="merge-base", refuses_newer_merge_base=True, lists_committed_files=True
)

VARIANTS: Mapping[str, Rules] = {
    "shipped": SHIPPED,
    "as-document": AS_DOCUMENT,
    "as-document-all-instants": ALL_INSTANTS,
    "bloom-first": BLOOM_FIRST,
    "bloom-first-or-markers": BLOOM_FIRST_OR_MARKERS,
    "1.0": VERSION_1_0,
    "newer-base-refused": NEWER_BASE_REFUSED,
    "late-requested": LATE_REQUESTED,
    "owned-lock": OWNED_LOCK,
    "empty-refused": EMPTY_REFUSED,
    "replaced-compared": REPLACED_COMPARED,
    "named-files-cleaned": NAMED_FILES_CLEANED,
    "pending-minded": PENDING_MINDED,
    "cleans-fenced": CLEANS_FENCED,
    "travel-refused": TRAVEL_REFUSED,
    "archived-refused": ARCHIVED_REFUSED,
    "transitions-read": TRANSITIONS_READ,
    "savepoints-kept": SAVEPOINTS_KEPT,
    "restore-fenced": RESTORE_FENCED,
    "readers-fenced": READERS_FENCED,
    "lost-plans-skipped": LOST_PLANS_SKIPPED,
    "log-plans-taken-back": LOG_PLANS_TAKEN_BACK,
    "replacements-listed": REPLACEMENTS_LISTED,
    "metadata-remade": METADATA_REMADE,
    "log-compactions-beat": LOG_COMPACTIONS_BEAT,
    "clusterings-beat": CLUSTERINGS_BEAT,
    "completion-minded": COMPLETION_MINDED,
    "archiving-locked": ARCHIVING_LOCKED,
    "history-read": HISTORY_READ,
    "markers-listed": MARKERS_LISTED,
    "cut-markers-listed": CUT_MARKERS_LISTED,
    "rollback-aware": ROLLBACK_AWARE,
    "abort-is-death": ABORT_IS_DEATH,
    "leased": LEASED,
    "pending-log-skipped": PENDING_LOG_SKIPPED,
    "buckets-begun-anew": BUCKETS_BEGUN_ANEW,
    "updates-read-within": UPDATES_READ_WITHIN,
    "buckets-compared": BUCKETS_COMPARED,
    "schema-by-completion": SCHEMA_BY_COMPLETION,
    "silent-lock": SILENT_LOCK,
    "commits-since-instant": COMMITS_SINCE_INSTANT,
    "server-looks-first": SERVER_LOOKS_FIRST,
    "commits-decided": COMMITS_DECIDED,
    "new-keys-indexed": NEW_KEYS_INDEXED,
    "lost-answers-looked-up": LOST_ANSWERS_LOOKED_UP,
    "fixed": FIXED,
    "tla-specification": TLA_SPECIFICATION,
}
