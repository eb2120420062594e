"""What can come out of a Hudi client instead of a result.

`definite` says what the caller may believe: True = nothing of the operation will ever be visible. After an error that
is not definite the table has to be looked at. Whatever the error, nothing is cleaned up by the client: instants,
markers and data files stay for a later rollback.

Source: hudi/2.2, hudi/3.8; `HoodieWriteConflictException`, `HoodieEarlyConflictDetectionException`.
"""

from typing import ClassVar


class HudiError(Exception):
    """An operation did not complete. Look at `definite` before doing anything final."""

    definite: ClassVar[bool] = True


class ConfigError(HudiError, ValueError):
    """An option is unknown, or has a value that cannot be. Nothing was sent.

    The message is one line. Attributes: `key`, `value`, `allowed`.
    """

    def __init__(self, key: str, value: object, allowed: str) -> None:
        super().__init__(f"option {key}: expected {allowed}, got {value!r}")
        self.key, self.value, self.allowed = key, value, allowed


class WriteConflict(HudiError):
    """Another instant changed the same file group meanwhile; found before the commit. Start over with a new instant."""


class SchemaConflict(HudiError):
    """Another instant changed the table's columns meanwhile, and this one has others; found before the commit. No data
    frame's write is tried again for it. Start over with the columns that the table has now."""


class SchemaRefused(HudiError):
    """The table has a column that the client's schema lacks; found before anything was written. Start over with it."""


class PlanPending(HudiError):
    """A file group that is to be changed or deleted is in a plan of clustering. Start over when it has been carried
    out."""


class NothingPlanned(HudiError):
    """No file group can be clustered: there is none, or each is in a pending plan. Nothing was written."""


class LogCompactionRefused(HudiError):
    """A compaction has been planned since this log compaction was, or somebody had begun to carry it out: then it has
    been rolled back. Plan another one."""


class SavepointRefused(HudiError):
    """A clean may have deleted files of the commit, or there is no savepoint to delete, or to restore. Nothing was
    written."""


class TableCleaned(HudiError):
    """Slices may have been cleaned since the read began. Read again."""


class HollowCommit(HudiError):
    """An incremental read found a pending write before a completed one. Read again later, or by another policy."""


class TimeTravelRefused(HudiError):
    """The table cannot be read as of an instant: a write is pending, or slices were cleaned. Read as of another one."""


class RestorePending(HudiError):
    """The table is being restored, or has been since the write began. Start over when that has ended."""


class RestoreFailed(HudiError):
    """A restore met a commit that it must not roll back, or did not end where it was to. Part of it, or all, is done.

    Restore again.
    """

    definite = False


class RollbackUnplanned(HudiError):
    """The files of an overwrite or a deletion that is inflight cannot be listed for its rollback. It stays pending.

    A rollback that goes by markers takes it back (`hoodie.rollback.using.markers`); then restore again.
    """

    definite = False


class CleanUnended(HudiError):
    """A clean has deleted folders and no files, and retains no earliest instant: it cannot be completed, ever."""


class ClusteringRefused(HudiError):
    """File groups that are buckets are not clustered, though that is planned: their plan stays, and nobody can carry it
    out. Do not plan it, and take back what was planned."""


class BucketTwice(HudiError):
    """A bucket has two file groups, which two writers have begun at once: nobody can write to it.

    Roll back the commit of one of them (`rollback_to_instant`).
    """


class CommitSaved(HudiError):
    """A rollback met a commit that has completed, and that a savepoint keeps: it stays pending, and fails again.

    Delete the savepoint.
    """


class MetadataCompacted(HudiError):
    """A rollback met a delta commit that the metadata table has compacted: it stays pending, and fails again.

    Delete the metadata table, and let it be made anew.
    """


class EarlyConflict(HudiError):
    """Another instant is changing the same file group; found before a data file was written. Start over later."""


class HeartbeatExpired(HudiError):
    """The client's own heartbeat is too old: its instant may be rolled back any time. Start over with a new one."""


class LockFailed(HudiError):
    """The lock could not be had, or is held by the caller already. Wait and start over."""


class InstantGone(HudiError):
    """The file of an instant's present state does not exist: it was rolled back. Start over with a new instant."""


class InstantExists(HudiError):
    """A file of this instant exists already: somebody drew the same instant. Start over with a new one."""


class StorageFailed(HudiError):
    """The storage did not answer as it should have. Before the completed file was sent, nothing is visible."""


class OutcomeUnknown(HudiError):
    """The storage did not answer to the write of the completed file, or to the release of the lock after it.

    The commit may stand: look at the timeline.

    Attributes: `version`: the name that the table gives the commit if it stands.
    """

    definite = False

    def __init__(self, message: str, version: str) -> None:
        super().__init__(message)
        self.version = version
