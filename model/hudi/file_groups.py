"""File groups and slices, commit metadata, and the index that says which group holds a key.

A copy-on-write update writes a new base file in the same group; the slice that a reader sees is the base file of the
largest instant among those that its timeline shows as completed.

Source: hudi/1.5; `HoodieFileGroup`, `AbstractTableFileSystemView`, `HoodieSimpleIndex`.

Choices: the table knows its partitions from its layout; rows are (key, value) pairs, without the commit time that Hudi
writes into each (`_hoodie_commit_time`): what a commit wrote stands in its metadata, for values are unique. The index
is the simple one: it reads every base file. A key that no file holds is inserted into a new file group; Hudi's
small-file handling, which puts it into an old one, is left out (`hoodie.parquet.small.file.limit=0`).
"""

from functools import lru_cache
from typing import NamedTuple

from model.hudi.names import COMMIT, BaseFile, parse_base_file
from model.hudi.timeline import Instant, Timeline

Rows = tuple[tuple[str, str], ...]
Changes = tuple[tuple[str, str | None], ...]
"""Rows to be written; without a value: to be deleted."""
Group = tuple[str, str]
"""A file group: (partition, file id)."""


class WriteStat(NamedTuple):
    """A data file that a write made. `previous` is the instant of the slice that it replaces, None for a new group."""

    partition: str
    file_id: str
    path: str
    previous: int | None

    @property
    def group(self) -> Group:
        return self.partition, self.file_id


class CommitMetadata(NamedTuple):
    """What a write (or a plan) says of itself. `replaced`: file groups that clustering and overwrite take out; `wrote`:
    the rows that bear its commit time, if anybody reads incrementally; `columns`: as of `model.hudi.schemas`."""

    operation: str
    stats: tuple[WriteStat, ...]
    replaced: tuple[Group, ...] = ()
    wrote: Rows = ()
    columns: tuple[str, ...] = ()

    def telling(self, rows: Changes, consumed: bool) -> "CommitMetadata":
        """The same with the rows that were written, if somebody asks for them."""
        wrote = tuple([(key, value) for key, value in rows if value is not None])
        return self._replace(wrote=wrote) if consumed else self

    @property
    def groups(self) -> frozenset[Group]:
        """The file groups that conflict with another write of them."""
        return frozenset([*[stat.group for stat in self.stats], *self.replaced])


class RollbackPlan(NamedTuple):
    """What a rollback will do: delete these files and take the target off the timeline, whose `action` it was."""

    target: int
    paths: tuple[str, ...]
    action: str = COMMIT


class CleanPlan(NamedTuple):
    """What a clean will do: delete these files, and the folders of these partitions. `earliest`: the instant from
    which on everything stays, None if slices are counted; `newest`: the last completed write that was known;
    `savepoints`: the commits with one."""

    earliest: int | None
    newest: int
    paths: tuple[str, ...]
    partitions: tuple[str, ...]
    savepoints: tuple[int, ...] = ()


class SavepointMetadata(NamedTuple):
    """What a savepoint keeps: the files of the table as of its commit."""

    paths: tuple[str, ...]


class RestorePlan(NamedTuple):
    """What a restore will do: roll back these writes, by instant and action, until a savepoint's commit is the last."""

    savepoint: int
    targets: tuple[tuple[int, str], ...]


class Archived(NamedTuple):
    """What a file of the history holds: completed instants, and what each says of itself."""

    instants: tuple[tuple[Instant, object], ...]


UPSERT, INSERT, BULK_INSERT, CLUSTER = "upsert", "insert", "bulk_insert", "cluster"
COMPACT, LOG_COMPACT = "compact", "log_compact"
OVERWRITE, OVERWRITE_TABLE, DELETE_PARTITION = "insert_overwrite", "insert_overwrite_table", "delete_partition"
OVERWRITES = (OVERWRITE, OVERWRITE_TABLE)
"""The operations whose own replaced file groups are compared with others' (`WriteOperationType.isOverwrite`)."""


@lru_cache(maxsize=1 << 16)
def latest_slices(
    names: tuple[str, ...], timeline: Timeline, replaced: frozenset[str] = frozenset()
) -> tuple[BaseFile, ...]:
    """The newest visible base file of each group in a partition listing, by file id; none of those replaced.

    Two files of one group and instant (a failed attempt that was never reconciled) are told apart by name, as a sorted
    listing would.
    """
    newest: dict[str, BaseFile] = {}
    for name in names:
        file = parse_base_file(name)
        if file is None or not timeline.has_completed(file.instant) or file.file_id in replaced:
            continue
        known = newest.get(file.file_id)
        if known is None or file.instant >= known.instant:
            newest[file.file_id] = file
    return tuple([newest[file_id] for file_id in sorted(newest)])


def updated(rows: Rows, changes: Changes) -> Rows:
    """Rows with the changes merged in, in the order of their keys."""
    merged = {**dict(rows), **dict(changes)}
    return tuple(sorted([(key, value) for key, value in merged.items() if value is not None]))
