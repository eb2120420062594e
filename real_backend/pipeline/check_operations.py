"""Operations put together by their numbers, in one exchange: which version each made, and what cannot have been.

The result is small: exceptions. Whoever judges the keys takes an acknowledged operation to have made the version that
it says, but for the exceptions, which are sent to all.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from checkers.histories.history import SETUP
from real_backend.pipeline.check_exchange import Piece, by_history, joined, mixed, pieces, places
from real_backend.pipeline.check_splits import (
    DONE,
    FAILED,
    INVOKED,
    MADE,
    NONE,
    UNKNOWN,
    Ints,
    Split,
    coded,
    integers,
    numbers,
    ordered,
    tables,
    types_of,
)  # fmt: skip

BEGUN = 5  # the initial content: acknowledged, without an invocation
COLUMNS = ("index", "process", "type", "op", "start", "commit", "writes")
MAX_WITNESSES = 3
Wrong = tuple[str, str, str]


class Operations(NamedTuple):
    """Of one history in one partition. `wrong` is bad input (where, expected, got); `reasons` leave everything open.

    `exceptions` are operations and the versions that they made (-1: none); `refused` and `lost` are a few operations
    that were refused and are in the lineage, or were acknowledged and are not. `distinct` versions were made.
    """

    wrong: tuple[Wrong, ...] = ()
    reasons: tuple[str, ...] = ()
    exceptions: tuple[Ints, Ints] = (np.zeros(0, np.int64), np.zeros(0, np.int64))
    refused: tuple[int, ...] = ()
    lost: tuple[int, ...] = ()
    distinct: int = 0


def sent(split: Split, names: Sequence[str], stated: Mapping[int, bool], count: int) -> Iterator[Piece]:
    """The rows of a split by operation, and, in `count` further partitions, the versions by number."""
    for table in tables(split, COLUMNS, names, thin=True):
        types, op = types_of(table), numbers(table, "op")
        setup = (coded(table.column("process"), (SETUP,)) == 0) & (types == DONE)
        types = np.where(setup, BEGUN, types)
        history = coded(table.column("history"), names)
        commit = numbers(table, "commit")
        wrote = np.asarray(pc.greater(pc.fill_null(pc.list_value_length(table.column("writes")), 0), 0))
        known = ~((types == MADE) & (op < 0))
        columns: dict[str, np.ndarray] = {
            "history": history, "op": op, "index": numbers(table, "index"), "type": types,
            "start": numbers(table, "start"), "commit": commit, "wrote": wrote,
        }  # fmt: skip
        where = places(mixed(op) + mixed(history), count)
        yield from _sent(columns, where, known)
        is_stated = np.array([stated[code] for code in range(len(names))], bool)[history]
        claims = np.where(is_stated, types == MADE, (types == DONE) | (types == BEGUN)) & (commit >= 0)
        claimed = {"history": history, "commit": commit}
        yield from _sent(claimed, places(mixed(commit), count), claims, first=count)


def _sent(columns: Mapping[str, np.ndarray], where: Ints, chosen: np.ndarray, first: int = 0) -> Iterator[Piece]:
    """Pieces of the rows that are `chosen`."""
    if not chosen.all():
        columns, where = {name: column[chosen] for name, column in columns.items()}, where[chosen]
    yield from pieces(columns, where, first)


def received(number: int, messages: list[bytes], stated: Mapping[int, bool], count: int) -> dict[int, Operations]:
    """What one partition says of each history."""
    table = joined(messages)
    judge = _versions if number >= count else _operations
    return {code: judge(rows, stated[code]) for code, rows in by_history(table)}


def _versions(table: pa.Table, stated: bool) -> Operations:
    commits = np.sort(numbers(table, "commit"))
    distinct = int(np.count_nonzero(commits[1:] != commits[:-1])) + 1
    if distinct == len(table):
        return Operations(distinct=distinct)
    if stated:
        return Operations(wrong=(("the lineage", "each version once", "one twice"),), distinct=distinct)
    return Operations(reasons=("two acknowledged operations say that they made one version",), distinct=distinct)


def _operations(table: pa.Table, stated: bool) -> Operations:
    op, index, types = numbers(table, "op"), numbers(table, "index"), numbers(table, "type")
    order = ordered(op, index)
    op, types = op[order], types[order]
    start, commit = numbers(table, "start")[order], numbers(table, "commit")[order]
    wrote = integers(table.column("wrote").combine_chunks().cast(pa.int8()))[order] > 0
    group = np.cumsum(np.r_[False, op[1:] != op[:-1]]) if len(op) else op
    size = int(group[-1]) + 1
    counts = {kind: np.bincount(group[types == kind], minlength=size) for kind in range(BEGUN + 1)}
    ended = counts[DONE] + counts[FAILED] + counts[UNKNOWN] + counts[BEGUN]
    numbers_of = op[np.r_[True, op[1:] != op[:-1]]]
    wrong = [
        *_first(numbers_of, counts[INVOKED] > 1, "one invocation", "a second one"),
        *_first(numbers_of, ended > 1, "one completion", "a second one"),
        *_first(numbers_of, (ended == 1) & (counts[INVOKED] + counts[BEGUN] == 0), "an earlier invocation", "none"),
        *_first(numbers_of, (counts[MADE] > 0) & (ended + counts[INVOKED] == 0), "a recorded operation", "none"),
    ]
    done = np.flatnonzero((types != INVOKED) & (types != MADE))
    at = np.full(size, NONE)
    at[group[done]] = done
    made = np.full(size, NONE)
    made[group[types == MADE]] = commit[types == MADE]
    here = at >= 0
    kind, began, claimed = (np.where(here, column[at], NONE) for column in (types, start, commit))
    acknowledged = (kind == DONE) | (kind == BEGUN)
    assumed = np.where(acknowledged, claimed, NONE)
    made = made if stated else assumed
    wrote_it = here & wrote[at]
    after = ((made >= 0) & (began >= made)) | ((kind != FAILED) & (claimed >= 0) & (began >= claimed))
    wrong += _first(numbers_of, here & after, "a start before its own commit", "a later one")
    open_ = acknowledged & wrote_it & (made < 0) & (not stated)
    reasons = {
        "an operation made several versions": counts[MADE] > 1,
        "a version was made by an operation that did not complete": (made >= 0) & ~here,
        "a writer names no version, and the history has no lineage to tell": open_,
        "the outcome of a writer is unknown, and the history has no lineage to tell":
            (kind == UNKNOWN) & wrote_it & (not stated),
        "a writer does not say where it started": (made >= 0) & (kind != BEGUN) & wrote_it & (began < 0),
    }  # fmt: skip
    differs = here & (made != assumed)
    return Operations(
        tuple(wrong),
        tuple([reason for reason, holds in reasons.items() if holds.any()]),
        (numbers_of[differs], made[differs]),
        _some(numbers_of, (kind == FAILED) & (made >= 0)),
        _some(numbers_of, acknowledged & wrote_it & (made < 0) & stated),
    )


def _first(numbers: Ints, holds: np.ndarray, expected: str, got: str) -> list[Wrong]:
    places_of = np.flatnonzero(holds)
    return [(f"operation {numbers[places_of[0]]}", expected, got)] if len(places_of) else []


def _some(numbers: Ints, holds: np.ndarray) -> tuple[int, ...]:
    return tuple(numbers[np.flatnonzero(holds)[:MAX_WITNESSES]].tolist())
