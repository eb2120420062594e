"""Pairing of invocations and completions on whole columns: what `history.pair` does, without a loop over rows.

It pairs only what is well-formed; whatever is not, and whatever it does not know (a `setup` row with an invocation),
goes to `history.pair`, which says what is wrong.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from checkers.histories.history import FAIL, INFO, INVOKE, OK, SETUP, VERSION

Ints = npt.NDArray[np.int64]
KINDS = (OK, FAIL, INFO, INVOKE, VERSION)
"""Types by code."""


class Rows(NamedTuple):
    """The rows of invocations, of each one's completion (-1 = never), and of the lineage."""

    invokes: Ints
    completions: Ints
    versions: Ints


def whole(column: Any) -> Any:
    """A column as one array; copied only if it is in several pieces."""
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def codes(column: Any, values: tuple[str, ...]) -> Ints:
    """The position in `values` of each row's value; -1 if it is none of them."""
    encoded = whole(column).dictionary_encode()
    known = np.array([values.index(v) if v in values else -1 for v in encoded.dictionary.to_pylist()], dtype=np.int64)
    return known[integers(encoded.indices)] if len(known) else np.zeros(0, dtype=np.int64)


def integers(values: Any) -> Ints:
    """An Arrow integer array; null becomes -1."""
    filled = values.fill_null(-1) if values.null_count else values
    return np.asarray(filled.to_numpy(zero_copy_only=False)).astype(np.int64, copy=False)


def paired(table: Any) -> Rows | None:
    """The rows of a well-formed table; None if it is not known to be one."""
    types = codes(table.column("type"), KINDS)
    encoded = whole(table.column("process")).dictionary_encode()
    process, names = integers(encoded.indices), encoded.dictionary.to_pylist()
    ids = integers(whole(table.column("op")))
    setup = process == names.index(SETUP) if SETUP in names else np.zeros(len(types), bool)
    if (types < 0).any() or (setup & (types == 3)).any():
        return None
    rows = np.flatnonzero((types != 4) & ~setup)
    rows = rows[np.argsort(process[rows], kind="stable")]
    invoked = types[rows] == 3
    follows = np.zeros(len(rows), bool)
    follows[1:] = invoked[:-1] & (process[rows[1:]] == process[rows[:-1]])
    completes = np.zeros(len(rows), bool)
    completes[1:] = follows[1:] & ~invoked[1:] & (ids[rows[1:]] == ids[rows[:-1]])
    if (invoked & follows).any() or (~invoked & ~completes).any():
        return None
    completion = np.full(len(types), -1, dtype=np.int64)
    ending = np.flatnonzero(completes)
    completion[rows[ending - 1]] = rows[ending]
    alone = np.flatnonzero(setup & (types != 4))
    completion[alone] = alone
    invokes = np.flatnonzero((types == 3) | (setup & (types != 4)))
    numbers = np.sort(ids[invokes])
    if len(numbers) and (numbers[0] < 0 or (numbers[1:] == numbers[:-1]).any()):
        return None
    return Rows(invokes, completion[invokes], np.flatnonzero(types == 4))
