"""Histories in tables of other shapes: Arrow files, folders of Parquet parts as Spark writes them, many in one table.

A column `history` (text or numbers; in a path, `history=7/`) tells the histories of one table apart. Without it a table
is one history.

Choices:
* Parts of a data set have no order: rows are put in the order of `index`. A single file must have them in order.
* A folder is one data set if it has Spark's `_SUCCESS`, or a folder named `column=value`.
"""

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from checkers.errors import HistoryError
from checkers.histories.history import History
from checkers.histories.storage import from_table, read_parquet
from checkers.text import plain

COLUMN, DONE = "history", "_SUCCESS"
PARQUET, ARROW, STREAM = b"PAR1", b"ARROW1", b"\xff\xff\xff\xff"
Named = tuple[str, Callable[[], History]]


def is_data_set(folder: Path) -> bool:
    """Whether a folder is one data set, and no folder of histories."""
    return (folder / DONE).exists() or any("=" in name and (folder / name).is_dir() for name in os.listdir(folder))


def read_table(path: str | os.PathLike[str]) -> pa.Table:
    """The table of a Parquet or Arrow file, or of a data set's parts. Raises: HistoryError, one line, naming it."""
    try:
        if Path(path).is_dir():
            from pyarrow import dataset  # only who has a folder waits for it

            return dataset.dataset(str(path), format="parquet", partitioning="hive").to_table()
        with open(path, "rb") as file:
            begin = file.read(len(ARROW))
        if begin == ARROW:
            with pa.OSFile(str(path)) as source, pa.ipc.open_file(source) as reader:
                return reader.read_all()
        if begin.startswith(STREAM):
            with pa.OSFile(str(path)) as source, pa.ipc.open_stream(source) as reader:
                return reader.read_all()
        return pq.ParquetFile(path, page_checksum_verification=True).read()
    except FileNotFoundError:
        raise HistoryError(str(path), "a Parquet file", "no such file") from None
    except (pa.ArrowException, OSError, ValueError) as error:
        reason = str(error).split("\n", 1)[0].split(". ", 1)[0][:120]
        wanted = "a Parquet file (or Arrow, JSON lines, EDN)"
        raise HistoryError(str(path), wanted, f"unreadable content ({reason})") from None


def histories(path: str | os.PathLike[str]) -> Iterator[Named]:
    """The histories of a file or a data set: what each is called, and what reads it.

    Raises: HistoryError, here if the file cannot be read, when it is called if this history is none.
    """
    if _is_one(path):
        yield str(path), partial(read_parquet, path)
        return
    table, source = read_table(path), str(path)
    if table.column_names.count(COLUMN) != 1:
        yield source, lambda: from_table(_sorted(table, source) if Path(path).is_dir() else table, source)
        return
    names = table.column(COLUMN).combine_chunks()
    if names.null_count:
        raise HistoryError(f"{source}: column {COLUMN}", "a name in every row", "null")
    encoded = names.dictionary_encode()
    codes = encoded.indices.to_numpy(zero_copy_only=False)
    order = codes.argsort(kind="stable")
    bounds = [0, *((codes[order][1:] != codes[order][:-1]).nonzero()[0] + 1).tolist(), len(order)]
    for number, name in enumerate(encoded.dictionary.to_pylist()):
        rows = order[bounds[number] : bounds[number + 1]]
        called = f"{source}[{plain(str(name), 60)}]"
        yield called, _reader(table, rows, called)


def _is_one(path: str | os.PathLike[str]) -> bool:
    """Whether a path is a Parquet file of one history, as far as its schema tells."""
    try:
        return Path(path).is_file() and COLUMN not in pq.ParquetFile(path).schema_arrow.names
    except (pa.ArrowException, OSError, ValueError):
        return False


def _reader(table: pa.Table, rows: Any, source: str) -> Callable[[], History]:
    return lambda: from_table(_sorted(table.take(rows), source), source)


def _sorted(table: pa.Table, source: str) -> pa.Table:
    if "index" not in table.column_names or not pa.types.is_integer(table.schema.field("index").type):
        raise HistoryError(f"{source}: column index", "whole numbers", "none")
    column = table.column("index").combine_chunks().fill_null(-1).to_numpy(zero_copy_only=False)
    return table if (column[1:] >= column[:-1]).all() else table.take(column.argsort(kind="stable"))
