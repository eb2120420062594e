"""What a terminal is told of a verdict."""

from checkers.histories.notation import history
from checkers.verdict import check
from reports.explanation import judging

LINE = "w1:upd(x=1)@0->1 w2:upd(x=2)@0->2 ; final:read(x=2)@2"


def test_a_large_history_is_told_without_asking_its_operations(monkeypatch):
    """Broken or not: the rows of the final read would take longer than the verdict."""
    source = history(LINE)
    verdict = check(source)
    assert [row.key for row in judging.told(source, verdict).rows] == ["x"]
    monkeypatch.setattr(judging, "LARGE_EVENTS", len(source))
    monkeypatch.delattr(judging, "Facts")
    told = judging.told(source, verdict)
    assert (told.rows, told.outcome) == ((), "invalid")
    assert told.findings
