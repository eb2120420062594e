"""Which version wrote what a read saw."""

import pytest

from checkers.histories.history import Event, History, Read, Write
from checkers.histories.notation import history
from checkers.histories.recorder import Recorder
from checkers.isolation.lineage import Lineage
from checkers.isolation.resolve import AMBIGUOUS, FOREIGN, LOST, UNBORN, Facts


def _seen(line):
    """The version that the last read of the line resolves to."""
    facts = Facts(history(line))
    return facts.reads[len(facts.ops) - 1][-1].version


@pytest.mark.parametrize(
    ("line", "version"),
    [
        ("w1:upd(x=1)@0->1 ; r:read(x=1)@1", 1),
        ("w1:upd(x=1)@0->1 w2:upd(y=1)@1->2 ; r:read(x=1)@2", 1),
        ("w1:upd(x=1)@0->1 ; r:read(x=0)@1", 0),
        ("w1:upd(x=1)@0->1 ; r:read(x=1)@0", 1),
        ("w1:del(x)@0->1 ; r:read(x)@1", 1),
        ("w1:del(x)@0->1 w1:upd(x=2)@1->2 w1:del(x)@2->3 w1:upd(x=4)@3->4 ; r:read(x)@4", 3),
        ("w1:del(x)@0->1 w1:upd(x=2)@1->2 w1:del(x)@2->3 ; r:read(x)@2", 1),
        ("w1:upd(x=1)@0->1 ; r:read(x)@1", LOST),
        ("w1:del(x)@0->1 ; r:read(x)@0", LOST),
        ("w1:ins(row3=c)@0->1 ; r:read(row3)@0", UNBORN),
        ("w1:ins(row3=c)@0->1 ; r:read(row3)@1", UNBORN),
        ("w1:upd(x=1)@0->1 ; r:read(x=7)@1", FOREIGN),
        ("w1:upd(x=1)@0! ; r:read(x=1)@0", FOREIGN),
        ("w1:upd(x=1)@0->1 ; r:read(x=0|1)@1", FOREIGN),
        ("w1:upd(x=1)@0->1 w1:upd(x=2)@1->2 ; r:read(x:1@1)@2", 1),
        ("w1:upd(y=1)@0->1 ; r:read(x:0@1)@1", 0),
        ("w1:upd(x=1)@0->1 w1:upd(x=2)@1->2 w1:upd(x=1)@2->3 w1:upd(x=4)@3->4 ; r:read(x=1)@4", 3),
        ("w1:upd(x=1)@0->1 w1:upd(x=2)@1->2 w1:upd(x=1)@2->3 w1:upd(x=4)@3->4 ; r:read(x=1)@2", 1),
        ("w1:upd(x=1)@0->1 w1:upd(x=2)@1->2 w1:upd(x=1)@2->3 ; r:read(x=1)@0", AMBIGUOUS),
        ("w1:upd(x=1)@0->1 ; r:read(x=1)", 1),
        ("w1:upd(x=1)@0->1 w1:upd(x=0)@1->2 ; r:read(x=0)", AMBIGUOUS),
        ("w1:del(x)@0->1 ; r:read(x)", 1),
        ("w1:upd(x=1)@0->1 ; r:read(x)", LOST),
        ("r:read(row9)@0", UNBORN),
    ],
)
def test_a_read_is_resolved_by_start_then_by_value(line, version):
    """Start first, then unique value, then the newest deletion; never a guess."""
    line = line if "ins(" in line else f"setup(x=0,y=0) {line}"
    assert _seen(line) == version


def test_an_operation_of_unknown_outcome_counts_iff_the_lineage_has_it():
    """Committed in the first history, absent from the second."""
    assert 1 in Facts(history("w1:upd(x=1)@0->1?")).nodes
    assert 1 not in Facts(history("w1:upd(x=1)@0?")).nodes


def test_a_lineage_row_without_operation_is_matched_by_snapshot():
    """The recorder may know only the protocol's name of a version."""
    recorder = Recorder()
    recorder.setup((Write("x", "0"),), "a")
    op = recorder.invoke("w1", "update")
    recorder.info(op, "no answer", snapshot="b", writes=(Write("x", "1"),))
    for version, snapshot in enumerate(["a", "b", "c"]):
        recorder.version(version, snapshot, op=-1)
    assert Lineage(recorder.history()).makers == [0, 1, -1]


def test_without_lineage_nobody_is_known_to_hold_a_version_that_two_claim():
    """Either of them may be in it."""
    rows = [("w1", "invoke", 0), ("w2", "invoke", 1), ("w2", "ok", 1), ("w1", "ok", 0)]
    events = [
        Event(at, 0, process, kind, op, "update", commit=1 if kind == "ok" else None, writes=(Write("x", process),))
        for at, (process, kind, op) in enumerate(rows)
    ]
    lineage = Lineage(History(events))
    assert lineage.makers == [-1, -1]
    assert not lineage.chains


def test_an_operation_may_have_made_two_versions():
    """A commit that was sent twice: both are in the lineage."""
    recorder = Recorder()
    op = recorder.invoke("w1", "append")
    recorder.ok(op, start=0, writes=(Write("x", "1"),), reads=(Read("y", None),))
    for version, maker in enumerate((-1, op, op)):
        recorder.version(version, op=maker)
    assert Lineage(recorder.history()).made == {0: [1, 2]}
