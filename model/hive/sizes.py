"""Which tables a cache of limited memory keeps: those that were used last, as many as fit.

A table that is put, or put anew, counts as used; so does one that is read. One that alone is larger than the limit goes
at once. What goes is taken out of a replica's cache as `Replica.evict` does.

Source: hive/7 (row 44); `SharedCache.initialize` (Guava's `maximumWeight`, of
`metastore.cached.rawstore.max.cache.memory`), `LocalCache.Segment.evictEntries`, `TestCachedStore.testTableEviction`.

Choices: one segment, as in upstream's test; a metastore has four, and a fourth of the memory for each. Sizes are given;
upstream estimates them, and looks again from time to time (live: tests/live/hive/test_eviction.py).
"""


class Sizes:
    """The tables that are kept, the one that was used last at the end."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._sizes: dict[str, int] = {}

    @property
    def kept(self) -> tuple[str, ...]:
        """Their names, in the order in which they go."""
        return tuple(self._sizes)

    def put(self, name: str, size: int) -> tuple[str, ...]:
        """A table of this size is there. Returns: the tables that go for it, itself if it is too large."""
        self._sizes.pop(name, None)
        if size > self.limit:
            return (name,)
        self._sizes[name] = size
        gone = []
        while sum(self._sizes.values()) > self.limit:
            oldest = next(iter(self._sizes))
            del self._sizes[oldest]
            gone.append(oldest)
        return tuple(gone)

    def use(self, name: str) -> bool:
        """Read a table; whether it is there."""
        size = self._sizes.pop(name, None)
        if size is not None:
            self._sizes[name] = size
        return size is not None
