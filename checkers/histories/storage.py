"""Histories as Arrow tables and Parquet files: the one schema, reading, writing, and JSON lines for people.

Choices:
* Further columns of a file (a campaign's run, seed, scenario) are ignored; a missing or differently typed one is not.
* Integers of another width are accepted when every value fits, since Spark writes back 32-bit integers.
* Of a large file's texts those that come back often stay codes (`parquet.py`); `to_table` makes texts of them.
* A file is written beside its place and moved there whole; without `overwrite` an existing file is left as it is.
"""

import gc
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from checkers.errors import HistoryError
from checkers.histories.history import Event, History, Pairing, Read, Write
from checkers.histories.pairing import Rows, integers, paired, whole
from checkers.histories.parquet import read_table

LARGE_ROWS = 1_000
"""From how many rows on a table is paired as columns."""
FORMAT, _FORMAT_KEY = b"1", b"lakeproof.history"
READ = pa.struct([pa.field("key", pa.string(), nullable=False), ("value", pa.string()), ("version", pa.int64())])
WRITE = pa.struct([pa.field("key", pa.string(), nullable=False), ("value", pa.string())])
SCHEMA = pa.schema(
    [
        pa.field("index", pa.int64(), nullable=False),
        pa.field("time_ms", pa.int64(), nullable=False),
        pa.field("process", pa.string(), nullable=False),
        pa.field("type", pa.string(), nullable=False),
        pa.field("op", pa.int64(), nullable=False),
        pa.field("f", pa.string(), nullable=False),
        pa.field("arg", pa.string()),
        pa.field("start", pa.int64()),
        pa.field("commit", pa.int64()),
        pa.field("snapshot", pa.string()),
        pa.field("parent", pa.string()),
        pa.field("reads", pa.list_(READ), nullable=False),
        pa.field("writes", pa.list_(WRITE), nullable=False),
        pa.field("error", pa.string()),
        pa.field("order", pa.string()),
    ],
    metadata={_FORMAT_KEY: FORMAT},
)
_CODE = pa.dictionary(pa.int32(), pa.string())
_CODED = dict.fromkeys(("process", "type", "f"), _CODE) | {
    name: pa.list_(pa.struct([pa.field("key", _CODE, nullable=False), *list(entry)[1:]]))
    for name, entry in (("reads", READ), ("writes", WRITE))
}
"""The types of columns whose texts come back often, in a large file that was read."""
OPTIONAL = ("order",)
"""Columns that came later: a file without one says nothing there."""
_ENTRY = {"reads": Read._fields, "writes": Write._fields}  # plain tuples are accepted in their place
_BY_SIZE = sorted(SCHEMA.names, key=lambda name: name not in _ENTRY)  # the lists first


def encode(events: Iterable[Event]) -> pa.Table:
    """Events as a table of `SCHEMA`."""
    columns: list[list[Any]] = [list(column) for column in zip(*events, strict=True)] or [[] for _ in SCHEMA]
    for name in ("reads", "writes"):
        position = SCHEMA.get_field_index(name)
        names = _ENTRY[name]
        columns[position] = [
            [dict(zip(names, entry, strict=False)) for entry in entries] for entries in columns[position]
        ]
    arrays = [pa.array(column, field.type) for column, field in zip(columns, SCHEMA, strict=True)]
    return pa.Table.from_arrays(arrays, schema=SCHEMA)


def decode(table: pa.Table) -> tuple[Event, ...]:
    """The events of a table of `SCHEMA`."""
    with _no_collection():
        columns = {name: table.column(name).to_pylist() for name in SCHEMA.names}
        columns["reads"] = [tuple([Read(**entry) for entry in entries]) for entries in columns["reads"]]
        columns["writes"] = [tuple([Write(**entry) for entry in entries]) for entries in columns["writes"]]
        return tuple([Event(*row) for row in zip(*columns.values(), strict=True)])


@contextmanager
def _no_collection() -> Iterator[None]:
    """Events make no reference cycles, and the collector would walk millions of new tuples again and again."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class StoredHistory(History):
    """A history over a table of `SCHEMA`, which makes its events only when somebody asks for them.

    Columns of texts that come back may be coded (`_CODED`).
    """

    __slots__ = ("_decoded", "_rows", "table")

    def __init__(self, table: pa.Table) -> None:
        super().__init__()
        self.table = table
        self._decoded = False
        self._rows: Rows | None = None

    @property
    def events(self) -> tuple[Event, ...]:
        if not self._decoded:
            self._events, self._decoded = decode(self.table), True
        return self._events

    @property
    def rows(self) -> Rows:
        """The pairing as arrays. Raises: HistoryError."""
        if self._rows is None:
            found = paired(self.table) if len(self) >= LARGE_ROWS else None
            if found is None:
                self._pairing = super().pairing
                self._rows = Rows(*[np.array(rows, dtype=np.int64) for rows in self._pairing])
            else:
                self._rows = found
        return self._rows

    @property
    def pairing(self) -> Pairing:
        if self._pairing is None:
            self._pairing = Pairing(*[rows.tolist() for rows in self.rows])
        return self._pairing

    def _columns(self) -> tuple[list[str], list[str], list[int]]:
        types, processes, ids = (self.table.column(name).to_pylist() for name in ("type", "process", "op"))
        return types, processes, ids

    def __len__(self) -> int:
        return int(self.table.num_rows)


def to_table(history: History) -> pa.Table:
    """The history as a table of `SCHEMA`: the one that it was read from, or a new one."""
    if not isinstance(history, StoredHistory):
        return encode(history.events)
    return history.table if history.table.schema.equals(SCHEMA) else history.table.cast(SCHEMA)


def from_table(table: pa.Table, source: str = "table") -> History:
    """A history over `table`, checked: columns, types, nulls, order of rows, pairing.

    Raises: HistoryError, one line, naming `source`.
    """
    return _checked(table, source, {})


def _checked(table: pa.Table, source: str, coded: Mapping[str, pa.DataType]) -> History:
    """Args: `coded` are the types that columns may also have."""
    try:
        history = StoredHistory(_conform(table, coded))
        _check_order(history.table)
        _check_versions(history)
    except HistoryError as error:
        raise error.within(source) from None
    return history


def _conform(table: pa.Table, coded: Mapping[str, pa.DataType]) -> pa.Table:
    written = (table.schema.metadata or {}).get(_FORMAT_KEY, FORMAT)  # who writes a history anew may drop the number
    if written != FORMAT:
        raise HistoryError("format", FORMAT.decode(), ascii(written)[1:])
    missing = [name for name in SCHEMA.names if name not in table.column_names and name not in OPTIONAL]
    if missing:
        raise HistoryError("columns", ", ".join(SCHEMA.names), f"none named {', '.join(missing)}")
    arrays = []
    for field in SCHEMA:
        if table.column_names.count(field.name) > 1:
            raise HistoryError(f"column {field.name}", "one of this name", "several")
        if field.name in OPTIONAL and field.name not in table.column_names:
            arrays.append(pa.chunked_array([pa.nulls(table.num_rows, field.type)]))
            continue
        column = table.column(field.name)
        try:
            if column.type not in (field.type, coded.get(field.name)):
                column = column.cast(field.type)  # imports Arrow's functions, which takes longer than a small search
            column.validate(full=True)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError, pa.ArrowTypeError):
            raise HistoryError(f"column {field.name}", str(field.type), str(column.type)) from None
        if not field.nullable and column.null_count:
            row = column.is_null().to_pylist().index(True)
            raise HistoryError(f"column {field.name}: row {row}", "a value", "null")
        arrays.append(column)
    fields = [
        field if column.type == field.type else field.with_type(column.type)
        for field, column in zip(SCHEMA, arrays, strict=True)
    ]
    return pa.Table.from_arrays(arrays, schema=pa.schema(fields, SCHEMA.metadata))


def _check_order(table: pa.Table) -> None:
    indexes = integers(
        whole(table.column("index"))
    )  # a column of pieces becomes numbers by way of pandas, which is slow
    wrong = np.flatnonzero(indexes != np.arange(len(indexes)))
    if len(wrong):
        row = int(wrong[0])
        raise HistoryError(f"row {row}", f"index {row} (rows in order, none missing)", f"index {indexes[row]}")


def _check_versions(history: StoredHistory) -> None:
    rows = history.rows
    if not len(rows.versions):
        return
    ops = integers(whole(history.table.column("op")))
    ordinals = whole(history.table.column("commit"))
    shifted = np.flatnonzero(integers(ordinals)[rows.versions] != np.arange(len(rows.versions)))
    makers = ops[rows.versions]
    strange = np.flatnonzero((makers != -1) & ~np.isin(makers, ops[rows.invokes]))
    first = min([int(found[0]) for found in (shifted, strange) if len(found)], default=-1)
    if first < 0:
        return
    row = int(rows.versions[first])
    if len(shifted) and int(shifted[0]) == first:
        got = str(ordinals[row].as_py())
        raise HistoryError(f"row {row}", f"version {first} (the lineage, oldest first, dense)", got)
    raise HistoryError(f"row {row}", "the number of a recorded operation or -1", str(makers[first]))


def read_parquet(path: str | os.PathLike[str]) -> History:
    """Read a history. Raises: HistoryError if the file is not there, is no Parquet, or holds no well-formed history."""
    if Path(path).is_dir():
        raise HistoryError(str(path), "a Parquet file", "a directory")
    try:
        table, is_coded = read_table(path, _BY_SIZE, LARGE_ROWS)
    except FileNotFoundError:
        raise HistoryError(str(path), "a Parquet file", "no such file") from None
    except (pa.ArrowException, OSError, ValueError) as error:
        reason = str(error).split("\n", 1)[0].split(". ", 1)[0][:120]
        raise HistoryError(str(path), "a Parquet file or JSON lines", f"unreadable content ({reason})") from None
    return _checked(table, str(path), _CODED if is_coded else {})


def write_parquet(history: History, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
    """Write a history. Raises: FileExistsError unless `overwrite`; the existing file then stays as it is."""
    with placed(Path(path), overwrite) as part:
        pq.write_table(to_table(history), part, write_page_checksum=True)


def write_json_lines(history: History, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
    """Write one JSON object a row, for people and line tools. Raises: FileExistsError unless `overwrite`."""
    with placed(Path(path), overwrite) as part:
        part.write_text(json_lines(history), encoding="utf-8")


def json_lines(history: History) -> str:
    """One JSON object a row; fields that say nothing (null, empty list) are left out."""
    lines = []
    for event in history.events:
        row = {name: value for name, value in event._asdict().items() if value is not None and value != ()}
        for name in ("reads", "writes"):
            if name in row:
                row[name] = [dict(zip(_ENTRY[name], entry, strict=False)) for entry in row[name]]
        lines.append(json.dumps(row, ensure_ascii=False) + "\n")
    return "".join(lines)


@contextmanager
def placed(path: Path, overwrite: bool = False) -> Iterator[Path]:
    """A part file that takes its place when the block ends well, and is removed when it does not.

    Raises: FileExistsError unless `overwrite`; any `OSError` of the block names `path`.
    """
    part = path.with_name(path.name + ".part")
    if not overwrite:
        path.touch(exist_ok=False)  # claims the name at once: two writers cannot both believe it is free
    try:
        yield part
        os.replace(part, path)
    except BaseException as error:
        for left in (part, *(() if overwrite else (path,))):
            left.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror or str(error), str(path)) from error
        raise
