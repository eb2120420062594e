"""Every property: histories that keep it, histories that break it with a named anomaly, and the verdict's ground."""

import pytest

from checkers.histories.notation import history
from checkers.isolation.levels import LEVELS
from checkers.properties import PROPERTIES
from checkers.verdict import UNKNOWN, VALID, check, failure_key, quick

SURVIVE, LOST_UPDATE, SPURIOUS = "acknowledged-writes-survive", "no-lost-update", "no-spurious-refusal"

CIRCULAR = "w1:txn(x:1,y=1)@0->2 w2:txn(y:1,x=1)@0->1"
FRACTURED = "w1:txn(x=1,y=1)@0->1 ; r1:read(x=1,y=0)@1"
CAUSE = "w1:txn(x=1)@0->1 ; w2:txn(x:1,y=1)@1->2 ; r1:txn(y:1,x:0@0)"
FORK = "w1:txn(x=1)@0->1 w2:txn(y=1)@1->2 ; r1:read(x:1@1,y:0@0) r2:read(x:0@0,y:1@2)"
REORDERED = "w1:ovr(x=1)@0->1 ; w1:ovr(y=1)@1->2 ; r1:txn(y:1,x:0@0)"
THEN_WROTE = "w1:ovr(x=1)@0->1 ; w2:read(x=1)@1 ; w2:ovr(y=1)@1->2"
SAW_LESS = "w2:ovr(y=1)@1->2 ; r1:txn(y:1,x:0@0)"
READ_IT = "b:txn(y:1,x=2)@1->2"

# property, history, expected anomaly (None = holds), counters that must not be zero
ROWS = [
    ("readable", "w1:upd(x=1)@0->1 final:read(x=1)@1", None, "final_keys"),
    ("readable", "w1:upd(x=1)@0->1 final:read()@1!unreadable", "unreadable-table", "refused"),
    ("readable", "w1:upd(x=1)@0->1 ; r1:read()@1!unreadable ; final:read(x=1)@1", "unreadable-table", "refused"),
    ("no-aborted-reads", "w1:upd(x=1)@0->1 w2:upd(x=2)@0! ; final:read(x=1)@1", None, "refused"),
    ("no-aborted-reads", "w1:upd(x=1)@0! ; r1:read(x=1)@0", "aborted-read", "refused"),
    ("no-aborted-reads", "w1:upd(x=1)@0->1!", "refused-commit-visible", "refused"),
    ("no-aborted-reads", "w1:upd(x=1)@0? ; r1:read(x=1)@0", "vanished-write-read", "unknown_outcome"),
    ("no-aborted-reads", "w1:upd(x=1)@0->1 ; r1:read(x=9)@1", "thin-air-read", "reads"),
    ("no-aborted-reads", "w1:ovr(x=1,x=2)@0->1 ; r1:read(x=1)@1", "intermediate-read", "reads"),
    (SURVIVE, "w1:upd(x=1)@0->1 w2:del(y)@1->2 final:read(x=1,y)@2", None, "final_keys"),
    (SURVIVE, "w1:upd(x=1)@0? r1:read(x=0)@0 final:read(x=0)@0", None, "unknown_outcome"),
    (SURVIVE, "w1:upd(x=1)@0! r1:read(x=0)@0 final:read(x=0)@0", None, "refused"),
    (SURVIVE, "w1:upd(x=1)@0->1? r1:read(x=0)@0 final:read(x=1)@1", None, "unknown_outcome"),
    (SURVIVE, "w1:upd(x=1)@0->lost final:read(x=0)@0", "commit-not-in-lineage", "committed"),
    (
        "acknowledged-writes-survive",
        "w1:del(x)@0->2 w2:upd(x=1)@0->1 final:read(x=1)@2",
        "resurrected-row",
        "final_keys",
    ),
    (SURVIVE, "w1:upd(x=1)@0->1 final:read(x=0)@1", "lost-write", "final_keys"),
    (SURVIVE, "w1:ins(row3=c)@0->1 final:read(row3)@1", "lost-row", "final_keys"),
    (SURVIVE, "w1:app(row3=c)@0->1 final:read(row3=c|c)@1", "duplicated-row", "final_keys"),
    (SURVIVE, "w1:upd(x=1)@0->1 final:read(x=9)@1", "row-from-nowhere", "final_keys"),
    ("monotonic-reads", "w1:upd(x=1)@0->1 ; r1:read(x=0)@0 ; r1:read(x=1)@1", None, "longest_session"),
    ("monotonic-reads", "w1:upd(x=1)@0->1 ; r1:read(x=1)@1 ; r2:read(x=0)@0 ; r1:read(x=1)@1", None, "reads"),
    ("monotonic-reads", "w1:upd(x=1)@0->1 ; r1:read(x=1)@1 ; r1:read(x=0)@0", "non-monotonic-read", "longest_session"),
    ("monotonic-reads", "w1:ins(row3=c)@0->1 ; r1:read(row3=c)@1 ; r1:read(row3)@1", "non-monotonic-read", "reads"),
    ("monotonic-reads", "w1:upd(x=1)@0->1 ; r1:read(x=1)@1 ; r1:read(x)@1", "vanished-row", "longest_session"),
    ("read-your-writes", "w1:upd(x=1)@0->1 ; w1:read(x=1)@1", None, "longest_session"),
    ("read-your-writes", "w1:upd(x=1)@0->1 w2:upd(x=2)@1->2 ; w1:read(x=2)@2", None, "longest_session"),
    ("read-your-writes", "w1:upd(x=1)@0->1? ; w1:read(x=0)@0", None, "unknown_outcome"),
    ("read-your-writes", "w1:upd(x=1)@0->1 ; w1:read(x=0)@0", "missed-own-write", "longest_session"),
    ("read-your-writes", "w1:ins(row3=c)@0->1 ; w1:read(row3)@0", "missed-own-write", "longest_session"),
    ("monotonic-writes", "w1:ovr(x=1)@0->1 ; w1:ovr(y=1)@1->2 ; r1:txn(y:1,x:1)@2", None, "wr"),
    ("monotonic-writes", "w1:ovr(x=1)@0->1 ; w1:ovr(y=1)@1->2? ; r1:txn(y:1,x:0@0)", None, "unknown_outcome"),
    ("monotonic-writes", REORDERED, "missed-earlier-write", "wr"),
    ("monotonic-writes", "w1:ovr(x=1)->2 ; w1:ovr(x=2)->1", "write-behind-own-write", "writes"),
    ("writes-follow-reads", f"{THEN_WROTE} ; r1:read(x=1,y=1)@2", None, "wr"),
    ("writes-follow-reads", f"w1:ovr(x=1)@0->1 ; w2:read(x=1)@1 ; {SAW_LESS}", "missed-earlier-read", "wr"),
    ("writes-follow-reads", "w1:ovr(x=1)->2 ; w2:read(x=1) ; w2:ovr(x=2)->1", "write-behind-own-read", "writes"),
    ("session-guarantees", "w1:upd(x=1)@0->1 ; w1:read(x=1)@1", None, "wr"),
    ("session-guarantees", "w1:ovr(x=1)@0->1 ; r1:read(x=0)@1 ; r1:read(x=1)@0", None, "wr"),
    ("session-guarantees", "w1:upd(x=1)@0->1 ; w1:read(x=0)@0", "missed-own-write", "reads"),
    ("session-guarantees", REORDERED, "missed-earlier-write", "reads"),
    ("read-committed", FRACTURED, None, "rw"),
    ("read-committed", CIRCULAR, "G1c", "wr"),
    ("read-committed", "w1:ovr(x=1,x=2)@0->1 ; r1:read(x=1)@1", "G1b", "reads"),
    ("read-committed", "w1:upd(x=1)@0! ; r1:read(x=1)@0", "G1a", "reads"),
    ("read-atomic", CAUSE, None, "rw"),
    ("read-atomic", FRACTURED, "fractured-read", "rw"),
    ("read-atomic", CIRCULAR, "G1c", "wr"),
    ("causal", "w1:upd(x=1)@0->1 w2:upd(x=2)@0->2", None, "ww"),
    ("causal", FORK, None, "rw"),
    ("causal", CAUSE, "causality-violation", "rw"),
    ("causal", FRACTURED, "causality-violation", "rw"),
    ("no-long-fork", FRACTURED, None, "rw"),
    ("no-long-fork", FORK, "long-fork", "rw"),
    ("prefix", "w1:upd(x=1)@0->1 w2:upd(x=2)@0->2", None, "ww"),
    ("prefix", FORK, "G-nonadjacent", "rw"),
    ("prefix", CAUSE, "G-single", "rw"),
    ("parallel-snapshot-isolation", FORK, None, "rw"),
    ("parallel-snapshot-isolation", "w1:upd(x=1)@0->1 w2:upd(x=2)@0->2", "G-single", "ww"),
    *[
        (f"{strong}{level}", "w1:upd(x=1)@0->1 ; w1:read(x=1)@1", None, "wr")
        for strong in ("strong-session-", "strong-")
        for level in LEVELS
    ],
    *[
        (f"{strong}{level}", line, f"{anomaly}-{end}", "reads")
        for strong, end, own, back in (
            ("strong-session-", "process", "w1", "r1"),
            ("strong-", "realtime", "r1", "r2"),
        )
        for level, line, anomaly in (
            (
                "read-committed",
                f"{own}:txn(x:2) ; {own if end == 'process' else back}:txn(y=1)@0->1 ; {READ_IT}",
                "G1c",
            ),
            ("read-atomic", f"w1:upd(x=1)@0->1 ; {own}:read(x=0)@0", "fractured-read"),
            ("causal", f"w1:upd(x=1)@0->1 ; {own}:read(x=0)@0", "causality-violation"),
            ("causal", f"w1:upd(x=1)@0->1 ; r1:read(x=1)@1 ; {back}:read(x=0)@0", "causality-violation"),
            ("prefix", f"w1:upd(x=1)@0->1 ; {own}:read(x=0)@0", "G-single"),
            ("parallel-snapshot-isolation", f"w1:upd(x=1)@0->1 ; {own}:read(x=0)@0", "G-single"),
        )
    ],
    (LOST_UPDATE, "w1:upd(x=1)@0->1 w2:upd(x=2)@1->2", None, "read_modify_writes"),
    (LOST_UPDATE, "w1:ins(row3=a)@0->1 w2:ovr(row3=b)@0->2", None, "writes"),
    (LOST_UPDATE, "w1:upd(x=1)@0->1 w2:upd(x=2)@0->2", "lost-update", "read_modify_writes"),
    (LOST_UPDATE, "w1:upd(x=1)@0->1 w2:upd(x=2)@1->2 w3:upd(x=3)@0->3", "lost-update", "read_modify_writes"),
    (
        "no-lost-update",
        "w1:txn(row3:-,row3=a)@0->1 w2:txn(row3:-,row3=b)@0->2 setup(x=0)",
        "lost-update",
        "read_modify_writes",
    ),
    ("snapshot-isolation", "w1:txn(x:0,y=1)@0->1 w2:txn(y:0,x=1)@0->2", None, "rw"),
    ("snapshot-isolation", "w1:upd(x=1)@0->1 w2:upd(x=2)@1->2 ; r1:read(x=1,y=0)@1 setup(x=0,y=0)", None, "wr"),
    ("snapshot-isolation", "w1:upd(x=1)@0->1 w2:upd(x=2)@0->2", "G-single", "ww"),
    ("snapshot-isolation", "w1:txn(x:1,y=1)@0->2 w2:txn(y:1,x=1)@0->1", "G1c", "wr"),
    ("snapshot-isolation", "w1:txn(x=1,y=1)@0->1 ; r1:read(x=1,y=0)@1", "G-single", "rw"),
    (
        "snapshot-isolation",
        "w1:txn(x=1)@0->1 w2:txn(y=1)@1->2 ; r1:read(x:1@1,y:0@0) r2:read(x:0@0,y:1@2)",
        "G-nonadjacent",
        "rw",
    ),
    ("snapshot-isolation", "w1:upd(x=1)@0->1 ; r1:read(x=0)@1", "stale-read@stated", "rw"),
    ("snapshot-isolation", "w1:upd(x=1)@0->1 ; r1:read(x=1)@0", "future-read@stated", "wr"),
    ("snapshot-isolation", "w1:ovr(x=1)@0->1 w2:ovr(x=2)@0->2", "write-overlap@stated", "ww"),
    ("snapshot-isolation", "w1:upd(x=1)@0->1 ; r1:read(x)@1", "lost-row", "reads"),
    ("snapshot-isolation", "w1:upd(x=1)@0->1 ; r1:read(x=7)@1", "G1a", "reads"),
    ("snapshot-isolation", "w1:ovr(x=1,x=2)@0->1 ; r1:read(x=1)@1", "G1b", "reads"),
    ("snapshot-isolation", "w1:upd(x=1)@0->1 ; r1:read(x:garbage@1)@1", "G1a", "reads"),
    ("snapshot-isolation", "w1:ovr(x=1)@0->1 ; r1:read(x:0@1)", "false-version@stated", "reads"),
    ("snapshot-isolation", "w1:upd(x=1)@0->1 ; r1:read(x=0|1)@1", "duplicated-row", "reads"),
    ("no-aborted-reads", "w1:txn(x=1,x:1,x=2)@0->1 ; r1:read(x=2)@1", None, "writes"),
    ("no-aborted-reads", "w1:upd(x=1,x:1,x=2)@0->1 ; r1:read(x=2)@1", None, "writes"),
    ("snapshot-isolation", "w1:txn(x=1,x:1,x=2)@0->1", None, "writes"),
    ("serializable", "w1:txn(x=1,x:1,x=2,x:2,y:0)@0->1", None, "reads"),
    ("snapshot-isolation", "w1:txn(x=1,x:0)@0->1", "internal", "writes"),
    ("serializable", "w1:txn(x=1,x=2,x:1)@0->1", "internal", "writes"),
    ("snapshot-isolation", "w1:txn(x:1,x=1)@0->1", "future-read", "writes"),
    ("serializable", "w1:txn(x:1,x=1,x=2)@0->1", "future-read", "writes"),
    ("no-write-skew", "w1:txn(x:0,y=1)@0->1 w2:txn(y:1,x=1)@1->2", None, "wr"),
    ("no-write-skew", "w1:del(x)@0->2 w2:upd(x=A)@0->1 ; final:read(x=A)@2", None, "rw"),
    ("no-write-skew", "w1:txn(x:0,y=1)@0->1 w2:txn(y:0,x=1)@0->2", "write-skew", "rw"),
    ("no-write-skew", "a:txn(x:0,y=1)@0->1 b:txn(y:0,z=1)@0->2 c:txn(z:0,x=1)@0->3", "write-skew-ring", "rw"),
    ("serializable", "w1:upd(x=1)@0->1 w2:upd(y=2)@0->2 final:read(x=1,y=2)@2", None, "wr"),
    ("serializable", "w1:txn(x:0,y=1)@0->2 w2:upd(x=1)@0->1", None, "rw"),
    ("serializable", "w1:txn(x:0,y=1)@0->1 w2:txn(y:0,x=1)@0->2", "G2-item", "rw"),
    ("serializable", "w1:txn(x:0,y:0,y=1)@0->1 w2:txn(x=2)@0->2 r:txn(x:2@2,y:0@0)@0", "G2-item", "rw"),
    ("serializable", "w1:upd(x=1)@0->1 w2:upd(x=2)@0->2", "G-single", "rw"),
    ("strong-session-snapshot-isolation", "w1:upd(x=1)@0->1 ; r1:read(x=0)@0", None, "rw"),
    ("strong-session-snapshot-isolation", "w1:upd(x=1)@0->1 ; w1:read(x=0)@0", "G-single-process", "rw"),
    ("strong-session-snapshot-isolation", "w1:ovr(x=1)@0->1? ; w1:read(x=0)@0", None, "rw"),
    ("strong-session-snapshot-isolation", "w1:ovr(x=1)@0->1 ; w1:ovr(y=1)@0->2", "session-order@stated", "writes"),
    ("strong-session-snapshot-isolation", "w1:ovr(x=1)@0->1 ; w1:read(z=0)@0", "session-order@stated", "reads"),
    ("strong-snapshot-isolation", "w1:ovr(x=1)@0->1 ; w2:ovr(y=1)@0->2", "real-time-order@stated", "writes"),
    ("strong-snapshot-isolation", "w1:upd(x=1)@0->1 ; r1:read(x=1)@1", None, "wr"),
    ("strong-snapshot-isolation", "w1:upd(x=1)@0->1 r1:read(x=0)@0", None, "rw"),
    ("strong-snapshot-isolation", "w1:upd(x=1)@0->1 ; r1:read(x=0)@0", "G-single-realtime", "rw"),
    ("strong-session-serializable", "w1:txn(x:0,y=1)@0->1 ; w1:txn(z=1)@1->2 ; w2:txn(x=1)@0->3", None, "rw"),
    (
        "strong-session-serializable",
        "w1:txn(x=1)@0->1 ; w1:txn(y:0)@0 ; w2:txn(y=1)@1->2 ; w2:txn(x:0)@0",
        "G-nonadjacent-process",
        "rw",
    ),
    ("strong-serializable", "w1:upd(x=1)@0->1 ; w2:upd(x=2)@1->2 ; r1:read(x=2)@2", None, "wr"),
    ("strong-serializable", "w1:upd(x=1)@0->1 ; w2:upd(y=1)@1->2 ; r1:read(x=0,y=0)@0", "G-single-realtime", "rw"),
    ("conflict-detection", "w1:upd(x=1)@0->1 w2:upd(y=2)@0->2 w3:upd(x=2)@0!", None, "refused_for_conflict"),
    ("conflict-detection", "w1:upd(x=1)@0->1 w2:upd(x=2)@1->2", None, "ww"),
    ("conflict-detection", "w1:ovr(x=1)@0->1 w2:ovr(x=2)@0->2", "undetected-write-conflict", "ww"),
    (SPURIOUS, "w1:upd(x=1)@0->1 w2:upd(y=2)@0!", None, "refused_for_conflict"),
    (SPURIOUS, "w1:upd(x=1)@0->1 w2:upd(y=2)!", None, "refused_for_conflict"),
    (SPURIOUS, "w1:upd(x=1)@0->1 ; w2:upd(y=2)@1!timeout", None, "refused"),
    (SPURIOUS, "w1:upd(x=1)@0->1 ; w2:upd(y=2)@1!", "spurious-refusal", "refused_for_conflict"),
    (
        "no-spurious-refusal",
        "w1:upd(x=1)@0->1 ; w2:upd(y=2)! ; w3:upd(x=3)@1->2",
        "spurious-refusal",
        "refused_for_conflict",
    ),
    (SPURIOUS, "w2:upd(y=2)@0! ; w1:upd(x=1)@0->1", "spurious-refusal", "refused_for_conflict"),
    (SPURIOUS, "w1:upd(x=1)@0->1!", "spurious-refusal", "refused_for_conflict"),
    (SPURIOUS, "w1:upd(x=1)@0->1 ; w2:upd(y=2)@1!CommitFailed:timed-out w3:upd(z=3)@1?", None, "refused_for_conflict"),
    (SPURIOUS, "w1:upd(x=1)@0->1 ; w3:upd(z=3)@1? ; w2:upd(y=2)@1!Conflict:timed-out", None, "refused_for_conflict"),
    (SPURIOUS, "w2:upd(y=2)@0!CommitFailed w3:upd(z=3)@0?", "spurious-refusal", "refused_for_conflict"),
    (
        "no-spurious-refusal",
        "w1:upd(x=1)@0->1 ; w2:upd(y=2)@1!CommitFailed:timed-out ; w3:upd(z=3)@1?",
        "spurious-refusal",
        "refused_for_conflict",
    ),
]


@pytest.mark.parametrize(("name", "line", "anomaly", "counter"), ROWS)
def test_a_property_holds_or_breaks_in_the_named_shape(name, line, anomaly, counter):
    """`check` and `quick` agree, and the verdict rests on something."""
    source = history(line)
    verdict = check(source, [name])
    assert [failure_key(v) for v in verdict.violations] == ([f"{name}/{anomaly}"] if anomaly else [])
    assert quick(source.events, [name]) == (f"{name}/{anomaly}" if anomaly else None)
    assert verdict.counters[counter] > 0
    if anomaly is None:
        assert (verdict.outcome, verdict.results) == (VALID, {name: VALID})


def test_every_property_has_a_history_that_keeps_it_and_one_that_breaks_it():
    """A new property without rows here is not done; what an inspection found has its own file."""
    here = set(PROPERTIES) - {"table-invariants", "no-leaks"}
    assert {name for name, _, anomaly, _ in ROWS if anomaly} == here
    assert {name for name, _, anomaly, _ in ROWS if anomaly is None} == here


@pytest.mark.parametrize("name", PROPERTIES)
def test_a_history_of_one_writer_at_a_time_keeps_every_property(name):
    """Insert, update, delete, a conflict with a reason, an unknown outcome, and the final read."""
    line = (
        "w1:upd(row1=A)@0->1 ; w2:ins(row3=c)@1->2 ; w1:del(row2)@2->3 w2:upd(row2=B)@2! ; w2:upd(row3=d)@3->4? ; "
        "r1:read(row1=A,row2,row3=d)@4 ; r1:read(row1=A)@4 final:read(row1=A,row2,row3=d)@4"
    )
    # Nobody inspects the table in this history, so what only an inspection can tell is unknown.
    assert check(history(line), [name]).outcome == (UNKNOWN if name in ("table-invariants", "no-leaks") else VALID)
