"""Each process's own rows in order, in one exchange: who asks for one thing at a time, and starts after its commits."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from real_backend.pipeline.check_exchange import by_history, joined
from real_backend.pipeline.check_operations import BEGUN, Wrong
from real_backend.pipeline.check_splits import INVOKED, codes_of, numbers, ordered, texts

NAMES = ("history", "process", "index", "type", "op", "start", "commit")


class Sessions(NamedTuple):
    """Of one history in one partition of processes. `behind` operations start before their session's last commit."""

    wrong: tuple[Wrong, ...]
    behind: int


def sessions_judged(messages: list[bytes]) -> Mapping[int, Sessions]:
    """What one partition says of each history."""
    return {code: _judged(rows) for code, rows in by_history(joined(messages))}


def _judged(table: pa.Table) -> Sessions:
    process, index = codes_of(texts(table.column("process"))), numbers(table, "index")
    order = ordered(process, index)
    process, types = process[order], numbers(table, "type")[order]
    op, start, commit = (numbers(table, name)[order] for name in ("op", "start", "commit"))
    index = index[order]
    paired = types != BEGUN
    process, types, op, start, commit, index = (one[paired] for one in (process, types, op, start, commit, index))
    if not len(process):
        return Sessions((), 0)
    same = np.r_[False, process[1:] == process[:-1]]
    waiting = np.r_[False, types[:-1] == INVOKED] & same
    again = (types == INVOKED) & waiting
    matches = waiting & np.r_[False, op[1:] == op[:-1]]
    alone = (types != INVOKED) & ~matches
    wrong = []
    for holds, expected, got in (
        (again, "a completion of the operation before", "a second invocation"),
        (alone, "an earlier invocation of this operation by its process", "none"),
    ):
        if holds.any():
            wrong.append((f"row {index[np.flatnonzero(holds)[0]]}", expected, got))
    group = np.cumsum(~same)
    span = int(max(commit.max(), 0)) + 2
    newest = np.maximum.accumulate(np.where(types != INVOKED, commit, -1) + group * span)
    before = np.where(same, np.r_[0, newest[:-1]] - group * span, -1)
    behind = (types != INVOKED) & (start >= 0) & (start < before)
    return Sessions(tuple(wrong), int(behind.sum()))
