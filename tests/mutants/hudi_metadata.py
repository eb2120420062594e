"""Mutants of the metadata table; see `tests.mutants.hudi`."""

from model.hudi.client import HudiClient
from model.hudi.file_groups import UPSERT, CommitMetadata
from model.hudi.metadata_table import MetadataTable
from model.hudi.rules import NEWER_BASE_REFUSED, SHIPPED
from model.hudi.timeline import Instant
from tests.mutants.mutant import Mutant


def others_told(client: HudiClient, instant: int, metadata: CommitMetadata) -> None:
    """The metadata table is told of all commits but upserts."""
    if metadata.operation != UPSERT:
        TOLD(client, instant, metadata)


def told_after(client: HudiClient, instant: int, metadata: CommitMetadata, action: str) -> Instant:
    """The metadata table is told when the commit is visible."""
    completed = client.timeline.complete(instant, client.times.time_ms, metadata, action)
    client._observer.ended(client._lives.pop(instant))
    client._list_files(instant, metadata)
    return completed


def left_there(table: MetadataTable, instant: int, time_ms: object) -> None:
    """The rollback of a write leaves its delta commit where it is."""


TOLD = HudiClient._list_files
METADATA_MUTANTS: tuple[Mutant, ...] = (
    Mutant("lists-no-upserts", "a commit's files are not in the metadata table", (
        (HudiClient, "_list_files", others_told),
    ), SHIPPED),
    Mutant("lists-after-commit", "who sees a commit does not see its files", (
        (HudiClient, "_complete", told_after),
    ), NEWER_BASE_REFUSED),
    Mutant("rollback-leaves-listing", "files that a rollback has deleted stay listed", (
        (MetadataTable, "take_back", left_there),
    ), SHIPPED),
)  # fmt: skip
