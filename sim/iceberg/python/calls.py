"""What a statement asks of PyIceberg 0.12.0: its own calls, on a table that was loaded.

Source: `pyiceberg/table/__init__.py` (`Table.append`, `delete`, `overwrite`, `upsert`, `transaction`), which are
transactions of one call each.

Choices: an overwrite of the table takes every row away that it finds there. A row is changed by `overwrite` with a
filter of its id, if it is there; a copy reads its source by `scan`, and changes its target so, if both are there: the
library has no way to say that a commit depends on what was read. In a transaction, its own scan reads. What it is asked
of a branch goes by `branch=`, and by `use_ref`, if there is such a branch. An upsert that changes nothing has found its
row to be as it is to be. Who compacts overwrites the table by what it holds: there is no rewrite. Nothing is staged but
by `branch=None`. A `DeleteRow` is another hand's.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyiceberg.io.pyarrow import _dataframe_to_data_files
from pyiceberg.table import ALWAYS_TRUE, Table, Transaction
from pyiceberg.transforms import VoidTransform
from pyiceberg.types import IntegerType

from model.iceberg.metadata import MAIN
from sim.iceberg import statements
from sim.iceberg.columns import OfColumns
from sim.iceberg.equality import Upsert
from sim.iceberg.heads import difference, joined
from sim.iceberg.layout import DropColumn, MoveTo, RemoveStatistics, SetStatistics, SortBy, UnsetProperty
from sim.iceberg.managing import Stage
from sim.iceberg.python.branches import keyed, placed, row_key
from sim.iceberg.python.columns import change_columns
from sim.iceberg.python.layout import lay_out, of_statistics, remove_property
from sim.iceberg.python.managing import manage
from sim.iceberg.python.ports import LOCATION
from sim.iceberg.python.row_deltas import delete_rows
from sim.iceberg.python.statements import OfSnapshots, Writes, writes_of
from sim.iceberg.python_statements import AddFile, ChangeSeen, EvolveSpec, OverwriteFiles, OverwritePartitions, Upgrade
from sim.iceberg.sql_statements import Delete
from sim.iceberg.statements import (
    AddColumn,
    Append,
    ChangeRow,
    Compact,
    Copy,
    DeleteRow,
    Overwrite,
    Rows,
    Scan,
    SetProperty,
    Statement,
)

SCHEMA = pa.schema([pa.field("id", pa.int32()), pa.field("v", pa.string())])
Reads = list[tuple[str, str | None, int | None]]


def arrow(rows: Rows) -> pa.Table:
    """Rows as an Arrow table."""
    return pa.table({"id": [key for key, _ in rows], "v": [value for _, value in rows]}, schema=SCHEMA)


class Call:
    """A statement on its way: `reads` and `writes` are what it comes to as far as that is known.

    Args: `branches` beside main whose rows a history has.
    """

    def __init__(self, statement: Statement, branches: Sequence[str] = ()) -> None:
        self.statement, self._branches = statement, branches
        self._done: dict[str, str | None] = {}
        self.reads: Reads = []
        self.writes: Writes = writes_of(statement)

    def run(self, table: Table) -> None:
        """Carry it out. Raises: what the library raises."""
        branch, step = placed(self.statement)
        match step:
            case Scan(times, at):
                self._scan(table, branch, times, at)
            case Upsert(key, value):
                self._upsert(table, branch, key, value)
            case statements.Transaction(steps):
                self._several(table, steps)
            case _ if isinstance(step, OfSnapshots):
                manage(table, step, partial(self._moves, table))
            case SetStatistics() | RemoveStatistics():
                of_statistics(table, step)
            case UnsetProperty(name):
                remove_property(table, name)
            case Stage(rows):
                table.append(arrow(rows), branch=None)
            case ChangeSeen(key, value):
                self._change_seen(table, key, value)
            case AddFile(key):
                table.add_files([loose(key)], branch=branch)
                self.writes = [(row_key(key, branch), step.value)]
            case _:
                self._several(table, (self.statement,))

    def _moves(self, table: Table, branch: str, target: int | None) -> None:
        """A branch whose rows a history has is to be at this snapshot, or not to be there."""
        if branch not in (MAIN, *self._branches):
            return
        before = rows_in(table, branch)
        after = [] if target is None else rows_of(table.scan(snapshot_id=target))
        self._note(branch, dict(difference(tuple(before), tuple(after))))
        self.writes = list(self._done.items())

    def _change_seen(self, table: Table, key: int, value: str) -> None:
        seen = joined(rows_of(table.scan(f"id == {key}"))).get(key)
        self.reads.append((f"row:{key}", seen, None))
        self.writes = []
        if seen is not None:
            self.writes = [(f"row:{key}", value)]
            table.refresh()
            table.overwrite(arrow(((key, value),)), f"id == {key}")

    def _scan(self, table: Table, branch: str, times: int, at: str) -> None:
        for number in range(times):
            if number and at == "current":
                table.refresh()
            found = keyed(joined(rows_in(table, branch)), branch)
            self.reads += [(key, value, None) for key, value in found.items()]

    def _upsert(self, table: Table, branch: str, key: int, value: str) -> None:
        done = table.upsert(arrow(((key, value),)), join_cols=["id"], branch=branch)
        if not done.rows_updated + done.rows_inserted:
            self.reads.append((row_key(key, branch), value, None))

    def _several(self, table: Table, steps: Sequence[Statement]) -> None:
        with table.transaction() as transaction:
            for step in steps:
                self._step(transaction, *placed(step))
            self.writes = list(self._done.items())

    def _step(self, transaction: Transaction, branch: str, step: Statement) -> None:
        match step:
            case Append(rows):
                transaction.append(arrow(rows), branch=branch)
                self._note(branch, dict(rows))
            case Delete(key):
                self._delete(transaction, branch, key)
            case ChangeRow(key, value):
                if key in self._read(transaction, branch, key):
                    self._change(transaction, branch, key, value)
            case Overwrite(rows):
                there = joined(_found(transaction, branch))
                transaction.overwrite(arrow(rows), branch=branch)
                self._note(branch, dict.fromkeys(there) | dict(rows))
            case Copy(source, target):
                found = self._read(transaction, branch, source, target)
                if source in found and target in found:
                    self._change(transaction, branch, target, found[source])
            case SetProperty(name, value):
                transaction.set_properties({name: value})
            case AddColumn(name):
                with transaction.update_schema() as update:
                    update.add_column(name, IntegerType())
            case EvolveSpec(transform):
                evolve(transaction, transform)
            case DeleteRow():
                self._note(MAIN, dict.fromkeys(delete_rows(transaction, step.ids)))
            case DropColumn() | SortBy() | MoveTo():
                lay_out(transaction, step)
            case _ if isinstance(step, OfColumns):
                change_columns(transaction, step)
            case Compact():
                transaction.overwrite(transaction._scan().to_arrow())
            case Upgrade(version):
                transaction.upgrade_table_version(version)
            case OverwriteFiles(rows):
                self._overwrite_files(transaction, rows)
            case OverwritePartitions(rows):
                transaction.dynamic_partition_overwrite(arrow(rows), branch=branch)
                self._note(branch, dict(rows))
            case _:
                raise TypeError(f"statement {step!r}: expected one that PyIceberg has, got another")

    def _overwrite_files(self, transaction: Transaction, rows: Rows) -> None:
        there = joined(_found(transaction, MAIN))
        with transaction.update_snapshot().overwrite() as update:
            for task in transaction._scan().plan_files():
                update.delete_data_file(task.file)
            written = _dataframe_to_data_files(transaction.table_metadata, arrow(rows), transaction._table.io)
            for file in written:
                update.append_data_file(file)
        self._note(MAIN, dict.fromkeys(there) | dict(rows))

    def _delete(self, transaction: Transaction, branch: str, key: int) -> None:
        staged = len(transaction._updates)
        transaction.delete(f"id == {key}", branch=branch)
        if len(transaction._updates) > staged:  # it found the row
            self._note(branch, {key: None})

    def _change(self, transaction: Transaction, branch: str, key: int, value: str) -> None:
        transaction.overwrite(arrow(((key, value),)), f"id == {key}", branch=branch)
        self._note(branch, {key: value})

    def _read(self, transaction: Transaction, branch: str, *keys: int) -> dict[int, str]:
        """The values of these rows; those that it has not written itself are what it has read."""
        found = joined(_found(transaction, branch, " or ".join([f"id == {key}" for key in keys])))
        read = [(row_key(key, branch), found.get(key)) for key in keys]
        self.reads += [(name, value, None) for name, value in read if name not in self._done]
        return found

    def _note(self, branch: str, written: Mapping[int, str | None]) -> None:
        self._done |= keyed(written, branch)


def evolve(transaction: Transaction, transform: str) -> None:
    """Partition by this transform of id in the place of what there is; "": not at all."""
    with transaction.update_spec() as update:
        for field in transaction.table_metadata.spec().fields:
            if not isinstance(field.transform, VoidTransform):
                update.remove_field(field.name)
        if transform:
            update.add_field("id", transform)


def loose(key: int) -> str:
    """Where the file is that somebody else has written, with this row."""
    return f"{LOCATION}/loose/{key}.parquet"


def loose_files(sent: Sequence[Statement]) -> Iterator[tuple[str, bytes]]:
    """The files that these statements add, and where they are."""
    for one in dict.fromkeys([step for step in [placed(each)[1] for each in sent] if isinstance(step, AddFile)]):
        body = io.BytesIO()
        pq.write_table(arrow(((one.id, one.value),)), body)
        yield loose(one.id), body.getvalue()


def rows_in(table: Table, branch: str) -> list[tuple[int, str]]:
    """All rows of a branch; none if there is no such branch. Raises: as below."""
    return rows_of(table.scan().use_ref(branch)) if branch in table.metadata.refs else []


def _found(transaction: Transaction, branch: str, where: Any = ALWAYS_TRUE) -> list[tuple[int, str]]:
    """The rows that a transaction finds in a branch."""
    there = branch in transaction.table_metadata.refs
    return rows_of(transaction._scan(where).use_ref(branch)) if there else []


def rows_of(scan: Any) -> list[tuple[int, str]]:
    """All rows of a scan. Raises: `FileNotFoundError` if a file of the table is gone."""
    return [(row["id"], row["v"]) for row in scan.to_arrow().to_pylist()]
