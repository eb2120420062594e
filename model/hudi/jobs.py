"""What a write step works on: the slices that it found, the data files that it is to make, and how it is executed."""

from typing import NamedTuple

from model.hudi.file_groups import CommitMetadata, Rows, WriteStat
from model.hudi.log_blocks import CompactedBlock
from model.hudi.names import CREATE, MERGE, BaseFile, DataFile, LogFile
from model.ports import Body

Parts = tuple[tuple[str, Rows], ...]
"""The rows of a write by partition."""


class Slice(NamedTuple):
    """A base file and its rows. `newest`: the largest instant of its log files, or else its own."""

    partition: str
    file: BaseFile
    rows: dict[str, str]
    newest: int


class Job(NamedTuple):
    """A data file to be written. `previous`: the instant of the slice that it replaces; None: a new file group;
    `appends`: it is a log file; `merges`: the slice that `rows` are merged with when it is written; None: with none;
    `compacted`: the instants of the log blocks that it is made of, if it is a compacted one."""

    partition: str
    file_id: str
    previous: int | None
    rows: Rows
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
    """How a write is executed: `work_ms` of computation a file, tries of each task, tasks side by side."""

    work_ms: int = 0
    attempts: int = 1
    tasks: int = 1


def changes_of(slices: list[Slice], parts: Parts) -> tuple[list[tuple[Slice, Rows]], dict[str, str]]:
    """The slices that hold changed keys, with their changes; and what all slices hold."""
    known: dict[str, str] = {}
    asked = dict(parts)
    changes = []
    for each in slices:
        known.update(each.rows)
        change = tuple([(key, value) for key, value in asked[each.partition] if key in each.rows])
        if change:
            changes.append((each, change))
    return changes, known


def announced(operation: str, changes: list[tuple[Slice, Rows]]) -> CommitMetadata:
    """What an inflight instant says that it will write: the file groups that it changes, and none of the new ones.

    Source: `BaseCommitActionExecutor.saveWorkloadProfileMetadataToInflight` (1.2.0).
    """
    return CommitMetadata(
        operation, tuple([WriteStat(each.partition, each.file.file_id, "", None) for each, _ in changes])
    )
