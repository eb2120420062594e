"""Reading the table in a Parquet file; a large one in little more memory than the table takes.

Choices:
* Columns are read one by one: there is never a second copy of much.
* Texts that come back often stay codes, as Parquet has them: that is half the time, and a check wants the codes.
"""

import os
from collections.abc import Iterable

import pyarrow as pa
import pyarrow.parquet as pq

_CODED = ("process", "type", "f", "reads.list.element.key", "writes.list.element.key")


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
    file = pq.ParquetFile(
        path, page_checksum_verification=True, metadata=file.metadata, read_dictionary=_CODED, pre_buffer=False
    )
    columns = {}
    for name in [name for name in names if name in there]:
        parts = [file.read_row_group(at, columns=[name]) for at in range(file.num_row_groups)]  # at once it cannot code
        columns[name] = pa.concat_tables(parts).column(0).combine_chunks()
        del parts
    pa.default_memory_pool().release_unused()
    return pa.table(columns, metadata=file.schema_arrow.metadata), True
