"""Bloom files of markers, for RFC-56's two Bloom strategies: a look at a small file before the markers are read.

A Bloom file tells of the file groups that markers are of: that there is none of a group, for certain, or that there may
be one. Only in the latter case are the markers read, and they decide: whatever the filter says, nobody is refused
without a marker. A Bloom file is written over as a whole, which is not atomic, as a file of the timeline server's is.

Source: RFC-56, BloomDirectMarkerBasedEarlyConflictDetectionStrategy and
BloomAsyncTimelineMarkerEarlyConflictDetectionStrategy: "Marker handlers write bloom files related to corresponding
markers. Conflict detection read these bloom files firstly to pick out potentially conflicting marker files as quick as
possible." Hudi never shipped them; the size of a filter is that of its `BloomFilterUtils`.

Choices: one Bloom file stands beside each folder of direct markers (an instant's, of one partition) and beside each
`MARKERS<i>`: what it can pick out is a listing, or a file. What it holds is what the strategy compares, so that
`fg1` does not stand for `fg10` any more (F-8). The filter is a real one with hashes of its own, in place of drawn
answers: one file gives the same answer each time, a run depends on no further choice, and its speed can be measured.
Tasks of a write share their client's filter, as they do its timeline server: none overwrites what another has added.
The document is silent about the order of the two files and about a Bloom file that cannot be read (`rules.py`).
"""

import math
from collections.abc import Iterable
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

from model.hudi import coverage
from model.hudi.config import HudiConfig
from model.hudi.errors import StorageFailed
from model.hudi.meanings import AsksBloom, BloomSays, OpensBloom, WritesBloom
from model.hudi.names import BLOOM_FILE, bloom_file
from model.hudi.rules import Rules
from model.hudi.storage import TableStorage
from model.ports import Coverage


class BloomFilter(NamedTuple):
    """A set of names of which more may seem to be members. `size` is in bits; `bits` are those that are set."""

    size: int
    hashes: int
    bits: int = 0

    def adding(self, names: Iterable[str]) -> "BloomFilter":
        """This with more names."""
        bits = self.bits
        for name in names:
            bits |= _bits_of(name, self.size, self.hashes)
        return self._replace(bits=bits)

    def may_hold(self, name: str) -> bool:
        """Whether a name may be a member; False is certain."""
        asked = _bits_of(name, self.size, self.hashes)
        return asked & self.bits == asked


def empty_filter(entries: int, rate: float) -> BloomFilter:
    """Size a filter so that with `entries` names others seem to be members at this rate (0 to 1, exclusive).

    Source: `BloomFilterUtils.getBitSize`, `getNumHashes`.
    """
    size = math.ceil(entries * (-math.log(rate) / (math.log(2) * math.log(2))))
    return BloomFilter(size, math.ceil(math.log(2) * size / entries))


@lru_cache(maxsize=1 << 14)
def _bits_of(name: str, size: int, hashes: int) -> int:
    """The bits of a name: `hashes` positions, each from two halves of one digest (Kirsch, Mitzenmacher 2006)."""
    digest = blake2b(name.encode(), digest_size=16).digest()
    first, second = int.from_bytes(digest[:8], "big"), int.from_bytes(digest[8:], "big")
    bits = 0
    for number in range(hashes):
        bits |= 1 << (first + number * second) % size
    return bits


class BloomFiles:
    """The Bloom files of a table as one client writes and asks them; which one is said by what it stands beside."""

    def __init__(self, storage: TableStorage, config: HudiConfig, rules: Rules, counted: Coverage) -> None:
        self.before_marker = rules.bloom_before_marker
        self._storage = storage
        self._missing_says_no = rules.missing_bloom_says_no
        self._counted = counted
        self._empty = empty_filter(config.bloom_entries, config.bloom_rate)
        self._written: dict[tuple[int, str | int], BloomFilter] = {}

    def add(self, instant: int, beside: str | int, names: Iterable[str]) -> None:
        """Write a file anew, with more names, unless it tells of all of them. Raises: StorageFailed."""
        before = self._written.get((instant, beside), self._empty)
        told = before.adding(names)
        if told == before:
            return
        path = bloom_file(instant, beside)
        self._storage.notes.intend(OpensBloom(instant))
        self._storage.overwrite(path)
        self._storage.notes.intend(WritesBloom(instant))
        self._storage.close(path, told)
        self._written[instant, beside] = told

    def may_tell_of(self, instant: int, beside: str | int, names: Iterable[str]) -> bool:
        """Ask the Bloom file of another instant whether there may be a marker of one of these."""
        self._storage.notes.intend(AsksBloom(instant))
        try:
            told = self._storage.read(bloom_file(instant, beside))
        except StorageFailed:
            told = None
        if told is None:
            return self.missing(instant)
        maybe = any(told.may_hold(name) for name in names)
        return self._says(instant, maybe)

    def missing(self, instant: int) -> bool:
        """What a file says that is not there, or cannot be read."""
        self._counted.hit(coverage.BLOOM_MISSING)
        return self._says(instant, not self._missing_says_no)

    def _says(self, instant: int, maybe: bool) -> bool:
        self._storage.notes.learn(BloomSays(instant, maybe))
        if not maybe:
            self._counted.hit(coverage.BLOOM_EXCLUDES)
        return maybe

    def in_vain(self) -> None:
        """Count that markers were read for nothing."""
        self._counted.hit(coverage.BLOOM_IN_VAIN)


def number_of(name: str) -> int | None:
    """The number of the marker file that a Bloom file stands beside; None: it is no such file."""
    number = name.removeprefix(BLOOM_FILE)
    return int(number) if name.startswith(BLOOM_FILE) and number.isdigit() else None
