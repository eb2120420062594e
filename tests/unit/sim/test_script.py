"""From a run to its schedule and back: a compact schedule means the same run."""

import contextlib
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.ports import PortError
from sim.kernel.schedule import parse, steps_of
from sim.search.run import Runner
from sim.search.script import all_steps, compact, schedule_of
from sim.search.strategies import Deviations, FirstCome, RandomWalk
from sim.world.program import program
from sim.world.scenario import FaultSpace, Scenario
from tests.unit.sim.worlds import both, scenario

STOPS = ("crash", "pause")
KINDS = (*STOPS, "500-before", "503-after-retry", "drop-before", "drop-after", "late", "resend", "crash-after")
FAULTS = FaultSpace({"commit": KINDS, "put": KINDS, "load": ("stale", *STOPS), "sleep": STOPS}, 3, (), 500)


def writer(simulation, name):
    """Reads, writes and waits in a loop, with a heartbeat beside it; gives up after three tries."""
    world = simulation.world(name)

    def beat():
        for _ in range(4):
            world.clock.sleep_ms(60)
            with contextlib.suppress(PortError):
                world.store.put(f"{name}/beat", 1)

    def body():
        handle = world.tasks.spawn("beat", beat)
        for attempt in range(3):
            try:
                seen = world.register.load("t")
                world.store.put(f"{name}/{attempt}", seen.version)
                world.register.commit("t", seen.version, (name, attempt))
                break
            except PortError:
                world.clock.sleep_ms(50)
        handle.cancel()

    return body


def poller(simulation):
    while True:
        for path in simulation.world("poller").store.list("w"):
            simulation.world("poller").store.exists(path)
        simulation.world("poller").clock.sleep_ms(30)


def writers(simulation):
    for name in ("w1", "w2"):
        simulation.actor(name, writer(simulation, name), restart=lambda name=name: writer(simulation, name)())


def start(simulation):
    writers(simulation)
    simulation.kernel.start("poller", lambda: poller(simulation), daemon=True)


BUSY = Scenario(
    "test/busy",
    program(start, prepare=lambda simulation: simulation.services.register.commit("t", 0, "first")),
    (),
    faults=FAULTS,
)


@pytest.mark.parametrize("split", [False, True], ids=["fused", "split"])
@settings(max_examples=250, deadline=None)
@given(seed=st.integers(0, 10**9), rate=st.sampled_from([0.0, 0.05, 0.3]))
def test_compact_schedule_replays_to_the_same_run(split, seed, rate):
    """Random runs with faults, crashes, restarts, pauses, late calls, helpers and an endless daemon."""
    runner = Runner(BUSY, split_replies=split)
    run = runner.run(RandomWalk(seed, rate))
    schedule = schedule_of(run)
    again = runner.play(parse(str(schedule)).steps)
    assert again.digest() == run.digest()
    assert again.injected == run.injected
    assert len(schedule.steps) <= 2 * len(run.trace)


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_list_of_all_steps_replays_to_the_same_run(seed):
    """Every step exact, nothing left to the default."""
    runner = Runner(BUSY)
    run = runner.run(RandomWalk(seed))
    assert runner.play(all_steps(run.trace)).digest() == run.digest()


def test_every_kind_of_fault_is_met_by_the_property_above():
    """Otherwise it would say little."""
    runner = Runner(BUSY)
    met = {fault for seed in range(400) for fault, _, _ in runner.run(RandomWalk(seed, 0.3)).injected}
    assert met == {*KINDS, "stale"}


def actor(name, count):
    return lambda simulation: both([simulation.world(name).register.load("t") for _ in range(count)])


LOADS = scenario(
    {"w1": actor("w1", 3), "w2": actor("w2", 2)},
    prepare=lambda simulation: simulation.services.register.commit("t", 0, 1),
)


def words(steps):
    return " ".join(map(str, steps))


def test_quiet_run_is_one_segment_per_actor():
    """Run w1 to its end, then w2."""
    assert words(schedule_of(Runner(LOADS).run(Deviations())).steps) == "w1:end w2:end"


def test_switches_are_all_that_is_named():
    """Where calls look alike, those before the place to stop are passed one by one."""
    run = Runner(LOADS).run(FirstCome())
    expected = "w1.load(t) w1:load(t) w2.load(t) w2:load(t) w1.load(t) w1:load(t) w2.load(t) w2:end w1.load(t) w1:end"
    assert words(schedule_of(run).steps) == expected.replace("w2.load(t) w2:end", "w2:end").replace(
        "w1.load(t) w1:end", "w1:end"
    )


def test_fault_on_a_call_that_looks_like_an_earlier_one_is_injected_the_right_one():
    """The first load passes, the second is hit."""
    steps = steps_of("w1.load(t) w1.put(a) w1.load(t)!drop-before w1.put(b) w2.put(c) w1.put(d)")
    expected = "w1.load(t) w1:load(t) w1.load(t)!drop-before w1:put(d) w2:end w1:end"
    assert words(compact(steps)) == expected


def test_actor_that_never_ends_is_left_at_its_last_step():
    """A daemon has no end to run to."""
    steps = steps_of("d.get w1.put d.get d.list d.get")
    assert words(compact(steps, ["d"])) == "d.get d:get w1:end d.get d:get d.get"


def test_projection_on_a_yield_points_names_its_operations_only_without_resources():
    """What a live gate can play."""
    run = Runner(BUSY).run(Deviations())
    schedule = schedule_of(run, ("load", "commit"))
    assert schedule.yield_points == ("load", "commit")
    assert words(schedule.steps) == "w1:end w2:end"
    assert all(step.resource is None for step in all_steps(run.trace, ("commit",), resources=False))


def test_schedule_of_a_run_with_few_steps_is_at_its_yield_points():
    """Calls between two steps are in the trace, but are no steps."""
    runner = Runner(
        replace(BUSY, program=program(writers, prepare=BUSY.program.prepare)), yield_points=("load", "commit")
    )
    run = runner.run(RandomWalk(4, 0.0))
    schedule = schedule_of(run)
    assert {step.operation for step in schedule.steps} <= {"load", "commit", "end"}
    assert runner.play(schedule.steps).digest() == run.digest()


def test_resource_that_the_language_cannot_write_is_left_out():
    """Spaces, parentheses and # have no escape; the step is then checked by operation only."""
    body = lambda simulation: both([simulation.world("w1").store.put(p, 1) for p in ("a b", "c(d)", "e#f", "ok")])  # noqa: E731
    run = Runner(scenario({"w1": body})).run(FirstCome())
    assert words(all_steps(run.trace)) == "w1.put w1.put w1.put w1.put(ok)"


def test_schedule_names_the_faults_that_injected():
    """For the reader; the steps say it too."""
    runner = Runner(BUSY)
    run = next(run for run in map(runner.run, map(RandomWalk, range(100))) if len(run.injected) == 1)
    fault, who, operation = run.injected[0]
    assert ("faults", f"{fault} at {who}.{operation}") in schedule_of(run).meta
