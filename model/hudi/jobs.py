"""What a write step works on: the slices that it found, the data files that it is to make, and how it is executed."""

from collections.abc import Mapping
from typing import NamedTuple

from model.hudi.errors import StorageFailed
from model.hudi.file_groups import Changes, CommitMetadata, Group, Rows, WriteStat
from model.hudi.log_blocks import CompactedBlock
from model.hudi.names import CREATE, MERGE, BaseFile, DataFile, LogFile
from model.ports import Body

Parts = tuple[tuple[str, Changes], ...]
"""The rows of a write by partition."""
Places = tuple[tuple[str, Group], ...]
"""Rows by their keys, and the file group in which each has been read."""


class Slice(NamedTuple):
    """A base file and its rows. `newest`: the largest instant of its log files, or else its own; `hidden`: there is no
    such slice any more, and of the file the name of its group alone is known."""

    partition: str
    file: BaseFile
    rows: dict[str, str]
    newest: int
    hidden: bool = False

    @property
    def held(self) -> Rows:
        """Its rows, where it is there to be merged with (`HoodieAbstractMergeHandle`). Raises: StorageFailed."""
        if self.hidden:
            raise StorageFailed(f"write {self.partition}/{self.file.file_id}: expected a slice, it is gone")
        return tuple(self.rows.items())


class Job(NamedTuple):
    """A data file to be written. `previous`: the instant of the slice that it replaces; None: a new file group;
    `appends`: it is a log file; `merges`: the slice that `rows` are merged with when it is written; None: with none;
    `compacted`: the instants of the log blocks that it is made of, if it is a compacted one."""

    partition: str
    file_id: str
    previous: int | None
    rows: Changes
    token: int
    appends: bool = False
    merges: BaseFile | None = None
    compacted: tuple[int, ...] = ()

    @property
    def content(self) -> Body:
        """What it holds, if it is merged with nothing."""
        return CompactedBlock(self.compacted, self.rows) if self.compacted else self.rows

    def file(self, instant: int, attempt: int) -> DataFile:
        """The file that a try of it writes."""
        token = f"{self.token}-0-{attempt}"
        return LogFile(self.file_id, token, instant, 1) if self.appends else BaseFile(self.file_id, token, instant)

    @property
    def kind(self) -> str:
        """The kind of its marker."""
        return CREATE if self.appends or self.previous is None else MERGE


class Effort(NamedTuple):
    """How a write is executed: `work_ms` of computation a file, tries of each task, tasks side by side; `places`: where
    its rows have been read, None: the index is to say where they are."""

    work_ms: int = 0
    attempts: int = 1
    tasks: int = 1
    places: Places | None = None


def changes_of(
    slices: list[Slice], parts: Parts, places: Places | None = None
) -> tuple[list[tuple[Slice, Changes]], dict[str, str]]:
    """The slices that hold changed keys, with their changes; and what all slices hold. Args: `places`: as of `Effort`.

    Where a row has been read it is written, be its file group hidden by now or not, and hold it or not.
    """
    known: dict[str, str] = {}
    asked = dict(parts)
    changes = []
    for each in slices:
        known.update(each.rows)
        group = each.partition, each.file.file_id
        keys = each.rows if places is None else [key for key, place in places if place == group]
        change = tuple([(key, value) for key, value in asked[each.partition] if key in keys])
        if change:
            changes.append((each, change))
    there = {(each.partition, each.file.file_id) for each in slices}
    for group in dict.fromkeys([group for _, group in places or () if group not in there]):
        keys = [key for key, place in places or () if place == group]
        change = tuple([(key, value) for key, value in asked[group[0]] if key in keys])
        changes.append((Slice(group[0], BaseFile(group[1], "", 0), {}, 0, hidden=True), change))
    return changes, known


def added_of(rows: Changes, known: Mapping[str, object], places: Places | None) -> Changes:
    """The rows of a partition that no file group has been found for. Args: `known`: those that one has."""
    if places is not None:
        return ()
    return tuple([(key, value) for key, value in rows if key not in known and value is not None])


def announced(operation: str, changes: list[tuple[Slice, Changes]]) -> CommitMetadata:
    """What an inflight instant says that it will write: the file groups that it changes, and none of the new ones.

    Source: `BaseCommitActionExecutor.saveWorkloadProfileMetadataToInflight` (1.2.0).
    """
    return CommitMetadata(
        operation, tuple([WriteStat(each.partition, each.file.file_id, "", None) for each, _ in changes])
    )
