"""Where each read and write stands among those of its key: all of them sorted once, by key, then version.

A read stands where its operation started, behind a write of that version: the write before it is what it must have
seen, and the one behind it is what replaced that.

Choices:
* Key, version and number of an entry are packed into one integer each, where they fit: plain integers sort several
  times faster than their indices do, and say all three without a look elsewhere.
* What is sorted is looked at in blocks of whole keys: arrays that fit into a processor's cache, and no memory for more.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from checkers.histories.pairing import Ints
from checkers.isolation.table import NOTHING, Bools, Entries, Operations, Small, require

BLOCK = 1 << 15
_BITS = 63


class Block(NamedTuple):
    """All that was done to some keys. Writes are in order of key and version, reads in order of key and start.

    `write` and `read` are the numbers of the entries, `op` and `reader` their operations, `version` that of each write;
    `write`, `op` and `version` end with one -1 that is none. Of each write `key` is its key, and `first` tells whether
    it is the first one of it. Of each read `read_key` is its key, `before` is the place among the block's writes of
    what it must have seen, and `after` that of what replaced it; -1 = nothing, where the added -1 is found.
    """

    write: Ints
    op: Small
    version: Ints
    key: Ints
    first: Bools
    read: Ints
    reader: Small
    read_key: Ints
    before: Ints
    after: Ints


@dataclass(frozen=True, slots=True)
class Places:
    """Reads and writes in order. Whoever wants to know where each stands asks for `blocks`.

    `packed` has, from its highest bits down, key, version, whether it is a read, and the number of the entry in
    `number_bits`; where that does not fit, these are 0, and `numbers` says it. Writes are numbered before reads.
    """

    reads: Entries
    writes: Entries
    packed: Ints
    numbers: Ints | None
    version_bits: int
    number_bits: int

    def blocks(self) -> Iterator[Block]:
        """The blocks, in order of keys."""
        shift = self.version_bits + 1 + self.number_bits
        low, size = 0, len(self.packed)
        while low < size:
            high = min(low + BLOCK, size)
            if high < size:
                high = int(np.searchsorted(self.packed, ((int(self.packed[high]) >> shift) + 1) << shift))
            yield self._block(low, high)
            low = high

    def _block(self, low: int, high: int) -> Block:
        packed = self.packed[low:high]
        number = packed & ((1 << self.number_bits) - 1) if self.numbers is None else self.numbers[low:high]
        packed = packed >> self.number_bits
        is_read = (packed & 1).astype(bool)
        wrote, read = np.flatnonzero(~is_read), np.flatnonzero(is_read)
        written, key_of_read = packed[wrote] >> 1, packed[read] >> (self.version_bits + 1)
        key = written >> self.version_bits
        write, number_of_read = number[wrote], number[read] - len(self.writes.op)
        place = read - np.arange(len(read))  # so many writes of the block stand before it
        keys = np.concatenate([[NOTHING], key, [NOTHING]])
        version = written & ((1 << self.version_bits) - 1)
        return Block(
            np.append(write, NOTHING), np.append(self.writes.op[write], np.int32(NOTHING)), np.append(version, NOTHING),
            key, key != keys[:-2], number_of_read, self.reads.op[number_of_read], key_of_read,
            np.where(keys[place] == key_of_read, place - 1, NOTHING),
            np.where(keys[place + 1] == key_of_read, place, NOTHING),
        )  # fmt: skip


def places(found: Operations) -> Places:
    """Sort the reads and writes of `found`. Raises: Unclear."""
    reads, writes = found.reads, found.writes
    count, version_bits = len(reads.op) + len(writes.op), found.versions.bit_length()
    number_bits = count.bit_length()
    if len(found.keys).bit_length() + version_bits + 1 + number_bits > _BITS:
        number_bits = 0
    packed = np.empty(count, np.int64)
    for entries, at, is_read, first in ((writes, found.made, 0, 0), (reads, found.start, 1, len(writes.op))):
        for low in range(0, len(entries.op), BLOCK):
            op = entries.op[low : low + BLOCK]
            version = at[op]
            require(version.min() >= 0, "a reader does not say where it started")
            code = entries.key[low : low + BLOCK].astype(np.int64) << version_bits
            code |= version
            code <<= 1 + number_bits
            code |= is_read << number_bits
            into = slice(first + low, first + low + len(op))
            if number_bits:
                code |= np.arange(into.start, into.stop)
            packed[into] = code
    if number_bits:
        packed.sort()
        return Places(reads, writes, packed, None, version_bits, number_bits)
    numbers = np.argsort(packed, kind="stable")
    return Places(reads, writes, packed[numbers], numbers, version_bits, 0)
