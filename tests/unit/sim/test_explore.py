"""What a search says of itself: verdict, bounds, what it covered, what never happened."""

from dataclasses import replace

import pytest

from model.ports import CasLost
from sim.kernel.errors import SimulationError
from sim.search.explore import by_deviations, default_plan, exhaustive, portfolio, same_twice
from sim.search.result import Result
from sim.search.run import Runner
from sim.search.strategies import FirstCome
from sim.world.program import program
from sim.world.scenario import FaultSpace, Scenario
from tests.search.planted_races import check_then_set, orphan_cleaner
from tests.unit.sim.worlds import scenario


def committer(name):
    """Adds a version to a register, until it works."""

    def body(simulation):
        register, op = simulation.world(name).register, simulation.record.invoke(name, "write")
        while True:
            try:
                seen = register.load("t").version
                version = register.commit("t", seen, name)
            except CasLost:
                simulation.kernel.hit("race lost")
                continue
            simulation.record.ok(op, start=seen - 1, commit=version - 1, writes=[(f"row:{name}", "1")])
            return

    return body


def race(actors=("w1", "w2"), **options):
    def start(simulation):
        simulation.record.setup([("row:first", "1")])
        for actor in actors:
            simulation.actor(actor, lambda actor=actor: committer(actor)(simulation))

    prepare = lambda simulation: simulation.services.register.commit("t", 0, "first")  # noqa: E731
    return Scenario("test/small", program(start, prepare=prepare), **{"properties": ("no-aborted-reads",)} | options)


def needs_three():
    """Two tasks that must alternate three times for a stray row to be read."""

    def body(simulation, name, others):
        store, op = simulation.world(name).store, simulation.record.invoke(name, "write")
        met = 0
        for turn in range(3):
            store.put(f"{name}/{turn}", turn)
            met += store.list(others) == tuple([f"{others}/{i}" for i in range(turn + 1)])
        stray = [("row:stray", "1", None)] if name == "w1" and met == 3 else []
        simulation.record.ok(op, start=0, reads=stray)

    def start(simulation):
        simulation.record.setup([("row:stray", "0")])
        simulation.actor("w1", lambda: body(simulation, "w1", "w2"))
        simulation.actor("w2", lambda: body(simulation, "w2", "w1"))

    return Scenario("test/three", program(start), ("no-aborted-reads",))


def test_holds_needs_completeness_and_every_counter():
    """A counter that stayed zero makes the same search unknown, and is named."""
    assert exhaustive(race(counters=("race lost",))).verdict == "holds"
    uncovered = exhaustive(race(counters=("race lost", "moon eclipsed")))
    assert (uncovered.verdict, uncovered.uncovered) == ("unknown", ("moon eclipsed",))
    assert uncovered.bounds.endswith("complete; never happened: moon eclipsed")
    assert exhaustive(race(), limit=2).verdict == "unknown"


def test_a_kind_of_fault_that_never_injected_leaves_the_verdict_open():
    """The bounds would promise more than was tried; a search that a violation ended has not come to all of them."""
    faults = FaultSpace({"commit": ("409-before",), "list": ("crash",)}, 1)
    result = exhaustive(race(faults=faults), stop_at_failure=True)
    assert (result.verdict, result.uncovered) == ("unknown", ("fault crash",))
    assert result.bounds.endswith("complete; never happened: fault crash")
    assert exhaustive(race(faults=replace(faults, limit=0))).verdict == "holds"
    broken = exhaustive(replace(check_then_set(2), faults=faults), stop_at_failure=True)
    assert (broken.verdict, broken.uncovered) == ("violated", ())


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (({"commit": ("explode",)}, 1), r"faults: commit: expected a kind such as 503-after-retry, .*, got 'explode'"),
        (({"commit": "503-after"}, 1), r"commit: expected a tuple of kinds, as in \('503-after',\), got '503-after'"),
        (({"commit": ("late",)}, -1), "faults: limit: expected a number from 0, got -1"),
        (({"commit": ("pause",)}, 1, (), -5), "faults: pause_ms: expected a number from 0, got -5"),
        (({}, 1), "faults: expected kinds of faults for a limit of 1, got none"),
    ],
)
def test_a_space_of_faults_that_cannot_be_is_refused(given, said):
    """What, expected, got."""
    with pytest.raises(ValueError, match=said):
        FaultSpace(*given)


def test_violation_outranks_everything_else():
    """Also an unfinished search may say violated."""
    result = exhaustive(check_then_set(2), stop_at_failure=True)
    assert (result.verdict, result.complete) == ("violated", False)
    assert len(result.failures) == 1


def test_bounds_are_one_sentence_of_what_was_covered():
    """Scenario, faults, yield points, schedules, states, completeness."""
    faults = FaultSpace({"commit": ("drop-before", "crash")}, 0)
    result = exhaustive(race(bounds="2 clients, 1 commit each", faults=faults))
    states = f"{result.schedules} schedules, {result.states} distinct states"
    assert result.bounds == f"2 clients, 1 commit each; steps: every port call; {states}; complete"
    limited = by_deviations(race(yield_points=("commit",), faults=FaultSpace({"commit": ("500-before",)}, 0)), 1)
    assert limited.bounds == f"steps: commit; {limited.schedules} schedules; not exhaustive: at most 1 deviation"
    assert (
        "at most 2 faults of crash, drop-before at commit"
        in Result(race(faults=FaultSpace(faults.kinds, 2)), "x").bounds
    )


def test_one_is_no_plural():
    """One schedule, one seed."""
    alone = exhaustive(race(["w1"]))
    assert alone.bounds == "steps: every port call; 1 schedule; complete"
    assert portfolio(race(), seeds=range(1)).method == "portfolio of 1 seed"


def test_progress_counts_every_schedule():
    """Whatever the search."""
    for search in (
        lambda tick: exhaustive(race(), progress=tick),
        lambda tick: by_deviations(race(), 2, progress=tick),
        lambda tick: portfolio(race(), seeds=range(25), progress=tick),
    ):
        ticks: list[int] = []
        assert search(ticks.append).schedules == sum(ticks) > 1


def test_searches_stop_at_the_first_failure_of_a_portfolio_or_a_bound():
    """What comes first is the smallest; more of it says nothing new."""
    assert by_deviations(check_then_set(4), 2).failed == 1
    assert portfolio(check_then_set(2), seeds=range(500)).failed == 1


def test_search_by_deviations_keeps_to_its_limit():
    """And is not called complete."""
    result = by_deviations(race(), 2, limit=3)
    assert (result.schedules, result.complete) == (3, False)


def test_plan_ends_at_the_phase_that_knows():
    """A small counterexample by deviations, a small scenario completely, a large one not at all."""
    assert default_plan(check_then_set(2)).method == "at most 2 deviations"
    assert default_plan(race()).method == "at most 2 deviations, depth first"
    large = default_plan(orphan_cleaner(repaired=True), budget=80)
    assert (large.verdict, large.complete) == ("unknown", False)
    assert large.method == "at most 2 deviations, 50 runs depth first, portfolio of 9 seeds"
    assert large.schedules == 20 + 50 + 1 + 9


def test_plan_counts_the_coverage_of_all_its_phases():
    """What happened in an earlier phase did happen, though a later one saw nothing of it."""
    result = default_plan(race(["w1", "w2", "w3"], counters=("race lost",)), budget=19)
    assert result.method == "at most 2 deviations, 12 runs depth first, portfolio of 1 seed"
    assert (result.verdict, result.uncovered, result.schedules) == ("unknown", (), 19)


@pytest.mark.parametrize("budget", [1, 2, 3, 5, 8, 9, 40])
def test_a_budget_is_a_total_over_all_phases(budget):
    """Also over those that come after the first one."""
    told: list[int] = []
    assert default_plan(orphan_cleaner(repaired=True), budget=budget, progress=told.append).schedules == budget
    assert sum(told) == budget


def test_found_within_counts_every_schedule_that_ran():
    """Those of the phases before the one that found it, too; complete is the size of the exhaustive phase."""
    told: list[int] = []
    found = default_plan(needs_three(), progress=told.append)
    assert found.method == "at most 2 deviations, 1 run depth first"
    assert found.found_within == found.schedules == sum(told) == 38 > found.exhaustive == 1
    told.clear()
    complete = default_plan(race(), progress=told.append)
    assert complete.schedules == sum(told) > complete.exhaustive == exhaustive(race()).schedules
    assert f"; {complete.exhaustive} schedules, " in complete.bounds


def test_same_twice_gives_the_digest_or_says_what_differs():
    """Two runs and a replay."""
    assert same_twice(race(), 3) == same_twice(race(), 3) != same_twice(race(), 4)
    changing = iter(range(100))
    unstable = scenario({"w1": lambda simulation: simulation.world("w1").store.put("a", next(changing))})
    with pytest.raises(SimulationError, match="expected one digest of two runs and a replay"):
        same_twice(unstable, 1)


def test_error_inside_a_run_names_scenario_and_last_steps():
    """A search of a thousand runs must say where it was when the code under test failed."""

    def body(simulation):
        simulation.world("w1").store.put("a", 1)
        raise KeyError("a bug of the code under test")

    with pytest.raises(KeyError) as error:
        Runner(scenario({"w1": body})).run(FirstCome())
    assert error.value.__notes__ == ["scenario test/small, after 1 steps: ... w1.put"]
