"""The certificate on columns says what the certificate on operations says, or less."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkers import verdict
from checkers.errors import HistoryError
from checkers.histories.history import History
from checkers.histories.notation import history
from checkers.histories.storage import to_table
from checkers.isolation.certificate import failures, stated
from checkers.isolation.columns import certify
from checkers.isolation.counters import count
from checkers.isolation.resolve import Facts
from checkers.scope import nothing_there
from checkers.verdict import check

GOOD = "setup(x=0,y=0) w1:upd(x=1)@0->1 w2:upd(y=1)@0->2 ; w1:txn(x:1,y:1,row3=c)@2->3 ; r1:read(x=1,y=1,row3=c)@3"


@st.composite
def _lines(draw):
    """Writers with any start before their commit, readers of any version, which some state: most break isolation."""
    commits, words = draw(st.integers(1, 4)), []
    for commit in range(1, commits + 1):
        start = draw(st.integers(0, commit - 1))
        key = draw(st.sampled_from("xy"))
        f = draw(st.sampled_from(["upd", "ovr"]))
        words.append(f"w{commit}:{f}({key}={commit})@{start}->{commit}{draw(st.sampled_from(['', '', '', '?']))}")
    for number in range(draw(st.integers(0, 2))):
        key, at = draw(st.sampled_from("xy")), draw(st.integers(0, commits))
        value = draw(st.sampled_from(["0", str(at), "-"]))
        stated = draw(st.sampled_from(["", "", "", f"@{at}", "@0", "@-1", "@-2", "@9"]))
        words.append(f"r{number}:read({key}:{value}{stated})@{at}")
    return f"setup(x=0,y=0) {' '.join(words)} w9:upd(x=99)@0!"


@given(line=_lines())
@settings(max_examples=300, deadline=None)
def test_columns_and_operations_agree(line):
    """On histories that state their versions."""
    source = history(line)
    certified = certify(to_table(source))
    try:
        facts = Facts(source)
    except HistoryError:
        assert not certified.holds
        return
    explained = all(seen.place >= -1 for reads in facts.reads for seen in reads) and not facts.false
    sound = stated(facts) and not failures(facts) and explained and nothing_there(facts) is None
    assert certified.holds == (sound and "@-1" not in line), (line, certified.reason)
    if certified.holds:
        counters = count(facts)
        assert certified.counters == {name: counters[name] for name in certified.counters}


def test_a_good_history_is_certified_with_its_counters():
    """With and without lineage rows."""
    source = history(GOOD)
    bare = History([event for event in source.events if event.type != "version"])
    for some in (source, bare):
        certified = certify(to_table(some))
        assert (certified.holds, certified.reason) == (True, "")
        assert certified.counters == {
            "ops": 5, "committed": 5, "versions": 4, "writes": 5, "reads": 7, "reads_resolved": 7,
            "ww": 2, "wr": 7, "rw": 0,
        }  # fmt: skip


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("w1:upd(x=1)@0->1 w2:ovr(x=2)@0->2", "two operations wrote one key in overlapping windows"),
        ("w1:upd(x=1)@0->1 ; r1:read(x=0)@1", "a read saw another value than its start holds"),
        ("w1:upd(x=1)@0->1 ; r1:read(x:0@0)@1", "a read is of another version than its operation's start"),
        ("w1:upd(x=1)@0->1 ; r1:read(x=1)", "a reader does not say where it started"),
        ("w1:ovr(x=1)->1", "a writer does not say where it started"),
        ("w1:upd(x=1)@0->1!", "a refused operation made a version"),
        ("w1:upd(x=1)@0->2", "a version was made by nobody known"),
    ],
)
def test_what_is_not_certified_has_a_reason(line, reason):
    """And goes to the checks that explain."""
    certified = certify(to_table(history(line)))
    assert (certified.holds, certified.reason, certified.counters) == (False, reason, {})


def test_large_histories_take_the_columns_first_and_say_the_same(monkeypatch):
    """A certificate that fails leaves the verdict to the slow path."""
    monkeypatch.setattr(verdict, "LARGE_EVENTS", 0)
    assert check(history(GOOD), ["snapshot-isolation"]).outcome == "valid"
    lost = check(history("w1:upd(x=1)@0->1 w2:upd(x=2)@0->2"), ["snapshot-isolation"])
    assert [v.anomaly for v in lost.violations] == ["G-single"]


def test_nothing_is_certified_over_nothing():
    """Without rows, and where nobody was acknowledged."""
    for source in (History(()), history("w1:upd(x=1)@0!")):
        assert not certify(to_table(source)).holds
