"""Mutants of Iceberg's catalogs: what the REST client and the Hive catalog make of an answer, or of none.

Source: iceberg/3, iceberg/7 (J.. ids).
"""

from typing import Any

from model.iceberg.errors import (
    CommitFailed,
    CommitStateUnknown,
    IcebergError,
    ServiceFailure,
    ServiceUnavailable,
)
from model.iceberg.metastore import HiveOperations, Loaded, Outcome
from model.iceberg.metastore_lock import MetastoreLock
from model.iceberg.metastore_tables import HiveTables
from model.iceberg.rest import RestOperations
from model.iceberg.rest_client import RestClient
from model.iceberg.rules import IDEMPOTENT
from model.ports import PortError, Status
from tests.mutants.damage import left_out, never, nothing, replaced
from tests.mutants.mutant import Mutant


def counted_as_failure(self: RestClient, error: PortError) -> IcebergError:
    """A server error that counts as refusal."""
    found = _commit_error(self, error)
    if not isinstance(found, CommitStateUnknown):
        return found
    refused = ServiceUnavailable if isinstance(error, Status) and error.code == 503 else ServiceFailure
    return refused(str(found))


def resends_gateway_errors(self: RestClient, error: PortError) -> bool:
    """502 and 504 sent again by the HTTP layer."""
    return _resends(self, error) or (isinstance(error, Status) and error.code in (502, 504))


def checked_before_only(*_: Any) -> Outcome:
    """Success, whatever became of the lock."""
    return "success", None


def lost_lock_is_failure(self: HiveOperations, lock: Any) -> Outcome:
    """The error says unknown, the status failure."""
    status, error = _ensure_active_after(self, lock)
    return "failure" if error else status, error


def failure(_: HiveOperations, made: Loaded, error: PortError) -> Outcome:
    """An answer other than success that counts as failure, with no look at the table."""
    return "failure", CommitFailed(f"alter to {made.location}: {error}")


def missing_is_failure(self: HiveOperations, made: Loaded, error: PortError) -> Outcome:
    """A location that the table does not have yet counts as failure."""
    status = self._check_status(made)
    if status == "failure":
        return status, CommitFailed(f"alter to {made.location}: {error}")
    return status, None if status == "success" else CommitStateUnknown(f"alter to {made.location}: {error}")


def keeps_the_lock(self: MetastoreLock) -> None:
    """The heartbeat ends, and nothing else."""
    if self._heartbeat is not None:
        self._heartbeat.cancel()


# The shipped rules that some mutants bend, taken while no mutant is alive.
_commit_error, _resends = RestClient.commit_error, RestClient._resends
_ensure_active_after = HiveOperations._ensure_active_after

REST = (
    replaced(
        "server-errors-are-failures", RestClient, "commit_error", counted_as_failure,
        "503 deletes committed files (J24)",
    ),
    replaced("no-resend", RestClient, "_resends", never, "throttling makes commits fail"),
    replaced(
        "gateway-errors-resent", RestClient, "_resends", resends_gateway_errors,
        "a second sending refuses the first (J23)",
    ),
    replaced("no-reconcile", RestOperations, "_reconciled", never, "landed commits are reported as unknown"),
    Mutant(
        "idempotency-key-unused", "a second sending refuses the first", ((RestClient, "_key", nothing),), IDEMPOTENT
    ),
)  # fmt: skip

HIVE = (
    left_out(
        "location-not-compared", HiveTables, "_compare_location", "lost update before the lock was had"
    ),
    left_out("no-expected-location", HiveOperations, "_expected", "no-lock mode: lost update at the alter"),
    left_out("no-heartbeat", MetastoreLock, "_keep_alive", "lost update after a pause (J06)"),
    left_out(
        "lock-not-checked-before-alter", HiveOperations, "_ensure_active_before", "alters without the lock"
    ),
    replaced(
        "lock-not-checked-after-alter", HiveOperations, "_ensure_active_after", checked_before_only,
        "success although unprotected",
    ),
    replaced(
        "J07-lost-lock-is-failure", HiveOperations, "_ensure_active_after", lost_lock_is_failure,
        "deletes the current metadata (J07)",
    ),
    replaced(
        "no-status-check", HiveOperations, "_unanswered", failure,
        "a lost answer deletes the current metadata (J01)",
    ),
    replaced(
        "status-check-says-failure", HiveOperations, "_unanswered", missing_is_failure,
        "a late alter names no file (J02)",
    ),
    replaced(
        "no-strict-status-check", HiveOperations, "_modified", failure, "a resent alter deletes its JSON (J10)"
    ),
    left_out("keeps-json-after-failure", HiveOperations, "_delete_json", "JSON files of lost races stay"),
    replaced("never-unlocks", MetastoreLock, "unlock", keeps_the_lock, "the lock stays until its lease ends"),
)  # fmt: skip
