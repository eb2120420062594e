"""Mutants of the metadata table; see `tests.mutants.hudi`."""

from model.hudi.client import HudiClient
from model.hudi.file_groups import UPSERT, CommitMetadata
from model.hudi.metadata_records import of_commit
from model.hudi.metadata_table import MetadataTable
from model.hudi.rules import SHIPPED
from model.hudi.timeline import Instant
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
)  # fmt: skip
