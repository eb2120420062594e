"""The few operations that may break a property, as a history of their own, for the checks that explain.

Choices: only the reads and writes of the key in question are kept, and no reads of those who only wrote what others
saw. Versions are numbered anew, in their order; a line says which ones they are.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from checkers.histories.history import INVOKE, OK, SETUP, VERSION, Event, History, Read, Write
from real_backend.pipeline.check_kernel import Suspect
from real_backend.pipeline.check_splits import MADE, Split, coded, numbers, tables, types_of

NARROW = ("op", "type")
COLUMNS = ("index", "process", "type", "op", "f", "start", "commit", "reads", "writes")
Row = dict[str, Any]


def rows_of(split: Split, names: Sequence[str], wanted: Mapping[int, Sequence[int]]) -> Iterator[tuple[int, Row]]:
    """The rows of the wanted operations, by history; invocations and completions."""
    for group in range(split.first, split.last):
        one = split._replace(first=group, last=group + 1)
        for table in tables(one, NARROW):
            history = coded(table.column("history").combine_chunks(), names)
            op, types = numbers(table, "op"), types_of(table)
            found = np.zeros(len(op), bool)
            for code, ops in wanted.items():
                found |= (history == code) & np.isin(op, np.array(ops, np.int64)) & (types != MADE)
            if found.any():
                for whole in tables(one, COLUMNS):
                    rows = whole.filter(pa.array(found)).to_pylist()
                    yield from zip(history[found].tolist(), rows, strict=True)


def witness(found: Mapping[int, Sequence[Row]], suspect: Suspect, commits: Mapping[int, int]) -> tuple[History, str]:
    """The history of a suspect as far as its key goes (None: all keys), and which versions it has.

    Args: `found` has the rows by operation; `commits` the versions that operations made, where they say another one.
    """
    key = suspect.key
    rows = [row for op in (*suspect.ops, *suspect.others) for row in found.get(op, ())]
    rows = [row if row["op"] in suspect.ops else {**row, "reads": ()} for row in rows]
    done = {row["op"]: row for row in rows if row["type"] != INVOKE}
    made = {op: commits.get(op, row["commit"] if row["type"] == OK else None) for op, row in done.items()}
    known = {op: version for op, version in made.items() if version is not None and version >= 0}
    beginning = next((row for row in rows if row["process"] == SETUP), None)
    makers = sorted((version, op) for op, version in known.items() if done[op]["process"] != SETUP)
    versions = [version for version, _ in makers]
    first = max((row["op"] for row in rows), default=0) + 1 if beginning is None else beginning["op"]
    events = [_initial(first, beginning, key)]
    for row in sorted(rows, key=lambda row: row["index"]):
        if row["process"] != SETUP:
            commit = versions.index(known[row["op"]]) + 1 if row["type"] != INVOKE and row["op"] in known else None
            events.append(_event(len(events), row, key, versions, commit))
    for place, op in enumerate([first, *(op for _, op in makers)]):
        named = str(versions[place - 1]) if place else "0"
        events.append(Event(len(events), 0, "lineage", VERSION, op, "version", commit=place, snapshot=named))
    told = ", ".join(f"{place} is {version:,}" for place, version in enumerate(versions, 1))
    return History(events), f"Versions are counted among these operations: {told}" if told else ""


def _initial(op: int, row: Row | None, key: str | None) -> Event:
    writes = _writes(row, key) if row else ()
    return Event(0, 0, SETUP, OK, op, "setup", commit=0, writes=writes)


def _event(index: int, row: Row, key: str | None, versions: Sequence[int], commit: int | None) -> Event:
    start = None if row["start"] is None else bisect_right(versions, row["start"])
    reads = tuple([Read(one["key"], one["value"], _place(one["version"], versions))
                   for one in row["reads"] or () if key in (None, one["key"])])  # fmt: skip
    return Event(
        index, 0, row["process"], row["type"], row["op"], row["f"], None, start, commit,
        reads=reads, writes=_writes(row, key),
    )  # fmt: skip


def _place(version: int | None, versions: Sequence[int]) -> int | None:
    return None if version is None else bisect_right(versions, version) if version >= 0 else version


def _writes(row: Row, key: str | None) -> tuple[Write, ...]:
    return tuple([Write(one["key"], one["value"]) for one in row["writes"] or () if key in (None, one["key"])])
