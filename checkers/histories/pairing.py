"""Pairing of invocations and completions on whole columns: what `history.pair` does, without a loop over rows.

It pairs only what is well-formed; whatever is not, and whatever it does not know (a `setup` row with an invocation),
goes to `history.pair`, which says what is wrong.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from checkers.histories.history import FAIL, INFO, INVOKE, OK, SETUP, VERSION

Ints = npt.NDArray[np.int64]
KINDS = (OK, FAIL, INFO, INVOKE, VERSION)
"""Types by code."""


class Rows(NamedTuple):
    """The rows of invocations, of each one's completion (-1 = never), and of the lineage."""

    invokes: Ints
    completions: Ints
    versions: Ints


def whole(column: Any) -> Any:
    """A column as one array; copied only if it is in several pieces."""
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def codes(column: Any, values: tuple[str, ...]) -> npt.NDArray[np.int8]:
    """The position in `values` of each row's value, of which none is null; -1 if it is none of them."""
    encoded = whole(column).dictionary_encode()
    known = np.array([values.index(v) if v in values else -1 for v in encoded.dictionary.to_pylist()], dtype=np.int8)
    return known.take(stored(encoded.indices)) if len(known) else np.zeros(0, dtype=np.int8)


def in_turn(groups: npt.NDArray[Any]) -> Ints:
    """The positions sorted by code, in order within each."""
    if int(groups.max(initial=0)) < 1 << 16:
        groups = groups.astype(np.uint16)  # which numpy sorts by counting, many times faster
    return np.argsort(groups, kind="stable")


def stored(values: Any) -> npt.NDArray[Any]:
    """The numbers of an Arrow array as they lie in memory; where it has null, any.

    Arrow's own way there imports pandas, wherever that is installed.
    """
    dtype = np.dtype(values.type.to_pandas_dtype())
    if not len(values):
        return np.zeros(0, dtype)
    return np.frombuffer(values.buffers()[1], dtype, len(values), values.offset * dtype.itemsize)


def bits(values: Any, buffer: int = 1) -> npt.NDArray[np.bool_]:
    """An Arrow array of truth values, none of which is null; or, of `buffer` 0 of any array, where it is not null."""
    packed = values.buffers()[buffer]
    if packed is None:
        return np.ones(len(values), np.bool_)
    begin, end = values.offset, values.offset + len(values)
    bytes_ = np.frombuffer(packed, np.uint8)[begin // 8 : (end + 7) // 8]
    return np.unpackbits(bytes_, bitorder="little")[begin % 8 :][: len(values)].view(np.bool_)


def arrow(numbers: npt.NDArray[Any], there: npt.NDArray[np.bool_] | None = None) -> Any:
    """Numbers as an Arrow array, which is null where they are not `there`."""
    known = None if there is None else pa.py_buffer(np.packbits(there, bitorder="little"))
    return pa.Array.from_buffers(pa.from_numpy_dtype(numbers.dtype), len(numbers), [known, pa.py_buffer(numbers)])


def integers(values: Any) -> Ints:
    """An Arrow integer array; null becomes -1."""
    numbers = stored(values)
    if values.null_count:
        return np.where(bits(values, 0), numbers, np.int64(-1))
    return numbers.astype(np.int64, copy=False)


def paired(table: Any) -> Rows | None:
    """The rows of a well-formed table; None if it is not known to be one."""
    types = codes(table.column("type"), KINDS)
    encoded = whole(table.column("process")).dictionary_encode()
    process, names = stored(encoded.indices), encoded.dictionary.to_pylist()
    ids = integers(whole(table.column("op")))
    setup = process == names.index(SETUP) if SETUP in names else np.zeros(len(types), bool)
    if (types < 0).any() or (setup & (types == 3)).any():
        return None
    rows = np.flatnonzero((types != 4) & ~setup).astype(np.int32)
    rows = rows[in_turn(process[rows])]
    invoked, of = types[rows] == 3, process[rows]
    after = np.flatnonzero(invoked[:-1] & (of[1:] == of[:-1])) + 1  # right after an invocation of the same process
    ends, begins = rows[after], rows[after - 1]
    if invoked[after].any() or len(after) < np.count_nonzero(~invoked) or (ids[ends] != ids[begins]).any():
        return None
    completion = np.full(len(types), -1, dtype=np.int32)
    completion[begins] = ends
    alone = np.flatnonzero(setup & (types != 4))
    completion[alone] = alone
    invokes = np.flatnonzero((types == 3) | (setup & (types != 4)))
    numbers = np.sort(ids[invokes])
    if len(numbers) and (numbers[0] < 0 or (numbers[1:] == numbers[:-1]).any()):
        return None
    return Rows(invokes, completion[invokes].astype(np.int64), np.flatnonzero(types == 4))
