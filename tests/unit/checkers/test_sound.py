"""What no table can have shown is refused at any length; what a broken one may have shown leaves the history open."""

import pytest

from checkers import verdict
from checkers.errors import HistoryError
from checkers.histories.history import Event, History, Read, Write
from checkers.verdict import INVALID, UNKNOWN, check, quick

SETUP = ("setup", "ok", {"commit": 0, "writes": (Write("x", "0"), Write("y", "0"))})
SNAPSHOT = 3_055_729_675_574_597_004
A, B = (Write("x", "1"),), (Write("x", "2"),)


def _told(*rows, lineage=()):
    """A history of one operation after the other: process, type, what is known."""
    events: list[Event] = []
    for number, (process, kind, known) in enumerate(rows):
        if process != "setup":
            events.append(Event(len(events), 0, process, "invoke", number, "txn"))
        events.append(Event(len(events), 0, process, kind, **{"op": number, "f": "txn", **known}))
    for ordinal, maker in enumerate(lineage):
        events.append(Event(len(events), 0, "lineage", "version", maker, "version", commit=ordinal))
    return History(events)


def _read(value, version=None, **known):
    return {"reads": (Read("x", value, version),), **known}


REFUSED = [
    (_told(SETUP, ("a", "ok", {"commit": 2**40, "writes": A})), "expected a commit in 0..5 (an ordinal"),
    (_told(SETUP, ("a", "ok", {"commit": SNAPSHOT, "writes": A})), f"got {SNAPSHOT}"),
    (_told(SETUP, ("a", "ok", {"commit": -9, "writes": A})), "expected a commit in"),
    (_told(SETUP, ("a", "ok", {"commit": -1, "writes": A}), lineage=(0, 1)), "expected a commit in 0..1 (the lineage)"),
    (_told(SETUP, ("a", "ok", {"start": 100, "commit": 1, "writes": A})), "expected a start in"),
    (_told(SETUP, ("a", "ok", {"start": 1, "commit": 1, "writes": A})), "expected a start before its own commit 1"),
    (_told(SETUP, ("a", "ok", {"start": 1, "writes": A}), lineage=(0, 1)), "expected a start before its own version 1"),
    (_told(SETUP, ("a", "ok", _read("0", 99)), lineage=(0,)), "expected a version of x in -1..0, got 99"),
    (_told(SETUP, ("a", "ok", _read("0", -2)), lineage=(0,)), "expected a version of x in -1..0, got -2"),
    (_told(SETUP, ("a", "fail", _read("0", -3)), lineage=(0,)), "expected a version of x in -1..0, got -3"),
    (_told(SETUP, SETUP), "expected one initial content, acknowledged, with commit 0, got a second one"),
    (_told(("setup", "ok", {"writes": A})), "got type ok, commit None"),
    (_told(("a", "ok", {"op": 0}), ("setup", "ok", {"op": -1, "commit": 0})), "expected an operation number from 0"),
    (_told(SETUP, lineage=(5,)), "expected the number of a recorded operation or -1, got 5"),
]


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize(("source", "text"), REFUSED)
def test_numbers_that_no_table_can_have_shown_are_refused(source, text, large, monkeypatch):
    """In one line, by a search, by a check, and where the columns are asked first."""
    monkeypatch.setattr(verdict, "LARGE_EVENTS", 0 if large else 1_000)
    for judge in (check, quick):
        with pytest.raises(HistoryError) as refused:
            judge(source, ["snapshot-isolation"])
        assert text in str(refused.value)


OPEN = [
    (_told(SETUP, ("a", "ok", {"commit": 1, "writes": A}), ("b", "ok", {"commit": 1, "writes": B})),
     "txn by a is not alone in having made version 1"),
    (_told(SETUP, ("a", "ok", {"commit": 2, "writes": A}), ("b", "ok", _read("1"))),
     "nobody says to have made version 1"),
    (_told(SETUP, ("a", "ok", {"writes": A})), "txn by a names no version"),
    (_told(SETUP, ("a", "info", {"writes": A}), ("b", "ok", _read("1"))), "the outcome of txn by a is unknown"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "reason"), OPEN)
def test_what_a_broken_table_may_have_told_its_clients_leaves_the_history_open(source, reason):
    """Without lineage rows: two claims of one version, a gap, a write without version, an unknown outcome."""
    names = ("no-aborted-reads", "acknowledged-writes-survive", "snapshot-isolation", "serializable")
    found = check(source, names)
    assert set(found.results.values()) == {UNKNOWN}
    assert found.reasons[0] == f"{reason}, and the history has no lineage to tell"
    assert quick(source, names) is None


def test_an_open_history_is_still_broken_by_what_nobody_can_have_written():
    """A failure outranks what is not known."""
    source = _told(SETUP, ("a", "info", {"writes": A}), ("b", "ok", _read("9")))
    assert check(source, ["no-aborted-reads"]).outcome == INVALID


def test_a_value_that_a_version_of_unknown_maker_may_hold_is_not_from_nowhere():
    """The lineage says that somebody made version 1, and not who."""
    reads = ("b", "ok", _read("1", start=1))
    found = check(_told(SETUP, reads, lineage=(0, -1)), ["no-aborted-reads", "snapshot-isolation"])
    assert set(found.results.values()) == {UNKNOWN}
    assert "which an operation or a version that is not known may have made" in found.reasons[0]
