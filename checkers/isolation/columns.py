"""What holds of a whole history, in one pass over arrays: for histories of millions of operations.

All reads and writes are sorted once by key and version: a read stands where its operation started, so the write before
it is what it must have seen, and the one behind it is what replaced that. From these two places follow snapshot
isolation against the stated versions, the commit order as a serial order, and the counts of edges; from starts and
commits the orders of sessions and of real time.

Choices:
* This says "shown to hold" or "not shown". What is not shown may still hold (in another order of commits), and whoever
  wants to know asks the checks on operations, of the operations that failed first (`large.py`).
* Places are sorted as one packed integer where key, version and number of the entry fit into 62 bits: sorting plain
  integers is several times faster than sorting their indices.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pyarrow.compute as pc

from checkers.histories.pairing import Ints
from checkers.isolation.table import DONE, NOTHING, Bools, Entries, Operations, Small, require

_BITS = 62


class Places(NamedTuple):
    """`order` sorts the writes by key and version; `before[r]` is the place there of the newest write of a read's key
    at or before its start, or the place just before the key's first one; `born[r]` tells which."""

    order: Ints
    before: Ints
    born: Bools


@dataclass(frozen=True, slots=True)
class Proofs:
    """What was shown. Against it are `stale`, reads by their numbers, and `overlaps`, writes by their places in order.

    `place` is twice the version that an operation made, or for readers one more than twice their start; `forward` says
    whether sessions, and whether real time, keep to it. `late` are reads of writers that were overtaken before their
    commit, `overtaken` says which reads ever were, and `next_writer` by whom.
    """

    snapshot: bool
    session: bool
    real_time: bool
    serial: bool
    serial_session: bool
    serial_real_time: bool
    forward: tuple[bool, bool]
    place: Ints
    stale: Ints
    overlaps: Ints
    late: Ints
    overtaken: Bools
    next_writer: Small
    counters: dict[str, int]
    places: Places


def prove(found: Operations) -> Proofs:
    """Judge all of `found` at once. Raises: Unclear."""
    reads, writes, start, made = found.reads, found.writes, found.start, found.made
    require((start[reads.op] >= 0).all(), "a reader does not say where it started")
    require(((start[writes.op] >= 0) | (writes.op == found.setup)).all(), "a writer does not say where it started")
    require(len(reads.op) or (writes.op != found.setup).any(), "nobody read or wrote anything")
    places = _places(reads, writes, start, made, found.versions + 1)
    key, op = writes.key[places.order], writes.op[places.order]
    version = made[op]
    same = key[1:] == key[:-1]
    require(not (same & (version[1:] == version[:-1])).any(), "an operation writes one key twice")
    overlaps = np.flatnonzero(same & (version[:-1] > start[op[1:]])) + 1
    follows, next_version, next_op = _next(reads, places, key, version, op)
    stale = ~_as_it_was(reads, writes, places)
    if reads.version is not None:
        before = np.where(places.born, version[np.maximum(places.before, 0)] if len(version) else 0, NOTHING)
        told = (reads.version >= before) & (~follows | (reads.version < next_version))
        stale |= (reads.version != NOTHING) & ~told
    overtaken = follows & (next_op != reads.op)
    late = overtaken & (made[reads.op] >= 0) & (next_version < made[reads.op])
    snapshot = not stale.any() and not len(overlaps)
    serial = not stale.any() and not late.any()
    at = np.where(made >= 0, made, start)
    place = np.where(made >= 0, 2 * made, np.where(start >= 0, 2 * start + 1, NOTHING))
    counters = _counters(found, int(same.sum()), int((places.born & (_source(op, places) != reads.op)).sum()))
    counters["rw"] = int(overtaken.sum())
    forward = _in_sessions(found, place, place), _in_real_time(found, place, place)
    return Proofs(
        snapshot,
        snapshot and _in_sessions(found, at, start),
        snapshot and _in_real_time(found, at, start),
        serial,
        serial and forward[0],
        serial and forward[1],
        forward, place, np.flatnonzero(stale), overlaps, np.flatnonzero(late), overtaken, next_op, counters, places,
    )  # fmt: skip


def _places(reads: Entries, writes: Entries, start: Small, made: Small, span: int) -> Places:
    """Sort reads and writes together by key, then version, a write before a read of the same version."""
    count, wrote = len(reads.op) + len(writes.op), len(writes.op)
    code = np.empty(count, np.int64)
    code[:wrote] = (writes.key.astype(np.int64) * span + made[writes.op]) << 1
    code[wrote:] = ((reads.key.astype(np.int64) * span + start[reads.op]) << 1) + 1
    bits = count.bit_length()
    if int(code.max(initial=0)).bit_length() + bits <= _BITS:
        code <<= bits
        code |= np.arange(count)
        code.sort()
        order = code & ((1 << bits) - 1)
    else:
        order = np.argsort(code, kind="stable")
    is_write = order < wrote
    rank = np.cumsum(is_write) - 1
    by_version = order[is_write]
    before = np.empty(len(reads.op), np.int64)
    before[order[~is_write] - wrote] = rank[~is_write]
    born = before >= 0
    if wrote:
        born &= writes.key[by_version[np.maximum(before, 0)]] == reads.key
    return Places(by_version, before, born)


def _next(reads: Entries, places: Places, key: Small, version: Small, op: Small) -> tuple[Bools, Small, Small]:
    """Whether a write of the key comes after what each read saw, in which version, and by which operation."""
    if not len(key):
        none = np.zeros(len(reads.op), np.int32)
        return none.astype(bool), none, none
    following = np.minimum(places.before + 1, len(key) - 1)
    follows = (places.before + 1 < len(key)) & (key[following] == reads.key)
    return follows, version[following], op[following]


def _source(op: Small, places: Places) -> Small:
    """The operation that wrote what each read must have seen; where nobody did, any."""
    return op[np.maximum(places.before, 0)] if len(op) else np.full(len(places.before), NOTHING, np.int32)


def _as_it_was(reads: Entries, writes: Entries, places: Places) -> Bools:
    """Whether each read saw the value that its key had at its start."""
    absent = reads.value.is_null().to_numpy(zero_copy_only=False)
    if not len(writes.op):
        return np.asarray(absent)
    expected = writes.value.take(places.order[np.maximum(places.before, 0)])
    equal = pc.equal(expected, reads.value).fill_null(False).to_numpy(zero_copy_only=False)
    deleted = expected.is_null().to_numpy(zero_copy_only=False)
    return np.asarray(np.where(places.born, equal | (deleted & absent), absent))


def _in_sessions(found: Operations, at: Small | Ints, begin: Small | Ints) -> bool:
    """Whether no operation begins before what its session was told of earlier: `at` of those acknowledged."""
    chosen = np.flatnonzero(found.counted)
    order = chosen[np.argsort(found.session[chosen], kind="stable")]
    session = found.session[order].astype(np.int64)
    width = 2 * found.versions + 4
    told = np.where(found.kind[order] == DONE, at[order], NOTHING) + 1 + session * width
    newest = np.maximum.accumulate(told)[:-1]
    same = session[1:] == session[:-1]
    begun = begin[order][1:]
    return not (same & (begun >= 0) & (begun + 1 + session[1:] * width < newest)).any()


def _in_real_time(found: Operations, at: Small | Ints, begin: Small | Ints) -> bool:
    """The same, of all that had completed when it was invoked."""
    chosen = found.counted & (found.kind == DONE)
    told = np.full(found.table.num_rows + 1, NOTHING, dtype=np.int64)
    told[found.completed[chosen] + 1] = at[chosen]
    newest = np.maximum.accumulate(told)
    begun = begin[found.counted]
    return not ((begun >= 0) & (begun < newest[found.invoked[found.counted]])).any()


def _counters(found: Operations, ww: int, wr: int) -> dict[str, int]:
    return {
        "ops": len(found.kind),
        "committed": int(found.counted.sum()),
        "versions": found.versions,
        "writes": len(found.writes.op),
        "reads": len(found.reads.op),
        "reads_resolved": len(found.reads.op),
        "ww": ww,
        "wr": wr,
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
