"""What holds of a whole history, in one pass over arrays: for histories of millions of operations.

Each read is compared with the write before its place (`places.py`), and each write with those beside it. From this
follow snapshot isolation against the stated versions, the commit order as a serial order, and the counts of edges; from
starts and commits the orders of sessions and of real time.

Choices:
* This says "shown to hold" or "not shown". What is not shown may still hold (in another order of commits), and whoever
  wants to know asks the checks on operations, of the operations that failed first (`large.py`).
"""

from collections.abc import Iterator
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from checkers.histories.pairing import Ints, arrow, bits, in_turn
from checkers.isolation.places import BLOCK, Block, places
from checkers.isolation.table import DONE, NOTHING, Bools, Entries, Operations, Small, require

MOST_SMALL = int(np.iinfo(np.int32).max)


class Proofs:
    """What was shown of all operations at once. Raises: Unclear.

    Against snapshot isolation are `stale`, numbers of reads, and `overlaps`, numbers of writes. `counters` are those of
    a verdict.
    """

    def __init__(self, found: Operations) -> None:
        reads, writes = found.reads, found.writes
        require(len(reads.op) or (writes.op != found.setup).any(), "nobody read or wrote anything")
        self.found, self.places = found, places(found)
        source = np.empty(len(reads.op), np.int32)
        stale, overlaps = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        edges = np.zeros(3, np.int64)
        for block in self.places.blocks():
            source[block.read] = block.write.take(block.before)
            if reads.version is not None:
                stale.append(block.read[_misstated(block, reads.version[block.read])])
            overlaps.append(block.write[1:-1][_overlaps(block, found)])
            edges += _edges(block)
        self.stale = np.unique(np.concatenate([*stale, *_unlike(reads, writes, source)]))
        self.overlaps = np.concatenate(overlaps)
        self.counters = _counters(found) | dict(zip(("ww", "wr", "rw"), edges.tolist(), strict=True))

    @cached_property
    def snapshot(self) -> bool:
        """Whether every read is as of its start, and nobody wrote a key between another writer's start and commit."""
        return not len(self.stale) and not len(self.overlaps)

    @cached_property
    def serial(self) -> bool:
        """Whether the order of commits is a serial one."""
        return not len(self.stale) and next(self._late(), None) is None

    @cached_property
    def late(self) -> tuple[Ints, Small]:
        """Numbers of reads of writers that were overtaken before their own commit, and the operations by whom."""
        found = [(np.zeros(0, np.int64), np.zeros(0, np.int32)), *self._late()]
        reads, by = (np.concatenate(column) for column in zip(*found, strict=True))
        return reads, by

    def _late(self) -> Iterator[tuple[Ints, Small]]:
        """The same, by blocks that have some."""
        for block in self.places.blocks():
            followed = np.flatnonzero(block.overtaken)
            read, after = block.read.take(followed), block.after.take(followed)
            made = self.found.made.take(self.found.reads.op.take(read))
            late = np.flatnonzero(block.version.take(after) < made)
            if len(late):
                by = self.found.writes.op.take(block.write.take(after.take(late)))
                yield read.take(late), by

    @cached_property
    def session(self) -> bool:
        """Whether also no operation starts before what its session had been told of."""
        return self.snapshot and self._in_sessions(self._at, self.found.start)

    @cached_property
    def real_time(self) -> bool:
        """Whether also no operation starts before what anybody had been told of when it was invoked."""
        return self.snapshot and self._in_real_time(self._at, self.found.start)

    @cached_property
    def place(self) -> Ints:
        """Twice the version that each operation made; for readers one more than twice their start."""
        made, start = self.found.made.astype(np.int64), self.found.start
        return np.where(made >= 0, 2 * made, np.where(start >= 0, 2 * start + 1, NOTHING))

    @cached_property
    def forward(self) -> tuple[bool, bool]:
        """Whether sessions, and whether real time, keep to the order of commits."""
        return self._in_sessions(self.place, self.place), self._in_real_time(self.place, self.place)

    @cached_property
    def serial_session(self) -> bool:
        return self.serial and self.forward[0]

    @cached_property
    def serial_real_time(self) -> bool:
        return self.serial and self.forward[1]

    @cached_property
    def _at(self) -> Small:
        return np.where(self.found.made >= 0, self.found.made, self.found.start)

    @cached_property
    def by_session(self) -> Ints:
        """The operations that count, by session, and in order of invocation within each."""
        chosen = np.flatnonzero(self.found.counted)
        return np.asarray(chosen[in_turn(self.found.session[chosen])])

    def _in_sessions(self, at: Small | Ints, begin: Small | Ints) -> bool:
        """Whether no operation begins before what its session was told of earlier: `at` of those acknowledged."""
        found, order = self.found, self.by_session
        span = 2 * found.versions + 4
        few = int(found.session.max(initial=0)) + 1 < MOST_SMALL // span
        before: npt.NDArray[np.signedinteger] = found.session.take(order).astype(np.int32 if few else np.int64)
        before *= span  # what a session was told of is more than all that those before it were
        told = np.where(found.kind == DONE, at + 1, 0).astype(before.dtype).take(order)
        told += before
        newest = np.maximum.accumulate(told, out=told)[:-1]
        begun = begin.take(order[1:])
        before[1:] += begun + 1
        return not ((begun >= 0) & (before[1:] < newest)).any()

    def _in_real_time(self, at: Small | Ints, begin: Small | Ints) -> bool:
        """The same, of all that had completed when it was invoked."""
        found = self.found
        chosen = found.counted & (found.kind == DONE)
        told = np.full(found.table.num_rows + 1, NOTHING, dtype=at.dtype)
        told[found.completed[chosen] + 1] = at[chosen]
        newest = np.maximum.accumulate(told)
        begun = begin[found.counted]
        return not ((begun >= 0) & (begun < newest[found.invoked[found.counted]])).any()


def _overlaps(block: Block, found: Operations) -> Bools:
    """Of all writes but the first: whether somebody else wrote the key between its operation's start and commit."""
    start, version, again = block.start, block.version[:-1], ~block.first[1:]
    if start.min(initial=0) < 0:
        require((block.op[:-1][start < 0] == found.setup).all(), "a writer does not say where it started")
    overlaps = again & (version[:-1] > start[1:])
    require(not (overlaps & (version[1:] == version[:-1])).any(), "an operation writes one key twice")
    return np.asarray(overlaps)


def _edges(block: Block) -> tuple[int, int, int]:
    """How many edges there are of ww, wr and rw. What stands before a start is of another operation: it has ended."""
    kinds = ~block.first, block.before >= 0, block.overtaken
    ww, wr, rw = (int(np.count_nonzero(edges)) for edges in kinds)
    return ww, wr, rw


def _misstated(block: Block, version: Small) -> Bools:
    """Whether a read states a version that is not the one of its place."""
    known = (version >= block.version[block.before]) & ((block.after < 0) | (version < block.version[block.after]))
    return np.asarray((version != NOTHING) & ~known)


def _unlike(reads: Entries, writes: Entries, source: Small) -> Iterator[Ints]:
    """The numbers of reads that saw another value than `source` wrote, or, where that is -1, any value at all."""
    for low in range(0, len(reads.op), BLOCK):
        wrote, seen = source[low : low + BLOCK], reads.value.slice(low, BLOCK)
        born = wrote >= 0
        expected = writes.value.take(arrow(wrote, None if born.all() else born))
        alike = pc.equal(expected, seen)
        unlike = np.flatnonzero(~(bits(alike) & bits(alike, 0)))
        if len(unlike):
            absent = ~bits(expected, 0).take(unlike) & ~bits(seen, 0).take(unlike)
            yield low + unlike[~absent]


def _counters(found: Operations) -> dict[str, int]:
    return {
        "ops": len(found.kind),
        "committed": int(found.counted.sum()),
        "versions": found.versions,
        "writes": len(found.writes.op),
        "reads": len(found.reads.op),
        "reads_resolved": len(found.reads.op),
    }


def came_back(session: Small, reads: Entries, written: Entries | None = None) -> bool:
    """Whether some session read a key that it had read before, or `written`. Looks at few first: one will do."""
    before = reads if written is None else written
    for limit in (100_000, None):
        size = int(max(reads.key.max(initial=0), before.key.max(initial=0))) + 1
        rows = []
        for entries in (reads,) if written is None else (reads, written):
            op, key = entries.op[:limit], entries.key[:limit]
            rows.append((session[op].astype(np.int64) * size + key, op))
        pair, op = (np.concatenate(column) for column in zip(*rows, strict=True))
        is_read = np.arange(len(pair)) < len(rows[0][0])
        order = np.lexsort((~is_read, op, pair))
        pair, op, is_read = pair[order], op[order], is_read[order]
        first = ~is_read[:-1] if written is not None else is_read[:-1]
        if ((pair[1:] == pair[:-1]) & (op[1:] > op[:-1]) & first & is_read[1:]).any():
            return True
    return False
