"""The comparison rules on millions of pairs of lists: our code on every distinct pair, numpy for the counting.

Histories of up to ten write ids are made at random (allocate, commit, abort); every ordered pair of snapshots of one
history is a pair of lists as a cache and a reader of one database could have them. What is right follows from the sets
of committed ids, as bit masks.
"""

from typing import Any, NamedTuple

import numpy as np
import pytest

from model.hive import compare, compare_2_8_1, superset
from model.hive.lists import ValidWriteIdList

pytestmark = pytest.mark.search

IDS, STEPS, HISTORIES = 10, 20, 19_000
MASKS = 1 << IDS
LISTS = (IDS + 1) * MASKS
Array = Any


class Pairs(NamedTuple):
    """Distinct pairs (a, b) of list codes, how often each occurred, and the sets of ids that they call committed."""

    a: Array
    b: Array
    counts: Array
    committed_a: Array
    committed_b: Array


def snapshots(rng: Any) -> Array:
    """Codes of the lists of each history before and after each of its steps: (HISTORIES, STEPS + 1)."""
    high = np.zeros(HISTORIES, dtype=np.int64)
    is_open = np.zeros((HISTORIES, IDS), dtype=bool)
    aborted = np.zeros((HISTORIES, IDS), dtype=bool)
    weights = 1 << np.arange(IDS)
    rows = np.arange(HISTORIES)
    codes = [np.zeros(HISTORIES, dtype=np.int64)]
    for _ in range(STEPS):
        dice = rng.random(HISTORIES)
        chosen = np.where(is_open, rng.random((HISTORIES, IDS)), -1.0).argmax(axis=1)
        has_open = is_open.any(axis=1)
        allocates = (high < IDS) & (~has_open | (dice < 0.45))
        ends = has_open & ~allocates
        is_open[rows[allocates], high[allocates]] = True
        high[allocates] += 1
        is_open[rows[ends], chosen[ends]] = False
        aborts = ends & (dice > 0.8)
        aborted[rows[aborts], chosen[aborts]] = True
        codes.append(high * MASKS + (is_open | aborted) @ weights)
    return np.stack(codes, axis=1)


def distinct(a: Array, b: Array) -> Pairs:
    """Count equal pairs."""
    codes, counts = np.unique(a.ravel() * LISTS + b.ravel(), return_counts=True)
    first, second = np.divmod(codes, LISTS)
    return Pairs(first, second, counts, _committed(first), _committed(second))


def _committed(codes: Array) -> Array:
    high, invalid = np.divmod(codes, MASKS)
    return ((1 << high) - 1) & ~invalid


def judge(pairs: Pairs) -> tuple[Array, Array, Array]:
    """Our rules on every distinct pair: fixed, as shipped in 2.8.1, inclusion."""
    lists: dict[int, ValidWriteIdList] = {}
    for code in {int(code) for code in np.union1d(pairs.a, pairs.b)}:
        high, invalid = divmod(code, MASKS)
        lists[code] = ValidWriteIdList("t", high, [n + 1 for n in range(IDS) if invalid >> n & 1])
    both = [(lists[a], lists[b]) for a, b in zip(pairs.a.tolist(), pairs.b.tolist(), strict=True)]
    fixed = np.array([compare(a, b) for a, b in both])
    shipped = np.array([compare_2_8_1(a, b) for a, b in both])
    return fixed, shipped, np.array([superset(a, b) for a, b in both])


def test_on_one_history_the_fixed_comparison_is_inclusion_and_the_shipped_one_is_not() -> None:
    """More than eight million ordered pairs: fixed 0 wrong; 2.8.1 wrong in per cents, and not even antisymmetric."""
    codes = snapshots(np.random.default_rng(24975))
    pairs = distinct(np.repeat(codes, codes.shape[1], axis=1), np.tile(codes, (1, codes.shape[1])))
    total = int(pairs.counts.sum())
    assert total >= 8_000_000
    a_has_all = (pairs.committed_b & ~pairs.committed_a) == 0
    b_has_all = (pairs.committed_a & ~pairs.committed_b) == 0
    assert (a_has_all | b_has_all).all()  # one history: never incomparable
    truth = a_has_all.astype(int) - b_has_all.astype(int)
    fixed, shipped, included = judge(pairs)
    assert int(pairs.counts[fixed != truth].sum()) == 0
    assert int(pairs.counts[included != a_has_all].sum()) == 0
    wrong = int(pairs.counts[shipped != truth].sum())
    assert 0.02 < wrong / total < 0.20
    backwards = dict(zip((pairs.a * LISTS + pairs.b).tolist(), shipped.tolist(), strict=True))
    mirrored = np.array([backwards[code] for code in (pairs.b * LISTS + pairs.a).tolist()])
    asymmetric = int(pairs.counts[shipped != -mirrored].sum())
    assert asymmetric > wrong


def test_on_incomparable_lists_only_inclusion_is_right() -> None:
    """Lists that are no two snapshots of one history: "newer" is said of caches that lack what the reader must see."""
    rng = np.random.default_rng(25)
    high = rng.integers(0, IDS + 1, (2, 400_000))
    codes = high * MASKS + rng.integers(0, MASKS, (2, 400_000)) % (1 << high)
    pairs = distinct(codes[0], codes[1])
    a_has_all = (pairs.committed_b & ~pairs.committed_a) == 0
    fixed, _, included = judge(pairs)
    assert (included == a_has_all).all()
    stale = (fixed >= 0) & ~a_has_all
    assert pairs.counts[stale].sum() > 0.1 * pairs.counts.sum()
