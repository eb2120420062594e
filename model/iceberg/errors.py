"""What can come out of an Iceberg command instead of a result.

Three facts about an error decide everything that follows it: may the loop retry (`CommitFailed` only), may files that
the attempt wrote be deleted (`cleanable`), and does the caller know that nothing was committed (`definite`).

Source: iceberg/2.3; `api/.../exceptions/*.java`, marker interface `CleanableFailure`.

Choices: names drop Java's `Exception`; `definite` is ours: it is what the caller may *believe*, and a service that
misreports a landed commit as lost makes it wrong. Errors of the storage layer are never cleanable, as in Java.
"""

from typing import ClassVar

from model.iceberg.result import CommandResult


class IcebergError(Exception):
    """A command did not complete. Look at `cleanable` and `definite` before doing anything final.

    Attributes: `result`: what the command had worked on, with `commit` None; set by the command that raised.
    """

    cleanable: ClassVar[bool] = False
    definite: ClassVar[bool] = False
    result: CommandResult | None = None


class CommitFailed(IcebergError):
    """The catalog refused the swap: another commit came first. Refresh, validate again, retry."""

    cleanable = True
    definite = True


class ValidationFailed(IcebergError):
    """A concurrent commit conflicts with this one, or a precondition does not hold. Read again and start over."""

    cleanable = True
    definite = True


class StaleSnapshot(ValidationFailed):
    """A snapshot's sequence number, or its first row id, is not newer than the table's; only a REST server turns this
    into a retry. Source: `RetryableValidationException`."""


class BadRequest(IcebergError):
    """A REST server finds that an update cannot be applied (400): to a snapshot that has expired, say. Read again."""

    cleanable = True
    definite = True


class CommitStateUnknown(IcebergError):
    """The swap may have happened. Never retry or clean up on this; read the table to find out."""


class HistoryNeverEnds(IcebergError):
    """A snapshot comes from itself, and whoever looks for its ancestors goes round."""


class NoSuchTable(IcebergError):
    """The catalog does not know the table (any more)."""

    cleanable = True
    definite = True


class AlreadyExists(IcebergError):
    """A table is to be created, and the catalog has one of that name. What was written for it stays: this error is
    none after which anything is cleaned up."""

    definite = True


class ServiceUnavailable(IcebergError):
    """A request that is not a commit was answered 503; counted as a definite rejection, so files are deleted."""

    cleanable = True
    definite = True


class RenameUnavailable(IcebergError):
    """A rename was answered 503: it may have been made all the same, and who asked for it knows nothing."""


class ServiceFailure(IcebergError):
    """A request that is not a commit was answered 500."""


class RestError(IcebergError):
    """The HTTP client gave up without a usable answer; says nothing about the outcome. Files stay."""


class DatabaseFailed(IcebergError):
    """A statement of the JDBC catalog came to no end; says nothing about the outcome. Files stay.

    Source: `UncheckedSQLException`.
    """


class MetastoreFailed(IcebergError):
    """The metastore did not say whether it has dropped a table, or renamed it; says nothing about the outcome.

    Source: `HiveCatalog.dropTable` ("Failed to drop"), `renameTableOrView`: a bare `RuntimeException`.
    """


class StorageFailed(IcebergError):
    """A read or write of a file did not come back normally. Files stay."""


class TableUnreadable(IcebergError):
    """The current metadata names a file that does not exist. Restore the file or roll the table back."""


class SeveralVectors(TableUnreadable):
    """The snapshot has two deletion vectors of one data file: no scan of it can be planned. Roll the table back.

    Source: `DeleteFileIndex.Builder.add` ("Can't index multiple DVs"), a `ValidationException`; apache/iceberg#17206.
    """

    cleanable = True
    definite = True


class VersionMissing(TableUnreadable):
    """A Hadoop catalog's hint names a metadata file that is gone. Write the newest number that is there into it.

    Source: `HadoopTableOperations.refresh` ("Metadata file for version %d is missing"), a `ValidationException`.
    """

    cleanable = True
    definite = True


class UnknownSpec(TableUnreadable):
    """The snapshot has a manifest of a partition spec that the table does not have: no scan of it can be planned. Add a
    spec under that id, or roll the table back.

    Source: `ManifestGroup`, `specsById`: a `NullPointerException` (seen on 1.11.0).
    """


class UnknownSchema(TableUnreadable):
    """The snapshot was made under a schema that the table does not have: nobody reads it by its id, a tag or a time.
    Read the table, or a branch, which is read by the current schema.

    Source: `SnapshotUtil.schemaFor` ("Cannot find schema with schema id"), an `IllegalStateException`.
    """

    definite = True


class InvalidOperation(IcebergError):
    """The call makes no sense on this table state (IllegalArgument, IllegalState). Nothing was sent."""

    definite = True


class StartExpired(IcebergError):
    """The snapshot that a rewrite began at has expired before one of its commits. Rewrite what is left.

    Source: `RewriteDataFilesCommitManager.commitFileGroups`, a `NullPointerException`; apache/iceberg#17202.
    """

    definite = True


class TooManyFailed(IcebergError):
    """More commits of a rewrite failed, or are missing, than were allowed to; others may have been made.

    Source: `RewriteDataFilesSparkAction`, a bare `RuntimeException`.
    """


class LockFailed(IcebergError):
    """The metastore lock could not be had, or was lost; inside a commit it becomes one of the errors above."""


def may_clean(error: IcebergError, *, gone_keeps_files: bool) -> bool:
    """Whether files of a commit may be deleted after this error. Args: `gone_keeps_files`: as in the rules."""
    return error.cleanable and not (gone_keeps_files and isinstance(error, NoSuchTable))
