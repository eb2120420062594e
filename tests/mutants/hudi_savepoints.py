"""Mutants of savepoints; see `tests.mutants.hudi`."""

from collections.abc import Iterable

from model.hudi import SavepointClient
from model.hudi.cleaning import SliceCleaner
from model.hudi.file_groups import latest_slices
from model.hudi.timeline import Timeline
from model.hudi.variants import SAVEPOINTS_KEPT
from tests.mutants.mutant import Mutant


def nothing_saved(cleaner: SliceCleaner, seen: Timeline) -> frozenset[str]:
    """No file is named by a savepoint."""
    return frozenset()


def never_refused(client: SavepointClient, commit: int, seen: Timeline) -> None:
    """Of any commit there can be a savepoint."""


def completed_alone(client: SavepointClient, seen: Timeline) -> int:
    """What is planned does not count, but what cleans have done."""
    done = Timeline(tuple([each for each in seen.instants if each not in seen.cleans or each.is_completed]))
    return EARLIEST(client, done)


def newest_slices(client: SavepointClient, commit: int, seen: Timeline) -> Iterable[str]:
    """The slices of now, whatever the commit."""
    listing = client._client.metadata.listing()
    for partition, names in listing.partitions(listing.folders()):
        for file in latest_slices(names, seen, client._timeline.replaced(seen, partition)):
            yield f"{partition}/{file.name}"


def folder_goes(cleaner: SliceCleaner, partition: str, saved: frozenset[str]) -> bool:
    """No folder stays for a savepoint."""
    return False


EARLIEST = SavepointClient._earliest_retained
SAVEPOINT_MUTANTS: tuple[Mutant, ...] = (
    Mutant("cleans-what-is-saved", "files of a savepoint are old", (
        (SliceCleaner, "_saved", nothing_saved),
    ), SAVEPOINTS_KEPT),
    Mutant("saves-what-was-cleaned", "a savepoint of a commit that was cleaned", (
        (SavepointClient, "_refuse_cleaned", never_refused),
    ), SAVEPOINTS_KEPT),
    Mutant("saves-what-will-be-cleaned", "a clean is planned, and not done", (
        (SavepointClient, "_earliest_retained", completed_alone),
    ), SAVEPOINTS_KEPT),
    Mutant("saves-newest-slices", "a savepoint of an older commit", (
        (SavepointClient, "_paths", newest_slices),
    ), SAVEPOINTS_KEPT),
    Mutant("cleans-folder-of-savepoint", "a partition is deleted that a savepoint holds", (
        (SliceCleaner, "_is_kept", folder_goes),
    ), SAVEPOINTS_KEPT),
)  # fmt: skip
