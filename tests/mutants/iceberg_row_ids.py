"""Mutants of row ids. Source: `model.iceberg.row_ids`, and who asks it."""

from collections.abc import Sequence
from typing import Any

from model.iceberg import commit_context, producer, rewrite_manifests, row_ids, storage
from model.iceberg.files import DATA, EXISTING, DataFile, ManifestEntry, ManifestFile
from model.iceberg.row_ids import inherited, listed_from
from model.iceberg.storage import TableFiles
from tests.mutants.damage import replaced
from tests.mutants.mutant import Mutant

Manifests = Sequence[ManifestFile]
Listed = tuple[tuple[ManifestFile, ...], int]
Entries = tuple[ManifestEntry, ...]


def one_a_file(manifests: Manifests, next_row_id: int) -> Listed:
    """Room for one row of each file."""
    listed, _ = listed_from([each._replace(live_rows=_files(each)) for each in manifests], next_row_id)
    return _whole(listed, manifests), sum([_files(each) for each in manifests if _is_new(each)])


def not_counted(manifests: Manifests, next_row_id: int) -> Listed:
    """Ids that the table is not told of."""
    return listed_from(manifests, next_row_id)[0], 0


def listed_anew(manifests: Manifests, next_row_id: int) -> Listed:
    """Each list gives ids to all manifests."""
    return listed_from([each._replace(first_row_id=None) for each in manifests], next_row_id)


def of_deletes_too(manifests: Manifests, next_row_id: int) -> Listed:
    """Manifests of deletes take ids."""
    listed, given = listed_from([each._replace(content=DATA) for each in manifests], next_row_id)
    return tuple([each._replace(content=old.content) for each, old in zip(listed, manifests, strict=True)]), given


def without_room(manifests: Manifests, next_row_id: int) -> Listed:
    """Room for rows that are added: those that exist have ids, one would think."""
    bare = [each if each.added_files else each._replace(live_rows=0) for each in manifests]
    listed, given = listed_from(bare, next_row_id)
    return _whole(listed, manifests), given


def _whole(listed: Manifests, manifests: Manifests) -> tuple[ManifestFile, ...]:
    return tuple([each._replace(live_rows=old.live_rows) for each, old in zip(listed, manifests, strict=True)])


def _is_new(manifest: ManifestFile) -> bool:
    return manifest.content == DATA and manifest.first_row_id is None


def _files(manifest: ManifestFile) -> int:
    return manifest.added_files + manifest.existing_files


def one_id_a_file(entries: Entries, first_row_id: int | None, *, committed: bool = True) -> Entries:
    """A reader counts files, not rows."""
    if first_row_id is None:
        return inherited(entries, None, committed=committed)
    return tuple([_numbered(entry, first_row_id + place) for place, entry in enumerate(entries)])


def _numbered(entry: ManifestEntry, first: int) -> ManifestEntry:
    file = entry.file
    if isinstance(file, DataFile) and file.first_row_id is None:
        return entry._replace(file=file._replace(first_row_id=first))
    return entry


def of_deleted_too(entries: Entries, first_row_id: int | None, *, committed: bool = True) -> Entries:
    """A reader gives ids to files that are deleted."""
    read = inherited(tuple([entry._replace(status=EXISTING) for entry in entries]), first_row_id, committed=committed)
    return tuple([new._replace(status=old.status) for new, old in zip(read, entries, strict=True)])


def as_it_is(file: Any) -> Any:
    """A file that is added keeps the ids that it had."""
    return file


def forgetting(entry: ManifestEntry) -> ManifestEntry:
    """A manifest that is written anew leaves the ids out."""
    return entry._replace(status=EXISTING, file=row_ids.unassigned(entry.file))


def all_committed(self: TableFiles, manifest: ManifestFile, *, committed: bool = True) -> Entries:
    """A manifest that this commit has written is read as one of an earlier format."""
    return _entries(self, manifest, committed=True)


_entries = TableFiles.entries
ROW_IDS: tuple[Mutant, ...] = (
    replaced("row-ids-one-a-file", producer, "listed_from", one_a_file, "two rows have one id"),
    replaced("row-ids-not-counted", producer, "listed_from", not_counted, "the next commit gives the same ids away"),
    replaced("row-ids-listed-anew", producer, "listed_from", listed_anew, "a row gets another id with each commit"),
    replaced("row-ids-of-deletes", producer, "listed_from", of_deletes_too, "ids that no row has"),
    replaced("existing-rows-without-room", producer, "listed_from", without_room, "two rows have one id"),
    replaced("row-ids-read-one-a-file", storage, "inherited", one_id_a_file, "two rows have one id"),
    replaced("row-ids-of-deleted-files", storage, "inherited", of_deleted_too, "ids beyond the room that was left"),
    replaced("row-ids-kept-when-added", commit_context, "unassigned", as_it_is, "ids of another snapshot"),
    replaced("row-ids-lost-when-rewritten", rewrite_manifests, "as_existing", forgetting, "rows get other ids"),
)
MERGED = replaced("merged-manifests-lose-row-ids", TableFiles, "entries", all_committed, "rows get other ids (#16263)")
"""In a race whose specs change."""
