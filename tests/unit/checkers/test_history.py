"""Pairing of invocations with completions."""

import pytest

from checkers.errors import HistoryError
from checkers.histories.history import INFO, Event, History, Read, Write
from checkers.histories.recorder import Recorder


def _event(index, process, kind, op, **known):
    return Event(index, index * 10, process, kind, op, "update", "row 1", **known)


def test_an_operation_takes_its_outcome_from_the_completion():
    """Start, commit, reads and writes stand in the completion; the times in both rows."""
    reads, writes = (Read("row:1", "a"),), (Write("row:1", "A"),)
    done = _event(1, "w1", "ok", 7, start=0, commit=1, reads=reads, writes=writes)
    (op,) = History([_event(0, "w1", "invoke", 7), done]).ops
    assert (op.id, op.type, op.invoked, op.completed, op.invoked_ms, op.completed_ms) == (7, "ok", 0, 1, 0, 10)
    assert (op.start, op.commit, op.reads, op.writes) == (0, 1, reads, writes)


@pytest.mark.parametrize("completion", [(), (_event(1, "w1", "info", 0),)])
def test_an_operation_without_a_definite_completion_is_unknown_and_never_ends(completion):
    """A crash and an `info` say the same: it may have happened, and may happen later."""
    (op,) = History([_event(0, "w1", "invoke", 0), *completion]).ops
    assert (op.type, op.completed, op.completed_ms) == (INFO, None, None)


def test_a_process_goes_on_after_an_unknown_outcome():
    """In Jepsen it would get a new name; a simulated client keeps its own."""
    rows = [("w1", "invoke", 0), ("w1", "info", 0), ("w1", "invoke", 1), ("w1", "ok", 1)]
    history = History([_event(index, *row) for index, row in enumerate(rows)])
    assert [op.type for op in history.ops] == ["info", "ok"]


def test_operations_come_in_order_of_invocation():
    """Also when they complete in another order."""
    rows = [("w1", "invoke", 5), ("w2", "invoke", 3), ("w2", "ok", 3), ("w1", "ok", 5)]
    history = History([_event(index, *row) for index, row in enumerate(rows)])
    assert [op.id for op in history.ops] == [5, 3]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([("w1", "ok", 0)], "history row 0: expected an earlier invocation of operation 0 by w1, got none"),
        (
            [("w1", "invoke", 0), ("w1", "invoke", 1)],
            "history row 1: expected a completion of w1's operation, got a second invocation",
        ),
        (
            [("w1", "invoke", 0), ("w1", "ok", 4)],
            "history row 1: expected an earlier invocation of operation 4 by w1, got operation 0",
        ),
        (
            [("w1", "invoke", 0), ("w1", "maybe", 0)],
            "history row 1: expected a type in invoke, ok, fail, info, version, got 'maybe'",
        ),
        (
            [("w1", "invoke", 0), ("w2", "invoke", 0)],
            "history row 1: expected a number of its own for each operation, got 0, used in row 0",
        ),
    ],
)
def test_a_history_that_no_client_can_have_made_is_refused(rows, message):
    """One line: where, what was expected, what stands there."""
    history = History([_event(index, *row) for index, row in enumerate(rows)])
    with pytest.raises(HistoryError) as caught:
        _ = history.ops
    assert str(caught.value) == message


def test_the_recorder_numbers_rows_and_operations():
    """What it writes pairs up again."""
    recorder = Recorder()
    recorder.setup((Write("row:1", "a"),), "s0")
    op = recorder.invoke("w1", "update", "row 1", 3)
    recorder.ok(op, start=0, commit=1, time_ms=5)
    recorder.read("r-final", 1, (), "unreadable: gone")
    recorder.version(0, "s0")
    history = recorder.history()
    assert [event.index for event in history.events] == [0, 1, 2, 3, 4, 5]
    assert [(op.id, op.type, op.error) for op in history.ops] == [
        (0, "ok", None),
        (1, "ok", None),
        (2, "fail", "unreadable: gone"),
    ]
    assert [row.snapshot for row in history.versions] == ["s0"]


def test_the_recorder_asks_its_clock_once_for_each_event_that_brings_no_time():
    """A time beside the event goes first."""
    ticks = iter(range(10, 100))
    recorder = Recorder(lambda: next(ticks))
    op = recorder.invoke("w1", "update")
    recorder.ok(op, time_ms=3)
    recorder.version(0)
    assert [event.time_ms for event in recorder.events()] == [10, 3, 11]


def test_the_recorder_replaces_names_of_versions_by_their_places_in_the_lineage():
    """Once these are known; a name that is not in the lineage has none. The initial content is version 0."""
    recorder = Recorder()
    recorder.setup((Write("x", "0"),), 700)
    ops = [recorder.invoke(name, "update") for name in ("w1", "w2", "w3")]
    recorder.ok(ops[0], start=700, commit=900, parent=700)
    recorder.info(ops[1], "no answer", start=900, commit=901)
    recorder.fail(ops[2], "refused", start=900)
    for ordinal, (name, parent) in enumerate([(700, None), (900, 700)]):
        recorder.version(ordinal, name, parent, "append")
    events = recorder.events({700: 0, 900: 1})
    assert [
        (event.start, event.commit, event.snapshot, event.parent) for event in events if event.type != "invoke"
    ] == [
        (None, 0, "700", None),
        (0, 1, "900", "700"),
        (1, None, "901", None),
        (1, None, None, None),
        (None, 0, "700", None),
        (None, 1, "900", "700"),
    ]
    assert [(event.op, event.arg) for event in events[-2:]] == [(0, "append"), (1, "append")]


def test_the_recorder_closes_what_is_open_as_unknown():
    """A process that died answers no more."""
    recorder = Recorder()
    recorder.ok(recorder.invoke("w1", "update"))
    recorder.invoke("w2", "update")
    recorder.close()
    assert [(op.type, op.error) for op in recorder.history().ops] == [("ok", None), ("info", "w2: its process died")]


def test_the_recorder_refuses_a_version_of_an_operation_that_it_does_not_know():
    """A typing error in a recorder would otherwise become an unknown maker."""
    with pytest.raises(HistoryError, match="version 1: expected a recorded operation, got 3"):
        Recorder().version(1, op=3)
