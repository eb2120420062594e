"""Mutants of Iceberg's write path: the shipped protocol with one validator, clean-up rule or step of the loop broken.

A checker or a test vector that does not notice a mutant proves nothing about the rule that the mutant lacks. Where an
issue is named, the mutant is how Iceberg once was. `tests/search/iceberg/test_mutants.py` has the race and the property
of those that harm a table, `tests/vectors/iceberg.json` a vector for each.

Source: iceberg/4.3, iceberg/7 (J.. ids).
"""

from collections.abc import Callable, Sequence
from typing import Any

from model.iceberg import manifest_filter, metadata
from model.iceberg.append import FastAppend
from model.iceberg.errors import CommitStateUnknown, IcebergError
from model.iceberg.expressions import Expression
from model.iceberg.files import ManifestFile
from model.iceberg.manifest_filter import ManifestFilter
from model.iceberg.merging import MergingProducer, RewriteFiles
from model.iceberg.metadata import Snapshot, TableMetadata
from model.iceberg.overwrite import OverwriteFiles
from model.iceberg.producer import SnapshotProducer
from model.iceberg.row_delta import RowDelta
from model.iceberg.spark import SparkSql
from model.iceberg.table import IcebergTable
from model.iceberg.validations import Window
from tests.mutants.damage import left_out, never, replaced
from tests.mutants.iceberg_ancestry import ANCESTRY
from tests.mutants.iceberg_appended import APPENDED
from tests.mutants.iceberg_catalogs import HIVE, REST
from tests.mutants.iceberg_creating import CREATING
from tests.mutants.iceberg_deletes import EQUALITY_DELETES
from tests.mutants.iceberg_formats import FORMATS
from tests.mutants.iceberg_hadoop import HADOOP
from tests.mutants.iceberg_in_hive import IN_HIVE
from tests.mutants.iceberg_jdbc import JDBC
from tests.mutants.iceberg_manage_several import SEVERAL_CHANGES
from tests.mutants.iceberg_managing import MANAGING
from tests.mutants.iceberg_manifests import MANIFESTS
from tests.mutants.iceberg_merging import MERGING
from tests.mutants.iceberg_metastore_lock import METASTORE_LOCK
from tests.mutants.iceberg_partial_progress import PARTIAL_PROGRESS
from tests.mutants.iceberg_partitions import PARTITIONS
from tests.mutants.iceberg_picked_partitions import PICKED_PARTITIONS
from tests.mutants.iceberg_position_deletes import POSITION_DELETES
from tests.mutants.iceberg_procedures import PROCEDURES
from tests.mutants.iceberg_renaming import RENAMING
from tests.mutants.iceberg_replacing import REPLACING
from tests.mutants.iceberg_rest import REQUIREMENTS
from tests.mutants.iceberg_row_copies import ROW_COPIES
from tests.mutants.iceberg_row_ids import ROW_IDS
from tests.mutants.iceberg_sql import SQL
from tests.mutants.iceberg_sql_branches import SQL_BRANCHES
from tests.mutants.iceberg_transactions import TRANSACTIONS
from tests.mutants.iceberg_vectors import VECTORS
from tests.mutants.mutant import Mutant, Patch

VALIDATING = (OverwriteFiles, RowDelta, RewriteFiles)
Validate = Callable[[Any, TableMetadata, Snapshot | None], None]
Apply = Callable[[Any, TableMetadata, Snapshot | None], Sequence[ManifestFile]]


def ignoring_deletes(window: Window, paths: Any, conflict_filter: Any, *, skip_deletes: bool) -> None:
    """Of an UPDATE, too, although it asks for commits labelled `delete` as well."""
    _data_files_exist(window, paths, conflict_filter, skip_deletes=True)


def last_only(_: Expression, row_filter: Expression) -> Expression:
    """The filter that was named last, in place of the earlier ones."""
    return row_filter


def starting_late(validate: Validate) -> Validate:
    """Validation from the head that the first attempt finds, not from the snapshot that was scanned."""

    def validated(self: MergingProducer, base: TableMetadata, parent: Snapshot | None) -> None:
        if self._attempts == 1 and parent is not None:
            self.start = parent.snapshot_id
        validate(self, base, parent)

    return validated


def first_only(validate: Validate) -> Validate:
    """Validation of the first attempt."""

    def validated(self: MergingProducer, base: TableMetadata, parent: Snapshot | None) -> None:
        if self._attempts == 1:
            validate(self, base, parent)

    return validated


def computed_once(apply: Apply) -> Apply:
    """The manifests that the first attempt came to, for every attempt."""

    def applied(self: Any, base: TableMetadata, parent: Snapshot | None) -> Sequence[ManifestFile]:
        if self._attempts == 1:
            self.first_result = apply(self, base, parent)
        manifests: Sequence[ManifestFile] = self.first_result
        return manifests

    return applied


def retries_unknown(self: SnapshotProducer, error: IcebergError) -> bool:
    """Another attempt after an unknown outcome."""
    return _may_retry(self, error) or isinstance(error, CommitStateUnknown)


def draws_an_id(self: SnapshotProducer) -> None:
    """An attempt with a snapshot id of its own."""
    if self._attempts:
        self.context.snapshot_id = self.world.chance.fresh("snapshot")
    _attempt(self)


def one_list_name(self: SnapshotProducer) -> str:
    """The first attempt's name, for every attempt's list."""
    return f"{self.files.location}/metadata/snap-{self.snapshot_id}-1"


def cleans_unless_unknown(_: SnapshotProducer, error: IcebergError) -> bool:
    """Clean-up after any error but an unknown outcome."""
    return not isinstance(error, CommitStateUnknown)


def cleans_if_unknown(_: SnapshotProducer, error: IcebergError) -> bool:
    """Clean-up after an unknown outcome, too."""
    return error.cleanable or isinstance(error, CommitStateUnknown)


def cleans_against_last_attempt(self: SnapshotProducer, committed: Snapshot) -> None:
    """What the last attempt does not need is left over."""
    _clean_leftovers(self, self.snapshot or committed)


def fails_after_commit(self: SnapshotProducer, error: IcebergError) -> None:
    """An error of the clean-up, handled as one of the commit."""
    self.clean_all()
    raise error


def aborts(_: SparkSql, table: IcebergTable, paths: list[str], error: IcebergError) -> None:
    """An engine that deletes its data files after every error."""
    table.files.delete_quietly(paths)


# The shipped rules that some mutants bend, taken while no mutant is alive.
_data_files_exist, _may_retry = Window.data_files_exist, SnapshotProducer._may_retry
_attempt, _clean_leftovers = SnapshotProducer._attempt, SnapshotProducer._clean_leftovers


def _each(attribute: str, change: Callable[[Any], Any], owners: tuple[type, ...]) -> tuple[Patch, ...]:
    return tuple((owner, attribute, change(getattr(owner, attribute))) for owner in owners)


METADATA = (
    left_out(
        "duplicate-ids-allowed", metadata, "refuse_duplicate_snapshot", "a snapshot replaces another of its id (J40)"
    ),
    left_out("stale-sequence-allowed", metadata, "refuse_stale_sequence", "sequence numbers repeat; deletes miss rows"),
    left_out("stale-rows-allowed", metadata, "refuse_stale_rows", "a replacement over REST hides an append"),
)

VALIDATORS = (
    left_out("no-added-data-files-check", Window, "added_data_files", "concurrent inserts are not seen"),
    left_out("no-data-files-exist-check", Window, "data_files_exist", "deletes refer to rewritten files: lost"),
    replaced(
        "data-files-exist-ignores-deletes", Window, "data_files_exist", ignoring_deletes,
        "an UPDATE of a row that was deleted with its file brings it back",
    ),
    left_out("no-added-vectors-check", Window, "no_added_vectors", "a deletion vector undoes another one"),
    left_out("no-deleted-data-files-check", Window, "deleted_data_files", "removed files are not noticed"),
    left_out("no-new-delete-files-check", Window, "no_new_delete_files", "two UPDATEs of one row both stay"),
    left_out(
        "no-new-deletes-for-data-files-check", Window, "no_new_deletes_for_data_files",
        "a rewrite undoes concurrent deletes (J16)",
    ),
    left_out("no-missing-paths-check", ManifestFilter, "_refuse_missing", "rows of a removed file come back"),
    left_out(
        "no-partial-match-check", ManifestFilter, "_refuse_partial_match", "rows that match the filter survive it"
    ),
    left_out(
        "no-history-check", Window, "_refuse_unknown_history", "conflicts in expired snapshots are not seen"
    ),
    left_out("no-ancestor-check", Window, "start_is_ancestor", "a start on another lineage is taken for a start"),
    left_out(
        "no-referenced-file-check", RowDelta, "_no_delete_of_referenced_file", "deletes refer to a file that goes"
    ),
    Mutant(
        "start-taken-too-late", "commits before the commit are not seen", _each("validate", starting_late, VALIDATING)
    ),
)  # fmt: skip

PRECONDITIONS = (
    left_out("deletes-of-any-format", RowDelta, "_refuse_other_format", "deletes that no reader of the format knows"),
    left_out("vectors-stay", ManifestFilter, "drop_vectors_of", "deletion vectors of files that are gone pile up"),
    left_out("rewrite-of-nothing-allowed", RewriteFiles, "_refuse_nothing_to_replace", "a compaction that only adds"),
    left_out("rewrite-to-more-records-allowed", RewriteFiles, "_refuse_more_records", "a compaction duplicates rows"),
    replaced("last-filter-only", manifest_filter, "either", last_only, "rows that match the first filter survive"),
)

LOOP = (
    replaced("no-retry", SnapshotProducer, "_may_retry", never, "a lost race is a failure"),
    replaced(
        "retries-unknown", SnapshotProducer, "_may_retry", retries_unknown, "an unknown outcome is tried again"
    ),
    Mutant(
        "validates-first-attempt-only", "the commit that won the race is not seen",
        _each("validate", first_only, VALIDATING),
    ),
    Mutant(
        "first-result-recommitted", "lost update: the winner's files vanish",
        _each("apply", computed_once, (FastAppend, MergingProducer)),
    ),
    replaced("new-manifest-per-attempt", SnapshotProducer, "reuses", never, "manifests of lost attempts stay"),
    replaced(
        "one-manifest-list-name", SnapshotProducer, "_manifest_list_path", one_list_name,
        "a retry overwrites a list that landed",
    ),
    replaced("new-id-per-attempt", SnapshotProducer, "_attempt", draws_an_id, "a landed commit is committed again"),
    replaced(
        "no-self-recognition", SnapshotProducer, "_landed", never, "a landed commit fails and deletes its files"
    ),
)  # fmt: skip

CLEANUP = (
    replaced("no-cleanup-after-failure", SnapshotProducer, "_may_clean", never, "files of failed commits stay"),
    replaced(
        "cleanup-not-strict", SnapshotProducer, "_may_clean", cleans_unless_unknown,
        "an ambiguous error deletes committed files (J26)",
    ),
    replaced(
        "cleans-after-unknown", SnapshotProducer, "_may_clean", cleans_if_unknown,
        "an unknown outcome deletes files (J03)",
    ),
    left_out(
        "keeps-unused-manifests", SnapshotProducer, "_clean_manifests", "manifests of lost attempts stay"
    ),
    left_out(
        "keeps-unused-manifest-lists", SnapshotProducer, "_clean_manifest_lists", "lists of lost attempts stay"
    ),
    replaced(
        "cleans-against-last-attempt", SnapshotProducer, "_clean_leftovers", cleans_against_last_attempt,
        "the list of an earlier attempt that landed is deleted (J12)",
    ),
    replaced(
        "cleans-without-snapshot", SnapshotProducer, "_skip_cleanup", SnapshotProducer.clean_all,
        "a stale read deletes committed files",
    ),
    replaced(
        "cleanup-error-is-failure", SnapshotProducer, "_ignore", fails_after_commit,
        "a landed commit deletes itself (J04)",
    ),
    replaced("abort-deletes-always", SparkSql, "abort", aborts, "an ambiguous error deletes committed data files"),
)  # fmt: skip

MUTANTS: tuple[Mutant, ...] = (
    *METADATA, *VALIDATORS, *PRECONDITIONS, *EQUALITY_DELETES, *LOOP, *CLEANUP, *TRANSACTIONS, *MANAGING, *REST,
    *REQUIREMENTS, *REPLACING, *CREATING, *PARTITIONS, *SQL, *PROCEDURES, *FORMATS, *VECTORS, *HIVE, *JDBC, *HADOOP,
    *IN_HIVE, *METASTORE_LOCK, *RENAMING, *MANIFESTS, *APPENDED, *ROW_IDS, *ROW_COPIES, *MERGING,
    *POSITION_DELETES, *PARTIAL_PROGRESS, *SQL_BRANCHES, *SEVERAL_CHANGES, *PICKED_PARTITIONS, *ANCESTRY,
)  # fmt: skip
BY_NAME = {mutant.name: mutant for mutant in MUTANTS}
