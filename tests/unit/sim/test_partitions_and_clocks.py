"""A process that is cut off from its services and goes on, and one whose clock jumps."""

import pytest

from model.ports import ConnectionLost, NotLocked, PortError
from sim.kernel.fault_kinds import Extent
from sim.kernel.faults import Faults
from sim.search.explore import exhaustive
from sim.search.run import Runner
from sim.search.script import schedule_of
from sim.search.strategies import FirstCome, RandomWalk
from sim.world.scenario import FaultSpace
from tests.unit.sim.worlds import Small, both, scenario

MINUTE = 60_000


class First(Faults):
    """One fault, at the first call of an operation."""

    def __init__(self, fault, operation, **extent) -> None:
        super().__init__(Extent(**extent))
        self.fault, self.operation = fault, operation

    def at(self, call, kernel):
        if call.operation != self.operation or self.injected:
            return None
        return self.fault


def outcome(call):
    """What a call gave, or the name of its error."""
    try:
        return call()
    except PortError as error:
        return type(error).__name__


def cut_off(*operations, yield_points=None, body):
    """Run `body(world, log)` as w1, cut off from `operations` for a minute at its first put."""
    faults = First("partition", "put", partition_ms=MINUTE, partitioned=frozenset(operations))
    small = Small(faults=faults, yield_points=yield_points)
    small.store.put("old", 1)
    world = small.world("w1")
    small.task("w1", lambda: body(world, small.log))
    small.kernel.drive()
    return small


def test_a_partition_cuts_a_process_off_until_it_is_over_and_lets_it_run():
    """Nothing is applied, the caller sees a closed connection, and goes on in time."""

    def body(world, log):
        log.append(outcome(lambda: world.store.put("a", 1)))
        log.append(outcome(lambda: world.store.get("old")))
        log.append(outcome(lambda: world.clock.sleep_ms(MINUTE - 1)))
        log.append(outcome(lambda: world.store.put("a", 1)))
        world.clock.sleep_ms(1)
        log.append(outcome(lambda: world.store.get("old")))

    small = cut_off("put", "get", body=body)
    assert small.log == ["ConnectionLost", "ConnectionLost", None, "ConnectionLost", 1]
    assert "a" not in small.store.objects
    assert [(row[5], row[6]) for row in small.kernel.trace[:2]] == [
        ("not applied", "partition"),
        ("ConnectionLost", ""),
    ]
    assert small.kernel.coverage == {"fault partition": 1, "call during a partition": 2}


def test_services_that_know_no_partition_are_reached_during_one():
    """A catalog may answer where the store does not."""
    small = cut_off("put", body=lambda world, log: log.extend([outcome(lambda: world.store.put("a", 1)),
                                                                outcome(lambda: world.store.get("old"))]))  # fmt: skip
    assert small.log == ["ConnectionLost", 1]


def test_calls_between_two_steps_are_cut_off_as_well():
    """What is no step of the yield points goes over the same wire."""
    small = cut_off("put", "get", yield_points=("put",), body=lambda world, log: log.extend(
        [outcome(lambda: world.store.put("a", 1)), outcome(lambda: world.store.get("old"))]))  # fmt: skip
    assert small.log == ["ConnectionLost", "ConnectionLost"]


def test_other_processes_are_not_cut_off():
    """And the helpers of the one that is, are."""
    faults = First("partition", "put", partition_ms=MINUTE, partitioned=frozenset({"put", "get"}))
    small = Small(faults=faults)
    small.store.put("old", 1)
    world = small.world("w1")

    def body():
        world.tasks.spawn("helper", lambda: small.log.append(("helper", outcome(lambda: world.store.get("old")))))
        small.log.append(("w1", outcome(lambda: world.store.put("a", 1))))
        world.clock.sleep_ms(10)

    small.task("w1", body)
    small.task("w2", lambda: small.log.append(("w2", outcome(lambda: small.store.get("old")))))
    small.kernel.drive()
    assert sorted(small.log) == [("helper", "ConnectionLost"), ("w1", "ConnectionLost"), ("w2", 1)]


def test_a_partition_longer_than_a_lease_costs_the_lock():
    """The lease runs out, for heartbeats do not arrive, and the lock service says so afterwards."""
    faults = First("partition", "heartbeat", partition_ms=MINUTE, partitioned=frozenset({"heartbeat", "check_lock"}))
    small = Small(faults=faults, lease_ms=MINUTE // 2)
    world = small.world("w1")

    def body():
        lock, _ = world.locks.lock("t", "w1")
        with pytest.raises(ConnectionLost):
            world.locks.heartbeat(lock)
        world.clock.sleep_ms(MINUTE)
        with pytest.raises(NotLocked):
            world.locks.heartbeat(lock)
        small.log.append("lost")

    small.task("w1", body)
    small.kernel.drive()
    assert small.log == ["lost"]
    assert small.kernel.coverage["lease expired"] == 1


def drifting(simulation):
    """Read the clock around a call that may be hit, and leave what it showed in the store."""
    world = simulation.world("w1")
    before = world.clock.now_ms()
    got = outcome(lambda: world.store.put("a", 1))
    world.clock.sleep_ms(5)
    again = outcome(lambda: world.store.put("b", 1))
    simulation.services.register.commit("seen", 0, (before, got, again, world.clock.now_ms()))


def seen(run_once):
    """What `drifting` saw in each run."""
    return [row[4][2] for row in run_once.trace if row[2] == "commit"]


def space(kind, **lengths):
    """One fault of one kind at any put."""
    return FaultSpace({"put": (kind,)}, 1, **lengths)


def found(subject):
    """The first seeded run that is hit."""
    runner = Runner(subject)
    return next(run for run in (runner.run(RandomWalk(seed)) for seed in range(50)) if run.injected)


KINDS = [("partition", {"partition_ms": 10}), ("clock-step", {"clock_step_ms": 100}),
         ("clock-step-back", {"clock_step_ms": 3}), ("clock-fast", {"clock_drift_percent": 10}),
         ("clock-slow", {"clock_drift_percent": 50})]  # fmt: skip


@pytest.mark.parametrize(("kind", "lengths"), KINDS)
def test_a_run_is_repeated_from_its_tape_and_from_its_schedule(kind, lengths):
    """Both the jump and its length are the scenario's; the text names the call that is hit."""
    subject = scenario({"w1": drifting}, faults=space(kind, **lengths))
    run = found(subject)
    runner = Runner(subject)
    assert runner.replay(run.tape).digest() == run.digest()
    assert f"w1.put(a)!{kind}" in str(schedule_of(run)) or f"w1.put(b)!{kind}" in str(schedule_of(run))
    assert runner.play(schedule_of(run).steps).digest() == run.digest()


def test_a_clock_jumps_ahead_and_sleeps_take_as_long_as_before():
    """The call that was hit is made afterwards; the run's own time does not move."""
    small = Small(faults=First("clock-step", "put", clock_step_ms=100))
    world = small.world("w1", offset_ms=7)

    def body():
        times = [world.clock.now_ms()]
        world.store.put("a", 1)
        times.append(world.clock.now_ms())
        world.clock.sleep_ms(5)
        small.log.append((*times, world.clock.now_ms(), small.kernel.now))

    small.task("w1", body)
    small.task("w2", lambda: small.log.append(small.world("w2").clock.now_ms()))
    small.kernel.drive()
    assert small.log == [0, (7, 107, 112, 5)]
    assert [(row[2], row[6]) for row in small.kernel.trace[:2]] == [("put", "clock-step"), ("put", "")]


def test_a_clock_that_is_set_back_shows_a_time_again_but_none_before_the_run():
    """It is the host's clock: a process that starts again there has it too."""
    small = Small(faults=First("clock-step-back", "put", clock_step_ms=30))
    world = small.world("w1")

    def body():
        world.clock.sleep_ms(20)
        world.store.put("a", 1)
        small.log.append(world.clock.now_ms())
        world.clock.sleep_ms(20)
        small.log.append(world.clock.now_ms())

    small.task("w1", body)
    small.kernel.drive()
    assert small.log == [0, 10]


def test_a_jump_strikes_a_sleep_without_ending_it():
    """The sleep is as long as it was."""
    small = Small(faults=First("clock-step", "sleep", clock_step_ms=100))
    small.task("w1", lambda: small.kernel.sleep(50))
    small.kernel.drive()
    assert [(row[0], row[6]) for row in small.kernel.trace] == [(0, "clock-step"), (50, "")]


def test_states_are_told_apart_by_how_long_a_partition_still_lasts():
    """An exhaustive search that took one for the other would miss what is sent after one and before the other."""

    def body(simulation):
        world = simulation.world("w1")
        both(outcome(lambda: world.store.put("a", 1)), outcome(lambda: world.store.get("b")))

    def other(simulation):
        clock = simulation.world("w2").clock
        both(clock.sleep_ms(5), clock.sleep_ms(6))

    cut = FaultSpace({"put": ("partition",), "get": ("partition",)}, 1, partition_ms=10)
    subject = scenario({"w1": body, "w2": other}, faults=cut,
                       prepare=lambda simulation: simulation.services.store.put("b", 1))  # fmt: skip
    ends = set()
    exhaustive(subject, each=lambda run: ends.add(tuple((row[0], row[5]) for row in run.trace if row[1] == "w1")))
    assert {((0, "not applied"), (11, 1)), ((5, "not applied"), (11, "ConnectionLost"))} <= ends


def test_a_quiet_run_cuts_nobody_off():
    """Option 0 is no fault."""
    subject = scenario({"w1": drifting}, faults=space("partition", partition_ms=10))
    run = Runner(subject).run(FirstCome())
    assert run.injected == ()
    assert seen(run) == [(0, None, None, 5)]


def with_drift(fault, percent, body, **options):
    """Run `body(world, log)` as w1, whose clock drifts from its first put on."""
    small = Small(faults=First(fault, "put", clock_drift_percent=percent), **options)
    world = small.world("w1")
    small.task("w1", lambda: body(world, small.log))
    small.kernel.drive()
    return small


def test_a_fast_clock_goes_on_by_more_than_time_does_and_a_slow_one_by_less():
    """It starts right, and the call goes on afterwards."""

    def body(world, log):
        world.store.put("a", 1)
        log.append(world.clock.now_ms())
        for _ in range(2):
            world.clock.sleep_ms(1_100)
            log.append(world.clock.now_ms())

    fast = with_drift("clock-fast", 10, body)
    assert fast.log == [0, 1_100, 2_200]
    assert [row[0] for row in fast.kernel.trace if row[1:3] == ("w1", "sleep")] == [1_000, 2_000]
    assert fast.store.objects["a"] == 1
    slow = with_drift("clock-slow", 50, body)
    assert [row[0] for row in slow.kernel.trace if row[1:3] == ("w1", "sleep")] == [2_200, 4_400]
    assert slow.log == [0, 1_100, 2_200]


def test_sleepers_on_slow_clocks_lose_their_leases():
    """The lock service has a clock of its own."""

    def body(world, log):
        lock, _ = world.locks.lock("t", "w1")
        world.store.put("a", 1)
        world.clock.sleep_ms(MINUTE // 2)
        log.append(outcome(lambda: world.locks.heartbeat(lock)))

    for percent, told in ((0, None), (50, "NotLocked")):
        assert with_drift("clock-slow", percent, body, lease_ms=MINUTE // 2 + 1).log == [told]


def test_a_clock_can_drift_again_and_never_stands_still():
    """Drifts add up; what a clock is ahead of time stays."""
    small = Small()
    small.kernel._now = 100
    small.kernel.let_drift("w1", 10)
    small.kernel._now = 1_100
    assert small.kernel.ahead_ms("w1") == 100
    small.kernel.let_drift("w1", 10)
    small.kernel._now = 2_100
    assert (small.kernel.ahead_ms("w1"), small.kernel.drifts()) == (300, (("w1", 20, 30_000),))
    for _ in range(3):
        small.kernel.let_drift("w1", -50)
    assert small.kernel.lasting_ms("w1", 10) == 100
