"""Row ids of format 3: what a manifest list gives to manifests, and what a reader of a manifest gives to its files.

A list gives each data manifest that has no first row id one from the table's next on, and leaves room for all rows of
it, though files in it may have ids already. A file without one gets it when it is read: the manifest's, and the rows of
those before it that had none. So a manifest that is written once serves every attempt, and each takes ids anew.

A table that came from an earlier format has no ids until its next commit, whose list gives them to what was there.

Source: specification of the table format, "Row Lineage", "First Row ID Inheritance"; `ManifestListWriter.V3Writer`,
`ManifestReader.idAssigner` of 1.11.0 (#16263).
"""

from collections.abc import Sequence

from model.iceberg.files import DATA, DELETED, AnyDeletes, DataFile, ManifestEntry, ManifestFile


def listed_from(manifests: Sequence[ManifestFile], next_row_id: int) -> tuple[tuple[ManifestFile, ...], int]:
    """The manifests as a list has them, and how many ids it has given away. Source: `V3Writer.prepare`."""
    listed, next_id = [], next_row_id
    for manifest in manifests:
        if manifest.content == DATA and manifest.first_row_id is None:
            listed.append(manifest._replace(first_row_id=next_id))
            next_id += manifest.live_rows
        else:
            listed.append(manifest)
    return tuple(listed), next_id - next_row_id


def inherited(
    entries: tuple[ManifestEntry, ...], first_row_id: int | None, *, committed: bool = True
) -> tuple[ManifestEntry, ...]:
    """The entries of a data manifest as they are read.

    Args: `first_row_id`: the manifest's; `committed`: whether a snapshot of another commit has the manifest: if it has
    no first row id then, it is of an earlier format, and its files have none.
    """
    if first_row_id is None:
        return without_ids(entries) if committed else entries
    found, next_id = [], first_row_id
    for entry in entries:
        if entry.status != DELETED and isinstance(entry.file, DataFile) and entry.file.first_row_id is None:
            found.append(entry._replace(file=entry.file._replace(first_row_id=next_id)))
            next_id += entry.file.record_count
        else:
            found.append(entry)
    return tuple(found)


def without_ids(entries: tuple[ManifestEntry, ...]) -> tuple[ManifestEntry, ...]:
    """The entries with files of no row ids, which is what most are."""
    if all(not isinstance(entry.file, DataFile) or entry.file.first_row_id is None for entry in entries):
        return entries
    return tuple([entry._replace(file=unassigned(entry.file)) for entry in entries])


def unassigned(file: DataFile | AnyDeletes) -> DataFile | AnyDeletes:
    """The file as whoever adds it writes it. Source: `Delegates.suppressFirstRowId`, for whoever adds a file again that
    the table had."""
    if isinstance(file, DataFile) and (file.first_row_id, file.added_at) != (None, None):
        return file._replace(first_row_id=None, added_at=None)
    return file
