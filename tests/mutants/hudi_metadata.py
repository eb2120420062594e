"""Mutants of the metadata table; see `tests.mutants.hudi`."""

from collections.abc import Iterable

from model.hudi import metadata_services, metadata_slices
from model.hudi.client import HudiClient
from model.hudi.file_groups import UPSERT, CommitMetadata
from model.hudi.metadata_cleaning import MetadataCleaner
from model.hudi.metadata_records import Compacted, Files, FilesRecord, compacted, of_commit
from model.hudi.metadata_restoring import MetadataRestorer
from model.hudi.metadata_services import MetadataServices
from model.hudi.metadata_slices import FILES, MetadataSlice, slices_of
from model.hudi.metadata_table import MetadataTable
from model.hudi.names import LogFile
from model.hudi.rules import SHIPPED
from model.hudi.timeline import Instant, Timeline
from model.hudi.variants import NEWER_BASE_REFUSED
from tests.mutants.mutant import Mutant


def others_told(client: HudiClient, instant: int, metadata: CommitMetadata, action: str, begun: str = "") -> Instant:
    """The metadata table is told of all commits but upserts."""
    if metadata.operation != UPSERT:
        return PUBLISHED(client, instant, metadata, action, begun)
    return client.timeline.complete(instant, client.times.time_ms, metadata, action, begun=begun)


def told_after(client: HudiClient, instant: int, metadata: CommitMetadata, action: str, begun: str = "") -> Instant:
    """The metadata table is told when the commit is visible."""
    completed = client.timeline.complete(instant, client.times.time_ms, metadata, action, begun=begun)
    client.metadata.update(instant, of_commit(metadata), client.times.time_ms)
    return completed


def left_there(table: MetadataTable, instant: int, time_ms: object) -> None:
    """The rollback of a write leaves its delta commit where it is."""


def records_alone(records: Iterable[FilesRecord], base: Compacted | None) -> Compacted:
    """A compaction writes down what log files say, and forgets the last base file."""
    return compacted(records, None)


def by_instant(log: LogFile, completed: int, since: int) -> bool:
    """A log file is in the slice that its instant is in."""
    return log.instant >= since


def nothing_pending(services: MetadataServices) -> frozenset[int]:
    """A compaction does not look at the data table."""
    return frozenset()


def left_listed(table: MetadataTable, savepoint: int, restore: int, time_ms: object) -> None:
    """A restore leaves the metadata table as it is."""


def all_slices(cleaner: MetadataCleaner, seen: Timeline, earliest: int | None) -> list[MetadataSlice]:
    """Cleaning of the metadata table takes the newest slice for an old one."""
    return slices_of(seen, cleaner._storage.list(FILES))


def not_compared(restorer: MetadataRestorer, listed: Files, restore: int) -> FilesRecord:
    """When it has been taken back, or made anew, nobody compares it with the files."""
    return FilesRecord()


PUBLISHED = HudiClient._publish
METADATA_MUTANTS: tuple[Mutant, ...] = (
    Mutant("lists-no-upserts", "a commit's files are not in the metadata table", (
        (HudiClient, "_publish", others_told),
    ), SHIPPED),
    Mutant("lists-after-commit", "who sees a commit does not see its files", (
        (HudiClient, "_publish", told_after),
    ), NEWER_BASE_REFUSED),
    Mutant("rollback-leaves-listing", "files that a rollback has deleted stay listed", (
        (MetadataTable, "take_back", left_there),
    ), SHIPPED),
    Mutant("compacts-records-alone", "what the last compaction has written down is gone", (
        (metadata_services, "compacted", records_alone),
    ), SHIPPED),
    Mutant("compaction-hides-late-records", "who began before a compaction, and ends after it, is not listed", (
        (metadata_slices, "_belongs", by_instant),
    ), SHIPPED),
    Mutant("compacts-what-is-pending", "what is written down cannot be rolled back", (
        (MetadataServices, "_pending", nothing_pending),
    ), SHIPPED),
    Mutant("restore-leaves-listing", "files that a restore has deleted stay listed", (
        (MetadataTable, "restore", left_listed),
    ), SHIPPED),
    Mutant("metadata-cleans-all", "what readers go by is gone", (
        (MetadataCleaner, "_old", all_slices),
    ), SHIPPED),
    Mutant("restored-listing-not-compared", "what was there when it was made anew stays listed", (
        (MetadataRestorer, "unlike", not_compared),
    ), SHIPPED),
)  # fmt: skip
