"""Spark's `rewrite_position_delete_files`: the position deletes of a table in new files, one a data file.

It reads all position delete files of the snapshot that its session knows, a group for each partition, and keeps what is
of data files that are there. What is written has the highest data sequence number of its group. In format 3 it makes
deletion vectors of them, those that there are written anew with the others; where there are vectors alone, nothing is
to be done. Equality deletes stay as they are. A delete that two files have is in the new one twice.

Source: `core/actions/BinPackRewritePositionDeletePlanner.java`, `core/actions/RewritePositionDeletesGroup.java`,
`core/actions/RewritePositionDeletesCommitManager.java`, `RewritePositionDeleteFilesSparkAction.java`
(`requiresRewriteToDVs`), `SparkRewritePositionDeleteRunner.java`, `SparkPositionDeletesRewrite.java` of 1.11.0 for
Spark 3.5.

Choices: of all files, however many and large (`rewrite-all`; else a group of small ones has to have five), in one
commit (no `partial-progress.enabled`); a group is written by one task. `write.delete.granularity` is `file`, as it is
unless it is set.
"""

from collections.abc import Container

from model.iceberg import coverage
from model.iceberg.files import DATA, DeleteFile, ManifestEntry, Partition, Position
from model.iceberg.replace_deletes import ReplaceDeletes
from model.iceberg.spark_changes import Written
from model.iceberg.table import IcebergTable
from model.iceberg.tables import write_delete_file, write_vectors

Group = list[tuple[int, DeleteFile]]
"""Position delete files of one partition, with their data sequence numbers."""


def rewrite_position_deletes(table: IcebergTable) -> tuple[ReplaceDeletes, Written] | None:
    """What replaces the position deletes of the snapshot that the client knows, and what is written for it; None if
    there is nothing to do.

    Raises: `TableUnreadable` if a file is missing; `StorageFailed`.
    """
    groups = _groups(table)
    if not groups:
        return None
    live = frozenset([entry.file.path for entry in _entries(table, of_data=True)])
    producer = ReplaceDeletes(table)
    written: Written = []
    for partition, group in groups.items():
        number = _number_of(group)
        for _, old in group:
            producer.delete_file(old)
        for new in _write(table, _kept(table, group, live), partition):
            producer.add_file(new, number)
            written.append(new)
    return producer, written


def _groups(table: IcebergTable) -> dict[Partition, Group]:
    groups: dict[Partition, Group] = {}
    for entry in _entries(table, of_data=False):
        if isinstance(entry.file, DeleteFile):
            groups.setdefault(entry.file.partition, []).append((entry.sequence_number or 0, entry.file))
    return {} if table.metadata.format_version > 2 and _are_vectors(groups) else groups


def _are_vectors(groups: dict[Partition, Group]) -> bool:
    """Source: `requiresRewriteToDVs`."""
    return all(file.is_vector for group in groups.values() for _, file in group)


def _number_of(group: Group) -> int:
    """Source: `maxRewrittenDataSequenceNumber`."""
    return max([number for number, _ in group])


def _entries(table: IcebergTable, *, of_data: bool) -> list[ManifestEntry]:
    manifests = table.files.manifests(table.metadata.current)
    chosen = [manifest for manifest in manifests if (manifest.content == DATA) is of_data]
    return [entry for manifest in chosen for entry in table.files.live_entries(manifest)]


def _kept(table: IcebergTable, group: Group, live: Container[str]) -> dict[str, tuple[Position, ...]]:
    """The positions of a group by the data files that they are of, which are live. Source: `doRewrite`, a semi-join."""
    found: dict[str, list[Position]] = {}
    for _, file in group:
        for position in table.files.positions(file):
            found.setdefault(position[0], []).append(position)
    kept = {path: tuple(sorted(found[path])) for path in sorted(found) if path in live}
    if len(kept) < len(found):
        table.world.coverage.hit(coverage.DANGLING_DELETES_DROPPED)
    return kept


def _write(table: IcebergTable, kept: dict[str, tuple[Position, ...]], partition: Partition) -> list[DeleteFile]:
    if table.metadata.format_version < 3:
        return [write_delete_file(table, positions, partition) for positions in kept.values()]
    return write_vectors(table, [(tuple(dict.fromkeys(each)), partition) for each in kept.values()]) if kept else []
