"""What whole columns say is what the operations say, or less; what they leave open has a reason."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from checkers import verdict
from checkers.errors import HistoryError
from checkers.finding import Finding
from checkers.histories import storage
from checkers.histories.history import History, pair
from checkers.histories.notation import history
from checkers.histories.pairing import paired
from checkers.histories.storage import StoredHistory, from_table, to_table
from checkers.isolation import columns, places
from checkers.isolation.counters import count
from checkers.isolation.resolve import Facts
from checkers.large import Large
from checkers.properties import PROPERTIES
from checkers.verdict import check

GOOD = "setup(x=0,y=0) w1:upd(x=1)@0->1 w2:upd(y=1)@0->2 ; w1:upd(x=2)@2->3 ; r1:read(x=2,y=1)@3 final:read(x=2,y=1)@3"
SKEW = "setup(x=0,y=0) a:app(x:0,y=1)@0->1 b:app(y:0,x=1)@0->2 ; final:read(x=1,y=1)@2"


def _large(line):
    return Large(StoredHistory(to_table(history(line))), PROPERTIES)


@st.composite
def _lines(draw):
    """Writers with any start before their commit, readers of any version, which some state: most break isolation."""
    commits, words = draw(st.integers(1, 4)), []
    for commit in range(1, commits + 1):
        start = draw(st.sampled_from([0, commit - 1, commit - 1, commit - 1]))
        key = draw(st.sampled_from("xy"))
        f = draw(st.sampled_from(["upd", "ovr"]))
        process = draw(st.sampled_from(["w1", "w2", f"v{commit}"]))
        between = draw(st.sampled_from([" ", " ; "]))
        unknown = draw(st.sampled_from(["", "", "", "?"]))
        words.append(f"{process}:{f}({key}={commit})@{start}->{commit}{unknown}{between}")
    for number in range(draw(st.integers(0, 2))):
        key, at = draw(st.sampled_from("xy")), draw(st.integers(0, commits))
        value = draw(st.sampled_from(["0", str(at), "-"]))
        stated = draw(st.sampled_from(["", "", "", f"@{at}", "@0", "@-1", "@-2", "@9"]))
        words.append(f"r{draw(st.sampled_from([0, number]))}:read({key}:{value}{stated})@{at} ; ")
    return f"setup(x=0,y=0) {''.join(words)} w9:upd(x=99)@0!"


@given(
    line=_lines(),
    block=st.sampled_from([1, 3, places.BLOCK]),
    bits=st.sampled_from([0, 63]),
    most=st.sampled_from([0, columns.MOST_SMALL]),
)
@settings(max_examples=300, deadline=None)
def test_columns_and_operations_agree(line, block, bits, most):
    """Of every property, on histories that state their versions, with places in one block or many, packed or not, and
    versions in small integers or not; and on all counters that columns have."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(places, "BLOCK", block)
        patch.setattr(places, "_BITS", bits)
        patch.setattr(columns, "MOST_SMALL", most)
        source, large = history(line), _large(line)
    try:
        facts, slow = Facts(source), check(source, PROPERTIES)
    except HistoryError:
        assert not large.decided
        return
    event(large.reason or "judged")
    if large.reason:
        return
    for name, one in large.decided.items():
        if name == "no-leaks":
            continue  # what it is about is told when the verdict is put together
        broken = [finding.anomaly for finding in one.findings if isinstance(finding, Finding)]
        assert slow.results[name] == ("invalid" if broken else "unknown" if one.findings else "valid"), name
    counters = count(facts)
    reads = {"reads_resolved", "wr", "rw"} if len(large.proofs.stale) else set()
    assert {n: v for n, v in large.counters.items() if n not in reads} == {
        n: v for n, v in counters.items() if n in large.counters and n not in reads
    }


def test_operations_whose_numbers_are_far_apart_are_found_as_dense_ones_are():
    """Who made a version is looked up by number, in a list of all or among the sorted ones."""
    table = to_table(history(GOOD))
    wide = pa.array([number * 1_000 if number > 0 else number for number in table.column("op").to_pylist()])
    far = Large(StoredHistory(table.set_column(table.schema.get_field_index("op"), "op", wide)), PROPERTIES)
    near = _large(GOOD)
    assert far.found.made.tolist() == near.found.made.tolist()
    assert set(far.decided) == set(near.decided)


def test_a_good_history_is_judged_without_its_operations():
    """With and without lineage rows; every property that has something to look at."""
    source = history(GOOD)
    bare = History([event for event in source.events if event.type != "version"])
    for some in (source, bare):
        large = Large(StoredHistory(to_table(some)), PROPERTIES)
        results = check(some, PROPERTIES).results
        left = {name for name in PROPERTIES if name not in large.decided}
        assert {name for name in left if results[name] != "unknown"} == set()
        assert not any(
            one.findings for name, one in large.decided.items() if name not in ("table-invariants", "no-leaks")
        )
        assert large.counters == {
            "ops": 6, "committed": 6, "versions": 4, "writes": 5, "reads": 7, "reads_resolved": 7,
            "ww": 3, "wr": 7, "rw": 0,
        }  # fmt: skip


def test_what_nobody_looked_at_is_not_shown_by_columns_either():
    """Without lineage rows a refusal says nothing about what was read."""
    source = history("setup(x=0) w1:ovr(x=1)@0->1 w2:ovr(x=2)@0!")
    bare = History([event for event in source.events if event.type != "version"])
    assert check(bare, ["no-aborted-reads"]).outcome == "unknown"
    assert "no-aborted-reads" not in Large(StoredHistory(to_table(bare)), PROPERTIES).decided


def test_write_skew_is_found_among_all_that_was_done_to_its_keys():
    """And told as in a small history; what holds is held at once."""
    large = _large(SKEW)
    for name, anomaly in (("serializable", "G2-item"), ("no-write-skew", "write-skew")):
        (finding,) = large.decided[name].findings
        assert isinstance(finding, Finding)
        assert finding.anomaly == anomaly
    assert large.decided["snapshot-isolation"].findings == []


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("w1:upd(x=1)@0->1 ; r1:read(x=1)", "a reader does not say where it started"),
        ("w1:ovr(x=1)->1", "a writer does not say where it started"),
        ("w1:upd(x=1)@0->1!", "a refused operation made a version"),
        ("w1:upd(x=1)@0->2", "a version was made by nobody known"),
        ("w1:txn(x:0,x=1)@0->1", "operations say in which order they read and wrote"),
        ("w1:upd(x=1)@0!", "no client was acknowledged"),
    ],
)
def test_what_columns_cannot_judge_has_a_reason(line, reason):
    """And goes to the checks on operations."""
    large = _large(line)
    assert (large.reason, large.decided) == (reason, {})


@pytest.mark.parametrize(
    ("line", "name", "anomaly"),
    [
        ("w1:upd(x=1)@0->1 w2:upd(x=2)@0->2", "no-lost-update", "lost-update"),
        ("w1:upd(x=1)@0->1 w2:ovr(x=2)@0->2", "snapshot-isolation", "write-overlap@stated"),
        ("w1:upd(x=1)@0->1 ; r1:read(x=0)@1", "snapshot-isolation", "stale-read@stated"),
        ("w1:upd(x=1)@0->1 ; r1:read(x=7)@1", "no-aborted-reads", "thin-air-read"),
        ("w1:upd(x=1)@0! ; r1:read(x=1)@0", "no-aborted-reads", "aborted-read"),
        ("w1:ovr(x=1,y=1)@0->1 ; r1:read(x=1,y=0)@1", "read-atomic", "fractured-read"),
        ("w1:upd(x=1)@0->1 ; w1:read(x=0)@0", "read-your-writes", "missed-own-write"),
        ("w1:upd(x=1)@0->1 final:read(x=0)@1", "acknowledged-writes-survive", "lost-write"),
        ("w1:upd(x=1)@0->lost final:read(x=0)@0", "acknowledged-writes-survive", "commit-not-in-lineage"),
        ("w1:upd(x=1)@0->1 ; r1:read()@1!unreadable ; final:read(x=1)@1", "readable", "unreadable-table"),
    ],
)
def test_large_histories_break_as_small_ones_do(line, name, anomaly, monkeypatch):
    """The same anomaly, in the same sentences."""
    small = check(history(line), [name])
    monkeypatch.setattr(verdict, "LARGE_EVENTS", 0)
    large = check(history(line), [name])
    assert [violation.anomaly for violation in large.violations] == [anomaly]
    assert large.violations == small.violations
    assert large.outcome == small.outcome


def test_large_histories_take_the_columns_first_and_the_default_is_the_same(monkeypatch):
    """All that can be said, with the same outcome and reasons."""
    for line in (GOOD, SKEW, "w1:upd(x=1)@0->1 w2:upd(x=2)@0->2"):
        small = check(history(line))
        monkeypatch.setattr(verdict, "LARGE_EVENTS", 0)
        large = check(history(line))
        monkeypatch.undo()
        assert (large.outcome, large.results, large.reasons) == (small.outcome, small.results, small.reasons)


def test_beyond_a_bound_nothing_is_asked_one_by_one_and_what_is_not_shown_is_unknown(monkeypatch):
    """What columns show is still said."""
    monkeypatch.setattr(verdict, "LARGE_EVENTS", 0)
    monkeypatch.setattr(verdict, "MOST_EVENTS", 3)
    held = check(history(GOOD), ["snapshot-isolation", "strong-serializable"])
    assert set(held.results.values()) == {"valid"}
    unclear = check(history("w1:upd(x=1)@0->1 ; r1:read(x=1)"), ["snapshot-isolation"])
    assert (unclear.outcome, unclear.results) == ("unknown", {"snapshot-isolation": "unknown"})
    assert unclear.reasons == (
        "a reader does not say where it started, and there are too many operations to ask one by one",
    )


@given(line=_lines())
@settings(max_examples=100, deadline=None)
def test_pairing_of_columns_is_the_pairing_of_rows(line):
    """The same rows; what is not well-formed is left to the one that says why."""
    table = to_table(history(line))
    rows = paired(table)
    assert rows is not None
    slow = pair(*(table.column(name).to_pylist() for name in ("type", "process", "op")))
    assert [found.tolist() for found in rows] == [*slow]


def test_a_large_table_that_is_not_well_formed_is_refused_as_a_small_one_is(monkeypatch):
    """In the same words."""
    table = to_table(history(GOOD))
    wrong = [table.take(np.array(order)) for order in ([0, 3, 1, 2, *range(4, table.num_rows)], [0, 1, 1])]
    for each in wrong:
        position = each.schema.get_field_index("index")
        each = each.set_column(position, each.schema.field("index"), [np.arange(each.num_rows)])
        told = []
        for size in (1_000, 0):
            monkeypatch.setattr(storage, "LARGE_ROWS", size)
            with pytest.raises(HistoryError) as refused:
                from_table(each)
            told.append(str(refused.value))
        assert told[0] == told[1]
