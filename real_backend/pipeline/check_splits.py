"""The rows of a data set of histories in splits: row groups of Parquet files, read by whoever judges them.

Choices:
* Tasks read Parquet themselves: the rows of a history are nested lists, which Spark would turn into objects of the JVM
  and back. What is exchanged are columns of whole numbers and texts.
* Histories are told apart by name: in a column `history`, or in the path (`history=7/`). Without one there is one.
"""

import math
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from checkers.errors import HistoryError
from checkers.histories.datasets import COLUMN
from checkers.histories.history import FAIL, INFO, INVOKE, OK, VERSION
from checkers.histories.storage import SCHEMA

Ints = npt.NDArray[np.int64]
NONE = -1
TYPES = (INVOKE, OK, FAIL, INFO, VERSION)
INVOKED, DONE, FAILED, UNKNOWN, MADE = range(len(TYPES))
GROUP_ROWS = 1_000_000
_THIN = (".version", ".key")


class Split(NamedTuple):
    """Row groups `first` to `last` (not included) of a file; `history` is what its path says, or None."""

    path: str
    first: int
    last: int
    history: str | None


class Plan(NamedTuple):
    """The splits of a data set, its rows, and about how many reads and writes there are."""

    splits: tuple[Split, ...]
    rows: int
    entries: int


def plan(path: Path) -> Plan:
    """What there is to be read at a path. Raises: HistoryError if a file is no Parquet or lacks a column."""
    splits: list[Split] = []
    rows = entries = 0
    for file in _files(path):
        try:
            reader = pq.ParquetFile(file)
        except FileNotFoundError:
            raise HistoryError(str(file), "a Parquet file", "no such file") from None
        except (pa.ArrowException, OSError, ValueError) as error:
            reason = str(error).split("\n", 1)[0].split(". ", 1)[0][:120]
            raise HistoryError(str(file), "a Parquet file", f"unreadable content ({reason})") from None
        _require_columns(reader.schema_arrow, str(file))
        metadata = reader.metadata
        rows += metadata.num_rows
        begun, held = 0, 0
        for group in range(metadata.num_row_groups):
            held += metadata.row_group(group).num_rows
            entries += _entries(metadata.row_group(group))
            if held >= GROUP_ROWS or group == metadata.num_row_groups - 1:
                splits.append(Split(str(file), begun, group + 1, _in_path(file, path)))
                begun, held = group + 1, 0
    return Plan(tuple(splits), rows, entries)


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = [Path(root) / name for root, _, names in os.walk(path) for name in names if name.endswith(".parquet")]
    if not found:
        raise HistoryError(str(path), "Parquet files", "none")
    return sorted(found)


def _in_path(file: Path, top: Path) -> str | None:
    parts = file.relative_to(top).parts[:-1] if file != top else ()
    return next((part.partition("=")[2] for part in parts if part.startswith(f"{COLUMN}=")), None)


def _require_columns(schema: pa.Schema, source: str) -> None:
    for field in SCHEMA:
        if field.name in ("snapshot", "parent", "arg", "error", "order", "time_ms"):
            continue
        if schema.names.count(field.name) != 1:
            raise HistoryError(f"{source}: columns", f"one named {field.name}", str(schema.names.count(field.name)))
        found = schema.field(field.name).type
        same = pa.types.is_integer(found) if pa.types.is_integer(field.type) else _is_like(found, field.type)
        if not same:
            raise HistoryError(f"{source}: column {field.name}", str(field.type), str(found))


def _is_like(found: pa.DataType, wanted: pa.DataType) -> bool:
    if pa.types.is_list(wanted):
        names = {field.name for field in wanted.value_type}
        entry = found.value_type if pa.types.is_list(found) or pa.types.is_large_list(found) else None
        return entry is not None and pa.types.is_struct(entry) and names <= {field.name for field in entry}
    text = found.value_type if pa.types.is_dictionary(found) else found
    return bool(pa.types.is_string(text) or pa.types.is_large_string(text))


def _entries(group: Any) -> int:
    columns = (group.column(number) for number in range(group.num_columns))
    return sum(column.num_values for column in columns if column.path_in_schema.endswith(".key"))


def tables(
    split: Split, columns: Sequence[str], names: Sequence[str] | None = None, thin: bool = False, coded: bool = True
) -> Iterator[pa.Table]:
    """The rows of a split, a row group at a time, with a column `history`. Raises: HistoryError.

    Args: `names` are the histories that are wanted (None: all); `thin` reads of lists one field only, for who asks how
    long they are; `coded` leaves texts the codes that Parquet has for them, a fourth of the time of reading them.
    """
    plain = pq.ParquetFile(split.path, page_checksum_verification=True)
    leaves = [plain.schema.column(number) for number in range(len(plain.schema.names))]
    texts = [leaf.path for leaf in leaves if coded and leaf.physical_type == "BYTE_ARRAY"]
    reader = pq.ParquetFile(split.path, page_checksum_verification=True, metadata=plain.metadata, read_dictionary=texts)
    named = COLUMN in reader.schema_arrow.names
    there = [name for name in (*columns, COLUMN) if name in reader.schema_arrow.names]
    if thin:
        paths = [leaf.path for leaf in leaves]
        there = [next((path for path in paths if path.startswith(f"{name}.") and path.endswith(_THIN)), name)
                 for name in there]  # fmt: skip
    for group in range(split.first, split.last):
        try:
            table = reader.read_row_group(group, columns=there, use_threads=False)
        except (pa.ArrowException, OSError, ValueError) as error:
            raise HistoryError(split.path, "a Parquet file", f"unreadable content ({str(error)[:120]})") from None
        for name in (one for one in columns if one not in table.column_names):  # a column that came later
            table = table.append_column(name, pa.nulls(len(table), SCHEMA.field(name).type))
        yield _named(table, split, named, names)


def _named(table: pa.Table, split: Split, named: bool, names: Sequence[str] | None) -> pa.Table:
    """The rows of the histories `names` (None: all), with their names in a column."""
    if not named:
        if names is not None and (split.history or "") not in names:
            table = table.slice(0, 0)
        zeros = pa.array(np.zeros(len(table), np.int32))
        return table.append_column(COLUMN, pa.DictionaryArray.from_arrays(zeros, pa.array([split.history or ""])))
    column = texts(table.column(COLUMN))
    if column.null_count:
        raise HistoryError(f"{split.path}: column {COLUMN}", "a name in every row", "null")
    table = table.set_column(table.column_names.index(COLUMN), COLUMN, column)
    if names is None:
        return table
    wanted = coded(column, names) >= 0
    return table if wanted.all() else table.filter(pa.array(wanted))


def texts(column: Any) -> pa.DictionaryArray:
    """A column of texts as codes, and each text once. Raises: HistoryError if a code has no text."""
    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if not pa.types.is_dictionary(whole.type):
        return whole.cast(pa.string()).dictionary_encode()
    used = np.asarray(whole.indices.drop_null())
    if len(used) and not 0 <= int(used.min()) <= int(used.max()) < len(whole.dictionary):
        raise HistoryError("a text", "one of its column's dictionary", "a code that has none")
    return pa.DictionaryArray.from_arrays(whole.indices.cast(pa.int32()), whole.dictionary.cast(pa.string()))


def numbers(table: pa.Table, name: str) -> Ints:
    """An integer column; null becomes -1."""
    return integers(table.column(name).combine_chunks())


def integers(column: Any) -> Ints:
    """An Arrow array of integers; null becomes -1."""
    filled = column.fill_null(NONE) if column.null_count else column
    array: Ints = np.asarray(filled.to_numpy(zero_copy_only=False)).astype(np.int64, copy=False)
    return array


def codes_of(column: pa.DictionaryArray) -> npt.NDArray[np.int32]:
    """The codes of texts; null becomes -1."""
    indices = column.indices.fill_null(NONE) if column.null_count else column.indices
    codes: npt.NDArray[np.int32] = np.asarray(indices).astype(np.int32, copy=False)
    return codes


def ordered(*columns: npt.NDArray[Any]) -> Ints:
    """The order of rows by these columns, the first before the others; equal rows stay as they are.

    Choices: numbers that fit into 63 bits together are sorted as one, with the number of the row if that fits too:
    numpy sorts plain numbers ten times as fast as it finds the order of several columns.
    """
    count = len(columns[0])
    least = [int(column.min(initial=0)) for column in columns]
    sizes = [int(column.max(initial=0)) - low + 1 for column, low in zip(columns, least, strict=True)]
    if math.prod(sizes) >= 1 << 63:
        return np.lexsort(columns[::-1])
    packed = np.zeros(count, np.int64)
    for column, low, size in zip(columns, least, sizes, strict=True):
        packed *= size
        packed += column
        packed -= low
    if math.prod(sizes) * count < 1 << 63:
        packed *= count
        packed += np.arange(count)
        packed.sort()
        found: Ints = packed % max(count, 1)
        return found
    order = np.argsort(packed)
    tied = packed[order]
    return np.argsort(packed, kind="stable") if (tied[1:] == tied[:-1]).any() else order


def coded(column: Any, values: Sequence[str]) -> Ints:
    """The place in `values` of each text; -1 if it is none of them."""
    encoded = texts(column)
    places = np.r_[integers(pc.index_in(encoded.dictionary, pa.array(values, pa.string()))), NONE]
    found: Ints = places[integers(encoded.indices)]
    return found


def types_of(table: pa.Table) -> Ints:
    """The place of each row's type in `TYPES`. Raises: HistoryError."""
    found = coded(table.column("type"), TYPES)
    if (found < 0).any():
        row = int(np.flatnonzero(found < 0)[0])
        got = table.column("type")[row].as_py()
        raise HistoryError("a row", f"a type in {', '.join(TYPES)}", repr(got))
    return found
