"""The certificate of snapshot isolation on whole columns: for histories of millions of operations.

Same test as certificate.py, without an object per operation: keys are dictionary-encoded, every write becomes the
number key * versions + version, and "the newest version of this key at or before this start" is one binary search. A
history is certified if every read saw just that version and nobody wrote a key between another's start and commit.

Choices:
* This says "holds" or "not shown to hold". Whatever it cannot judge (an operation of unknown maker or without start, a
  commit sent twice, a read of the operation's own write, a number that is no version) and whatever fails goes to the
  slow checks, which explain, or refuse the history.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from checkers.histories.history import FAIL, INVOKE, OK, SETUP, VERSION
from checkers.scope import is_client

Ints = npt.NDArray[np.int64]
NOTHING = -1


@dataclass(frozen=True, slots=True)
class Certified:
    """Whether snapshot isolation was shown to hold; if not, the first reason. `counters` as in counters.py."""

    holds: bool
    reason: str
    counters: dict[str, int]


class _Entries(NamedTuple):
    """Reads or writes of all rows, flat: row, code of the key, code of the value (-1 = absent), stated version."""

    row: Ints
    key: Ints
    value: Ints
    version: Ints


class _Unclear(Exception):
    """The columns do not show that snapshot isolation holds."""


def certify(table: pa.Table) -> Certified:
    """Test `table` (of `checkers.histories.storage.SCHEMA`, its rows in order and its operations paired)."""
    try:
        return Certified(True, "", _certify(table))
    except _Unclear as reason:
        return Certified(False, str(reason), {})


def _certify(table: pa.Table) -> dict[str, int]:
    types = _codes(table, "type", (INVOKE, FAIL, OK, VERSION))
    start, claimed = _numbers(table, "start"), _numbers(table, "commit")
    commit = _commits(types, claimed, _numbers(table, "op"))
    reads, writes = _flatten(table)
    invoked = types == 0
    _require(
        not invoked[reads.row].any() and not invoked[writes.row].any(), "an invocation says what was read or written"
    )
    stating = invoked & ((start != NOTHING) | (claimed != NOTHING))
    _require(not stating.any(), "an invocation says where it started, or what it made")
    counted = (types == 2) | (commit >= 0)
    versions = int((types == 3).sum()) or int(commit.max(initial=-1)) + 1
    _require(int(max(start.max(initial=0), reads.version.max(initial=0))) < versions, "a version is beyond the lineage")
    _require(not ((commit >= 0) & (start >= commit)).any(), "an operation starts after its own commit")
    claims = (claimed >= 0) & (types != 1) & (types != 3)
    _require(not (claims & (start >= claimed)).any(), "an operation starts after what it claims")
    starting = _codes(table, "process", (SETUP,)) != 0
    _require_setup(types[~starting], claimed[~starting])
    if not (types == 3).any():
        made = commit >= 0
        _require(not ((types == 2) & ~made)[writes.row].any(), "a write names no version, and there is no lineage")
    _require(_acknowledged(table), "no client was acknowledged")
    reads, writes = _only(reads, counted), _only(writes, commit >= 0)
    _require(bool(starting[reads.row].any() or starting[writes.row].any()), "nobody read or wrote anything")
    _require(bool((start[reads.row] >= 0).all()), "a reader does not say where it started")
    _require(bool(((start[writes.row] >= 0) | ~starting[writes.row]).all()), "a writer does not say where it started")
    span = int(max(commit.max(initial=0), start.max(initial=0))) + 2
    order = np.argsort(writes.key * span + commit[writes.row], kind="stable")
    writes = _Entries(*(column[order] for column in writes))
    at = writes.key * span + commit[writes.row]
    _require(bool((np.diff(at) > 0).all()), "an operation writes one key twice")
    same = writes.key[1:] == writes.key[:-1]
    overlaps = same & (commit[writes.row[:-1]] > start[writes.row[1:]])
    _require(not overlaps.any(), "two operations wrote one key in overlapping windows")
    wr, rw = _check_reads(reads, writes, at, start, span)
    return {
        "ops": int((types == 0).sum() + (counted & ~starting).sum()),
        "committed": int(counted.sum()),
        "versions": versions,
        "writes": len(writes.row),
        "reads": len(reads.row),
        "reads_resolved": len(reads.row),
        "ww": int(same.sum()),
        "wr": wr,
        "rw": rw,
    }


def _check_reads(reads: _Entries, writes: _Entries, at: Ints, start: Ints, span: int) -> tuple[int, int]:
    """Every read saw the newest version at its start. Returns the numbers of wr and rw edges."""
    if not len(at):
        _require(bool((reads.value == NOTHING).all()), "a read saw a value that nobody wrote")
        return 0, 0
    place = np.searchsorted(at, reads.key * span + start[reads.row], side="right") - 1
    born = (place >= 0) & (writes.key[place] == reads.key)
    stated = reads.version != NOTHING
    if stated.any():
        said = reads.key[stated] * span + reads.version[stated]
        told = np.searchsorted(at, said, side="right") - 1
        _require(bool((told == place[stated]).all()), "a read is of another version than its operation's start")
    expected = np.where(born, writes.value[place], NOTHING)
    _require(bool((expected == reads.value).all()), "a read saw another value than its start holds")
    following = np.minimum(place + 1, len(at) - 1)
    overtaken = (place + 1 < len(at)) & (writes.key[following] == reads.key) & (writes.row[following] != reads.row)
    return int(born.sum()), int(overtaken.sum())


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise _Unclear(otherwise)


def _codes(table: pa.Table, name: str, values: tuple[str, ...]) -> Ints:
    """The position in `values` of each row's value; -1 if it is none of them."""
    encoded = table.column(name).combine_chunks().dictionary_encode()
    known = np.array([values.index(v) if v in values else -1 for v in encoded.dictionary.to_pylist()], dtype=np.int64)
    return known[_array(encoded.indices)] if len(known) else np.zeros(0, dtype=np.int64)


def _array(values: Any) -> Ints:
    """An Arrow integer array; null becomes -1."""
    filled = values.fill_null(NOTHING) if values.null_count else values
    array: Ints = np.asarray(filled.to_numpy(zero_copy_only=False)).astype(np.int64, copy=False)
    return array


def _numbers(table: pa.Table, name: str) -> Ints:
    """An integer column; null becomes -1, which stands there itself only for the maker of a version."""
    column = table.column(name).combine_chunks()
    least = pc.min(column).as_py()
    _require(least is None or least >= (NOTHING if name == "op" else 0), f"a negative {name}")
    return _array(column)


def _acknowledged(table: pa.Table) -> bool:
    for batch in table.select(["type", "process", "f"]).to_batches(max_chunksize=1_024):
        rows = zip(*(column.to_pylist() for column in batch.columns), strict=True)
        if any(kind == OK and is_client(process, f) for kind, process, f in rows):
            return True
    return False


def _require_setup(types: Ints, claimed: Ints) -> None:
    sound = not len(types) or (len(types) == 1 and types[0] == 2 and claimed[0] == 0)
    _require(sound, "the initial content is not the one version 0")


def _commits(types: Ints, stated: Ints, ops: Ints) -> Ints:
    """The version that the operation completed in each row made, -1 = none, as the lineage tells."""
    rows = np.flatnonzero(types == 3)
    _require(not (ops[types != 3] < 0).any(), "an operation has a negative number")
    if not len(rows):
        _require(bool((types != -1).all()), "an outcome is unknown and there is no lineage")
        claimed = np.where(types == 2, stated, NOTHING)
        made = np.sort(claimed[claimed >= 0])
        _require(bool((np.diff(made) > 0).all()), "two operations claim one version")
        _require(bool((np.diff(made) == 1).all()), "nobody claims a version")
        _require(int(made.max(initial=0)) < 2 * len(made) + 2, "versions are no ordinals")
        return claimed
    _require(bool((stated[rows] == np.arange(len(rows))).all()), "the lineage is not in order, or not dense")
    completions = np.flatnonzero((types != 0) & (types != 3))
    completions = completions[np.argsort(ops[completions], kind="stable")]
    place = np.searchsorted(ops[completions], ops[rows])
    _require(bool((place < len(completions)).all()), "a version was made by an operation that did not complete")
    makers = completions[place]
    _require(bool((ops[makers] == ops[rows]).all()), "a version was made by nobody known")
    _require(int(np.bincount(makers).max()) == 1, "an operation made several versions")
    _require(not (types[makers] == 1).any(), "a refused operation made a version")
    commit = np.full(len(types), NOTHING, dtype=np.int64)
    commit[makers] = stated[rows]
    return commit


def _flatten(table: pa.Table) -> tuple[_Entries, _Entries]:
    lists = [table.column(name).combine_chunks() for name in ("reads", "writes")]
    structs = [entries.flatten() for entries in lists]
    rows = [_rows(entries) for entries in lists]
    count = len(structs[0])
    keys, values = (
        _array(pa.concat_arrays([struct.field(name) for struct in structs]).dictionary_encode().indices)
        for name in ("key", "value")
    )
    stated = structs[0].field("version")
    least = pc.min(stated).as_py()
    _require(least is None or least >= 0, "a read states a version from before the first, or none at all")
    return (
        _Entries(rows[0], keys[:count], values[:count], _array(stated)),
        _Entries(rows[1], keys[count:], values[count:], np.full(len(rows[1]), NOTHING, dtype=np.int64)),
    )


def _rows(lists: Any) -> Ints:
    lengths = _array(lists.value_lengths())
    return np.repeat(np.arange(len(lengths), dtype=np.int64), lengths)


def _only(entries: _Entries, kept: npt.NDArray[np.bool_]) -> _Entries:
    chosen = kept[entries.row]
    return _Entries(*(column[chosen] for column in entries))
