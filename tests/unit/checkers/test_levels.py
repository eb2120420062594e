"""Levels against their axioms, and the lattice: whoever breaks a level breaks every stronger one."""

import random

import pytest

from checkers.histories.notation import history as told
from checkers.isolation import cycle, visible
from checkers.isolation.levels import LEVELS
from checkers.properties import PROPERTIES, STRONGER, stronger
from checkers.verdict import INVALID, UNKNOWN, VALID, check, failure_key
from tests.known_verdicts import axioms
from tests.known_verdicts.generate import history, tiny

NAMES = [f"{order}{level}" for order in axioms.ORDERS for level in axioms.LEVELS]


def _results(source):
    """Property by property; findings against stated versions alone count as kept: the axioms allow any order."""
    verdict = check(source, PROPERTIES)
    broken = {v.property for v in verdict.violations if not v.anomaly.endswith("@stated")}
    return {name: INVALID if name in broken else VALID for name in PROPERTIES}


@pytest.mark.parametrize("seed", range(6))
def test_levels_agree_with_their_axioms(seed):
    """Every level, plain, per session and in real time, on histories that no system made; both verdicts occur."""
    rng = random.Random(seed)
    seen = set()
    for _ in range(80):
        known = tiny(rng)
        results = _results(history(known))
        for order in axioms.ORDERS:
            for level in axioms.LEVELS:
                wanted = VALID if axioms.keeps(known, level, order) else INVALID
                assert results[order + level] == wanted, (order + level, known)
                seen.add((order + level, wanted))
    assert len(seen) == 2 * len(NAMES), sorted({(name, v) for name in NAMES for v in (VALID, INVALID)} - seen)


@pytest.mark.parametrize("seed", range(4))
def test_what_breaks_a_property_breaks_every_stronger_one(seed):
    """The lattice, on generated histories."""
    rng = random.Random(100 + seed)
    for _ in range(80):
        known = tiny(rng)
        results = _results(history(known))
        for name in STRONGER:
            if results[name] == INVALID:
                kept = [one for one in stronger(name) if results[one] != INVALID]
                assert not kept, (name, kept, known)


def test_levels_are_the_axioms_levels_and_all_are_asked():
    """Plain, per session and in real time."""
    assert tuple(LEVELS) == axioms.LEVELS
    assert {*NAMES} <= {*PROPERTIES}
    assert {*STRONGER} <= {*PROPERTIES}


def test_reading_a_key_twice_with_two_results_breaks_read_atomic_and_not_read_committed():
    """Where the order inside the operation is known."""
    source = told("w1:ovr(x=1)@0->1 ; r1:txn(x:0,x:1)@1")
    assert check(source, ["read-committed"]).outcome == VALID
    found = [failure_key(violation) for violation in check(source, ["read-atomic"]).violations]
    assert found == ["read-atomic/unrepeatable-read", "read-atomic/fractured-read"]


def test_a_search_that_is_ended_by_its_bound_leaves_its_level_unknown(monkeypatch):
    """Neither kept nor broken; a level that needs no such search is judged."""
    fork = "w1:txn(x=1)@0->1 w2:txn(y=1)@1->2 ; r1:read(x:1@1,y:0@0) r2:read(x:0@0,y:1@2)"
    monkeypatch.setattr(cycle, "MAX_VISITS", 0)
    monkeypatch.setattr(visible, "MAX_VISITS", 0)
    results = check(told(fork), ["read-committed", "causal"]).results
    assert results == {"read-committed": VALID, "causal": UNKNOWN}
