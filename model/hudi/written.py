"""What a write step has done, for the check before its commit and for the commit itself."""

from typing import NamedTuple

from model.hudi.file_groups import Changes, CommitMetadata, WriteStat
from model.hudi.slices import FileSlice
from model.hudi.timeline import Timeline


class Written(NamedTuple):
    """What a write step did. `start`: its conflict snapshot; `before`: the changed rows, `bases`: the slices merged,
    `replaced`: the slices that are to be hidden, with their partitions; `columns`: as of `model.hudi.schemas`."""

    operation: str
    stats: tuple[WriteStat, ...]
    start: Timeline
    pending: frozenset[int]
    before: tuple[tuple[str, str | None], ...]
    bases: tuple[tuple[str, str | None], ...]
    rows: Changes
    replaced: tuple[tuple[str, FileSlice], ...] = ()
    columns: tuple[str, ...] = ()

    @property
    def metadata(self) -> CommitMetadata:
        """What the commit will say of it."""
        replaced = tuple([(partition, each.file_id) for partition, each in self.replaced])
        return CommitMetadata(self.operation, self.stats, replaced, columns=self.columns)
