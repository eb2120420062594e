"""A sample of the histories of known verdict; `make known-verdicts` judges a hundred thousand."""

import random

import pytest

from checkers.isolation import levels
from tests.known_verdicts import judging
from tests.known_verdicts.executions import plants


@pytest.mark.parametrize("kind", judging.KINDS)
def test_generated_histories_are_judged_as_they_were_made(kind):
    """By columns, by operations, and as the axioms or the making of the history say."""
    found = [line for number in range(60) for line in judging.wrong(kind, random.Random(f"{kind} {number}"))]
    assert found == []


def test_every_anomaly_is_planted():
    """In the sample of the test above."""
    names = {random.Random(f"planted {number}").choice(list(plants(0))) for number in range(60)}
    assert names == {*plants(0)}


@pytest.mark.parametrize(("lost", "kind"), [("cheapest", "tiny"), ("missed", "tiny"), ("cheapest", "planted")])
def test_a_checker_that_lost_a_rule_judges_wrongly(lost, kind, monkeypatch):
    """So a sample without a wrong verdict says something."""
    monkeypatch.setattr(levels, lost, lambda *_: None)
    assert any(judging.wrong(kind, random.Random(f"{kind} {number}")) for number in range(60))
