"""Planted races: which search finds them, how soon, and what is left of a failing run after shrinking."""

import pytest

from sim.search.explore import by_deviations, default_plan, exhaustive, portfolio
from sim.search.run import Runner
from sim.search.script import schedule_of
from sim.search.shrink import shrink
from sim.search.strategies import Deviations, PriorityWalk, RandomWalk
from sim.world.scenario import Scenario
from tests.search.planted_races import (
    cache_poller,
    check_then_set,
    lease_expires,
    orphan_cleaner,
    race,
    stale_file_list,
)

pytestmark = pytest.mark.search

PLANTED = {
    "A": (check_then_set(2), 1, "acknowledged-writes-survive/commit-not-in-lineage"),
    "A4": (check_then_set(4), 1, "acknowledged-writes-survive/commit-not-in-lineage"),
    "B": (cache_poller(), 1, "acknowledged-writes-survive/lost-row"),
    "C": (stale_file_list(), 1, "readable/unreadable-table"),
    "D": (lease_expires(), 2, "acknowledged-writes-survive/commit-not-in-lineage"),
    "E": (orphan_cleaner(), 1, "readable/unreadable-table"),
}
REPAIRED = {
    "A": check_then_set(2, repaired=True),
    "B": cache_poller(repaired=True),
    "C": stale_file_list(repaired=True),
    "D": lease_expires(repaired=True),
    "E": orphan_cleaner(repaired=True),
}


@pytest.mark.parametrize("name", PLANTED)
def test_two_deviations_find_every_planted_race(name: str) -> None:
    """Fewest first, so the first failure has as few as possible."""
    scenario, deviations, key = PLANTED[name]
    assert not by_deviations(scenario, deviations - 1).failures
    found = by_deviations(scenario, 2)
    assert list(found.failures) == [key]
    assert found.schedules < 100


@pytest.mark.parametrize("name", PLANTED)
@pytest.mark.parametrize("seed", [0, 1000, 2000])
def test_random_failing_runs_shrink_to_the_fewest_deviations(name: str, seed: int) -> None:
    """From a dozen departures or more to one or two, proven; and what is left still fails, by its schedule."""
    scenario, fewest, key = PLANTED[name]
    runner = Runner(scenario)
    steps = runner.run(Deviations()).steps
    walks = (PriorityWalk(s, 2, steps) if name == "E" else RandomWalk(s) for s in range(seed, seed + 1000))
    failing = next(run for run in map(runner.run, walks) if run.failure == key)
    small = shrink(runner, failing)
    assert (len(small.deviations), small.proven, small.run.failure) == (fewest, True, key)
    assert small.executions <= 500
    assert runner.play(schedule_of(small.run).steps).failure == key


@pytest.mark.parametrize("name", REPAIRED)
def test_repaired_variant_withstands_the_same_search(name: str) -> None:
    """Otherwise the search would blame the simulator, not the race."""
    assert not by_deviations(REPAIRED[name], 2).failures


@pytest.mark.parametrize("name", ["A", "B", "C", "D"])
def test_repaired_variant_holds_exhaustively(name: str) -> None:
    """Every schedule, at the yield points of every port call."""
    assert exhaustive(REPAIRED[name]).verdict == "holds"


def hits(scenario: Scenario, strategy: type, runs: int, *options: int) -> int:
    """How many of `runs` seeds find a failure."""
    runner = Runner(scenario)
    return sum(runner.run(strategy(seed, *options)).failure is not None for seed in range(runs))


def test_one_long_stall_is_invisible_to_a_random_walk_and_easy_for_priorities() -> None:
    """The orphan cleaner: nothing in 2,000 random walks, every tenth priority walk. A portfolio needs both."""
    scenario = PLANTED["E"][0]
    steps = Runner(scenario).run(Deviations()).steps
    assert hits(scenario, RandomWalk, 2000) == 0
    assert hits(scenario, PriorityWalk, 500, 2, steps) > 20


@pytest.mark.parametrize("name", ["A", "A4", "B", "C", "D"])
def test_random_walk_finds_races_of_retry_loops_at_once(name: str) -> None:
    """Where order matters in many places, a tenth of all random schedules or more fails."""
    assert hits(PLANTED[name][0], RandomWalk, 300) > 30


@pytest.mark.parametrize("name", PLANTED)
def test_portfolio_finds_every_planted_race(name: str) -> None:
    """Without being told which strategy fits."""
    assert list(portfolio(PLANTED[name][0], seeds=range(400)).failures) == [PLANTED[name][2]]


def test_default_plan_gives_each_its_verdict() -> None:
    """Broken ones at the first phase, repaired ones completely."""
    assert {name: default_plan(scenario).verdict for name, (scenario, _, _) in PLANTED.items()} == dict.fromkeys(
        PLANTED, "violated"
    )
    assert default_plan(REPAIRED["C"]).verdict == "holds"


def test_four_writers_are_more_schedules_but_no_more_deviations() -> None:
    """The bound is on departures, not on the size of the scenario."""
    assert race is not None
    two, four = by_deviations(PLANTED["A"][0], 2).schedules, by_deviations(PLANTED["A4"][0], 2).schedules
    assert two < four < 10 * two
