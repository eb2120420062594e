"""The world of one process: its clock, its chance, its tasks; and the simulation that hands worlds out."""

import pytest

from sim.search.explore import exhaustive
from sim.search.run import Runner
from sim.search.strategies import FirstCome, RandomWalk
from sim.world.program import program
from sim.world.scenario import Scenario
from tests.unit.sim.worlds import Small, both, scenario


def test_clock_has_its_host_s_offset_and_moves_with_simulated_time():
    """Two hosts that disagree by 500 ms go on disagreeing."""
    small = Small()
    fast, slow = small.world("fast", 1, 500), small.world("slow", 2)

    def body():
        small.log.append((fast.clock.now_ms(), slow.clock.now_ms()))
        slow.clock.sleep_ms(100)
        small.log.append((fast.clock.now_ms(), slow.clock.now_ms()))

    small.task("w1", body)
    small.kernel.drive()
    assert small.log == [(500, 0), (600, 100)]


def test_clock_offset_is_set_once_and_a_late_wish_is_refused():
    """Silently keeping the first would make a skew test say nothing."""

    def start(simulation):
        simulation.world("w1", 500)
        simulation.actor("w1", lambda: simulation.kernel.hit(str(simulation.world("w1").clock.now_ms())))
        simulation.actor("w2", lambda: None)
        simulation.world("w2", 500)

    with pytest.raises(ValueError, match="world of w2: expected its clock to be set at the first call"):
        Runner(Scenario("test/skew", program(start), ())).run(FirstCome())


def test_fresh_identifiers_never_repeat_across_processes_kinds_and_the_set_up():
    """However many a process makes; the first hundred are short."""
    found: list[int] = []

    def start(simulation):
        for name in ("w1", "w2", "w3"):
            simulation.actor(
                name, lambda name=name: found.extend(simulation.world(name).chance.fresh("file") for _ in range(350))
            )

    def prepare(simulation):
        found.extend(simulation.world("setup").chance.fresh("file") for _ in range(350))

    Runner(Scenario("test/fresh", program(start, prepare=prepare), ())).run(FirstCome())
    assert len(set(found)) == 4 * 350
    assert sorted(found)[0] < 1000


def test_fresh_identifiers_do_not_depend_on_the_schedule():
    """They are the process's own count."""

    def body(name):
        def run(simulation):
            world = simulation.world(name)
            for _ in range(3):
                world.store.put(f"{name}-{world.chance.fresh('file')}", 1)

        return run

    runner = Runner(scenario({"w1": body("w1"), "w2": body("w2")}))
    paths = {frozenset(row[3] for row in runner.run(RandomWalk(seed)).trace) for seed in range(20)}
    assert len(paths) == 1


def test_draws_are_choices_on_the_tape():
    """By the name that the protocol gives them."""
    run = Runner(scenario({"w1": lambda simulation: both(simulation.world("w1").chance.below("jitter", 50))})).run(
        RandomWalk(3)
    )
    assert [entry[:2] for entry in run.tape] == [("jitter", 50)]


def test_prepared_image_is_the_start_of_every_run():
    """What one run changes, the next one does not see."""

    def prepare(simulation):
        simulation.services.store.put("a", 1)
        simulation.services.metastore.create("t", {"p": "1"})
        simulation.services.locks.lock("t", "setup")
        return "handed over"

    seen = []

    def body(simulation):
        services = simulation.services
        seen.append(
            (
                simulation.prepared,
                services.store.get("a"),
                services.metastore.get_table("t"),
                services.locks.lock("t", "w1"),
            )
        )
        services.store.put("a", 2)
        services.metastore.alter_table("t", {"p": "2"})

    runner = Runner(scenario({"w1": body}, prepare=prepare))
    runner.run(FirstCome())
    runner.run(FirstCome())
    assert seen == [("handed over", 1, {"p": "1"}, (2, False))] * 2


def test_run_tells_its_time_steps_and_marks():
    """What a report needs to know of a run."""
    body = lambda simulation: both(  # noqa: E731
        simulation.world("w1").clock.sleep_ms(70),
        simulation.world("w1").coverage.hit("slept"),
        simulation.world("w1").store.put("a", 1),
    )
    run = Runner(scenario({"w1": body})).run(FirstCome())
    assert (run.time_ms, run.steps, run.coverage, run.complete, run.unfinished) == (70, 2, {"slept": 1}, True, ())


def test_run_that_hits_its_step_limit_is_incomplete_and_no_verdict_rests_on_it():
    """A search with such a run cannot say that anything holds."""

    def spin(simulation):
        while True:
            simulation.world("w1").store.put("a", 1)

    subject = scenario({"w1": spin})
    run = Runner(subject, max_steps=30).run(FirstCome())
    assert (run.complete, run.unfinished) == (False, ("w1",))
    result = exhaustive(subject, limit=3)
    assert (result.cut_short, result.verdict) == (1, "unknown")


def test_history_closes_what_a_crash_left_open_as_unknown():
    """And numbers events, with the trace position at which each was recorded."""
    from tests.unit.sim.test_processes import Once

    def body(simulation):
        op = simulation.record.invoke("w1", "write", "a")
        simulation.world("w1").store.put("a", 1)
        simulation.record.ok(op, writes=[("a", "1")])

    run = Runner(scenario({"w1": body})).run(FirstCome(), Once("crash", "put"))
    assert [(event.index, event.type, event.op) for event in run.events] == [(0, "invoke", 0), (1, "info", 0)]
    assert "died" in (run.events[1].error or "")
    assert run.places == (0, 1)


@pytest.mark.parametrize(("first", "second", "places"), [(101, 201, (0, None)), (0, 1, (0, 1))])
def test_a_lineage_that_could_not_be_read_leaves_no_place_but_the_first(first, second, places):
    """Names of a protocol's own are no places; a program that has none of its own gives places itself."""

    def body(simulation):
        op = simulation.record.invoke("w1", "write")
        simulation.record.info(op, "no answer", start=first, commit=second, writes=[("a", "1")])

    def start(simulation):
        simulation.record.setup([("a", "0")], first)
        simulation.actor("w1", lambda: body(simulation))

    event = Runner(Scenario("t/names", program(start), ())).run(FirstCome()).events[-1]
    assert (event.start, event.commit) == places


@pytest.mark.parametrize("first", ["giver", "waiter"])
def test_a_promise_is_kept_whoever_comes_first(first):
    """Who waits goes on when the value is given, at the same time; neither is a step."""
    small = Small()
    world = small.world("p")
    promise = world.tasks.promise()
    waits_ms = (0, 5) if first == "giver" else (5, 0)

    def give():
        world.clock.sleep_ms(waits_ms[0])
        promise.give("value")

    def wait():
        world.clock.sleep_ms(waits_ms[1])
        small.log.append((promise.wait(), small.kernel.now))

    small.task("waiter", wait)
    small.task("giver", give)
    small.kernel.drive()
    assert small.log == [("value", 5)]
    assert sorted(small.steps) == ["giver.sleep", "waiter.sleep"]


def test_who_waits_for_a_promise_of_a_dead_process_is_dead_with_it():
    """They share one memory."""
    small = Small()
    world = small.world("p")
    promise = world.tasks.promise()
    small.task("waiter", lambda: small.log.append(promise.wait()), process="p")
    small.task("other", lambda: both(small.store.put("x", 1), small.kernel.crash("p"), promise.give(1)))
    small.kernel.drive()
    assert small.log == []
