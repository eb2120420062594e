"""What has to be known of a whole history before its keys are judged: counts, and whether it has a lineage.

Choices: rows are taken to be in order and none missing if their numbers are 0 to n-1 by count, least, greatest and sum;
an operation that is there twice is found where operations are put together.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pyarrow.compute as pc

from checkers.histories.history import SETUP
from checkers.scope import is_client
from real_backend.pipeline.check_splits import (
    DONE,
    FAILED,
    INVOKED,
    MADE,
    Ints,
    Split,
    coded,
    codes_of,
    numbers,
    tables,
    texts,
    types_of,
)  # fmt: skip

_TRANSACTIONS = ("begin", "commit", "abort")


class Facts(NamedTuple):
    """Of a split, or of all of them. `newest_start` and `newest_commit` are -1 where there is none."""

    rows: int = 0
    first: int = 1 << 62
    last: int = -1
    total: int = 0
    versions: int = 0
    setups: int = 0
    bad_setups: int = 0
    unknown_makers: int = 0
    stating: int = 0
    newest_start: int = -1
    newest_commit: int = -1
    oldest_commit: int = 1 << 62
    disordered: int = 0
    negative: int = 0
    reads: int = 0
    writes: int = 0
    acknowledged: bool = False
    transactions: bool = False
    refused: bool = False
    ordered: bool = False


_LEAST = ("first", "oldest_commit")
_GREATEST = ("last", "newest_start", "newest_commit")


def added(one: Facts, other: Facts) -> Facts:
    """The facts of both."""
    both: list[Any] = [
        min(a, b) if name in _LEAST else max(a, b) if name in _GREATEST else (a or b) if isinstance(a, bool) else a + b
        for name, a, b in zip(Facts._fields, one, other, strict=True)
    ]
    return Facts(*both)


def facts_of(split: Split) -> Iterator[tuple[str, Facts]]:
    """The facts of the histories in a split, by name. Raises: HistoryError."""
    columns = ("index", "process", "type", "op", "f", "start", "commit", "reads", "writes", "order")
    for table in tables(split, columns, thin=True):
        encoded = texts(table.column("history"))
        codes = codes_of(encoded)
        for code in np.unique(codes).tolist():
            mine = np.flatnonzero(codes == code)
            yield encoded.dictionary[code].as_py(), _facts(table if len(mine) == len(codes) else table.take(mine))


def _facts(table: Any) -> Facts:
    types = types_of(table)
    index, op, start, commit = (numbers(table, name) for name in ("index", "op", "start", "commit"))
    lengths = [_lengths(table, name) for name in ("reads", "writes")]
    entries = lengths[0] + lengths[1]
    invoked, made = types == INVOKED, types == MADE
    setup = (coded(table.column("process"), (SETUP,)) == 0) & ~made
    counted = ~invoked & ~made
    stating = invoked & ((entries > 0) | (start >= 0) | (commit >= 0))
    negative = ((op < 0) & ~made) | (start < -1) | (commit < -1) | _is_minus_one(table, ("start", "commit"))
    claimed = commit[(types == DONE) | made]
    pairs = _pairs(table, types == DONE)
    words = {word for _, word in pairs}
    bad_setups = setup & ((types != DONE) | (commit != 0))
    return Facts(
        rows=len(types), first=int(index.min(initial=1 << 62)), last=int(index.max(initial=-1)), total=int(index.sum()),
        versions=int(made.sum()), setups=int(setup.sum()), bad_setups=int(bad_setups.sum()),
        unknown_makers=int((made & (op < 0)).sum()), stating=int(stating.sum()),
        newest_start=int(start.max(initial=-1)), newest_commit=int(claimed.max(initial=-1)),
        oldest_commit=int(claimed[claimed >= 0].min(initial=1 << 62)),
        disordered=_disordered(index[made], commit[made]), negative=int(negative.sum()),
        reads=int(lengths[0][counted].sum()), writes=int(lengths[1][counted & ~setup].sum()),
        acknowledged=any(is_client(process, word) for process, word in pairs),
        transactions=not words.isdisjoint(_TRANSACTIONS), refused=bool((types == FAILED).any()),
        ordered=bool((_texts_with(table, "r") & _texts_with(table, "w")).any()),
    )  # fmt: skip


def _pairs(table: Any, chosen: np.ndarray) -> list[tuple[str, str]]:
    """Who did what in the rows that are `chosen`, each once."""
    process, word = (texts(table.column(name)) for name in ("process", "f"))
    count = max(len(word.dictionary), 1)
    both = np.unique(codes_of(process)[chosen].astype(np.int64) * count + codes_of(word)[chosen])
    return [
        (process.dictionary[code // count].as_py(), word.dictionary[code % count].as_py()) for code in both.tolist()
    ]


def _disordered(index: Ints, version: Ints) -> int:
    """How many rows of the lineage do not follow the one before."""
    ordered = version[np.argsort(index, kind="stable")]
    return int((ordered[1:] <= ordered[:-1]).sum())


def _texts_with(table: Any, letter: str) -> np.ndarray:
    """Operations whose order of reads and writes has this letter."""
    orders = texts(table.column("order"))
    found = np.r_[np.asarray(pc.match_substring(orders.dictionary, letter)), False]
    has: np.ndarray = found[codes_of(orders)]
    return has


def _is_minus_one(table: Any, names: tuple[str, ...]) -> np.ndarray:
    """Rows in which a number is -1, as opposed to null."""
    found = [pc.fill_null(pc.equal(table.column(name), -1), False) for name in names]
    return np.asarray(pc.or_(*found))


def _lengths(table: Any, name: str) -> Ints:
    return np.asarray(pc.fill_null(pc.list_value_length(table.column(name)), 0)).astype(np.int64)
