"""Mutants of restores; see `tests.mutants.hudi`."""

from model.hudi.restore_checks import RestoreChecks
from model.hudi.restoring import RestoreClient
from model.hudi.rules import RESTORE_FENCED
from model.hudi.timeline import Timeline
from tests.mutants.mutant import Mutant


def started(checks: RestoreChecks) -> None:
    """Whoever starts does not look."""


def committed(checks: RestoreChecks, instant: int) -> None:
    """Whoever commits does not look."""


def planned_before(client: RestoreClient, seen: Timeline) -> Timeline:
    """The plan goes by the timeline that was loaded before the lock."""
    return seen


RESTORE_MUTANTS: tuple[Mutant, ...] = (
    Mutant("starts-beside-restore", "a write starts while a restore is pending", (
        (RestoreChecks, "refuse_start", started),
        (RestoreChecks, "refuse_commit", committed),
    ), RESTORE_FENCED),
    Mutant("commits-after-restore", "a write began before the restore, and was inflight before its turn came", (
        (RestoreChecks, "refuse_commit", committed),
    ), RESTORE_FENCED),
    Mutant("restore-planned-before-lock", "a write commits between a restore's look and its lock", (
        (RestoreClient, "_planned_by", planned_before),
    ), RESTORE_FENCED),
)  # fmt: skip
