"""One exchange: rows in columns, cut into pieces by where they belong, sent as Arrow messages, and put together again.

Choices: what belongs together is told by a hash of texts over their bytes, the same in every process.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from real_backend.pipeline.check_splits import Ints

Piece = tuple[int, bytes]
_LENGTH = 64
_PRIME = np.uint64(0x9E3779B97F4A7C15)
_WEIGHTS = np.cumprod(np.full(_LENGTH, _PRIME, np.uint64))


def hashed(texts: pa.Array) -> npt.NDArray[np.uint64]:
    """A hash of each text, of its first 64 bytes and its length. Args: `texts` has no nulls."""
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
    """The rows of `columns` (Arrow or numpy arrays) by partition, counted from `first`."""
    if not len(where):
        return
    order = np.argsort(where, kind="stable")
    table = pa.table(
        {name: column if isinstance(column, pa.Array) else pa.array(column) for name, column in columns.items()}
    )
    table = table.take(pa.array(order)).combine_chunks()
    there = where[order]
    cuts = [0, *(np.flatnonzero(there[1:] != there[:-1]) + 1).tolist(), len(there)]
    for begin, end in pairwise(cuts):
        sink = pa.BufferOutputStream()
        part = table.slice(begin, end - begin)
        with pa.ipc.new_stream(sink, part.schema) as writer:
            writer.write_table(part)
        yield first + int(there[begin]), sink.getvalue().to_pybytes()


def joined(messages: Iterable[bytes]) -> pa.Table:
    """The rows of all pieces of one partition."""
    return pa.concat_tables([pa.ipc.open_stream(message).read_all() for message in messages]).combine_chunks()


def exchanged(
    context: Any, work: Sequence[Any], send: Callable[[Any], Iterable[Piece]], count: int,
    receive: Callable[[int, list[bytes]], Any],
) -> list[Any]:  # fmt: skip
    """What `receive` makes of each partition's pieces, for those that have any; `send` makes them of each of `work`."""

    def partition(number: int, pieces: Iterator[Piece]) -> Iterator[Any]:
        messages = [message for _, message in pieces]
        if messages:
            yield receive(number, messages)

    sent = context.parallelize(work, max(1, len(work))).flatMap(send)
    found: list[Any] = sent.partitionBy(count, _same).mapPartitionsWithIndex(partition).collect()
    return found


def _same(number: int) -> int:
    return number
