"""What a table has after statements that were done to it one after the other: its rows, and those of each data file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from model.iceberg.files import Partition, is_whole
from model.iceberg.partitioning import Partitioning, Transform, partitioned_by
from sim.iceberg.creating import DropTable
from sim.iceberg.equality import DeleteWhere, Upsert
from sim.iceberg.sql_statements import Delete, Insert, Update
from sim.iceberg.statements import (
    Append,
    Compact,
    DeleteRow,
    Replace,
    ReplacePartitions,
    Rows,
    Statement,
    Transaction,
    UpdateSpec,
)


def content_after(rows: Rows, history: Sequence[Statement]) -> Rows:
    """The rows of a table after these statements of SQL."""
    table = dict(rows)
    for done in history:
        match done:
            case Insert(added):
                table |= dict(added)
            case Delete(key):
                table.pop(key, None)
            case Update(key, value) if key in table:
                table[key] = value
    return tuple(table.items())


class _Part(NamedTuple):
    """The rows that a data file is left with, and the partition that it was written to."""

    rows: Rows
    partition: Partition


class _Table:
    """The data files of a table, and the specs that it has."""

    def __init__(self, partitioning: Partitioning, format_version: int) -> None:
        self._partitioning, self._format_version = partitioning, format_version
        self.parts: list[_Part] = []

    def write(self, rows: Rows) -> list[_Part]:
        """Add these rows, in a file for each partition of theirs."""
        made = [_Part(part, place) for place, part in self._partitioning.spec.divided(rows).items()]
        self.parts += made
        return made

    def do(self, done: Statement) -> None:
        """Change the files as this statement does."""
        match done:
            case Append(rows):
                self.write(rows)
            case Replace(key, rows):
                self.parts = [part for part in self.parts if all(row[0] != key for row in part.rows)]
                self.write(rows)
            case ReplacePartitions(rows):
                self._replace(rows)
            case Upsert(key, value):
                self._delete_where(key)
                self.write(((key, value),))
            case DeleteWhere(key):
                self._delete_where(key)
            case DeleteRow():
                self._delete(done.ids, None)
            case DropTable():
                self.parts = []
            case Compact():
                left = tuple([row for part in self.parts for row in part.rows])
                self.parts = []
                self.write(left)
            case UpdateSpec():
                self._partitioning = self._partitioning.evolved(done.field, self._format_version)
            case Transaction(steps):
                for step in steps:
                    self.do(step)

    def _replace(self, rows: Rows) -> None:
        before, self.parts = self.parts, []
        gone = [part.partition for part in self.write(rows)]
        if not any(is_whole(partition) for partition in gone):
            self.parts = [*[part for part in before if part.partition not in gone], *self.parts]

    def _delete_where(self, key: int) -> None:
        """An equality delete is of one partition, or of all that there is."""
        partition = self._partitioning.spec.partition_of(key)
        self._delete((key,), None if is_whole(partition) else partition)

    def _delete(self, ids: tuple[int, ...], of: Partition) -> None:
        left = [tuple([row for row in part.rows if row[0] not in ids]) for part in self.parts]
        self.parts = [
            part._replace(rows=rows) if of in (None, part.partition) else part
            for part, rows in zip(self.parts, left, strict=True)
        ]


def files_after(
    files: tuple[Rows, ...], history: Sequence[Statement], width: int = 0, format_version: int = 2,
    transform: Transform = "truncate",
) -> tuple[Rows, ...]:  # fmt: skip
    """The rows of each data file after these statements.

    Args: `width`: ids of a partition, or how many buckets there are (0: there are no partitions).
    """
    table = _Table(partitioned_by(width, transform), format_version)
    for rows in files:
        table.write(rows)
    for done in history:
        table.do(done)
    return tuple([part.rows for part in table.parts])
