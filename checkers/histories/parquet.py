"""Reading the table in a Parquet file; a large one in little more memory than the table takes.

Choices:
* Columns are read one by one: there is never a second copy of much.
* Texts that come back often stay codes, as Parquet has them: that is half the time, and a check wants the codes.
  The keys of reads and of writes get the same ones.
* Whole columns of null, of which a history has several, are zeros that nobody writes: they take no memory.
"""

import os
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from checkers.histories.pairing import stored

_CODED = (("process", "process"), ("type", "type"), ("f", "f"), ("reads", "key"), ("writes", "key"))
_LISTS = ("reads", "writes")


def read_table(path: str | os.PathLike[str], names: Iterable[str], large: int) -> tuple[pa.Table, bool]:
    """The table in a file, and whether its texts may be codes.

    Args: of a file of `large` rows or more only the columns in `names` are read, in this order; those not there are
    left out.

    Raises: OSError and what Arrow raises of a file that is no Parquet.
    """
    file = pq.ParquetFile(path, page_checksum_verification=True)
    there = file.schema_arrow.names
    if file.metadata.num_rows < large or len(set(there)) < len(there):
        return file.read(), False
    paths = [file.schema.column(number).path for number in range(len(file.schema.names))]
    coded = [one for one in paths if (one.split(".")[0], one.split(".")[-1]) in _CODED]  # entries have several names
    file = pq.ParquetFile(
        path, page_checksum_verification=True, metadata=file.metadata, read_dictionary=coded, pre_buffer=False
    )
    columns = {}
    for name in [name for name in names if name in there]:
        parts = [file.read_row_group(at, columns=[name]) for at in range(file.num_row_groups)]  # at once it cannot code
        columns[name] = _light(pa.concat_tables(parts).column(0).combine_chunks())
        del parts
        if name in _LISTS and all(name in columns and _is_plain(columns[name]) for name in _LISTS):
            _code_alike(columns)
    pa.default_memory_pool().release_unused()
    return pa.table(columns, metadata=file.schema_arrow.metadata), True


def _code_alike(columns: dict[str, Any]) -> None:
    """Give the keys of reads and of writes, where these are codes, the same ones."""
    if any(columns[name].type.value_type.get_field_index("key") < 0 for name in _LISTS):
        return
    keys = [columns[name].values.field("key") for name in _LISTS]
    if all(_is_sound(key) for key in keys):
        for name, key in zip(_LISTS, pa.chunked_array(keys).unify_dictionaries().chunks, strict=True):
            columns[name] = _with(columns[name], {"key": key})


def _is_sound(column: Any) -> bool:
    """Whether a column is of codes, none of which is null or without a text: Arrow looks the others up elsewhere."""
    if not pa.types.is_dictionary(column.type) or column.null_count:
        return False
    codes = stored(column.indices)
    return int(codes.min(initial=0)) >= 0 and int(codes.max(initial=-1)) < len(column.dictionary)


def _is_plain(column: Any) -> bool:
    """Whether a column is of lists of structures, none of which is null."""
    if not (pa.types.is_list(column.type) and pa.types.is_struct(column.type.value_type)):
        return False
    names = [field.name for field in column.type.value_type]
    return len(set(names)) == len(names) and not column.null_count and not column.values.null_count


def _light(column: Any) -> Any:
    """The same column; what has nothing but null in it, and is large, in no memory."""
    if _is_plain(column):
        fields = list(column.type.value_type)
        return _with(column, {field.name: _light(column.values.field(at)) for at, field in enumerate(fields)})
    size = {pa.string(): 4, pa.int64(): 8}.get(column.type)
    if size is None or column.null_count < len(column):
        return column
    zeros = [pa.py_buffer(np.zeros(count, np.uint8)) for count in (len(column) // 8 + 1, (len(column) + 1) * size, 0)]
    return pa.Array.from_buffers(column.type, len(column), zeros[: 3 if column.type == pa.string() else 2])


def _with(lists: Any, changed: Mapping[str, Any]) -> Any:
    """The lists with other columns of these names."""
    fields = list(lists.type.value_type)
    columns = [changed.get(field.name, lists.values.field(at)) for at, field in enumerate(fields)]
    return pa.ListArray.from_arrays(lists.offsets, pa.StructArray.from_arrays(columns, fields=fields), type=lists.type)
