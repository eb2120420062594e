"""What the metadata table's `files` partition says: of each partition the names of its files, and which there are.

A record of a delta commit adds names, or takes names out; a clean that deletes a partition takes out all that there is
of it, and the partition. Records of one key are merged in the order of the instants that wrote them, whenever these
were completed: what a write of a smaller instant adds to a partition is gone by a clean of a larger one, also if it
came later.

Source: hudi/2.7; `HoodieTableMetadataUtil.convertMetadataToFilesPartitionRecords` (of commits and of cleans),
`HoodieMetadataPayload.preCombine`, `createPartitionListRecord`, `createPartitionFilesRecord`,
`HoodieLogFile.LogFileComparator` (1.2.0).

Choices: sizes of files are left out, and so are the other partitions (column statistics, record index), which say
nothing of which files there are.
"""

from collections.abc import Iterable
from typing import NamedTuple

from model.hudi.file_groups import CleanPlan, CommitMetadata

Path = tuple[str, str]
"""A partition, and the name of a file in it."""


class FilesRecord(NamedTuple):
    """What one delta commit writes. `deleted`: the partitions that go with all that there is of them."""

    added: tuple[Path, ...] = ()
    removed: tuple[Path, ...] = ()
    deleted: tuple[str, ...] = ()


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


def merged(records: Iterable[FilesRecord]) -> Files:
    """What records say together, in the order of their instants."""
    names: dict[str, dict[str, None]] = {}
    partitions: dict[str, None] = {}
    for record in records:
        for partition in record.deleted:
            names.pop(partition, None)
            partitions.pop(partition, None)
        for partition, name in record.added:
            names.setdefault(partition, {})[name] = None
            partitions[partition] = None
        for partition, name in record.removed:
            names.get(partition, {}).pop(name, None)
    return Files(names, partitions)


def _split(paths: Iterable[str]) -> tuple[Path, ...]:
    parts = [path.rpartition("/") for path in paths]
    return tuple([(folder, name) for folder, _, name in parts])
