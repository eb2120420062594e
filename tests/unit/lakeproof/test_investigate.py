"""One scenario, investigated: what is shown is the weakest failure that was found, small, and with its own proof."""

import pytest

from lakeproof.errors import Mismatch
from lakeproof.investigate import Knobs, investigate
from sim.kernel.schedule import steps_of
from sim.search.projection import shown
from sim.search.run import Runner
from sim.search.script import schedule_of
from tests.unit.sim.test_result import two_flaws
from tests.unit.sim.test_shrink import lost_update


def test_the_weakest_failure_is_shown_and_is_the_one_that_was_proven_smallest():
    """Not the first one that the search met, which breaks a stronger property."""
    searched = investigate(two_flaws(expect="violated", broken="no-aborted-reads"), Knobs())
    assert len(searched.result.failures) == 2
    assert searched.run.failure is not None
    assert searched.run.failure.startswith("no-aborted-reads/")
    assert searched.shown.shrunk is not None
    assert searched.shown.shrunk.proven
    assert searched.shown.shrunk.run.digest() == searched.run.digest()
    assert searched.code == 0


LONGER = "w2.put w1.put w1.put w1.load w2:end w1:end"
"""Another lost update than the smallest."""


def test_a_schedule_that_gives_another_run_than_the_one_found_is_a_mismatch(monkeypatch):
    """Also one that ends in the same failure: the proof is of the run that was found."""

    def another(run, shrunk=None):
        other = Runner(run.scenario).play(steps_of(LONGER))
        assert other.failure == run.failure
        return shown(run, shrunk)._replace(schedule=schedule_of(other))

    monkeypatch.setattr("lakeproof.investigate.shown", another)
    with pytest.raises(Mismatch, match="expected its schedule to give the run that was found, got another"):
        investigate(lost_update(2), Knobs())


def test_the_budget_is_told_with_what_comes_on_top():
    """So that nobody takes it for the whole."""
    assert Knobs(budget=100).budget_words == (
        "100 runs of the search; on top of them 3 to see that runs repeat, and at most 3,000 to make a violation small "
        "or 2,000 to choose the run to show"
    )
    assert "repeat" not in Knobs(determinism=False).budget_words
