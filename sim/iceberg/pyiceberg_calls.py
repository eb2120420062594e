"""What a statement asks of PyIceberg 0.12.0: its own calls, on a table that was loaded.

Source: `pyiceberg/table/__init__.py` (`Table.append`, `delete`, `overwrite`, `upsert`, `transaction`), which are
transactions of one call each.

Choices: a row is changed by `overwrite` with a filter of its id, which writes the row whether it was there or not; a
copy reads its source by `scan`, and changes its target so, if both are there: the library has no way to say that a
commit depends on what was read. In a transaction, rows are read by the transaction's own scan.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from pyiceberg.table import Table, Transaction
from pyiceberg.types import StringType

from sim.iceberg import statements
from sim.iceberg.pyiceberg_statements import Upsert, Writes, writes_of
from sim.iceberg.statements import (
    AddColumn,
    Append,
    ChangeRow,
    Copy,
    Delete,
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
    """A statement on its way: `reads` and `writes` are what it has come to so far."""

    def __init__(self, statement: Statement | Upsert) -> None:
        self._statement = statement
        self.reads: Reads = []
        self.writes: Writes = writes_of(statement)

    def run(self, table: Table) -> None:
        """Carry it out. Raises: what the library raises."""
        match self._statement:
            case Scan(times, at):
                self._scan(table, times, at)
            case Upsert(rows):
                table.upsert(arrow(rows), join_cols=["id"])
            case statements.Transaction(steps):
                with table.transaction() as transaction:
                    for step in steps:
                        self._step(transaction, step)
            case step:
                with table.transaction() as transaction:
                    self._step(transaction, step)

    def _scan(self, table: Table, times: int, at: str) -> None:
        for number in range(times):
            if number and at == "current":
                table.refresh()
            self.reads += [(f"row:{key}", value, None) for key, value in joined(rows_of(table.scan())).items()]

    def _step(self, transaction: Transaction, step: Statement | Upsert) -> None:
        match step:
            case Append(rows):
                transaction.append(arrow(rows))
            case Delete(key):
                self._delete(transaction, key)
            case ChangeRow(key, value):
                transaction.overwrite(arrow(((key, value),)), f"id == {key}")
            case Overwrite(rows):
                transaction.overwrite(arrow(rows))
            case Copy(source, target):
                self._copy(transaction, source, target)
            case SetProperty(name, value):
                transaction.set_properties({name: value})
            case AddColumn(name):
                with transaction.update_schema() as update:
                    update.add_column(name, StringType())
            case _:
                raise TypeError(f"statement {step!r}: expected one that PyIceberg has, got another")

    def _delete(self, transaction: Transaction, key: int) -> None:
        staged = len(transaction._updates)
        transaction.delete(f"id == {key}")
        if len(transaction._updates) == staged:  # it found nothing, and changes nothing
            self.writes = [(name, value) for name, value in self.writes if name != f"row:{key}"]

    def _copy(self, transaction: Transaction, source: int, target: int) -> None:
        found = joined(rows_of(transaction._scan(f"id == {source} or id == {target}")))
        own = {key for key, _ in self.writes}
        read = [(f"row:{key}", found.get(key)) for key in (source, target)]
        self.reads += [(key, value, None) for key, value in read if key not in own]
        if source in found and target in found:
            transaction.overwrite(arrow(((target, found[source]),)), f"id == {target}")
            self.writes = list({**dict(self.writes), f"row:{target}": found[source]}.items())


def rows_of(scan: Any) -> list[tuple[int, str]]:
    """All rows of a scan. Raises: `FileNotFoundError` if a file of the table is gone."""
    return [(row["id"], row["v"]) for row in scan.to_arrow().to_pylist()]


def joined(rows: list[tuple[int, str]]) -> dict[int, str]:
    """Values by id; those of rows that have one id are joined by "|"."""
    found: dict[int, list[str]] = {}
    for key, value in rows:
        found.setdefault(key, []).append(value)
    return {key: "|".join(sorted(values)) for key, values in found.items()}
