"""One exchange: rows in columns, cut into pieces by where they belong, sent as Arrow messages, and put together again.

Choices:
* What belongs together is told by a hash of texts over their bytes, the same in every process.
* What is sent is narrow: whole numbers in as few bytes as a message's need, texts as codes and each text once. Bytes
  are what an exchange costs: they are copied eight times between two Python workers and the JVM.
"""

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from real_backend.pipeline.check_splits import NONE, Ints, codes_of, numbers

Piece = tuple[int, bytes]
_KINDS = (np.int8, np.int16, np.int32, np.int64)
_LENGTH = 64
_PRIME = np.uint64(0x9E3779B97F4A7C15)
_WEIGHTS = np.cumprod(np.full(_LENGTH, _PRIME, np.uint64))


def hashed(texts: pa.Array) -> npt.NDArray[np.uint64]:
    """A hash of each text, of its first 64 bytes and its length. Args: `texts` has no nulls; codes are looked up."""
    if pa.types.is_dictionary(texts.type):
        one_by_one: npt.NDArray[np.uint64] = hashed(texts.dictionary)[texts.indices.to_numpy()]
        return one_by_one
    array = texts.cast(pa.large_string())
    offsets = np.frombuffer(array.buffers()[1], np.int64)[array.offset : array.offset + len(array) + 1]
    lengths = offsets[1:] - offsets[:-1]
    found = lengths.astype(np.uint64) * _PRIME
    data = array.buffers()[2]
    if data is None or not lengths.any():
        return found
    content = np.frombuffer(data, np.uint8)
    for place in range(min(_LENGTH, int(lengths.max()))):
        has = lengths > place
        at = np.where(has, offsets[:-1] + place, 0)
        found += np.where(has, content[at].astype(np.uint64) * _WEIGHTS[place], np.uint64(0))
    return found


def mixed(values: Ints) -> npt.NDArray[np.uint64]:
    """A hash of whole numbers."""
    return (values.astype(np.uint64) + np.uint64(1)) * _PRIME


def places(hashes: npt.NDArray[np.uint64], count: int) -> Ints:
    """Which of `count` partitions each hash belongs to."""
    high = ((hashes ^ (hashes >> np.uint64(29))) * _PRIME) >> np.uint64(33)
    return (high % np.uint64(count)).astype(np.int64)


def pieces(columns: Mapping[str, Any], where: Ints, first: int = 0) -> Iterator[Piece]:
    """The rows of `columns` (numpy arrays, or Arrow ones of any type) by partition, counted from `first`."""
    if not len(where):
        return
    there = where.astype(np.min_scalar_type(int(where.max())))
    order = np.argsort(there, kind="stable")  # of 16 bits or less: by counting
    there = there[order]
    cuts = [0, *(np.flatnonzero(there[1:] != there[:-1]) + 1).tolist(), len(there)]
    ordered = {name: _ordered(column, order) for name, column in columns.items()}
    for begin, end in pairwise(cuts):
        sink = pa.BufferOutputStream()
        part = pa.record_batch({name: part_of(begin, end) for name, part_of in ordered.items()})
        with pa.ipc.new_stream(sink, part.schema) as writer:
            writer.write_batch(part)
        yield first + int(there[begin]), sink.getvalue().to_pybytes()


def _ordered(column: Any, order: Ints) -> Callable[[int, int], pa.Array]:
    """What gives a stretch of a column that was put in this order."""
    if isinstance(column, pa.DictionaryArray):
        codes, dictionary = codes_of(column)[order], column.dictionary
        return lambda begin, end: _trimmed(codes[begin:end], dictionary)
    if isinstance(column, pa.Array):
        taken = column.take(pa.array(order))
        return lambda begin, end: taken.slice(begin, end - begin)
    if column.dtype != bool:
        least, most = int(column.min()), int(column.max())
        column = column.astype(next(one for one in _KINDS if np.iinfo(one).min <= least and most <= np.iinfo(one).max))
    narrow = column[order]
    return lambda begin, end: pa.array(narrow[begin:end])


def _trimmed(codes: npt.NDArray[np.int32], dictionary: pa.Array) -> pa.DictionaryArray:
    """Codes of the texts among these that they need; -1 stays null."""
    if len(dictionary) > 4 * len(codes):
        used, renumbered = np.unique(np.r_[np.int32(NONE), codes], return_inverse=True)
        used, short = used[1:], renumbered[1:].astype(np.int32) - 1
    else:
        needed = np.zeros(len(dictionary) + 1, bool)
        needed[codes] = True  # -1 is the last
        needed[-1] = False
        used, number = np.flatnonzero(needed), np.full(len(dictionary) + 1, NONE, np.int32)
        number[used] = np.arange(len(used), dtype=np.int32)
        short = number[codes]
    nulls = short < 0
    indices = pa.array(short, mask=nulls if nulls.any() else None)
    return pa.DictionaryArray.from_arrays(indices, dictionary.take(pa.array(used)))


def joined(messages: Iterable[bytes]) -> pa.Table:
    """The rows of all pieces of one partition; equal texts have equal codes."""
    tables = [pa.ipc.open_stream(message).read_all() for message in messages]
    return pa.concat_tables(tables, promote_options="permissive").unify_dictionaries().combine_chunks()


def by_history(table: pa.Table) -> Iterator[tuple[int, pa.Table]]:
    """The rows of each history, which has its number in a column."""
    history = numbers(table, "history")
    if len(history) and (history == history[0]).all():
        yield int(history[0]), table
        return
    for code in np.unique(history).tolist():
        yield code, table.filter(pa.array(history == code))


def exchanged(
    context: Any, work: Sequence[Any], send: Callable[[Any], Iterable[Piece]], count: int,
    receive: Callable[[int, list[bytes]], Any],
) -> list[Any]:  # fmt: skip
    """What `receive` makes of each partition's pieces, for those that have any; `send` makes them of each of `work`."""

    def sending(one: Any) -> Iterable[Piece]:
        settled()
        return send(one)

    def partition(number: int, pieces: Iterator[Piece]) -> Iterator[Any]:
        settled()
        messages = [message for _, message in pieces]
        if messages:
            yield receive(number, messages)

    sent = context.parallelize(work, max(1, len(work))).flatMap(sending)
    found: list[Any] = sent.partitionBy(count, _same).mapPartitionsWithIndex(partition).collect()
    return found


@cache
def settled() -> None:
    """Once per worker: what was imported is not looked through for garbage, as Spark does after every task."""
    gc.freeze()


def _same(number: int) -> int:
    return number
