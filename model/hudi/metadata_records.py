"""What the metadata table's `files` partition says: of each partition the names of its files, and which there are.

A record of a delta commit adds names, or takes names out; a clean that deletes a partition takes out all that there is
of it, and the partition. Records of one key are merged in the order of the instants that wrote them, whenever these
were completed: what a write of a smaller instant adds to a partition is gone by a clean of a larger one, also if it
came later.

A compaction writes down what records say together, and those of later log files are merged with that: among
themselves, first. Of a partition that was deleted and then written again they say, together, what was written, and no
more that it was deleted: all names come back that the compaction has written down. And whatever a compaction has
written down is older than a record that comes after it, also if that is of a smaller instant.

Source: hudi/2.7; `HoodieTableMetadataUtil.convertMetadataToFilesPartitionRecords` (of commits and of cleans),
`HoodieMetadataPayload.preCombine`, `combineAndGetUpdateValue`, `combineFileSystemMetadata` (#10913),
`createPartitionListRecord`, `createPartitionFilesRecord`, `HoodieLogFile.LogFileComparator` (1.2.0).

Choices: sizes of files are left out, and so are the other partitions (column statistics, record index), which say
nothing of which files there are.
"""

from collections.abc import Iterable
from typing import NamedTuple

from model.hudi.file_groups import CleanPlan, CommitMetadata

Path = tuple[str, str]
"""A partition, and the name of a file in it."""


class FilesRecord(NamedTuple):
    """What one delta commit writes. `deleted`: the partitions that go with all that there is of them; `unlisted`: those
    that go from the list of partitions alone."""

    added: tuple[Path, ...] = ()
    removed: tuple[Path, ...] = ()
    deleted: tuple[str, ...] = ()
    unlisted: tuple[str, ...] = ()


Changes = dict[str, bool]
"""Names, each with whether it is there, or was taken out."""


class Compacted(NamedTuple):
    """What a compaction writes down: the changes of each partition, and the partitions'."""

    files: tuple[tuple[str, tuple[tuple[str, bool], ...]], ...]
    partitions: tuple[tuple[str, bool], ...]


class Files(NamedTuple):
    """The merged records: the names in each partition, and the partitions that a reader is told of."""

    names: dict[str, dict[str, None]]
    partitions: dict[str, None]


def of_commit(metadata: CommitMetadata) -> FilesRecord:
    """What a commit adds; file groups that it takes out stay listed."""
    return FilesRecord(added=_split([stat.path for stat in metadata.stats]))


def of_clean(plan: CleanPlan, *, folders: bool) -> FilesRecord:
    """What a clean takes out; partitions only if it deletes their `folders`."""
    deleted = plan.partitions if folders else ()
    return FilesRecord(removed=tuple([each for each in _split(plan.paths) if each[0] not in deleted]), deleted=deleted)


def merged(records: Iterable[FilesRecord], base: Compacted | None = None) -> Files:
    """What records say together, in the order of their instants, over what a compaction has written down."""
    found = _over_base(records, base)
    names = {partition: _there(changes) for partition, changes in found.files.items() if changes is not None}
    return Files(names, _there(found.partitions))


def compacted(records: Iterable[FilesRecord], base: Compacted | None) -> Compacted:
    """What a compaction writes down of records, and of what the last one has."""
    found = _over_base(records, base)
    return Compacted(
        tuple([(name, tuple(changes.items())) for name, changes in found.files.items() if changes is not None]),
        tuple(found.partitions.items()),
    )


class _Said(NamedTuple):
    """Records of several keys: of each partition its changes, None if it is deleted, and the partitions' own."""

    files: dict[str, Changes | None]
    partitions: Changes


def _said(records: Iterable[FilesRecord]) -> _Said:
    found = _Said({}, {})
    for record in records:
        deleted: dict[str, Changes | None] = dict.fromkeys(record.deleted)
        added = dict.fromkeys([partition for partition, _ in record.added], True)
        found = _over(found, _Said(deleted, dict.fromkeys((*record.deleted, *record.unlisted), False)))
        found = _over(found, _Said(_changes(record), added))
    return found


def _changes(record: FilesRecord) -> dict[str, Changes | None]:
    changes: dict[str, Changes] = {}
    for paths, there in ((record.added, True), (record.removed, False)):
        for partition, name in paths:
            changes.setdefault(partition, {})[name] = there
    return dict(changes)


def _over(older: _Said, newer: _Said) -> _Said:
    """Of each key what both say: what is newer alone, if one of them deletes it."""
    files = dict(older.files)
    for partition, changes in newer.files.items():
        before = files.get(partition)
        files[partition] = changes if changes is None or before is None else _combined(before, changes)
    return _Said(files, _combined(older.partitions, newer.partitions))


def _combined(older: Changes, newer: Changes) -> Changes:
    """What is taken out leaves no trace where it was there; where it was not known, that it was taken out stays."""
    found = dict(older)
    for name, there in newer.items():
        if not there and found.get(name):
            del found[name]
        else:
            found[name] = there
    return found


def _over_base(records: Iterable[FilesRecord], base: Compacted | None) -> _Said:
    """What records say, among themselves first, over what the last compaction has written down."""
    said = _said(records)
    if base is None:
        return said
    older = _Said({partition: dict(changes) for partition, changes in base.files}, dict(base.partitions))
    return _over(older, said)


def _there(changes: Changes) -> dict[str, None]:
    return dict.fromkeys([name for name, there in changes.items() if there])


def _split(paths: Iterable[str]) -> tuple[Path, ...]:
    parts = [path.rpartition("/") for path in paths]
    return tuple([(folder, name) for folder, _, name in parts])
