"""The record of a search: what it says of the run that is shown, and how it clips what nobody would read."""

from dataclasses import replace

from checkers.histories.history import History
from reports.explanation.build import FIRST, LAST, clipped, clipped_text, headline_of, judge_run, minimality_of
from reports.record import Explanation, Sentence
from sim.search.explore import by_deviations, portfolio
from sim.search.projection import shown
from sim.search.run import Runner
from sim.search.shrink import shrink
from sim.world.live import Live
from tests.unit.sim.test_explore import race
from tests.unit.sim.test_shrink import lost_update


def failing_of(result):
    """The run that a search reports."""
    assert result.weakest is not None
    return result.weakest


def best_of(scenario):
    """The smallest failing run of a scenario, as it is shown."""
    failing = failing_of(by_deviations(scenario, 2))
    shrunk = shrink(Runner(scenario), failing)
    return shown(shrunk.run, shrunk)


def test_the_proof_is_told_of_the_run_that_it_is_about():
    """A projection has a count of its own; what was proven is the other one's."""
    as_it_is = best_of(lost_update(2))
    assert minimality_of(as_it_is) == "1 deviation from the default order (proven smallest, 4 runs)"
    projected = best_of(lost_update(2, live=Live("some system", None, (("load", "commit"),))))
    assert minimality_of(projected) == (
        "2 deviations from the default order, projected on the steps of the live gates from a run with 1 deviation "
        "(proven smallest, 4 runs)"
    )
    assert minimality_of(as_it_is._replace(shrunk=None)) == ""


def test_a_headline_says_that_no_search_was_needed_and_that_seeds_found_nothing():
    """The one of a violation on the default schedule, the other of a search that cannot say more."""
    result = by_deviations(lost_update(2), 2)
    run = failing_of(result)
    judged = judge_run(run, History(run.events))
    assert headline_of(result, judged).endswith(f"(found within {result.found_within} schedules)")
    first = replace(result, found_at=dict.fromkeys(result.found_at, 1), default_fails=True)
    assert headline_of(first, judged).endswith("(found within 1 schedule, the default one: no search needed)")
    nothing = portfolio(race(), seeds=range(8))
    assert headline_of(nothing, judged).startswith("unknown: nothing was found in 8 seeds (steps: ")


def test_a_long_explanation_is_clipped_in_the_middle():
    """Its sentences keep their numbers."""
    sentences = tuple([Sentence(number, "w1", f"step {number}") for number in range(1, 10_001)])
    short = clipped(Explanation(sentences)).sentences
    assert len(short) == FIRST + 1 + LAST
    assert [short[0].number, short[FIRST].text, short[-1].number] == [1, "... 9,860 more steps ...", 10_000]
    assert clipped(Explanation(sentences[: FIRST + LAST])).sentences == sentences[: FIRST + LAST]


def test_a_long_schedule_is_clipped_in_the_middle():
    """Where its file has all of it."""
    text = "".join(f"w1.load{number}\n" for number in range(10_000))
    lines = clipped_text(text).splitlines()
    assert (len(lines), lines[FIRST]) == (FIRST + 1 + LAST, "# ... 9,860 more steps, see the file ...")
    assert clipped_text("a\nb\n") == "a\nb\n"
