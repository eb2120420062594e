"""The rules of the protocol as options: what Iceberg 1.11.0 ships, what would repair it, and what may be broken.

Every default is the shipped behaviour. A variant is `dataclasses.replace(SHIPPED, ...)`; a mutant is a variant that
must fail (`mutants.py` lists one per validator, clean-up rule and step of the loop).

Source: iceberg/2, iceberg/3 and iceberg/4; the issues named at the single rules (J.. are the ids of iceberg/7).
"""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Switches of the protocol; read the name as a statement that is true of the variant."""

    # Metadata builder (iceberg/1.1)
    reject_duplicate_snapshot: bool = True
    reject_stale_sequence: bool = True

    # Validators (iceberg/4)
    validate_added_data_files: bool = True
    validate_data_files_exist: bool = True
    data_files_exist_sees_deletes: bool = True  # UPDATE: validateDeletedFiles, label `delete` counts as well
    validate_deleted_data_files: bool = True
    validate_no_new_delete_files: bool = True
    validate_no_new_deletes_for_data_files: bool = True
    fail_missing_delete_paths: bool = True
    fail_partial_filter_match: bool = True  # "some, but not all, rows match filter"
    fail_unknown_history: bool = True  # "Cannot determine history"
    fail_start_not_ancestor: bool = True
    fail_delete_of_referenced_file: bool = True

    # What an engine hands to the validators (iceberg/4.1, iceberg/4.3)
    validate_from_scan_snapshot: bool = True  # False: the start is taken at the commit (the hole behind HIVE-28366)
    delete_validates_new_delete_files: bool = False  # repair of I1: MOR DELETE checks new delete files as UPDATE does

    # Commit loop (iceberg/2.1)
    retry_lost_races: bool = True
    retry_only_lost_races: bool = True  # False: an unknown outcome is retried too
    validate_every_attempt: bool = True
    apply_to_refreshed_base: bool = True  # False: a retry commits what the first attempt computed
    reuse_new_manifests: bool = True
    new_manifest_list_per_attempt: bool = True
    stable_snapshot_id: bool = True
    recognise_own_snapshot: bool = True
    recognise_own_snapshot_before_validating: bool = False  # repair of the self-conflict (iceberg/2.1, J24)
    keep_later_commits_when_recognised: bool = False  # repair: own snapshot below the head is success, no rollback

    # Clean-up (iceberg/2.4)
    clean_after_definite_failure: bool = True
    strict_cleanup: bool = True  # only after a cleanable failure (#8397)
    keep_files_after_unknown: bool = True  # J03, J22
    clean_unused_manifests: bool = True
    clean_unused_manifest_lists: bool = True
    clean_against_committed_snapshot: bool = True  # J12: not against the last attempt's
    skip_cleanup_without_snapshot: bool = True  # #15511: a stale read after the commit proves nothing
    cleanup_errors_are_harmless: bool = True  # J04
    abort_only_cleanable: bool = True  # #10373: an engine keeps its data files otherwise

    # REST client (iceberg/3, iceberg/3.3)
    server_errors_are_unknown: bool = True  # J22, J24: 500, 502, 503, 504 at a commit
    resend_on_retry_after: bool = True
    resend_gateway_errors: bool = False  # J23: 502 and 504 sent again by the HTTP layer
    reconcile_unknown_commits: bool = True  # #14320
    idempotency_key: bool = False  # #14740: needs a service that honours it

    # Hive catalog (iceberg/3.1)
    hive_lock: bool = True  # False: the no-lock mode with an expected parameter
    hive_compares_location: bool = True
    hive_expects_location: bool = True  # no-lock mode only
    hive_heartbeat: bool = True  # J06
    hive_lock_active_before_alter: bool = True
    hive_lock_active_after_alter: bool = True
    hive_lost_lock_is_unknown: bool = True  # J07
    hive_checks_status: bool = True  # J01: False: an unanswered alter is a failure
    hive_missing_location_is_unknown: bool = True  # J02: False: a status check may say FAILURE
    hive_checks_status_of_modified: bool = True  # J10
    hive_deletes_json_on_failure: bool = True
    hive_unlocks: bool = True


SHIPPED = Rules()

# Repairs that are not shipped in 1.11.0, or are off by default there.
DELETE_VALIDATES_DELETES = replace(SHIPPED, delete_validates_new_delete_files=True)
SELF_CHECK_FIRST = replace(
    SHIPPED, recognise_own_snapshot_before_validating=True, keep_later_commits_when_recognised=True
)
IDEMPOTENT = replace(SHIPPED, idempotency_key=True)
NO_LOCK = replace(SHIPPED, hive_lock=False)

VARIANTS = {
    "shipped": SHIPPED,
    "delete-validates-deletes": DELETE_VALIDATES_DELETES,
    "self-check-first": SELF_CHECK_FIRST,
    "idempotent": IDEMPOTENT,
    "no-lock": NO_LOCK,
}
