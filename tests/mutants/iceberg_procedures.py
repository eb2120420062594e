"""Mutants of Spark's procedures. Source: `model.iceberg.rewrite_manifests`, `model.iceberg.spark_expire`."""

from collections.abc import Sequence

from model.iceberg import purge, rewrite_manifests, spark, spark_expire, spark_files
from model.iceberg.existence import Drop
from model.iceberg.files import ManifestFile
from model.iceberg.metadata import Snapshot, TableMetadata
from model.iceberg.result import CommandResult
from model.iceberg.rewrite_manifests import RewriteManifests
from model.iceberg.rules import PURGE_COMPARES
from model.iceberg.storage import TableFiles
from model.iceberg.table import IcebergTable
from tests.mutants.damage import left_out, never, replaced
from tests.mutants.iceberg_manifests import renumbered
from tests.mutants.mutant import Mutant


def keeps_none(self: RewriteManifests, _: TableMetadata, __: Snapshot | None) -> Sequence[ManifestFile]:
    """What it has not replaced goes."""
    return self.given


NEEDED = spark_files.needed_by


def needed_by_newest(files: TableFiles, snapshots: tuple[Snapshot, ...] | list[Snapshot]) -> tuple[str, ...]:
    """Of all that is left, the newest snapshot alone is looked at."""
    return NEEDED(files, snapshots[-1:] if isinstance(snapshots, tuple) else snapshots)


def deletes_anyway(table: IcebergTable) -> CommandResult:
    """The files go, whether there was a table to be dropped or not."""
    result = PURGE(table)
    for path in NEEDED(table.files, table.metadata.snapshots):
        table.files.delete_quietly([path])
    return result


PURGE = purge.purge_table
PROCEDURES: tuple[Mutant, ...] = (
    left_out("rewrites-manifests-that-are-gone", RewriteManifests, "_refuse_missing", "what was deleted is back"),
    replaced("rewrites-to-own-manifests", RewriteManifests, "apply", keeps_none, "what was added meanwhile goes"),
    replaced("rewritten-entries-renumbered", rewrite_manifests, "as_existing", renumbered, "deleted rows come back"),
    replaced("purges-without-drop", spark, "purge_table", deletes_anyway, "a table that was moved loses its files"),
    Mutant("purge-compares-nothing", "the repair repairs nothing", ((Drop, "_is_another", never),), PURGE_COMPARES),
    replaced("expires-all-but-newest", spark_expire, "needed_by", needed_by_newest, "other snapshots lose their files"),
)
