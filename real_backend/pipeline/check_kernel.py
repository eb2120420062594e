"""The array kernel of one partition of keys: all reads and writes of each key, of any number of histories.

A read must have seen the newest version of its key at its operation's start; nobody may have written a key between the
start and the commit of one who wrote it. If that holds of every key, the history is snapshot isolated: that is the test
of `checkers.isolation.columns`, which says whether it holds. Here the operations that fail it are named, so that they
can be explained, and the same places tell whether sessions went backwards and whether commits are in series.

Choices:
* Of what fails only a few are named, each with the operations that explain it: who wrote what was seen, what should
  have been seen, and what comes next.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from real_backend.pipeline.check_exchange import by_history, joined
from real_backend.pipeline.check_splits import NONE, Ints, codes_of, numbers, ordered, texts

READ, WRITTEN, TRIED = 0, 1, 2
UNSTATED = -9
CAP = 5
NO_START = "a reader does not say where it started"
SNAPSHOT, MONOTONIC, OWN = "snapshot-isolation", "monotonic-reads", "read-your-writes"


class Suspect(NamedTuple):
    """Operations that together may break a property on a key, and `others`, who wrote what these saw or should have."""

    property: str
    key: str | None
    ops: tuple[int, ...]
    others: tuple[int, ...]


class Judged(NamedTuple):
    """Of one history in one partition of keys. `failures` counts what failed; a few of it are `suspects`."""

    writes: int
    by_clients: int
    reads: int
    edges: tuple[int, int, int]
    failures: dict[str, int]
    suspects: tuple[Suspect, ...]
    reasons: tuple[str, ...]
    serial: bool
    read_twice: bool
    read_own: bool


@dataclass(frozen=True, slots=True)
class Rows:
    """Reads or writes: the codes of key, value and process, the operation's number, row, start and commit."""

    key: Ints
    value: Ints
    process: Ints
    op: Ints
    index: Ints
    start: Ints
    commit: Ints
    version: Ints


FIELDS = ("key", "value", "process", "op", "index", "start", "commit", "version")


def keys_judged(number: int, messages: list[bytes]) -> dict[int, Judged]:
    """What one partition says of each history whose keys it has."""
    return {code: _judged(rows) for code, rows in by_history(joined(messages))}


def _judged(table: pa.Table) -> Judged:
    keys, values, processes = (texts(table.column(name)) for name in _TEXTS)
    codes = [codes_of(one).astype(np.int64) for one in (keys, values, processes)]
    rows = Rows(*codes, *[numbers(table, name) for name in FIELDS[3:]])
    kind = numbers(table, "kind")
    order = ordered(kind, rows.key, np.where(kind == READ, rows.start, rows.commit))
    rows, cuts = _only(rows, order), np.searchsorted(kind[order], (READ, WRITTEN, TRIED, TRIED + 1))
    reads, writes, tried = (_only(rows, slice(begin, end)) for begin, end in pairwise(cuts.tolist()))
    return judge(reads, writes, tried, keys.dictionary)


_TEXTS = ("key", "value", "process")


def judge(reads: Rows, writes: Rows, tried: Rows, names: Any) -> Judged:
    """Judge all reads and writes of some keys.

    Args: `reads` are in order of key and start, `writes` of key and commit; `tried` are writes that no version has;
    `names` are those of keys.
    """
    span = int(max(reads.start.max(initial=0), writes.commit.max(initial=0), reads.version.max(initial=0))) + 2
    writes = _last_ones(writes, span)
    at = writes.key * span + writes.commit
    reasons = [NO_START] if (reads.start < 0).any() else []
    reads = _only(reads, reads.start >= 0) if reasons else reads
    place = np.searchsorted(at, reads.key * span + reads.start, side="right") - 1
    born = (place >= 0) & (_at(writes.key, place) == reads.key)
    place = np.where(born, place, NONE)
    bad = np.where(born, _at(writes.value, place), NONE) != reads.value
    stated = reads.version != UNSTATED
    if stated.any():
        told = np.searchsorted(at, reads.key * span + np.maximum(reads.version, NONE), side="right") - 1
        told = np.where((told >= 0) & (_at(writes.key, told) == reads.key), told, NONE)
        bad |= stated & (told != place)
    same = writes.key[1:] == writes.key[:-1]
    overlap = np.r_[False, same & (writes.commit[:-1] > writes.start[1:])] if len(at) else same
    after, early = place + 1, np.flatnonzero(~born)
    after[early] = np.searchsorted(at, reads.key[early] * span)
    follows = (after < len(at)) & (_at(writes.key, after) == reads.key) & (_at(writes.op, after) != reads.op)
    late = follows & (reads.commit >= 0) & (_at(writes.commit, after) < reads.commit)
    sessions = _sessions(reads, writes, place) if not bad.any() else None
    failures = {SNAPSHOT: int(bad.sum() + overlap.sum())}
    suspects = [
        *_bad_reads(reads, writes, tried, place, after, bad, names),
        *_overlaps(reads, writes, tried, overlap, names),
    ]
    twice = own = False
    if sessions is None:
        reasons.append("reads that do not see the version of their start leave the order of sessions open")
    else:
        twice, own = sessions.twice, sessions.own
        failures |= {MONOTONIC: len(sessions.backwards), OWN: len(sessions.missed)}
        suspects += _session_suspects(sessions, reads, writes, place, names)
    edges = (int(same.sum()), int((born & (_at(writes.op, place) != reads.op)).sum()), int(follows.sum()))
    return Judged(
        len(at),
        int((writes.commit > 0).sum()),
        len(reads.key),
        edges,
        failures,
        tuple(suspects),
        tuple(reasons),
        not bool(late.any()),
        twice,
        own,
    )


def _only(rows: Rows, chosen: Any) -> Rows:
    return Rows(*[getattr(rows, name)[chosen] for name in FIELDS])


def _at(column: Ints, place: Ints) -> Ints:
    """The entries at these places; what stands at a place that is none does not matter."""
    if not len(column):
        return np.full(len(place), NONE)
    return column[np.clip(place, 0, len(column) - 1)]


def _last_ones(writes: Rows, span: int) -> Rows:
    """Of several writes of one key by one operation, the last."""
    at = writes.key * span + writes.commit
    again = at[1:] == at[:-1]
    return _only(writes, np.r_[~again, True]) if again.any() else writes


class Sessions(NamedTuple):
    """Reads that went backwards and reads that missed an own write: places of the read, and of the one before it."""

    backwards: Ints
    before: Ints
    missed: Ints
    owed: Ints
    twice: bool
    own: bool


def _sessions(reads: Rows, writes: Rows, place: Ints) -> Sessions:
    """Reads and own writes of each process and key, in order; the running maximum of the places of versions."""
    acknowledged = np.flatnonzero(writes.process >= 0)
    key = np.r_[reads.key, writes.key[acknowledged]]
    process = np.r_[reads.process, writes.process[acknowledged]]
    index = np.r_[reads.index, writes.index[acknowledged]]
    wrote = np.r_[np.zeros(len(reads.key), bool), np.ones(len(acknowledged), bool)]
    version = np.r_[place, acknowledged]
    source = np.r_[np.arange(len(reads.key)), acknowledged]
    order = ordered(key, process, index, wrote)
    key, process, wrote, version, source = (one[order] for one in (key, process, wrote, version, source))
    fresh = np.r_[True, (key[1:] != key[:-1]) | (process[1:] != process[:-1])] if len(key) else np.zeros(0, bool)
    group = np.cumsum(fresh) * (len(writes.key) + 2)
    read_before, read_at = _running(np.where(wrote, NONE - 1, version) + group, group, fresh)
    wrote_before, wrote_at = _running(np.where(wrote, version, NONE - 1) + group, group, fresh)
    backwards, missed = ~wrote & (read_before > version), ~wrote & (wrote_before > version)
    return Sessions(
        source[backwards], source[read_at[backwards]], source[missed], source[wrote_at[missed]],
        bool((~wrote & (read_before > NONE - 1)).any()), bool((~wrote & (wrote_before > NONE - 1)).any()),
    )  # fmt: skip


def _running(values: Ints, group: Ints, fresh: Any) -> tuple[Ints, Ints]:
    """The greatest value before each place in its group, and where it stands."""
    if not len(values):
        return values, values
    greatest = np.maximum.accumulate(values)
    changed = np.r_[True, greatest[1:] != greatest[:-1]]
    where = np.maximum.accumulate(np.where(changed, np.arange(len(values)), 0))
    before = np.where(fresh, NONE - 1, np.r_[0, greatest[:-1]] - group)
    return before, np.r_[0, where[:-1]]


def _bad_reads(
    reads: Rows, writes: Rows, tried: Rows, place: Ints, after: Ints, bad: Any, names: Any
) -> Iterator[Suspect]:
    for at in np.flatnonzero(bad)[:CAP]:
        key = int(reads.key[at])
        others = [
            writes.op[one] for one in (place[at], after[at]) if 0 <= one < len(writes.op) and writes.key[one] == key
        ]
        others += _wrote(writes, tried, key, reads.value[at])
        if reads.version[at] >= 0:
            others += writes.op[
                np.flatnonzero((writes.key == key) & (writes.commit <= reads.version[at]))[-1:]
            ].tolist()
        yield _suspect(SNAPSHOT, names, key, [reads.op[at]], others)


def _wrote(writes: Rows, tried: Rows, key: int, value: int) -> list[int]:
    """Who wrote this value of a key, committed or not; of an absent one, who wrote the key first."""
    if value == NONE:
        return [int(op) for op in writes.op[writes.key == key][:1]]
    return [int(op) for some in (writes, tried) for op in some.op[(some.key == key) & (some.value == value)][:2]]


def _overlaps(reads: Rows, writes: Rows, tried: Rows, overlap: Any, names: Any) -> Iterator[Suspect]:
    for at in np.flatnonzero(overlap)[:CAP]:
        key, ops = int(writes.key[at]), [writes.op[at - 1], writes.op[at]]
        saw = np.flatnonzero((reads.key == key) & np.isin(reads.op, ops))
        others = [op for one in saw for op in _wrote(writes, tried, key, reads.value[one])]
        yield _suspect(SNAPSHOT, names, key, ops, others)


def _session_suspects(sessions: Sessions, reads: Rows, writes: Rows, place: Ints, names: Any) -> Iterator[Suspect]:
    for at, before in zip(sessions.backwards[:CAP], sessions.before[:CAP], strict=True):
        seen = [writes.op[one] for one in (place[at], place[before]) if one >= 0]
        yield _suspect(MONOTONIC, names, int(reads.key[at]), [reads.op[at], reads.op[before]], seen)
    for at, owed in zip(sessions.missed[:CAP], sessions.owed[:CAP], strict=True):
        seen = [writes.op[place[at]]] if place[at] >= 0 else []
        yield _suspect(OWN, names, int(reads.key[at]), [reads.op[at]], [writes.op[owed], *seen])


def _suspect(name: str, names: Any, key: int, ops: list[Any], others: list[Any]) -> Suspect:
    main = tuple(dict.fromkeys(int(op) for op in ops))
    return Suspect(name, names[key].as_py(), main, tuple(dict.fromkeys(int(op) for op in others if op not in main)))
