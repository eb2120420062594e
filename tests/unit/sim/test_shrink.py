"""Shrinking: a failing run in, the smallest schedule with the same failure out, and a proof if the budget allows."""

import pytest

from model.ports import CasLost, PortError
from sim.search.explore import deviating, portfolio
from sim.search.run import Runner
from sim.search.shrink import shrink
from sim.search.strategies import Deviations, RandomWalk
from sim.world.program import program
from sim.world.scenario import FaultSpace, Scenario


def counter(name, other_steps=2):
    """Reads a number, does something else, writes the number plus one without a check."""

    def body(simulation):
        world = simulation.world(name)
        for i in range(other_steps):
            world.store.put(f"{name}/before/{i}", i)
        op = simulation.record.invoke(name, "add")
        seen = world.register.load("n")
        for i in range(other_steps):
            world.store.put(f"{name}/{i}", i)
        now = world.register.load("n")
        version = world.register.commit("n", now.version, seen.value + 1)
        value, new = f"{seen.value}@{seen.version}", f"{seen.value + 1}@{version}"
        simulation.record.ok(
            op, start=seen.version - 1, commit=version - 1,
            reads=[("n", value, seen.version - 1)], writes=[("n", new)],
        )  # fmt: skip
        for i in range(other_steps):
            world.store.put(f"{name}/after/{i}", i)

    return body


def prepare(simulation):
    simulation.services.register.commit("n", 0, 0)


def lost_update(writers, **options):
    def start(simulation):
        simulation.record.setup([("n", "0@1")])
        for i in range(1, writers + 1):
            simulation.actor(f"w{i}", lambda i=i: _until_it_works(counter(f"w{i}"), simulation))

    return Scenario("test/small", program(start, prepare=prepare), ("no-lost-update",), **options)


def _blindly(register, value):
    """Writes over whatever there is."""
    while True:
        try:
            return register.commit("n", register.load("n").version, value)
        except CasLost:
            continue


def _until_it_works(body, simulation):
    try:
        body(simulation)
    except CasLost:
        simulation.kernel.hit("race lost")


@pytest.mark.parametrize("writers", [2, 3, 4])
@pytest.mark.parametrize("seed", range(5))
def test_lost_update_shrinks_to_one_deviation_whatever_the_run(writers, seed):
    """One writer stops between its read and its write, the next one goes through: one departure, proven smallest."""
    subject = lost_update(writers)
    runner = Runner(subject)
    failing = next(run for run in map(runner.run, map(RandomWalk, range(seed * 100, 10**6))) if run.failure)
    small = shrink(runner, failing)
    assert small.run.failure == failing.failure
    assert (len(small.deviations), small.proven) == (1, True)
    assert runner.run(Deviations(small.deviations)).digest() == small.run.digest()
    assert small.executions <= 500


def test_result_is_the_smallest_by_brute_force():
    """No schedule with fewer deviations fails in this way."""
    runner = Runner(lost_update(2))
    failing = next(run for run in map(runner.run, map(RandomWalk, range(10**6))) if run.failure)
    small = shrink(runner, failing)
    fewest = next(len(deviations) for deviations, run in deviating(runner, 3) if run.failure == failing.failure)
    assert len(small.deviations) == fewest


def test_run_that_does_not_fail_cannot_be_shrunk():
    """It names the scenario."""
    runner = Runner(lost_update(2))
    with pytest.raises(ValueError, match="run of test/small: expected one that violates a property"):
        shrink(runner, runner.run(Deviations()))


def test_default_schedule_that_fails_shrinks_to_no_deviation():
    """And that is proven without another run of fewer."""

    def start(simulation):
        simulation.record.setup([("n", "0@1")])
        op, other = simulation.record.invoke("w1", "add"), simulation.record.invoke("w2", "add")
        for number, version in ((op, 1), (other, 2)):
            simulation.record.ok(
                number, start=0, commit=version, reads=[("n", "0@1", 0)], writes=[("n", f"1@{version}")]
            )
        simulation.actor("w1", lambda: simulation.world("w1").store.put("a", 1))
        simulation.actor("w2", lambda: simulation.world("w2").store.put("b", 1))

    runner = Runner(Scenario("test/small", program(start), ("no-lost-update",)))
    failing = runner.run(RandomWalk(1))
    assert failing.failure
    small = shrink(runner, failing)
    assert (small.deviations, small.proven) == ((), True)


def test_exhausted_budget_is_not_called_proven():
    """The result stands, the claim does not."""
    runner = Runner(needs_two())
    failing = next(iter(portfolio(runner.scenario, seeds=range(100_000)).failures.values()))
    small = shrink(runner, failing, budget=20)
    assert (len(small.deviations), small.proven) == (2, False)
    assert shrink(runner, failing).proven


@pytest.mark.parametrize("budget", [2, 5, 20, 60])
def test_a_budget_is_for_all_the_runs_that_shrinking_makes(budget):
    """Those that make the run small and those that prove it."""
    runner = Runner(needs_two())
    failing = next(iter(portfolio(runner.scenario, seeds=range(100_000)).failures.values()))
    assert shrink(runner, failing, budget=budget).executions <= budget


def needs_two():
    """A lost update that needs a fault and a switch: the update is unchecked only after an unclear answer."""

    def careless(name):
        def body(simulation):
            register, op = simulation.world(name).register, simulation.record.invoke(name, "add")
            seen = register.load("n")
            try:
                version = register.commit("n", seen.version, seen.value + 1)
            except CasLost:
                simulation.record.fail(op, "lost")
                return
            except PortError:
                version = register.commit("n", register.load("n").version, seen.value + 1)
            read, write = ("n", f"{seen.value}@{seen.version}", seen.version - 1), ("n", f"{seen.value + 1}@{version}")
            simulation.record.ok(op, start=seen.version - 1, commit=version - 1, reads=[read], writes=[write])

        return body

    faults = FaultSpace({"commit": ("500-before", "drop-before")}, 1, ("w1",))

    def start(simulation):
        simulation.record.setup([("n", "0@1")])
        for name in ("w1", "w2"):
            simulation.actor(name, lambda name=name: careless(name)(simulation))

    return Scenario("test/small", program(start, prepare=prepare), ("no-lost-update",), faults=faults)


@pytest.mark.parametrize("seed", range(0, 5000, 1000))
def test_fault_and_switch_are_both_kept_and_nothing_else(seed):
    """Two deviations: the fault, of its first kind, and the place where the other writer comes in."""
    runner = Runner(needs_two())
    failing = next(run for run in map(runner.run, map(RandomWalk, range(seed, 10**6))) if run.failure)
    small = shrink(runner, failing)
    assert (len(small.deviations), small.proven) == (2, True)
    assert small.run.injected == (("500-before", "w1", "commit"),)


def test_failure_that_depends_on_another_draw_keeps_that_draw():
    """A jitter that must not be quiet is a deviation too; as draws are not enumerated, nothing is proven."""

    def body(name, early):
        def run(simulation):
            world, op = simulation.world(name), simulation.record.invoke(name, "add")
            seen = world.register.load("n")
            if early or world.chance.below("jitter", 4) == 3:
                version = _blindly(world.register, seen.value + 1)
                read, write = (
                    ("n", f"{seen.value}@{seen.version}", seen.version - 1),
                    ("n", f"{seen.value + 1}@{version}"),
                )
                simulation.record.ok(op, start=seen.version - 1, commit=version - 1, reads=[read], writes=[write])

        return run

    def start(simulation):
        simulation.record.setup([("n", "0@1")])
        simulation.actor("w1", lambda: body("w1", True)(simulation))
        simulation.actor("w2", lambda: body("w2", False)(simulation))

    runner = Runner(Scenario("test/draw", program(start, prepare=prepare), ("no-lost-update",)))
    found = [run for run in map(runner.run, map(RandomWalk, range(300))) if run.failure]
    assert found
    small = shrink(runner, found[0])
    assert (len(small.deviations) <= 3, small.proven) == (True, False)
    assert "jitter" in {small.run.tape[deviation.at][0] for deviation in small.deviations}
