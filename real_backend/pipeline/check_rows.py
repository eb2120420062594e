"""From rows to what is exchanged: each read and write to the partition of its key, each row to that of its process."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from checkers.histories.history import SETUP
from real_backend.pipeline.check_exchange import Piece, hashed, mixed, pieces, places
from real_backend.pipeline.check_kernel import READ, TRIED, UNSTATED, WRITTEN, keys_judged
from real_backend.pipeline.check_operations import BEGUN
from real_backend.pipeline.check_sessions import sessions_judged
from real_backend.pipeline.check_splits import (
    DONE,
    INVOKED,
    MADE,
    NONE,
    Ints,
    Split,
    coded,
    codes_of,
    integers,
    numbers,
    tables,
    texts,
    types_of,
)  # fmt: skip

COLUMNS = ("index", "process", "type", "op", "start", "commit", "reads", "writes")
Exceptions = Mapping[int, tuple[Ints, Ints]]


def sent(split: Split, names: Sequence[str], exceptions: Exceptions, count: int) -> Iterator[Piece]:
    """The reads and writes of a split by key, and, in `count` further partitions, its rows by process."""
    for table in tables(split, COLUMNS, names):
        types, op = types_of(table), numbers(table, "op")
        process = texts(table.column("process"))
        types = np.where((coded(process, (SETUP,)) == 0) & (types == DONE), BEGUN, types)
        history = coded(table.column("history"), names)
        commit = _made(types, op, history, numbers(table, "commit"), exceptions)
        start, index = numbers(table, "start"), numbers(table, "index")
        acknowledged = (types == DONE) | (types == BEGUN)
        counted = acknowledged | (commit >= 0)
        ended = (types != INVOKED) & (types != MADE)
        owner = pa.array(codes_of(process), mask=~acknowledged)
        owner = pa.DictionaryArray.from_arrays(owner, process.dictionary)
        about = {"history": history, "op": op, "index": index, "start": start, "commit": commit}
        for name, kept in (("reads", counted & ended), ("writes", ended)):
            yield from _by_key(table.column(name).combine_chunks(), name, kept, about, owner, count)
        rows = types != MADE
        where = places(hashed(process) + mixed(history), count)
        columns = {**about, "process": process, "type": types}
        chosen = {name: column.filter(pa.array(rows)) if isinstance(column, pa.Array) else column[rows]
                  for name, column in columns.items()}  # fmt: skip
        yield from pieces(chosen, where[rows], first=count)


def received(number: int, messages: list[bytes], count: int) -> Any:
    """What one partition says: of keys, or, from `count` on, of processes."""
    return (False, keys_judged(number, messages)) if number < count else (True, sessions_judged(messages))


def _made(types: Ints, op: Ints, history: Ints, claimed: Ints, exceptions: Exceptions) -> Ints:
    """The version that each completed operation made: what it says, but for the exceptions."""
    commit = np.where((types == DONE) | (types == BEGUN), claimed, NONE)
    for code, (ops, made) in exceptions.items():
        if not len(ops):
            continue
        place = np.minimum(np.searchsorted(ops, op), len(ops) - 1)
        known = (ops[place] == op) & (history == code) & (types != INVOKED) & (types != MADE)
        commit = np.where(known, made[place], commit)
    return commit


def _by_key(lists: Any, name: str, kept: Any, about: Mapping[str, Ints], owner: Any, count: int) -> Iterator[Piece]:
    entries = lists.flatten()
    lengths = integers(pc.fill_null(pc.list_value_length(lists), 0))
    row = np.repeat(np.arange(len(lengths)), lengths)
    chosen = kept[row]
    if not chosen.all():
        entries, row = entries.filter(pa.array(chosen)), row[chosen]
    if not len(row):
        return
    key, value = (texts(entries.field(field)) for field in ("key", "value"))
    commit = about["commit"][row]
    version = np.full(len(row), UNSTATED)
    kind = np.where(commit >= 0, WRITTEN, TRIED)
    if name == "reads":
        version = integers(pc.fill_null(entries.field("version").cast(pa.int64()), UNSTATED))
        kind = np.full(len(row), READ)
    columns = {
        "key": key, "value": value, "process": owner.take(pa.array(row)), "kind": kind,
        "version": version, **{field: column[row] for field, column in about.items()},
    }  # fmt: skip
    yield from pieces(columns, places(hashed(key) + mixed(about["history"][row]), count))
