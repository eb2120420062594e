"""What an inspection of the table found becomes a violation, and leaks count only when nobody may have died."""

import pytest

from checkers.histories.history import History
from checkers.histories.recorder import Recorder
from checkers.isolation import invariants
from checkers.verdict import check, failure_key, quick


def _history(*found, outcome="ok"):
    recorder = Recorder()
    recorder.complete(recorder.invoke("w1", "append"), outcome)
    for text in found:
        recorder.ok(recorder.invoke("r-inspect", "inspect", text))
    return recorder.history()


@pytest.mark.parametrize(
    ("source", "key"),
    [
        (_history(), None),
        (_history("sequence: number 2 came after 3"), "table-invariants/sequence"),
        (_history("leak: data/7 belongs to no snapshot"), "no-leaks/leak"),
        (_history("leak: data/7 belongs to no snapshot", outcome="fail"), "no-leaks/leak"),
        (_history("leak: data/7 belongs to no snapshot", outcome="info"), None),
        (_history("leak: data/7", "sequence: number 2 came after 3"), "table-invariants/sequence"),
    ],
)
def test_findings_of_an_inspection_break_the_property_that_they_name(source: History, key):
    """Invariants before leaks; the kind of the finding is the anomaly."""
    assert quick(source, ["no-leaks", "table-invariants"]) == key


def test_the_text_of_a_finding_is_its_sentence():
    """Told as what the inspection found."""
    (violation,) = check(_history("sequence: number 2 came after 3"), ["table-invariants"]).violations
    assert failure_key(violation) == "table-invariants/sequence"
    assert violation.sentences[-1] == "The inspection found number 2 came after 3."


def test_an_inspection_that_nobody_reads_finds_nothing(monkeypatch):
    """The mutant looks for another operation."""
    source = _history("sequence: number 2 came after 3")
    monkeypatch.setattr(invariants, "INSPECT", "nothing")
    assert quick(source, ["table-invariants"]) is None
