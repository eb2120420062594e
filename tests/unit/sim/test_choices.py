"""The tape: everything that was chosen, replayable, and a replay that meets something else says so."""

import itertools
from typing import Any

import pytest

from sim.kernel.choices import Choices, ReplayTape
from sim.kernel.errors import NondeterminismError
from sim.search.explore import same_twice
from sim.search.run import Runner
from sim.search.strategies import DepthFirst, FirstCome, RandomWalk
from sim.world.program import program
from tests.unit.sim.worlds import scenario


def writer(name, count=3):
    def body(simulation):
        store = simulation.world(name).store
        for i in range(count):
            store.put(f"{name}/{i}", simulation.world(name).chance.below("colour", 5))

    return body


TWO = scenario({"w1": writer("w1"), "w2": writer("w2")})


def test_tape_has_picks_and_draws_by_name():
    """Name, number of options, what was chosen."""
    run = Runner(TWO).run(RandomWalk(5))
    assert {(name, options) for name, options, _ in run.tape} == {("pick", 2), ("colour", 5)}
    assert all(0 <= chosen < options for _, options, chosen in run.tape)


def test_choice_without_alternative_leaves_no_record():
    """One option is no choice, and the strategy is not asked."""
    choices = Choices(FirstCome())
    assert (choices.choose("anything", 1), choices.tape) == (0, [])


@pytest.mark.parametrize("seed", range(20))
def test_tape_replays_the_run(seed):
    """Same digest, same tape, same history."""
    runner = Runner(TWO)
    run = runner.run(RandomWalk(seed))
    again = runner.replay(run.tape)
    assert (again.digest(), again.tape, again.events) == (run.digest(), run.tape, run.events)


def test_replay_of_a_program_that_depends_on_something_unrecorded_is_refused():
    """A counter outside the run makes the second run draw where the first did not."""
    counter = itertools.count()

    def body(simulation):
        world = simulation.world("w1")
        if next(counter) % 2:
            world.chance.below("extra", 9)
        world.store.put("a", 1)

    runner = Runner(scenario({"w1": body, "w2": writer("w2")}))
    run = runner.run(RandomWalk(1))
    with pytest.raises(NondeterminismError, match=r"replay: choice \d+: expected .*, got 'extra' of 9"):
        runner.replay(run.tape)


def test_replay_that_ends_before_its_tape_is_refused():
    """Fewer choices are other choices."""
    runner = Runner(TWO)
    run = runner.run(RandomWalk(1))
    with pytest.raises(NondeterminismError, match=rf"expected {len(run.tape) + 1} choices, got {len(run.tape)}"):
        runner.replay((*run.tape, ("pick", 2, 0)))


def test_replay_beyond_its_tape_is_refused():
    """There is nothing to repeat."""
    runner = Runner(TWO)
    run = runner.run(RandomWalk(1))
    with pytest.raises(NondeterminismError, match="nothing more"):
        runner.replay(run.tape[:-1])


def test_same_twice_catches_what_no_choice_shows():
    """A payload that differs from run to run changes the digest, though every choice is the same."""
    counter = itertools.count()
    leaky = scenario(
        {"w1": lambda simulation: simulation.world("w1").store.put("a", next(counter)), "w2": writer("w2")}
    )
    with pytest.raises(Exception, match="seed 7: expected one digest of two runs and a replay, got"):
        same_twice(leaky, 7)
    assert same_twice(TWO, 7) == same_twice(TWO, 7)


def test_exhaustive_search_notices_a_program_that_changes_between_runs():
    """A known path that offers another number of options than before is no path."""
    counter = itertools.count()

    def body(simulation):
        if next(counter) == 0:
            simulation.actor("w3", lambda: simulation.world("w3").store.put("c", 1))
        simulation.actor("w1", lambda: simulation.world("w1").store.put("a", 1))
        simulation.actor("w2", lambda: simulation.world("w2").store.put("b", 1))

    from sim.world.scenario import Scenario

    runner, search = Runner(Scenario("test/changing", program(body), ())), DepthFirst()
    search.begin()
    runner.run(search)
    search.advance()
    search.begin()
    with pytest.raises(NondeterminismError, match="expected 3 options as before, got 2"):
        runner.run(search)


def test_choice_with_another_number_of_options_is_another_choice():
    """Three were ready then, two are now."""
    with pytest.raises(NondeterminismError, match="expected 'pick' of 3, got 'pick' of 2"):
        ReplayTape([("pick", 3, 1)]).choose("pick", 2)


def test_replay_tape_is_a_strategy_of_its_own():
    """It needs nothing but the tape."""
    tape = ReplayTape([("pick", 2, 1), ("colour", 5, 3)])
    nobody: Any = None
    assert (tape.pick([nobody, nobody], nobody), tape.choose("colour", 5)) == (1, 3)
