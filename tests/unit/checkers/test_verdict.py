"""Verdicts: order, reasons, counters, and the words of an explanation."""

import pytest

from checkers.histories.history import History
from checkers.histories.notation import history
from checkers.properties import PROPERTIES
from checkers.verdict import INVALID, UNKNOWN, VALID, UnknownProperty, check, failure_key, judge, ordered, quick

RESURRECTED = "setup(row1=a) w1:del(row1)@0->2 w2:upd(row1=A)@0->1 ; final:read(row1=A)@2"


def test_the_weakest_broken_property_comes_first():
    """Whatever the order in which properties are asked for."""
    for names in (PROPERTIES, PROPERTIES[::-1]):
        verdict = check(history(RESURRECTED), names)
        assert verdict.outcome == INVALID
        assert [failure_key(v) for v in verdict.violations[:3]] == [
            "acknowledged-writes-survive/resurrected-row",
            "no-lost-update/lost-update",
            "parallel-snapshot-isolation/G-single",
        ]
    assert quick(history(RESURRECTED).events, PROPERTIES[::-1]) == "acknowledged-writes-survive/resurrected-row"


def test_stronger_properties_fall_with_a_weaker_one():
    """Also those that nobody asked for, when the witness is a cycle."""
    verdict = check(history("w1:upd(x=1)@0->1 w2:upd(x=2)@0->2"), ["no-lost-update"])
    assert verdict.also_not[:3] == ("parallel-snapshot-isolation", "snapshot-isolation", "serializable")
    skew = check(history("w1:txn(x:0,y=1)@0->1 w2:txn(y:0,x=1)@0->2"), ["snapshot-isolation", "serializable"])
    assert skew.results == {"snapshot-isolation": VALID, "serializable": INVALID}
    assert "snapshot-isolation" not in skew.also_not


def test_a_defect_against_stated_versions_implies_nothing_about_other_orders():
    """The reader may be placed earlier; its statement is wrong all the same."""
    verdict = check(history("w1:upd(x=1)@0->1 ; r1:read(x=0)@1"), ["snapshot-isolation", "serializable"])
    assert verdict.results == {"snapshot-isolation": INVALID, "serializable": VALID}
    assert verdict.also_not == ()


@pytest.mark.parametrize(
    ("line", "name", "reason"),
    [
        ("w1:upd(x=1)@0->1", "acknowledged-writes-survive", "there is no final read that succeeded"),
        ("w1:upd(x=1)@0->1", "readable", "there is no final read"),
        (
            "setup(x=0,y=0) w1:upd(x=1)@0->1 final:read(y=0)@1",
            "acknowledged-writes-survive",
            "the final read does not tell about x",
        ),
        (
            "w1:upd(x=1)@0->1 w1:upd(x=0)@1->2 r1:read(x=0)",
            "no-lost-update",
            "several versions hold x = '0', and read x=0 by r1 may have read any",
        ),
        ("w1:ovr(x=1)->1", "conflict-detection", "overwrite x=1 by w1 does not say which version it started from"),
    ],
)
def test_what_cannot_be_said_is_unknown(line, name, reason):
    """With the reason; `quick` reports known failures only."""
    verdict = check(history(line), [name])
    assert (verdict.outcome, verdict.results, verdict.reasons) == (UNKNOWN, {name: UNKNOWN}, (reason,))
    assert quick(history(line).events, [name]) is None


def test_an_unknown_outcome_without_lineage_leaves_every_property_indeterminate():
    """Nobody can tell whether it happened."""
    source = history("w1:upd(x=1)@0? r1:read(x=0)@0 final:read(x=0)@0")
    bare = History([event for event in source.events if event.type != "version"])
    assert check(source, ["acknowledged-writes-survive"]).outcome == VALID
    verdict = check(bare, ["acknowledged-writes-survive"])
    assert verdict.outcome == UNKNOWN
    assert "the history has no lineage to tell" in verdict.reasons[0]


def test_a_failure_outranks_a_unknown():
    """Broken is broken, whatever else cannot be said."""
    verdict = check(history("w1:upd(x=1)@0->1 w2:upd(x=2)@0->2"), ["readable", "no-lost-update"])
    assert verdict.results == {"readable": UNKNOWN, "no-lost-update": INVALID}
    assert (verdict.outcome, verdict.reasons) == (INVALID, ("there is no final read",))


def test_a_verdict_over_nothing_is_unknown_and_says_what_is_missing():
    """No rows, no properties, nobody acknowledged, nothing that the property is about."""
    empty = check(History(()), PROPERTIES)
    assert (empty.outcome, set(empty.results.values())) == (UNKNOWN, {UNKNOWN})
    assert empty.reasons[0] == "the history has no operations"
    assert not any(empty.counters.values())
    unasked = check(history("w1:upd(x=1)@0->1"), [])
    assert (unasked.outcome, unasked.reasons) == (
        UNKNOWN,
        ("no property was asked for, or none that it has anything about",),
    )
    refused = check(history("w1:upd(x=1)@0! final:read(x=0)@0"), ["no-lost-update", "readable"])
    assert (refused.outcome, set(refused.results.values())) == (UNKNOWN, {UNKNOWN})
    assert refused.reasons == ("nothing was acknowledged: no operation of a client succeeded",)
    unread = check(history("w1:ovr(x=1)@0->1"), ["monotonic-reads", "snapshot-isolation"])
    assert unread.results == {"monotonic-reads": UNKNOWN, "snapshot-isolation": VALID}
    assert unread.reasons == ("no session read a key twice: monotonic-reads had nothing to look at",)
    assert unread.outcome == VALID  # of what there was to look at
    assert check(history("w1:ovr(x=1)@0->1"), ["monotonic-reads"]).outcome == UNKNOWN


def test_a_reason_of_one_property_leaves_the_others_alone():
    """No final read: only what is about it is unknown."""
    for names in (("readable", "snapshot-isolation"), ("snapshot-isolation", "readable")):
        results = check(history("w1:upd(x=1)@0->1"), names).results
        assert results == {"readable": UNKNOWN, "snapshot-isolation": VALID}


def test_one_run_without_an_acknowledgement_is_no_doubt_of_a_search():
    """Whether it was so in all of them, the search counts."""
    refused, done = history("w1:upd(x=1)@0!"), history("w1:upd(x=1)@0->1 ; r1:read(x=1)@1 final:read(x=1)@1")
    assert judge(refused, ["snapshot-isolation"]) == (None, False)
    assert judge(done, ["readable"]) == (None, False)
    assert judge(refused, ["readable"]) == (None, True)


def test_counters_say_what_the_verdict_rests_on():
    """Operations by outcome, versions, reads, edges by kind."""
    counters = check(history(RESURRECTED), PROPERTIES).counters
    assert counters == {
        "ops": 4, "committed": 4, "refused": 0, "unknown_outcome": 0, "refused_for_conflict": 0, "versions": 3,
        "writes": 3, "reads": 3, "reads_resolved": 3, "read_modify_writes": 2, "final_keys": 1, "longest_session": 1,
        "ww": 2, "wr": 3, "rw": 2,
    }  # fmt: skip


def test_an_unknown_property_is_refused_with_the_known_ones():
    """One line."""
    with pytest.raises(UnknownProperty, match=r"^property: expected one of readable, .*, got 'linearizable'$"):
        ordered(["readable", "linearizable"])


def test_a_cycle_is_told_as_elle_tells_it():
    """Who the transactions are, why each precedes the next, and the contradiction."""
    (violation,) = check(history(RESURRECTED), ["no-lost-update"]).violations
    assert violation.sentences == (
        "w1: delete row1 (read version 0, committed version 2).",
        "w2: update row1=A (read version 0, committed version 1).",
        "w1 < w2, because w1 read row:1 as of version 0 and w2 replaced it in version 1 (rw).",
        "However, w2 < w1, because w2 wrote row:1 in version 1 and w1 wrote over it in version 2 (ww): "
        "a contradiction!",
    )
    assert [(edge.kind, edge.source, edge.target) for edge in violation.cycle] == [("rw", 1, 2), ("ww", 2, 1)]
    assert violation.ops == (1, 2)


def test_a_lost_write_is_told_without_a_cycle():
    """Which version decides, what was seen instead, and where that came from."""
    (violation,) = check(history(RESURRECTED), ["acknowledged-writes-survive"]).violations
    assert violation.sentences[3:] == (
        "w1 deleted row:1 in version 2, and no later version touched row:1.",
        "The final read saw 'A'.",
        "w2 had written that in version 1.",
    )


def test_an_operation_is_called_by_its_process_then_by_what_it_did_then_by_its_place():
    """Letters and numbers that a reader would have to look up are nowhere; a key may be called like one."""
    (one,) = check(history("w1:upd(T1=1)@0->1 ; r1:read(T1=9)@1"), ["no-aborted-reads"]).violations
    assert one.sentences == ("r1: read T1=9 (read version 1).", "r1 saw T1 = '9', which no operation ever wrote.")
    twice = "w1:upd(x=1)@0->1 ; r1:read(x=1)@1 ; r1:read(x=0)@0"
    (two,) = check(history(twice), ["monotonic-reads"]).violations
    assert two.sentences[-1] == (
        "r1's read (first) saw x as of version 1, and r1's read (second) then saw it '0', as of version 0."
    )


@pytest.mark.parametrize(
    ("line", "name", "sentence"),
    [
        (
            "w1:upd(x=1)@0->1 ; r1:read(x=0)@0",
            "strong-serializable",
            "However, w1 < r1, because w1 had completed when r1 was invoked (rt): a contradiction!",
        ),
        (
            "w1:upd(x=1)@0->1 ; w1:read(x=0)@0",
            "strong-session-serializable",
            "However, w1's update < w1's read, because both are operations of w1, in this order (so): a contradiction!",
        ),
        (
            "w1:txn(x=1,y=1)@0->1 ; r1:read(x=1,y=0)@1",
            "serializable",
            "However, w1 < r1, because r1 read x = '1' as w1 wrote it in version 1 (wr): a contradiction!",
        ),
        (
            "w1:txn(row3:-,row3=a)@0->1 w2:txn(row3:-,row3=b)@0->2 setup(x=0)",
            "no-lost-update",
            "w2 < w1, because w2 saw no row:3 and w1 made it in version 1 (rw).",
        ),
    ],
)
def test_every_kind_of_edge_has_its_sentence(line, name, sentence):
    """ww and rw are in the examples above."""
    (violation,) = check(history(line), [name]).violations
    assert sentence in violation.sentences


def test_operation_numbers_of_a_verdict_are_those_of_the_history():
    """Not positions: a history may number its operations as it likes."""
    source = history("w1:upd(x=1)@0->1 w2:upd(x=2)@0->2")
    renumbered = History([event._replace(op=event.op + 40) for event in source.events])
    (violation,) = check(renumbered, ["no-lost-update"]).violations
    assert violation.ops == (42, 41)
    assert {edge.source for edge in violation.cycle} == {41, 42}
