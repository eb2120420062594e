"""Buckets of ids: the partition transform `bucket[n](id)`.

Source: specification of the table format, appendix B (32-bit hash requirements): an `int` is hashed as a `long`, by the
x86 variant of Murmur3 with seed 0; `api/.../transforms/Bucket.java` of 1.11.0 (`project`: of `=` and `in` alone;
`projectStrict`: of `!=` and `not in` alone), and what a predicate without projection stands for: `Projections.java`.
"""

from dataclasses import dataclass

_BITS = 0xFFFFFFFF
_MOST = 0x7FFFFFFF
_EIGHT = 8
"""Bytes of a long."""


def hash_of(row_id: int) -> int:
    """The hash of an id, as a signed number of 32 bits."""
    value = row_id & 0xFFFFFFFFFFFFFFFF
    mixed = _EIGHT ^ _with(_with(0, value & _BITS), value >> 32)
    mixed = (mixed ^ mixed >> 16) * 0x85EBCA6B & _BITS
    mixed = (mixed ^ mixed >> 13) * 0xC2B2AE35 & _BITS
    mixed ^= mixed >> 16
    return mixed - (1 << 32) if mixed > _MOST else mixed


def _with(mixed: int, word: int) -> int:
    """The state after four bytes more."""
    mixed ^= _turned(word * 0xCC9E2D51 & _BITS, 15) * 0x1B873593 & _BITS
    return (_turned(mixed, 13) * 5 + 0xE6546B64) & _BITS


def _turned(word: int, bits: int) -> int:
    """Rotated to the left."""
    return (word << bits | word >> 32 - bits) & _BITS


def bucket_of(row_id: int, buckets: int) -> int:
    """The number of the bucket that an id is in, of so many (from 1)."""
    return (hash_of(row_id) & _MOST) % buckets


@dataclass(frozen=True, slots=True)
class Bucket:
    """The partition of the ids in one bucket of several, by a spec `bucket[buckets](id)`."""

    number: int
    buckets: int
    spec_id: int = 0

    @classmethod
    def of(cls, row_id: int, buckets: int, spec_id: int = 0) -> "Bucket":
        """The partition of an id. Args: `buckets`: how many there are, from 1."""
        return cls(bucket_of(row_id, buckets), buckets, spec_id)

    def may_have(self, low: int, high: int) -> bool:
        """Whether rows of these ids may be in it: a range of several is projected to any bucket."""
        return low != high or bucket_of(low, self.buckets) == self.number

    def is_within(self, low: int, high: int) -> bool:
        """Whether it has no other rows than of these ids: that is never known of a bucket."""
        return False
