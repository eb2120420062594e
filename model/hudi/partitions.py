"""Where rows belong: the partition of each key, and the order in which a write comes to partitions.

A record names its partition beside its key, and the simple index looks for a key in that partition alone. A write
changes the file groups of one partition after the other, in the order of a Java map of their names.

Source: `HoodieKey`, `HoodieSimpleIndex`; `WorkloadProfile.getInputPartitionPathStatMap` (a `HashMap`), of which
`UpsertPartitioner.assignUpdates` and `assignInserts` make their buckets in its order (1.2.0).

Choices: names that fall into one slot of the map come in their own order, where Java has them in that of insertion. A
map has 16 slots: no write here has more than twelve partitions.
"""

from functools import lru_cache
from typing import NamedTuple

from model.hudi.file_groups import Changes
from model.hudi.java_hash import hash_of_text

SLOTS = 16


class Partitions(NamedTuple):
    """The partition of each key in `of`; every other key belongs to `default`. Folders of several levels have `/`."""

    default: str = "p1"
    of: tuple[tuple[str, str], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Every partition, once."""
        return tuple(dict.fromkeys([self.default, *[name for _, name in self.of]]))

    def split(self, rows: Changes) -> tuple[tuple[str, Changes], ...]:
        """The rows of each partition that has some, in the order in which they are written."""
        if not self.of:
            return ((self.default, rows),)
        known = dict(self.of)
        found: dict[str, list[tuple[str, str | None]]] = {}
        for key, value in rows:
            found.setdefault(known.get(key, self.default), []).append((key, value))
        return tuple([(name, tuple(found[name])) for name in sorted(found, key=lambda name: (slot(name), name))])


ONE_PARTITION = Partitions()


@lru_cache(maxsize=1 << 10)
def slot(name: str) -> int:
    """Where a Java `HashMap` of 16 slots keeps a text: `String.hashCode`, its upper half mixed into its lower one."""
    code = hash_of_text(name)
    return (code ^ (code >> 16)) % SLOTS
