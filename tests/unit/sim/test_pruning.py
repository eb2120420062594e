"""Pruning by state is sound: the outcomes that it finds are those of all schedules."""

import random

import pytest

from sim.world.program import program
from sim.world.scenario import FaultSpace, Scenario
from tests.unit.sim.programs import PROGRAMS, attempt, blind, lineage, prepare, say, stale_reader
from tests.unit.sim.worlds import both, outcomes, scenario


@pytest.mark.parametrize("name", PROGRAMS)
def test_pruned_search_finds_the_outcomes_of_all_schedules(name):
    """No more, no fewer, in fewer runs."""
    pruned, few = outcomes(PROGRAMS[name], prune=True)
    every, many = outcomes(PROGRAMS[name], prune=False, limit=200_000)
    assert pruned == every
    assert len(every) > 1
    assert few < many


def both_hear(simulation):
    """Two tasks of one process race for a register: who won and who heard first are two things."""
    memory = {"heard": ""}
    register = simulation.world("w1").register

    def task(name):
        def body():
            won = attempt(lambda: register.commit("t", 1, name))
            memory["heard"] += name
            simulation.world("w1").store.exists(name)
            say(simulation, f"w1-{name}", (won, memory["heard"]))

        return body

    simulation.kernel.start("w1-a", task("a"), process="w1")
    simulation.kernel.start("w1-b", task("b"), process="w1")
    simulation.actor("w2", lambda: both(simulation.world("w2").store.put("z", 1)))


SPLIT = {
    "both hear": Scenario("test/both-hear", program(both_hear, prepare=prepare), ()),
    "shared memory": PROGRAMS["shared memory"],
    "blind writes": scenario({n: blind(n) for n in ("w1", "w2")}, prepare=prepare, finish=lineage),
    "stale reads": scenario(
        {"w1": stale_reader, "w2": lambda simulation: simulation.world("w2").store.put("z", 1)}, prepare=prepare,
        faults=FaultSpace({"load": ("stale",), "list": ("stale",)}, 1),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SPLIT)
def test_pruned_search_finds_all_outcomes_when_replies_are_steps(name):
    """Between apply and reply a call's answer is on its way: part of the state too."""
    pruned, few = outcomes(SPLIT[name], prune=True, split_replies=True)
    every, many = outcomes(SPLIT[name], prune=False, split_replies=True, limit=200_000)
    assert pruned == every
    assert few < many


def random_program(seed):
    """Two processes of one or two tasks with random ports calls, memory, sleeps and readings of the clock."""
    draw = random.Random(seed)

    def task(simulation, process, memory, todo, name):
        world = simulation.world(process)
        for step in todo:
            if step == "put":
                world.store.put(draw_path[name], memory["n"])
            elif step == "get":
                memory["n"] = hash_free(attempt(lambda: world.store.get("p")), memory["n"])
            elif step == "count":
                memory["n"] += 1
                world.store.exists("q")
            elif step == "clock":
                memory["n"] += world.clock.now_ms()
                world.store.exists("q")
            elif step == "sleep":
                world.clock.sleep_ms(draw_sleep[name])
        say(simulation, name, memory["n"])

    names = ["w1", "w2"] + (["w1-b"] if draw.random() < 0.6 else [])
    kinds = ["put", "get", "count", "clock", "sleep"]
    steps = {name: [draw.choice(kinds) for _ in range(draw.choice([2, 3]))] for name in names}
    draw_path = {name: draw.choice(["p", "q"]) for name in names}
    draw_sleep = {name: draw.choice([10, 25]) for name in names}
    daemons = {name for name in names if name == "w1-b" and draw.random() < 0.5}
    faults = FaultSpace({"put": ("drop-after", "crash")}, 1, ("w2",)) if draw.random() < 0.3 else FaultSpace()

    def start(simulation):
        memories = {"w1": {"n": 0}, "w2": {"n": 0}}
        for name in names:
            process = name[:2]
            simulation.world(process)
            body = lambda name=name, process=process: task(simulation, process, memories[process], steps[name], name)  # noqa: E731
            simulation.kernel.start(
                name, lambda body=body: both(attempt(body)), process=process, daemon=name in daemons
            )

    def finish(simulation):
        say(simulation, "end", sorted(simulation.services.store.objects.items()))

    return Scenario(f"test/random-{seed}", program(start, finish=finish), (), faults=faults)


def hash_free(value, before):
    return value * 2 + before if isinstance(value, int) else -1


@pytest.mark.parametrize("first", range(0, 60, 10))
def test_pruning_is_sound_for_random_programs(first):
    """Sixty programs that mix shared memory, clocks, sleeps, daemons and faults."""
    for seed in range(first, first + 10):
        program = random_program(seed)
        pruned, few = outcomes(program, prune=True)
        every, many = outcomes(program, prune=False, limit=100_000)
        assert pruned == every, f"seed {seed}"
        assert few <= many


def test_random_programs_are_not_trivial():
    """Most have several outcomes, and pruning saves most runs."""
    found = [outcomes(random_program(seed), prune=True) for seed in range(20)]
    assert sum(1 for ends, _ in found if len(ends) > 2) > 10
