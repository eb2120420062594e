"""A checker that lost a rule misses the anomaly that the rule is there for.

Each row breaks one rule of one checker. The whole checker must find the anomaly and the mutant must not: so every rule
is needed by a test, and a checker that accepts everything cannot pass.
"""

import pytest

from checkers.histories.notation import history
from checkers.isolation import (
    certificate,
    conflicts,
    durability,
    graph,
    isolation,
    levels,
    lost_update,
    resolve,
    session_writes,
    visibility,
)
from checkers.isolation.resolve import FOREIGN, UNBORN, Facts
from checkers.verdict import quick

SURVIVE = "acknowledged-writes-survive"
SKEW = "w1:txn(x:0,y=1)@0->1 w2:txn(y:0,x=1)@0->2"
LOST = "w1:upd(x=1)@0->1 w2:upd(x=2)@0->2"
CIRCULAR = "w1:txn(x:1,y=1)@0->2 w2:txn(y:1,x=1)@0->1"
FRACTURED = "w1:txn(x=1,y=1)@0->1 ; r1:read(x=1,y=0)@1"
CAUSE = "w1:txn(x=1)@0->1 ; w2:txn(x:1,y=1)@1->2 ; r1:txn(y:1,x:0@0)"
FORK = "w1:txn(x=1)@0->1 w2:txn(y=1)@1->2 ; r1:read(x:1@1,y:0@0) r2:read(x:0@0,y:1@2)"
REORDERED = "w1:ovr(x=1)@0->1 ; w1:ovr(y=1)@1->2 ; r1:txn(y:1,x:0@0)"
STALE = "w1:upd(x=1)@0->1 ; r1:read(x=0)@1"
BACKWARDS = "w1:upd(x=1)@0->1 ; r1:read(x=1)@1 ; r1:read(x=0)@0"
REFUSED = "w1:upd(x=1)@0!"
BEHIND = "w1:upd(x=1)@0->1 ; r1:read(x=0)@0"
RESURRECTED = "w1:del(x)@0->2 w2:upd(x=1)@0->1 final:read(x=1)@2"
ABSENT = "w1:upd(x=1)@0->1 ; r1:read(x)@1"


def _without(kind):
    def mutate(patch):
        for name in ("read_edges", "version_edges"):
            whole = getattr(graph, name)
            patch.setattr(graph, name, lambda facts, whole=whole: [e for e in whole(facts) if e.kind != kind])

    return mutate


def _replace(module, name, value):
    return lambda patch: patch.setattr(module, name, value)


def _every_operation_its_own_session(patch):
    patch.setattr(Facts, "sessions", lambda facts: {str(at): [at] for at in facts.nodes})


def _unborn_for_lost(patch):
    whole = resolve._search
    patch.setattr(resolve, "_search", lambda *args: max(whole(*args), UNBORN))


def _trusts_statements(patch):
    """The certificate without its tests on edges."""
    patch.setattr(certificate, "failures", lambda facts: [])


MUTANTS = [
    ("no rw edges", _without("rw"), "serializable", SKEW),
    ("no rw edges", _without("rw"), "no-write-skew", SKEW),
    ("no rw edges", _without("rw"), "strong-snapshot-isolation", LOST),
    ("no ww edges", _without("ww"), "strong-snapshot-isolation", LOST),
    ("no ww edges", _without("ww"), "serializable", LOST),
    ("no wr edges", _without("wr"), "serializable", CIRCULAR),
    ("no so edges", _replace(graph, "session_edges", lambda facts: []), "strong-session-serializable", BACKWARDS),
    (
        "no rt edges",
        _replace(graph, "realtime_edges", lambda facts: []),
        "strong-serializable",
        BEHIND,
    ),
    ("certificate trusts statements", _trusts_statements, "snapshot-isolation", STALE),
    ("certificate trusts statements", _trusts_statements, "snapshot-isolation", LOST),
    (
        "certificate ignores overlaps",
        _replace(certificate, "overlap", lambda *_: None),
        "snapshot-isolation",
        LOST,
    ),
    (
        "commit order always serial",
        _replace(certificate, "serial_by_commit", lambda _: True),
        "serializable",
        LOST,
    ),
    ("nothing is missed", _replace(levels, "missed", lambda *_: ()), "read-atomic", FRACTURED),
    ("nothing is missed", _replace(levels, "missed", lambda *_: ()), "causal", CAUSE),
    ("no cycle is ever found", _replace(levels, "cheapest", lambda *_: None), "read-committed", CIRCULAR),
    ("no cycle is ever found", _replace(levels, "cheapest", lambda *_: None), "prefix", FORK),
    ("no cycle is ever found", _replace(levels, "cheapest", lambda *_: None), "parallel-snapshot-isolation", LOST),
    ("no fork is ever found", _replace(isolation, "fork", lambda *_: None), "no-long-fork", FORK),
    ("observers not asked", _replace(session_writes, "_observed", lambda *_: []), "monotonic-writes", REORDERED),
    ("own commit not found", _replace(lost_update, "bisect_left", lambda *_: 0), "no-lost-update", LOST),
    ("sessions not followed", _every_operation_its_own_session, "monotonic-reads", BACKWARDS),
    ("sessions not followed", _every_operation_its_own_session, "read-your-writes", STALE.replace("r1", "w1")),
    ("any overlap allowed", _replace(conflicts, "overlap", lambda *_: None), "conflict-detection", LOST),
    (
        "any refusal excused",
        _replace(conflicts, "_had_company", lambda *_: True),
        "no-spurious-refusal",
        "w1:upd(x=1)@0!",
    ),
    (
        "no error is a conflict",
        _replace(conflicts, "is_conflict", lambda _: False),
        "no-spurious-refusal",
        "w1:upd(x=1)@0!",
    ),
    (
        "final read not found",
        _replace(durability, "final_read", lambda _: None),
        SURVIVE,
        RESURRECTED,
    ),
    (
        "acknowledgements forgotten",
        _replace(durability, "OK", "never"),
        SURVIVE,
        "w1:upd(x=1)@0->lost final:read(x=0)@0",
    ),
    ("refusals forgotten", _replace(visibility, "FAIL", "never"), "no-aborted-reads", "w1:upd(x=1)@0->1!"),
    ("refusals forgotten", _replace(visibility, "FAIL", "never"), "readable", "final:read()@0!unreadable"),
    (
        "values from nowhere accepted",
        _replace(visibility, "FOREIGN", FOREIGN - 100),
        "no-aborted-reads",
        "w1:upd(x=1)@0! ; r1:read(x=1)@0",
    ),
    ("lost rows accepted", _replace(levels, "unexplained", lambda *_, **__: []), "serializable", ABSENT),
]


@pytest.mark.parametrize(("mutant", "mutate", "name", "line"), MUTANTS)
def test_a_checker_without_a_rule_misses_the_anomaly(mutant, mutate, name, line, monkeypatch):
    """Found by the whole checker, not by the mutant."""
    events = history(line).events
    assert quick(events, [name]) is not None
    mutate(monkeypatch)
    assert quick(events, [name]) is None, mutant


def test_a_row_that_vanished_is_told_from_one_not_yet_born(monkeypatch):
    """Both go backwards; only the anomaly says which."""
    events = history("w1:upd(x=1)@0->1 ; r1:read(x=1)@1 ; r1:read(x)@1").events
    assert quick(events, ["monotonic-reads"]) == "monotonic-reads/vanished-row"
    _unborn_for_lost(monkeypatch)
    assert quick(events, ["monotonic-reads"]) == "monotonic-reads/non-monotonic-read"
