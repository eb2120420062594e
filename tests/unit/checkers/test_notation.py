"""The one-line notation says what its docstring says."""

import pytest

from checkers.errors import HistoryError
from checkers.histories.history import FINAL, Read, Write
from checkers.histories.notation import history, notation


def _ops(line):
    return {op.process: op for op in history(line).ops}


def test_updates_and_deletes_read_what_they_write_as_it_was_at_their_start():
    """Values of the start version, not of the version before the commit."""
    ops = _ops("setup(row1=a) w1:upd(row1=A)@0->1 w2:del(row1)@0->2 w3:upd(row1=B)@1->3")
    assert ops["w2"].reads == (Read("row:1", "a"),)
    assert ops["w2"].writes == (Write("row:1", None),)
    assert ops["w3"].reads == (Read("row:1", "A"),)
    assert (ops["w2"].f, ops["w2"].start, ops["w2"].commit, ops["w2"].snapshot) == ("delete", 0, 2, "s2")


def test_inserts_read_only_what_is_said():
    """And their keys are not there in version 0."""
    source = history("w1:ins(row3=c)@0->1 w2:txn(row3:-,x:0@0,y=1)@0->2")
    setup, insert, other = source.ops
    assert setup.writes == (Write("x", "0"), Write("y", "0"))
    assert insert.reads == ()
    assert other.reads == (Read("row:3", None), Read("x", "0", 0))
    assert other.writes == (Write("y", "1"),)


@pytest.mark.parametrize(
    ("word", "kind", "error", "in_lineage"),
    [
        ("w1:upd(row1=A)@0->1", "ok", None, True),
        ("w1:upd(row1=A)@0->lost", "ok", None, False),
        ("w1:upd(row1=A)@0!", "fail", "conflict", False),
        ("w1:upd(row1=A)@0!timeout", "fail", "timeout", False),
        ("w1:upd(row1=A)@0->1!", "fail", "conflict", True),
        ("w1:upd(row1=A)@0?", "info", "no answer", False),
        ("w1:upd(row1=A)@0->1?", "info", "no answer", True),
    ],
)
def test_the_end_of_a_word_is_the_outcome(word, kind, error, in_lineage):
    """The lineage is said on its own: refused and unknown operations may be in it."""
    source = history(word)
    op = source.ops[1]
    assert (op.type, op.error) == (kind, error)
    assert [row.op for row in source.versions] == [0] + [op.id] * in_lineage


def test_versions_that_nobody_claims_were_made_by_nobody_known():
    """A compaction between two writers, say."""
    assert [row.op for row in history("w1:upd(row1=A)@0->2").versions] == [0, -1, 1]


def test_operations_overlap_up_to_a_semicolon():
    """Completions come in the order of the commits; a process runs its own one after the other."""
    first, second, third = history("w1:upd(x=1)@0->2 w2:upd(y=1)@0->1 ; w1:upd(x=2)@2->3").ops[1:]
    assert second.completed is not None
    assert first.completed is not None
    assert first.invoked < second.invoked < second.completed < first.completed < third.invoked
    first, other, second = history("w1:upd(x=1)@0->1 w2:upd(y=1)@0->3 w1:upd(x=2)@1->2").ops[1:]
    assert (first.completed, second.invoked, second.completed, other.completed) == (3, 4, 5, 6)


def test_a_final_read_comes_after_everything():
    """Wherever it stands in the line."""
    source = history("final:read(row1=A)@1 w1:upd(row1=A)@0->1")
    assert [op.process for op in source.ops] == ["setup", "w1", FINAL]
    assert source.ops[2].reads == (Read("row:1", "A"),)


@pytest.mark.parametrize(
    "line",
    [
        "setup(row:1=a)".replace("row:", "row")
        + "  w1:del(row1:a,row1=-)@0->2  w2:upd(row1:a,row1=A)@0->1  final:read(row1:A)@2",
        "setup(x=1)  a:txn(x:1,x=5,y:-,x:5,x=6)@0->1",
        "setup(x=1)  a:txn(x:1@0,y=2)@0->1?  b:ins(row3=c)@0!conflict  a:upd(x:1,x=3)@1->lost",
    ],
)
def test_a_history_prints_as_a_line_that_gives_the_same_history(line):
    """Reads are printed in full."""
    assert notation(history(line)) == line


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("w1:upd", "word 'w1:upd': expected a word like w1:upd(row1=A)@0->1, got something else"),
        (
            "w1:upd(row1=)@0",
            "item 'row1=': expected an item like row1=A, row1=-, row1:A or row1, got something else",
        ),
        (
            "w1:upd(x=1)@0->1 w2:upd(x=2)@0->1",
            "version 1: expected one operation that made it, got another one, update",
        ),
    ],
)
def test_a_line_that_says_nothing_is_refused(line, message):
    """One line naming the word."""
    with pytest.raises(HistoryError) as caught:
        history(line)
    assert str(caught.value) == f"history {message}"
