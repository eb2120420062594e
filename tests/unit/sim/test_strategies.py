"""Who runs next: first-come, random walk, priorities, deviations, depth first."""

import math
from collections import Counter
from itertools import pairwise

import pytest

from model.ports import ConnectionLost
from sim.search.explore import deviating, exhaustive
from sim.search.run import Runner
from sim.search.strategies import DepthFirst, Deviation, Deviations, FirstCome, PriorityWalk, RandomWalk
from sim.world.scenario import FaultSpace
from tests.unit.sim.worlds import scenario


def puts(name, count, same=False):
    def body(simulation):
        for i in range(count):
            simulation.world(name).store.put("same" if same else f"{name}/{i}", (name, i))

    return body


def tasks(*counts, same=False):
    return scenario({f"w{i}": puts(f"w{i}", count, same) for i, count in enumerate(counts, 1)})


def order(run):
    return "".join(row[1][1] for row in run.trace)


def multinomial(*counts):
    return math.factorial(sum(counts)) // math.prod(math.factorial(count) for count in counts)


def test_first_come_serves_in_turn():
    """Each call joins the end of the queue."""
    assert order(Runner(tasks(3, 2)).run(FirstCome())) == "12121"


def test_random_walk_repeats_with_its_seed_and_differs_between_seeds():
    """Equal probability for each ready call."""
    runner = Runner(tasks(2, 2))
    orders = [order(runner.run(RandomWalk(seed))) for seed in range(2000)]
    assert orders[:50] == [order(runner.run(RandomWalk(seed))) for seed in range(50)]
    counts = Counter(orders)
    assert set(counts) == {"1122", "1212", "1221", "2112", "2121", "2211"}
    assert abs(counts["1122"] / 2000 - 1 / 4) < 0.04, "picks are uniform: 1/2 * 1/2, then w2 alone"
    assert abs(counts["1212"] / 2000 - 1 / 8) < 0.03


@pytest.mark.parametrize(("rate", "fewest", "most"), [(0.0, 0, 0), (0.2, 130, 270), (1.0, 1000, 1000)])
def test_fault_rate_is_the_probability_of_a_fault(rate, fewest, most):
    """0 never, 1 always, else that share of 1,000 draws."""
    walk = RandomWalk(1, rate)
    injected = [walk.choose("fault:w1.commit", 4) for _ in range(1000)]
    assert fewest <= sum(1 for fault in injected if fault) <= most
    assert set(injected) <= {0, 1, 2, 3}


def test_priority_walk_of_depth_one_runs_one_task_after_the_other():
    """Without change points a task keeps its priority; over seeds every task comes first."""
    runner = Runner(tasks(3, 3, 3))
    orders = {order(runner.run(PriorityWalk(seed, depth=1))) for seed in range(100)}
    assert len(orders) == 6
    assert all(order[0:3] in ("111", "222", "333") for order in orders)


@pytest.mark.parametrize("depth", [2, 3])
def test_priority_walk_changes_at_most_depth_minus_one_times(depth):
    """Each change point preempts the running task once at most."""
    runner = Runner(tasks(6, 6))
    preempted = []
    for seed in range(200):
        letters = order(runner.run(PriorityWalk(seed, depth, steps=12)))
        switches = sum(1 for a, b in pairwise(letters) if a != b)
        preempted.append(switches)
    assert max(preempted) <= 1 + (depth - 1)
    assert min(preempted) == 1
    assert len(set(preempted)) > 1


def test_priority_walk_repeats_with_its_seed():
    """Priorities and change points come from the seed."""
    runner = Runner(tasks(4, 4))
    first = [order(runner.run(PriorityWalk(seed, 3, 8))) for seed in range(50)]
    assert first == [order(runner.run(PriorityWalk(seed, 3, 8))) for seed in range(50)]


def test_default_order_runs_one_task_to_its_end():
    """And then the one that has waited longest."""
    assert order(Runner(tasks(2, 3, 2)).run(Deviations())) == "1122233"


def test_default_order_lets_others_run_while_one_sleeps():
    """A task that waits for another by sleeping does not starve it."""

    def waits(simulation):
        world = simulation.world("w1")
        while not world.store.exists("w2/1"):
            world.clock.sleep_ms(100)

    run = Runner(scenario({"w1": waits, "w2": puts("w2", 2)})).run(Deviations())
    assert [f"{row[1]}.{row[2]}" for row in run.trace] == ["w1.exists", "w2.put", "w2.put", "w1.sleep", "w1.exists"]


def test_shortest_sleep_ends_first_in_the_default_order():
    """When all sleep, the earliest is due."""
    sleep = lambda name, ms: lambda simulation: simulation.world(name).clock.sleep_ms(ms)  # noqa: E731
    run = Runner(scenario({"w1": sleep("w1", 300), "w2": sleep("w2", 100)})).run(Deviations())
    assert [(row[0], row[1]) for row in run.trace] == [(100, "w2"), (300, "w1")]


def test_deviation_changes_one_place():
    """At the second pick, the other call; then the default order goes on from there."""
    assert order(Runner(tasks(3, 2)).run(Deviations([Deviation(1, 1)]))) == "12211"


@pytest.mark.parametrize(("counts", "enough"), [((2, 2), 4), ((3, 2), 6), ((1, 1, 2), 5), ((2, 2, 1), 6)])
def test_deviations_enumerate_every_schedule_exactly_once(counts, enough):
    """With enough deviations allowed, all interleavings of independent tasks, each once."""
    found = Counter(order(run) for _, run in deviating(Runner(tasks(*counts)), enough))
    assert len(found) == multinomial(*counts)
    assert set(found.values()) == {1}


def test_deviations_come_fewest_first_and_are_as_many_as_counted_by_hand():
    """2 + 2 independent puts: 1 default; 2 with one deviation; 3 with two or more."""
    levels = Counter(len(deviations) for deviations, _ in deviating(Runner(tasks(2, 2)), 9))
    assert levels == {0: 1, 1: 2, 2: 2, 3: 1}
    sizes = [len(deviations) for deviations, _ in deviating(Runner(tasks(2, 2)), 9)]
    assert sizes == sorted(sizes)


def test_deviations_enumerate_faults_too():
    """One call with two kinds of fault and none: three schedules."""

    def body(simulation):
        try:
            simulation.world("w1").register.commit("t", 0, 1)
        except ConnectionLost:
            simulation.kernel.hit("lost")

    subject = scenario({"w1": body}, faults=FaultSpace({"commit": ("drop-before", "drop-after")}, limit=1))
    injected = sorted(run.injected for _, run in deviating(Runner(subject), 3))
    assert injected == [(), (("drop-after", "w1", "commit"),), (("drop-before", "w1", "commit"),)]


@pytest.mark.parametrize("counts", [(1,), (2, 2), (3, 2), (1, 1, 1), (2, 2, 2)])
def test_depth_first_without_pruning_runs_every_interleaving_once(counts):
    """The multinomial coefficient, and each order once."""
    found: Counter[str] = Counter()
    result = exhaustive(tasks(*counts), prune=False, each=lambda run: found.update([order(run)]))
    assert (result.schedules, result.complete) == (multinomial(*counts), True)
    assert set(found.values()) == {1}


@pytest.mark.parametrize("counts", [(2, 2), (3, 2), (2, 2, 2)])
def test_depth_first_with_pruning_visits_every_state_once(counts):
    """Independent tasks: the states with a choice are the products of positions where two tasks or more can run."""
    positions = [range(count + 1) for count in counts]
    from itertools import product

    choices = sum(1 for at in product(*positions) if sum(n < total for n, total in zip(at, counts, strict=True)) > 1)
    result = exhaustive(tasks(*counts), prune=True)
    assert (result.states, result.complete) == (choices, True)
    assert result.schedules < multinomial(*counts)


def test_writes_to_one_place_are_not_merged():
    """Who wrote last is part of the state: 2 + 2 puts to one object end in two states."""
    found = set()
    exhaustive(tasks(2, 2, same=True), each=lambda run: found.add(run.trace[-1][4]))
    assert found == {("same", ("w1", 1)), ("same", ("w2", 1))}


def test_depth_first_stops_at_its_limit_and_says_so():
    """An unfinished exploration is not complete."""
    result = exhaustive(tasks(3, 3), prune=False, limit=7)
    assert (result.schedules, result.complete, result.verdict) == (7, False, "unknown")


def test_depth_first_knows_its_depth():
    """The longest path of choices."""
    runner, search = Runner(tasks(2, 2)), DepthFirst()
    more = True
    while more:
        search.begin()
        runner.run(search)
        more = search.advance()
    assert search.deepest == 3


def test_coverage_of_cut_off_runs_count():
    """A path that only leads into known states has run all the same."""

    def body(name, other):
        def run(simulation):
            world = simulation.world(name)
            if world.store.exists("x"):
                world.coverage.hit(f"{name} saw")
            world.store.put(name, 1)

        return run

    def setter(simulation):
        simulation.world("w3").store.put("x", 1)

    subject = scenario({"w1": body("w1", "w2"), "w2": body("w2", "w1"), "w3": setter})
    pruned, full = exhaustive(subject), exhaustive(subject, prune=False)
    assert set(pruned.coverage) == set(full.coverage) == {"w1 saw", "w2 saw"}
