"""Which known findings of Hudi are among the rows of `tests.search.planted`, and what mends each alone."""

from model.hudi import SHIPPED
from model.hudi.errors import NothingPlanned
from model.hudi.log_compaction import LogCompactionClient
from model.hudi.slices import CompactionPlan
from model.hudi.variants import AS_DOCUMENT, BLOOM_FIRST, FIXED, LATE_REQUESTED, RESTORE_FENCED
from tests.mutants.mutant import Mutant
from tests.search.hudi.asked import (
    ARCHIVING,
    ASYNC,
    BLOOM,
    EARLY,
    LOGS,
    MERGED,
    METADATA_ARCHIVING,
    METADATA_COMPACTED,
    SHORT_LOCK,
)

FINDINGS = {
    "update-logs-clustered": ("acknowledged-writes-survive", ("deletes-logs", "deletes-log-compaction"), SHIPPED),
    "update-moved": ("acknowledged-writes-survive", ("deletes", "deletes-logs"), SHIPPED),
    "older-instant": ("acknowledged-writes-survive", ("default",), SHIPPED),
    "file-lock": ("no-lost-update", ("file-lock",), SHIPPED),
    "zombie-completed": ("table-invariants", ("default", "short-heartbeats"), SHIPPED),
    "same-new-key": ("acknowledged-writes-survive", ("prefer-writer",), SHIPPED),
    "delete-partition": ("acknowledged-writes-survive", ("prefer-writer",), SHIPPED),
    "clean-partition": ("acknowledged-writes-survive", ("default",), SHIPPED),
    "savepoint-clean": ("savepoint-kept", ("default",), SHIPPED),
    "savepoint-partition": ("savepoint-kept", ("default",), SHIPPED),
    "savepoint-read": ("snapshot-isolation", ("default",), SHIPPED),
    "clean-reader": ("snapshot-isolation", ("hours",), SHIPPED),
    "savepoint-versions": ("savepoint-kept", ("file-versions",), SHIPPED),
    "restore-beside": ("no-lost-update", ("prefer-writer",), SHIPPED),
    "clean-versions": ("acknowledged-writes-survive", ("file-versions",), SHIPPED),
    "clean-overwritten": ("acknowledged-writes-survive", ("prefer-writer",), SHIPPED),
    "clean-hours": ("acknowledged-writes-survive", ("hours",), SHIPPED),
    "metadata-partition": ("committed-files-listed", ("metadata",), SHIPPED),
    "metadata-archived": ("readable", METADATA_ARCHIVING, SHIPPED),
    "metadata-compacted": ("readable", METADATA_COMPACTED[:1], SHIPPED),
    "metadata-restore-stuck": ("table-invariants", METADATA_COMPACTED[1:], SHIPPED),
    "archive-rolled-back": ("no-aborted-reads", ARCHIVING, SHIPPED),
    "rollback-unlisted": ("no-aborted-reads", ARCHIVING[:1], SHIPPED),
    "mor-marker-vanished": ("no-aborted-reads", MERGED, SHIPPED),
    "archive-conflict": ("no-lost-update", ARCHIVING[:1], SHIPPED),
    "restore-archived": ("no-aborted-reads", ARCHIVING[:1], SHIPPED),
    "archive-savepoint": ("savepoint-kept", ARCHIVING[:1], SHIPPED),
    "archive-restored": ("acknowledged-writes-survive", ARCHIVING[:1], SHIPPED),
    "cluster-delete": ("acknowledged-writes-survive", ("clustering",), SHIPPED),
    "cluster-executors": ("acknowledged-writes-survive", ("clustering",), SHIPPED),
    "metadata-executors": ("readable", ("metadata",), SHIPPED),
    "cluster-older-instant": ("acknowledged-writes-survive", ("default",), SHIPPED),
    "overwrite-twice": ("acknowledged-writes-survive", ("prefer-writer",), SHIPPED),
    "mor-executor-outlived": ("table-invariants", ("merge-on-read-short-heartbeats",), SHIPPED),
    "mor-restore-compact": ("readable", MERGED, SHIPPED),
    "mor-restore-once": ("acknowledged-writes-survive", MERGED, SHIPPED),
    "mor-restore-logs": ("table-invariants", LOGS, SHIPPED),
    "mor-logs-taken": ("table-invariants", LOGS, SHIPPED),
    "mor-logs-older": ("acknowledged-writes-survive", ("log-compaction-simple",), SHIPPED),
    "rollback-overwrite": ("readable", ("zookeeper-short-heartbeats",), SHIPPED),
    "restore-overwrite": ("readable", ("prefer-writer",), SHIPPED),
    "restore-read": ("snapshot-isolation", MERGED, RESTORE_FENCED),
    "restore-named": ("savepoint-kept", ("prefer-writer",), SHIPPED),
    "mor-restore-overlap": ("snapshot-isolation", MERGED, SHIPPED),
    "nbcc-new-group": ("events-in-order", ("non-blocking-events",), SHIPPED),
    "nbcc-delete-partition": ("acknowledged-writes-survive", ("non-blocking",), SHIPPED),
    "nbcc-delete-beside": ("acknowledged-writes-survive", ("non-blocking",), FIXED),
    "nbcc-older-instant": ("acknowledged-writes-survive", ("non-blocking",), SHIPPED),
    "overwrite-listed": ("clean-at-quiescence", ("server-markers-listed",), SHIPPED),
    "late-completion": ("no-lost-update", ("zookeeper-short-heartbeats",), SHIPPED),
    "torn-completion": ("no-lost-update", ("abfs",), SHIPPED),
    "late-requested": ("no-lost-update", ("default",), LATE_REQUESTED),
    "early-transactional-shipped": ("marker-checks-exclusive", ("early-transactional",), SHIPPED),
    "dead-marker": ("sound-early-aborts", EARLY, SHIPPED),
    "similar-names": ("sound-early-aborts", EARLY, SHIPPED),
    "finished-marker": ("sound-early-aborts", EARLY, SHIPPED),
    "async-unreadable": ("prompt-early-aborts", ASYNC, SHIPPED),
    "marker-vanished-read": ("no-aborted-reads", ARCHIVING, SHIPPED),
    "cut-markers": ("clean-at-quiescence", ("server-markers",), SHIPPED),
    "unwritten-markers": ("clean-at-quiescence", ("server-markers",), SHIPPED),
    "async-check-commit": ("prompt-early-aborts", ("early-async-often",), SHIPPED),
    "async-flag-stays": ("sound-early-aborts", ASYNC, FIXED),
    "bloom-after-marker": ("made-markers-noticed", BLOOM, AS_DOCUMENT),
    "bloom-rewritten": ("made-markers-noticed", BLOOM, BLOOM_FIRST),
    "check-commit-older": ("visible-conflicts-found-early", ("early-check-commit",), SHIPPED),
    "file-lock-expired": ("one-lock-holder", ("file-lock-expiring",), FIXED),
    "storage-lock-unanswered": ("one-lock-holder", ("storage-lock",), SHIPPED),
    "zookeeper-session": ("one-lock-holder", ("zookeeper-sessions",), SHIPPED),
    "metastore-lock-beat": ("one-lock-holder", SHORT_LOCK, SHIPPED),
    "update-read-first": ("no-lost-update", ("prefer-writer",), SHIPPED),
    "bucket-prefer-writer": ("acknowledged-writes-survive", ("bucket-index-prefer-writer",), SHIPPED),
    "schema-older-instant": ("table-invariants", ("columns",), SHIPPED),
    "schema-unchecked": ("table-invariants", ("columns-unchecked",), FIXED),
    "news-transition": ("no-news-missed", ("incremental-transition",), SHIPPED),
    "news-transition-again": ("news-told-once", ("incremental-transition",), SHIPPED),
    "travel-cleaned": ("first-stays", ("incremental-file-versions",), SHIPPED),
    "travel-archived": ("first-stays", ("incremental-archiving",), SHIPPED),
    "travel-beside-clean": ("first-stays", ("incremental",), SHIPPED),
    "news-beside-clean": ("no-news-missed", ("incremental-as-of",), SHIPPED),
    "retry-too-soon": ("tries-do-not-stop-each-other", EARLY, SHIPPED),
}
"""Known findings: what each breaks, where, and under which rules."""
REPAIRED = {
    "archive-conflict": "completion-minded",
    "overwrite-twice": "replaced-compared",
    "rollback-unlisted": "markers-listed",
    "late-requested": "newer-base-refused",
}
"""The rules that repair only this one, where a failure may be another's: who is taken for dead, or commits an older
instant, loses writes, too."""


def nothing_planned(client: LogCompactionClient, instant: int, partitions: tuple[str, ...]) -> CompactionPlan:
    """Nobody compacts log files."""
    raise NothingPlanned(f"plan of log compaction {instant}: expected {', '.join(partitions)} to be let be")


NO_LOG_COMPACTION = Mutant("no-log-compaction", "nothing", ((LogCompactionClient, "_plan", nothing_planned),), SHIPPED)
REPAIRS = {"mor-logs-older": NO_LOG_COMPACTION}
"""Where rules that repair it repair another one as well, which fails as it does: what is compared is without it."""
