"""A history as a table of operations: whole columns, no object per operation. What the large checks judge.

Operations are numbered in order of invocation, keys by a code. Each knows where it started, what it made, its session
and how it ended; each read and write knows its operation and its key. Values stay as Arrow has them, and are compared
there; nothing is decoded.

Choices:
* What columns cannot tell (an operation of unknown maker, a commit sent twice, an order inside operations, a number
  that is no version) is `Unclear`: such a history goes to the checks on operations, which explain, or refuse it.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from checkers.histories.history import FINAL, OK, SETUP
from checkers.histories.pairing import KINDS, Ints, Rows, arrow, bits, codes, integers, stored, whole
from checkers.scope import is_client

NOTHING = -1
DONE, REFUSED, PERHAPS = KINDS.index("ok"), KINDS.index("fail"), KINDS.index("info")
Small = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]


class Unclear(Exception):
    """The columns do not say enough, or something that only the checks on operations can judge."""


def require(holds: Any, otherwise: str) -> None:
    """Raise Unclear(`otherwise`) unless `holds`."""
    if not holds:
        raise Unclear(otherwise)


class Entries(NamedTuple):
    """Reads or writes, flat: position of the operation, code of the key, value (Arrow), stated version (-1 = none)."""

    op: Small
    key: Small
    value: Any
    version: Small | None


@dataclass(frozen=True, slots=True)
class Operations:
    """One entry an operation: `kind` is DONE, REFUSED or PERHAPS, `made` its version or -1, `start` its start or -1.

    `invoked` and `completed` are rows (-1 = never), `session` a code of its process, `makers` the operation of each
    version; `reads` and `writes` are those of operations that count, acknowledged or in the lineage, `every` of all.
    """

    table: pa.Table
    kind: Small
    session: Small
    setup: int
    final: int
    start: Small
    made: Small
    claimed: Ints
    invoked: Ints
    completed: Ints
    makers: Ints
    versions: int
    stated: bool
    counted: Bools
    reads: Entries
    writes: Entries
    every: tuple[Entries, Entries]
    keys: Any


def operations(table: pa.Table, rows: Rows) -> Operations:
    """The operations of `table`, of which `rows` is the pairing. Raises: Unclear."""
    ended = rows.completions
    data = np.where(ended >= 0, ended, rows.invokes)
    kind = np.where(ended >= 0, codes(table.column("type"), KINDS).take(ended), np.int8(PERHAPS)).astype(np.int32)
    start, claimed = (_numbers(table, name, rows, data) for name in ("start", "commit"))
    order = table.column("order")
    require(order.null_count == len(order), "operations say in which order they read and wrote")
    encoded = whole(table.column("process")).dictionary_encode()
    names = encoded.dictionary.to_pylist()
    session = stored(encoded.indices).take(data).astype(np.int32, copy=False)
    setup, final = (np.flatnonzero(session == (names.index(n) if n in names else NOTHING)) for n in (SETUP, FINAL))
    require(len(setup) <= 1, "there are two initial contents")
    first = int(setup[0]) if len(setup) else NOTHING
    require(first < 0 or (kind[first] == DONE and claimed[first] == 0), "the initial content is not the one version 0")
    made, versions = _made(table, rows, kind, claimed)
    limit = versions if len(rows.versions) else min(versions, 2 * len(kind) + 2)
    require(int(start.max(initial=0)) < max(limit, 1), "a version is beyond the lineage")
    claims = (claimed >= 0) & (kind != REFUSED)
    require(not (claims & (start >= claimed)).any(), "an operation starts after what it claims")
    require(not ((made >= 0) & (start >= made)).any(), "an operation starts after its own commit")
    counted = (kind == DONE) | (made >= 0)
    reads, writes, keys = _entries(table, rows, versions)
    _require_known(table, rows, kind, made, writes)
    every = (reads, writes)
    reads, writes = _of(reads, counted), _of(writes, made >= 0)
    committed = np.flatnonzero(made >= 0)
    makers = np.full(versions, NOTHING, dtype=np.int64)
    makers[made.take(committed)] = committed
    return Operations(
        table, kind, session, first, int(final[-1]) if len(final) else NOTHING, start.astype(np.int32),
        made.astype(np.int32), claimed, rows.invokes, ended, makers, versions, bool(len(rows.versions)), counted,
        reads, writes, every, keys,
    )  # fmt: skip


def _numbers(table: pa.Table, name: str, rows: Rows, data: Ints) -> Ints:
    """The version in a column that each operation says in its row of `data`; null becomes -1."""
    column = whole(table.column(name))
    numbers, there = stored(column), bits(column, 0)
    require(not ((numbers < 0) & there).any(), f"a negative {name}")
    asked = there.take(rows.invokes) & (rows.completions != rows.invokes)
    require(not asked.any(), "an invocation says where it started")
    return np.where(there.take(data), numbers.take(data), np.int64(NOTHING))


def _made(table: pa.Table, rows: Rows, kind: Small, claimed: Ints) -> tuple[Ints, int]:
    """The version that each operation made, -1 = none, and how many versions there are."""
    made = np.full(len(kind), NOTHING, dtype=np.int64)
    if not len(rows.versions):
        require(not (kind == PERHAPS).any(), "an outcome is unknown and there is no lineage")
        np.copyto(made, claimed, where=kind == DONE)
        ordinals = made[made >= 0]
        low, high = (int(ordinals.min()), int(ordinals.max())) if len(ordinals) else (0, NOTHING)
        gaps = high - low >= len(ordinals)
        claims = np.unique(ordinals, return_counts=True)[1] if gaps else np.bincount(ordinals - low)
        require(int(claims.max(initial=0)) <= 1, "two operations claim one version")
        require(not gaps, "nobody claims a version")
        require(high < 2 * len(ordinals) + 2, "versions are no ordinals")
        return made, high + 1
    ids = integers(whole(table.column("op")))
    stated = stored(whole(table.column("commit")))[rows.versions]
    require(bool((stated == np.arange(len(rows.versions))).all()), "the lineage is not dense, oldest first")
    makers = _positions(ids[rows.invokes], ids[rows.versions])
    require(int(np.bincount(makers).max()) == 1, "an operation made several versions")
    require(not (kind[makers] == REFUSED).any(), "a refused operation made a version")
    require((rows.completions[makers] >= 0).all(), "a version was made by an operation that did not complete")
    made[makers] = np.arange(len(makers))
    return made, len(makers)


def _positions(numbers: Ints, wanted: Ints) -> Ints:
    """Where among the numbers of operations each of `wanted` is."""
    unknown = "a version was made by nobody known"
    require(len(numbers) and int(wanted.min(initial=0)) >= 0, unknown)
    if int(numbers.max()) < 4 * len(numbers):  # as good as dense
        place = np.full(int(numbers.max()) + 1, NOTHING, np.int32)
        place[numbers] = np.arange(len(numbers))
        require(int(wanted.max(initial=0)) < len(place), unknown)
        found = place.take(wanted)
        require(int(found.min(initial=0)) >= 0, unknown)
        return found.astype(np.int64)
    order = np.argsort(numbers, kind="stable")
    place = np.minimum(np.searchsorted(numbers[order], wanted), len(numbers) - 1)
    require((numbers[order[place]] == wanted).all(), unknown)
    return np.asarray(order[place])


def _entries(table: pa.Table, rows: Rows, versions: int) -> tuple[Entries, Entries, Any]:
    """All reads, all writes, and the keys by code."""
    done = np.flatnonzero(rows.completions >= 0)
    position = np.full(table.num_rows, NOTHING, dtype=np.int32)
    position[rows.completions[done]] = done
    done = np.flatnonzero(position >= 0)
    position = position.take(done)
    lists = [whole(table.column(name)) for name in ("reads", "writes")]
    flat = [entries.flatten() for entries in lists]
    keys = [one.field("key") for one in flat]
    names, key_codes = _encoded(keys)
    found = []
    for at, (entries, structs) in enumerate(zip(lists, flat, strict=True)):
        op = np.repeat(position, stored(entries.value_lengths()).take(done))
        require(len(op) == len(structs), "an invocation says what was read or written")
        version = structs.field("version") if at == 0 else None
        stated = None
        if version is not None and version.null_count < len(version):
            numbers = integers(version)
            before = np.count_nonzero(numbers < 0) > version.null_count
            require(not before, "a read states a version from before the first, or none at all")
            require(int(numbers.max()) < versions, "a version is beyond the lineage")
            stated = numbers.astype(np.int32)
        found.append(Entries(op, key_codes[at], structs.field("value"), stated))
    return found[0], found[1], names


def _encoded(columns: list[Any]) -> tuple[Any, list[Small]]:
    """The different values of all columns, and the codes of each column's."""
    if all(pa.types.is_dictionary(column.type) for column in columns):
        alike = columns[0].dictionary.equals(columns[1].dictionary)
        coded = columns if alike else pa.chunked_array(columns).unify_dictionaries().chunks
        return coded[0].dictionary, [stored(column.indices) for column in coded]
    encoded = pa.chunked_array(columns, pa.string()).dictionary_encode()
    if not all(len(column) for column in columns):
        encoded = pa.concat_arrays(columns).dictionary_encode()
        both = stored(encoded.indices)
        return encoded.dictionary, np.split(both, [len(columns[0])])
    chunks = [encoded.chunk(at) for at in range(len(columns))]
    return chunks[0].dictionary, [stored(chunk.indices) for chunk in chunks]


def _require_known(table: pa.Table, rows: Rows, kind: Small, made: Ints, writes: Entries) -> None:
    open_ = (kind == DONE) & (made < 0)
    if not len(rows.versions) and open_.any():
        require(not open_.take(writes.op).any(), "a write names no version, and there is no lineage")
    require(_acknowledged(table), "no client was acknowledged")


def _acknowledged(table: pa.Table) -> bool:
    table = table.select(["type", "process", "f"])
    for low in range(0, table.num_rows, 1_024):
        rows = zip(*(column.to_pylist() for column in table.slice(low, 1_024).columns), strict=True)
        if any(kind == OK and is_client(process, f) for kind, process, f in rows):
            return True
    return False


def _of(entries: Entries, chosen: Bools) -> Entries:
    """The entries of the operations that are chosen."""
    if chosen.all():
        return entries
    kept = chosen.take(entries.op)
    if kept.all():
        return entries
    version = entries.version
    stated = None if version is None else version[kept]
    return Entries(entries.op[kept], entries.key[kept], entries.value.filter(pa.array(kept)), stated)


def with_keys(table: pa.Table, keys: pa.Array) -> pa.Table:
    """The table with no other reads and writes than those of `keys`."""
    for name in ("reads", "writes"):
        lists = whole(table.column(name))
        entries = lists.flatten()
        kept = pc.is_in(entries.field("key"), keys)
        ends = np.concatenate([[0], np.cumsum(bits(kept))])
        starts = np.concatenate([[0], np.cumsum(integers(lists.value_lengths()))])
        shorter = pa.ListArray.from_arrays(arrow(ends.take(starts).astype(np.int32)), entries.filter(kept))
        table = table.set_column(table.schema.get_field_index(name), table.field(name), [shorter.cast(lists.type)])
    return table
