"""Protocols that must fail: the shipped rules with one validator, clean-up rule or step of the loop broken.

A checker or a test vector that does not notice a mutant proves nothing about the rule that the mutant lacks. Where an
issue is named, the mutant is how Iceberg once was.

Source: iceberg/7 (J.. ids), iceberg/4.3.
"""

from dataclasses import replace
from typing import Any

from model.iceberg.rules import IDEMPOTENT, SHIPPED, Rules


def _without(**changes: Any) -> Rules:
    return replace(SHIPPED, **changes)


METADATA: tuple[tuple[str, Rules, str], ...] = (
    ("duplicate-ids-allowed", _without(reject_duplicate_snapshot=False), "a snapshot replaces another of its id (J40)"),
    ("stale-sequence-allowed", _without(reject_stale_sequence=False), "sequence numbers repeat; deletes miss rows"),
)

VALIDATORS: tuple[tuple[str, Rules, str], ...] = (
    ("no-added-data-files-check", _without(validate_added_data_files=False), "concurrent inserts are not seen"),
    ("no-data-files-exist-check", _without(validate_data_files_exist=False), "deletes refer to rewritten files: lost"),
    (
        "data-files-exist-ignores-deletes",
        _without(data_files_exist_sees_deletes=False),
        "an UPDATE of a row that was deleted with its file brings it back",
    ),
    ("no-deleted-data-files-check", _without(validate_deleted_data_files=False), "removed files are not noticed"),
    ("no-new-delete-files-check", _without(validate_no_new_delete_files=False), "two UPDATEs of one row both stay"),
    (
        "no-new-deletes-for-data-files-check",
        _without(validate_no_new_deletes_for_data_files=False),
        "a rewrite undoes concurrent deletes (J16)",
    ),
    (
        "no-missing-paths-check",
        _without(fail_missing_delete_paths=False),
        "rows of a removed file come back",
    ),
    ("no-partial-match-check", _without(fail_partial_filter_match=False), "rows that match the filter survive it"),
    ("no-history-check", _without(fail_unknown_history=False), "conflicts in expired snapshots are not seen"),
    ("no-ancestor-check", _without(fail_start_not_ancestor=False), "a start on another lineage is taken for a start"),
    ("no-referenced-file-check", _without(fail_delete_of_referenced_file=False), "deletes refer to a file that goes"),
    (
        "start-taken-too-late",
        _without(validate_from_scan_snapshot=False),
        "commits before the commit are not seen",
    ),
)

LOOP: tuple[tuple[str, Rules, str], ...] = (
    ("no-retry", _without(retry_lost_races=False), "a lost race is a failure"),
    ("retries-unknown", _without(retry_only_lost_races=False), "an unknown outcome is tried again"),
    (
        "validates-first-attempt-only",
        _without(validate_every_attempt=False),
        "the commit that won the race is not seen",
    ),
    ("first-result-recommitted", _without(apply_to_refreshed_base=False), "lost update: the winner's files vanish"),
    ("new-manifest-per-attempt", _without(reuse_new_manifests=False), "manifests of lost attempts stay"),
    ("one-manifest-list-name", _without(new_manifest_list_per_attempt=False), "a retry overwrites a list that landed"),
    ("new-id-per-attempt", _without(stable_snapshot_id=False), "a landed commit is committed again"),
    ("no-self-recognition", _without(recognise_own_snapshot=False), "a landed commit fails and deletes its files"),
)

CLEANUP: tuple[tuple[str, Rules, str], ...] = (
    ("no-cleanup-after-failure", _without(clean_after_definite_failure=False), "files of failed commits stay"),
    ("cleanup-not-strict", _without(strict_cleanup=False), "an ambiguous error deletes committed files (J26)"),
    (
        "cleans-after-unknown",
        _without(keep_files_after_unknown=False),
        "an unknown outcome deletes files (J03)",
    ),
    ("keeps-unused-manifests", _without(clean_unused_manifests=False), "manifests of lost attempts stay"),
    ("keeps-unused-manifest-lists", _without(clean_unused_manifest_lists=False), "lists of lost attempts stay"),
    (
        "cleans-against-last-attempt",
        _without(clean_against_committed_snapshot=False),
        "the list of an earlier attempt that landed is deleted (J12)",
    ),
    ("cleans-without-snapshot", _without(skip_cleanup_without_snapshot=False), "a stale read deletes committed files"),
    ("cleanup-error-is-failure", _without(cleanup_errors_are_harmless=False), "a landed commit deletes itself (J04)"),
    ("abort-deletes-always", _without(abort_only_cleanable=False), "an ambiguous error deletes committed data files"),
)

REST: tuple[tuple[str, Rules, str], ...] = (
    ("server-errors-are-failures", _without(server_errors_are_unknown=False), "503 deletes committed files (J24)"),
    ("no-resend", _without(resend_on_retry_after=False), "throttling makes commits fail"),
    ("gateway-errors-resent", _without(resend_gateway_errors=True), "a second sending refuses the first (J23)"),
    ("no-reconcile", _without(reconcile_unknown_commits=False), "landed commits are reported as unknown"),
    ("idempotency-key-unused", replace(IDEMPOTENT, idempotency_key=False), "a second sending refuses the first"),
)

HIVE: tuple[tuple[str, Rules, str], ...] = (
    ("location-not-compared", _without(hive_compares_location=False), "lost update before the lock was had"),
    ("no-expected-location", _without(hive_expects_location=False), "no-lock mode: lost update at the alter"),
    ("no-heartbeat", _without(hive_heartbeat=False), "lost update after a pause (J06)"),
    ("lock-not-checked-before-alter", _without(hive_lock_active_before_alter=False), "alters without the lock"),
    ("lock-not-checked-after-alter", _without(hive_lock_active_after_alter=False), "success although unprotected"),
    ("J07-lost-lock-is-failure", _without(hive_lost_lock_is_unknown=False), "deletes the current metadata (J07)"),
    ("no-status-check", _without(hive_checks_status=False), "a lost answer deletes the current metadata (J01)"),
    ("status-check-says-failure", _without(hive_missing_location_is_unknown=False), "a late alter names no file (J02)"),
    ("no-strict-status-check", _without(hive_checks_status_of_modified=False), "a resent alter deletes its JSON (J10)"),
    ("keeps-json-after-failure", _without(hive_deletes_json_on_failure=False), "JSON files of lost races stay"),
    ("never-unlocks", _without(hive_unlocks=False), "the lock stays until its lease ends"),
)

MUTANTS: tuple[tuple[str, Rules, str], ...] = (*METADATA, *VALIDATORS, *LOOP, *CLEANUP, *REST, *HIVE)
