"""Mutants of restores; see `tests.mutants.hudi`."""

from model.hudi.compaction import CompactionClient
from model.hudi.names import COMMIT, COMPACTION, parse_base_file
from model.hudi.restore_checks import RestoreChecks
from model.hudi.restoring import COMPACTIONS, RestoreClient
from model.hudi.rules import SHIPPED
from model.hudi.timeline import Instant, Timeline
from model.hudi.variants import RESTORE_FENCED
from model.hudi.written import Written
from tests.mutants.mutant import Mutant

PATHS, LATER = RestoreClient._paths, RestoreClient._later


def started(checks: RestoreChecks) -> None:
    """Whoever starts does not look."""


def committed(checks: RestoreChecks, instant: int) -> None:
    """Whoever commits does not look."""


def planned_before(client: RestoreClient, seen: Timeline) -> Timeline:
    """The plan goes by the timeline that was loaded before the lock."""
    return seen


def bases_alone(client: RestoreClient, target: Instant) -> tuple[str, ...]:
    """The log files of what is taken back stay."""
    return tuple([path for path in PATHS(client, target) if parse_base_file(path.rpartition("/")[2])])


def no_compactions(client: RestoreClient, seen: Timeline, savepoint: int) -> tuple[Instant, ...]:
    """No compaction is taken back."""
    return tuple([each for each in LATER(client, seen, savepoint) if each.action not in COMPACTIONS])


def looked_for_by_none(checks: RestoreChecks) -> None:
    """Whoever plans a compaction does not look."""


def completed(client: CompactionClient, instant: int, written: Written) -> Instant:
    """Whoever commits one does not look."""
    client._precommit.reconcile(instant, written.metadata)
    return client._publish(instant, written.metadata, COMMIT, COMPACTION)


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
    Mutant("restore-leaves-logs", "log files stay", ((RestoreClient, "_paths", bases_alone),), SHIPPED),
    Mutant("restore-leaves-compactions", "what a compaction has merged stays", (
        (RestoreClient, "_later", no_compactions),
    ), SHIPPED),
    Mutant("compaction-planned-beside-restore", "a compaction is planned while a restore is pending", (
        (RestoreChecks, "refuse_plan", looked_for_by_none),
    ), RESTORE_FENCED),
    Mutant("compaction-committed-beside-restore", "a compaction is committed before its turn comes", (
        (CompactionClient, "_checked", completed),
    ), RESTORE_FENCED),
)  # fmt: skip
