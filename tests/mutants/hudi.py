"""Mutants of Hudi's write path: a variant that keeps its property, with one check broken.

A checker that does not notice a mutant proves nothing about the check that the mutant lacks. Where shipped Hudi is the
mutant, or once was, it says so. `tests/search/hudi/test_mutants.py` has the race and the property of each.

Source: hudi/2 to hudi/4, hudi/6.
"""

from collections.abc import Callable
from typing import Any

from model.hudi import Written, precommit
from model.hudi.active_timeline import ActiveTimeline
from model.hudi.client import HudiClient
from model.hudi.conflicts import ConflictStrategy
from model.hudi.early import EarlyDetection
from model.hudi.errors import HudiError
from model.hudi.file_groups import CommitMetadata, Group
from model.hudi.heartbeats import Heartbeats
from model.hudi.locks import FileSystemLockProvider
from model.hudi.names import LOCK
from model.hudi.precommit import PreCommit
from model.hudi.rollback import Cleaner
from model.hudi.rules import SHIPPED
from model.hudi.time_generator import TimeGenerator
from model.hudi.timeline import Instant, Timeline
from model.hudi.transactions import LockManager
from model.hudi.variants import (
    ABORT_IS_DEATH,
    AS_DOCUMENT,
    FIXED,
    LEASED,
    NEWER_BASE_REFUSED,
    OWNED_LOCK,
    ROLLBACK_AWARE,
)
from model.hudi.write import DataWriter
from tests.mutants.hudi_archiving import ARCHIVING_MUTANTS
from tests.mutants.hudi_bloom import BLOOM_MUTANTS
from tests.mutants.hudi_buckets import BUCKET_MUTANTS
from tests.mutants.hudi_cleaning import CLEANING_MUTANTS
from tests.mutants.hudi_clustering import CLUSTERING_LOGS_MUTANTS, CLUSTERING_MUTANTS, EXECUTORS_MUTANTS
from tests.mutants.hudi_damage import DAMAGE_MUTANTS
from tests.mutants.hudi_eager import SCHEMA_AND_EAGER
from tests.mutants.hudi_log_compaction import LOG_COMPACTION_MUTANTS
from tests.mutants.hudi_merge_on_read import MERGE_ON_READ_MUTANTS
from tests.mutants.hudi_metadata import METADATA_MUTANTS
from tests.mutants.hudi_metastore_lock import METASTORE_LOCK_MUTANTS
from tests.mutants.hudi_news import NEWS_MUTANTS
from tests.mutants.hudi_non_blocking import NON_BLOCKING_MUTANTS
from tests.mutants.hudi_partitions import PARTITION_MUTANTS
from tests.mutants.hudi_replacing import REPLACING_MUTANTS
from tests.mutants.hudi_replacing_logs import REPLACING_LOGS_MUTANTS
from tests.mutants.hudi_restores import RESTORE_MUTANTS
from tests.mutants.hudi_savepoints import SAVEPOINT_MUTANTS
from tests.mutants.hudi_server import SERVER
from tests.mutants.hudi_storage_lock import STORAGE_LOCK_MUTANTS
from tests.mutants.hudi_updates import UPDATE_MUTANTS
from tests.mutants.mutant import Mutant


def nothing(*_: Any) -> None:
    """A check or an action that is left out."""


def always(*_: Any) -> bool:
    """An answer without looking."""
    return True


def never(*_: Any) -> bool:
    """An answer without looking."""
    return False


def nobody(*_: Any) -> list[Instant]:
    """No candidates."""
    return []


RESOLVE = PreCommit._resolve_against
Commit = Callable[[HudiClient, int, Written], Instant]


def leaving(commit: Commit) -> Commit:
    """A commit that deletes its heartbeat if it fails, wherever it does."""

    def left(client: HudiClient, instant: int, written: Written) -> Instant:
        try:
            return commit(client, instant, written)
        except HudiError as error:
            client._lost_commit(instant, error)
            raise

    return left


@leaving
def check_then_lock(client: HudiClient, instant: int, written: Written) -> Instant:
    """A commit that looks for conflicts before it has the lock."""
    metadata, completed = CommitMetadata(written.operation, written.stats), None
    client._precommit.resolve_conflicts(instant, written, metadata)
    client.transactions.begin(instant, written.start.last_completed)
    try:
        client._precommit.reconcile(instant, metadata)
        completed = client._complete(instant, metadata, client.config.commit_action)
    finally:
        client._leave(instant, completed, None)
    return completed


@leaving
def unlock_then_complete(client: HudiClient, instant: int, written: Written) -> Instant:
    """A commit that looks for conflicts under the lock and completes without it."""
    metadata = CommitMetadata(written.operation, written.stats)
    client.transactions.begin(instant, written.start.last_completed)
    try:
        client._precommit.resolve_conflicts(instant, written, metadata)
        client._precommit.reconcile(instant, metadata)
    finally:
        client.transactions.end(instant)
    return client._complete(instant, metadata, client.config.commit_action)


def resolve_at_the_start(checks: PreCommit, _seen: Timeline, instant: int, written: Written, *what: Any) -> None:
    """Conflicts are looked for in the timeline that the write began with."""
    RESOLVE(checks, written.start, instant, written, *what)


def partitions(strategy: ConflictStrategy, groups: frozenset[Group]) -> frozenset[Group]:
    """Partitions are compared, not file groups."""
    return frozenset([(partition, "") for partition, _ in groups])


def requested_before(strategy: ConflictStrategy, timeline: Timeline, own: int) -> list[Instant]:
    """The older instants that completed since the start, and no newer ones."""
    return [one for one in timeline.completed if one.requested < own < one.visible_at]


def remember_all(heartbeats: Heartbeats, instant: int, now_ms: int, lapsed: bool) -> None:
    """Every beat is a sign of life."""
    heartbeats._last_ms[instant] = now_ms


def clean_up_markers_only(client: HudiClient, instant: int) -> None:
    """Beat no more, and delete the markers."""
    client.heartbeats.stop(instant, delete=False)
    client._delete_markers(instant)


def keep(cleaner: Cleaner, targets: list[int], timeline: Timeline) -> list[int]:
    """All of them."""
    return targets


def is_named_in(detection: EarlyDetection, marker: str, file_id: str) -> bool:
    """A marker with the file id somewhere in its name."""
    return file_id in marker


def overwrite_file(provider: FileSystemLockProvider) -> None:
    """Make the lock file, over whatever is there."""
    provider._files.write(LOCK, provider._owner)


def unlock_once(locks: LockManager) -> None:
    """Release the lock, and do not delete its file again."""
    if locks._hold is not None:
        locks._observer.ended(locks._hold)
    provider, locks._provider, locks._hold = locks._provider, None, None
    if provider is not None:
        provider.unlock()


COMMIT: tuple[Mutant, ...] = (
    Mutant(
        "no-conflict-check", "commits never look for others",
        ((PreCommit, "_resolve_against", nothing),), NEWER_BASE_REFUSED,
    ),
    Mutant(
        "conflict-check-before-lock", "others commit after the check",
        ((HudiClient, "_commit", check_then_lock),), NEWER_BASE_REFUSED,
    ),
    Mutant(
        "conflict-check-on-old-timeline", "the check sees what the write began with",
        ((PreCommit, "_resolve_against", resolve_at_the_start),), NEWER_BASE_REFUSED,
    ),
    Mutant(
        "forgets-who-was-pending", "an older instant that completes meanwhile is missed (HUDI-3355)",
        ((precommit, "completed_meanwhile", nobody),), NEWER_BASE_REFUSED,
    ),
    Mutant(
        "completes-after-unlock", "check and commit are two sections",
        ((HudiClient, "_commit", unlock_then_complete),), NEWER_BASE_REFUSED,
    ),
    Mutant(
        "conflicts-by-partition", "disjoint writes are refused",
        ((ConflictStrategy, "_compared", partitions),), NEWER_BASE_REFUSED,
    ),
    Mutant(
        "prefers-older-writers", "the default too: what a newer instant has completed is not found",
        ((ConflictStrategy, "_completed_after", requested_before),), SHIPPED,
    ),
    Mutant(
        "merges-with-newer-slice", "shipped: an older slice is never read",
        ((DataWriter, "_refuse_newer", nothing),), NEWER_BASE_REFUSED,
    ),
    Mutant(
        "requested-after-unlock", "1.0.x: late requested file (G-4)",
        ((HudiClient, "_start", HudiClient._start_in_two_parts),), NEWER_BASE_REFUSED,
    ),
    Mutant(
        "completes-without-inflight", "a rolled-back instant is completed",
        ((ActiveTimeline, "_assert_present", nothing), (HudiClient, "_assert_alive", nothing)), SHIPPED,
    ),
)  # fmt: skip
HEARTBEATS: tuple[Mutant, ...] = (
    Mutant(
        "commits-when-expired", "a writer that is taken for dead commits",
        ((HudiClient, "_assert_alive", nothing),), LEASED,
    ),
    Mutant(
        "late-beat-is-life", "up to 1.2.0: a lapse is forgotten",
        ((Heartbeats, "_remember", remember_all),), LEASED,
    ),
    Mutant(
        "rolls-back-the-living", "heartbeats are not looked at",
        ((Heartbeats, "is_expired", always),), SHIPPED,
    ),
    Mutant(
        "loser-keeps-heartbeat", "a refused commit's markers refuse others",
        ((HudiClient, "_lost_commit", nothing),), ABORT_IS_DEATH,
    ),
    Mutant(
        "heartbeat-left-behind", "a committed instant looks alive",
        ((HudiClient, "_clean_up", clean_up_markers_only),), SHIPPED,
    ),
)  # fmt: skip
MARKERS: tuple[Mutant, ...] = (
    Mutant("data-without-marker", "a rollback finds no file", ((DataWriter, "_mark", nothing),), NEWER_BASE_REFUSED),
    Mutant("no-reconciliation", "files of failed attempts stay", ((PreCommit, "reconcile", nothing),), SHIPPED),
    Mutant("markers-left-behind", "markers of a commit stay", ((HudiClient, "_delete_markers", nothing),), SHIPPED),
)
ROLLBACK: tuple[Mutant, ...] = (
    Mutant(
        "rolls-back-what-completed", "completion looks like expiry (HUDI-5675)",
        ((Cleaner, "_still_pending", keep),), SHIPPED,
    ),
    Mutant(
        "no-recheck-under-lock", "shipped: decided before the lock",
        ((Cleaner, "_has_completed", never),), ROLLBACK_AWARE,
    ),
    Mutant(
        "own-rollback-ignored", "shipped: a commit over its rollback",
        ((PreCommit, "_find_own_rollback", nothing),), ROLLBACK_AWARE,
    ),
    Mutant(
        "rollback-without-lock", "decided while others commit",
        ((Cleaner, "_schedule", Cleaner._plan),), ROLLBACK_AWARE,
    ),
    Mutant("rollback-keeps-data", "data files stay", ((Cleaner, "_delete_data", nothing),), NEWER_BASE_REFUSED),
    Mutant("rollback-keeps-markers", "markers stay", ((Cleaner, "_delete_markers", nothing),), NEWER_BASE_REFUSED),
    Mutant("rollback-keeps-instants", "it stays pending", ((Cleaner, "_remove", nothing),), NEWER_BASE_REFUSED),
)  # fmt: skip
EARLY: tuple[Mutant, ...] = (
    Mutant(
        "looks-at-larger-instants", "two writers refuse each other", ((EarlyDetection, "_comes_first", always),), FIXED
    ),
    Mutant(
        "dead-markers-count", "heartbeats are not looked at", ((EarlyDetection, "_is_alive", always),), ABORT_IS_DEATH
    ),
    Mutant(
        "early-loser-looks-alive", "shipped: F-12",
        ((HudiClient, "_lost_write", HudiClient._gave_up),), ABORT_IS_DEATH,
    ),
    Mutant(
        "marker-after-unlock", "shipped: F-4",
        ((EarlyDetection, "_release_before_marker", lambda detection, lock: lock.close()),), AS_DOCUMENT,
    ),
    Mutant("file-id-by-substring", "shipped: F-8", ((EarlyDetection, "_is_marker_of", is_named_in),), FIXED),
)  # fmt: skip
LOCKS: tuple[Mutant, ...] = (
    Mutant("closes-what-others-hold", "shipped: F-1", ((FileSystemLockProvider, "_may_delete", always),), OWNED_LOCK),
    Mutant(
        "lock-file-overwritten", "two contenders both create it",
        ((FileSystemLockProvider, "_create_file", overwrite_file),), OWNED_LOCK,
    ),
    Mutant("no-wait-for-skew", "two hosts draw one instant", ((TimeGenerator, "_wait_out_skew", nothing),), OWNED_LOCK),
)  # fmt: skip
MUTANTS: tuple[Mutant, ...] = (
    *COMMIT, *HEARTBEATS, *MARKERS, *ROLLBACK, *EARLY, *SERVER, *BLOOM_MUTANTS, *LOCKS, *PARTITION_MUTANTS,
    *REPLACING_MUTANTS, *CLUSTERING_MUTANTS, *EXECUTORS_MUTANTS, *CLEANING_MUTANTS, *SAVEPOINT_MUTANTS,
    *RESTORE_MUTANTS, *NEWS_MUTANTS, *ARCHIVING_MUTANTS, *METADATA_MUTANTS, *DAMAGE_MUTANTS, *MERGE_ON_READ_MUTANTS,
    *NON_BLOCKING_MUTANTS, *REPLACING_LOGS_MUTANTS, *CLUSTERING_LOGS_MUTANTS, *STORAGE_LOCK_MUTANTS,
    *METASTORE_LOCK_MUTANTS, *LOG_COMPACTION_MUTANTS, *UPDATE_MUTANTS, *BUCKET_MUTANTS, *SCHEMA_AND_EAGER,
)  # fmt: skip

# Not searched: what dies in a test of its own, and the half of F-1 that a failed client is not, taken away.
BEATS_ONCE = Mutant("beats-once", "a writer falls silent", ((Heartbeats, "_go_on", nothing),), SHIPPED)
CLOSES_ONCE = Mutant("closes-once", "none: a repair", ((LockManager, "unlock", unlock_once),), NEWER_BASE_REFUSED)
