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
from functools import cached_property

import numpy as np

from checkers.histories.pairing import Ints
from checkers.isolation.table import NOTHING, Bools, Entries, Operations, Small, require

BLOCK = 1 << 15
_BITS = 63


class Block:
    """All that was done to some keys: writes in order of key and version, reads in order of key and start.

    Each of its columns is made when it is first asked for. Those of writes (`write`, `op`, `version`) end with one -1
    that is none: where `before` and `after` of a read find nothing.
    """

    def __init__(self, places: "Places", low: int, high: int) -> None:
        self._places, self._low, self._high = places, low, high
        words = places.packed[low:high]
        is_read = (words & (1 << places.number_bits)) != 0
        self._wrote, self._seen = np.flatnonzero(~is_read), np.flatnonzero(is_read)
        self._writes, self._reads = words.take(self._wrote), words.take(self._seen)

    @cached_property
    def write(self) -> Ints:
        """The numbers of the writes among all."""
        return np.append(self._number(self._wrote, self._writes), NOTHING)

    @cached_property
    def read(self) -> Ints:
        """The numbers of the reads among all."""
        return self._number(self._seen, self._reads) - len(self._places.writes.op)

    def _number(self, at: Ints, words: Ints) -> Ints:
        numbers = self._places.numbers
        if numbers is None:
            return words & ((1 << self._places.number_bits) - 1)
        return numbers[self._low : self._high].take(at)

    @cached_property
    def op(self) -> Small:
        """The operation of each write."""
        return np.append(self._places.writes.op.take(self.write[:-1]), np.int32(NOTHING))

    @cached_property
    def reader(self) -> Small:
        """The operation of each read."""
        return self._places.reads.op.take(self.read)

    @cached_property
    def version(self) -> Ints:
        """The version that each write is of."""
        return np.append(self._version(self._writes), NOTHING)

    @cached_property
    def start(self) -> Small:
        """The start of each write's operation."""
        return self._places.starts.take(self.version[:-1])

    def _version(self, words: Ints) -> Ints:
        version = words >> (self._places.number_bits + 1)
        version &= (1 << self._places.version_bits) - 1
        return version

    @cached_property
    def key(self) -> Ints:
        """The key of each write."""
        return self._writes >> self._places.key_shift

    @cached_property
    def read_key(self) -> Ints:
        """The key of each read."""
        return self._reads >> self._places.key_shift

    @cached_property
    def first(self) -> Bools:
        """Whether each write is the first one of its key."""
        return np.append(True, self.key[1:] != self.key[:-1])[: len(self.key)]

    @cached_property
    def before(self) -> Ints:
        """The place among the writes of what each read must have seen; -1 = nothing."""
        return self._neighbour(-1)

    @cached_property
    def after(self) -> Ints:
        """The place among the writes of what replaced that; -1 = nothing."""
        return self._neighbour(0)

    def _neighbour(self, step: int) -> Ints:
        place = self._seen - np.arange(-step, len(self._seen) - step)  # so many writes of the block stand before it
        same = np.append(self.key, NOTHING).take(place) == self.read_key  # the place behind the last is that of -1
        return np.where(same, place, NOTHING)

    @cached_property
    def overtaken(self) -> Bools:
        """Whether what each read saw was ever replaced by another operation."""
        followed = self.after >= 0
        begun = np.append(self.start, NOTHING).take(self.after)
        maybe = np.flatnonzero(followed & (begun == self._version(self._reads)))  # who replaces what it read itself
        replacer = self._places.writes.op.take(self.write.take(self.after.take(maybe)))
        followed[maybe] = replacer != self._places.reads.op.take(self.read.take(maybe))
        return followed


@dataclass(frozen=True, slots=True)
class Places:
    """Reads and writes in order. Whoever wants to know where each stands asks for `blocks`.

    `packed` has, from its highest bits down, key, version, whether it is a read, and the number of the entry in
    `number_bits`; where that does not fit, these are 0, and `numbers` says it. Writes are numbered before reads.
    `starts` are those of the operations that made the versions.
    """

    reads: Entries
    writes: Entries
    packed: Ints
    numbers: Ints | None
    version_bits: int
    number_bits: int
    starts: Small

    @property
    def key_shift(self) -> int:
        return self.version_bits + 1 + self.number_bits

    def blocks(self) -> Iterator[Block]:
        """The blocks, in order of keys."""
        shift, low, size = self.key_shift, 0, len(self.packed)
        while low < size:
            high = min(low + BLOCK, size)
            if high < size:
                high = int(np.searchsorted(self.packed, ((int(self.packed[high]) >> shift) + 1) << shift))
            yield Block(self, low, high)
            low = high


def places(found: Operations) -> Places:
    """Sort the reads and writes of `found`. Raises: Unclear."""
    reads, writes = found.reads, found.writes
    count, version_bits = len(reads.op) + len(writes.op), found.versions.bit_length()
    number_bits = count.bit_length()
    if len(found.keys).bit_length() + version_bits + 1 + number_bits > _BITS:
        number_bits = 0
    packed = np.empty(count, np.int64)
    for entries, at, is_read, first in ((writes, found.made, 0, 0), (reads, found.start, 1, len(writes.op))):
        place = ((at.astype(np.int64) << 1) | is_read) << number_bits  # negative if it is none
        for low in range(first, first + len(entries.op), BLOCK):
            here = slice(low - first, low - first + BLOCK)
            into = packed[low : low + len(entries.op[here])]
            np.left_shift(entries.key[here], version_bits + 1 + number_bits, out=into, dtype=np.int64)
            into |= place.take(entries.op[here])
            if number_bits:
                into |= np.arange(low, low + len(into))
    starts = np.full(found.versions, NOTHING, np.int32)
    makers = np.flatnonzero(found.made >= 0)
    starts[found.made[makers]] = found.start[makers]
    numbers = None if number_bits else np.argsort(packed, kind="stable")
    if numbers is None:
        packed.sort()
    else:
        packed = packed[numbers]
    require(not count or packed[0] >= 0, "a reader does not say where it started")
    return Places(reads, writes, packed, numbers, version_bits, number_bits, starts)
