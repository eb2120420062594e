"""Tasks and processes: daemons, helpers, crash and restart, pause, and the end of a run."""

import contextlib
import gc

import pytest

from model.ports import PortError
from sim.kernel.fault_kinds import Extent
from sim.kernel.faults import Faults
from sim.search.run import Runner
from sim.search.strategies import FirstCome, RandomWalk
from sim.world.program import program
from sim.world.scenario import FaultSpace, Scenario
from tests.unit.sim.worlds import Small, both, scenario


class Once(Faults):
    """One fault at the n-th call of an operation."""

    def __init__(self, fault, operation, nth=1, pause_ms=0) -> None:
        super().__init__(Extent(pause_ms))
        self.fault, self.operation, self.nth = fault, operation, nth

    def at(self, call, kernel):
        if call.operation != self.operation:
            return None
        self.nth -= 1
        return self.fault if self.nth == 0 else None


def test_daemons_do_not_keep_a_run_alive():
    """The run ends with the last main task, wherever the daemon stands."""
    small = Small()
    small.puts("poller", 1000, daemon=True)
    small.puts("w1", 2)
    small.kernel.drive()
    assert small.kernel.steps < 10
    assert [task.name for task in small.kernel.tasks if not task.finished] == ["poller"]


def test_maker_of_a_helper_goes_on_and_the_helper_begins_when_it_waits():
    """Spawning from a task is no step and loses nobody."""
    small = Small()
    world = small.world("w1")

    def body():
        world.tasks.spawn("helper", lambda: both(small.log.append("helper"), world.store.put("h", 1)))
        small.log.append("maker")
        world.store.put("m", 1)

    small.task("w1", body)
    small.puts("w2", 3)
    small.kernel.drive()
    assert small.log == ["maker", "helper"]
    assert {"m", "h"} <= set(small.store.objects)


def test_helpers_of_one_name_are_told_apart():
    """Steps and states go by names."""
    small = Small()
    world = small.world("w1")

    def body():
        for _ in range(3):
            world.tasks.spawn("beat", lambda: world.clock.sleep_ms(10))
        world.store.put("a", 1)

    small.task("w1", body)
    small.kernel.drive()
    assert [task.name for task in small.kernel.tasks] == ["w1", "w1-beat", "w1-beat-2", "w1-beat-3"]


def test_helper_of_the_harness_is_no_task():
    """Set-up runs alone and at one instant."""
    small = Small()
    small.world("setup").tasks.spawn("beat", lambda: small.log.append("ran")).cancel()
    assert (small.kernel.tasks, small.log) == ([], [])


@pytest.mark.parametrize(("fault", "objects"), [("crash", set()), ("crash-after", {"a"})])
def test_crash_runs_no_finally_and_the_task_never_goes_on(fault, objects):
    """As on a machine that lost power; applied or not as the fault says."""
    small = Small(faults=Once(fault, "put"))

    def body():
        try:
            small.store.put("a", 1)
            small.log.append("went on")
        finally:
            small.log.append("finally")
            small.store.put("c", 1)

    small.task("w1", body)
    small.puts("w2", 3)
    small.kernel.drive()
    assert small.log == []
    assert set(small.store.objects) == objects | {"w2/0", "w2/1", "w2/2"}


def test_clean_up_of_a_crashed_task_has_no_effect_when_the_run_is_over():
    """Python runs `finally` when the task is unwound at last: calls, sleeps and counts there do nothing."""
    small = Small(faults=Once("crash", "put"))

    def body():
        try:
            small.store.put("a", 1)
        finally:
            small.log.append("unwound")
            small.kernel.hit("cleaned")
            try:
                small.kernel.sleep(10)
            finally:
                small.store.put("c", 1)

    small.task("w1", body)
    small.puts("w2", 1)
    small.kernel.drive()
    kernel, store = small.kernel, small.store
    assert small.log == []
    kernel.close()
    assert small.log == ["unwound"]
    assert (list(store.objects), kernel.coverage, kernel.now) == (["w2/0"], {"fault crash": 1}, 0)


def test_runs_leave_nothing_for_the_garbage_collector():
    """A search makes thousands of runs a second: what one leaves is freed at its end, crashed and daemon tasks too."""

    def body(simulation):
        for i in range(3):
            with contextlib.suppress(PortError):
                simulation.world("w1").store.put(str(i), i)

    kinds = ("crash", "late", "pause", "drop-after", "resend")
    subject = scenario({"w1": body}, faults=FaultSpace({"put": kinds}, 2, (), 10))
    runner = Runner(subject)
    gc.collect()
    gc.disable()
    try:
        for seed in range(50):
            runner.run(RandomWalk(seed, 0.5))
        runner.run(FirstCome())
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_closed_run_leaves_nothing_behind():
    """Unfinished tasks are unwound without effect; what their clean-up raises is nobody's."""
    small = Small()

    def body():
        try:
            while True:
                small.store.put("a", 1)
        finally:
            small.log.append("unwound")
            raise ValueError("from a clean-up")

    small.task("d", body, daemon=True)
    small.puts("w1", 1)
    small.kernel.drive()
    small.kernel.close()
    assert (small.log, small.kernel.tasks, small.kernel.ready) == (["unwound"], [], [])


def restarting(log) -> Scenario:
    def start(simulation):
        store = simulation.world("w1").store
        work = lambda: both(store.put("a", 1), store.put("b", 1))  # noqa: E731
        simulation.actor("w1", work, restart=lambda: log.append(store.exists("a")))

    return Scenario("test/restart", program(start), ())


@pytest.mark.parametrize(("fault", "there"), [("crash", False), ("crash-after", True)])
def test_restart_begins_anew_and_sees_what_was_applied(fault, there):
    """The process comes back under its own name, as a new task."""
    log: list[bool] = []
    run = Runner(restarting(log)).run(FirstCome(), Once(fault, "put"))
    assert log == [there]
    assert [row[1] for row in run.trace] == ["w1", "w1-restarted"]


def test_crash_takes_the_helpers_of_the_process_with_it():
    """Helpers share the memory of their process and die with it."""
    small = Small(faults=Once("crash", "commit"))
    world = small.world("w1")

    def beat():
        while True:
            world.clock.sleep_ms(10)
            small.log.append("beat")

    def body():
        world.tasks.spawn("beat", beat)
        world.register.commit("t", 0, 1)

    small.task("w1", body)
    small.task("w2", lambda: small.kernel.sleep(100))
    small.kernel.drive()
    assert all(task.finished for task in small.kernel.tasks)
    assert len(small.log) <= 10


def test_pause_holds_every_task_of_the_process_for_its_time():
    """The call that was hit, its helpers' calls, and the wake-ups of its daemons."""
    small = Small(faults=Once("pause", "commit", pause_ms=1000))
    world = small.world("w1")

    def beat():
        while True:
            world.clock.sleep_ms(100)
            small.log.append(small.kernel.now)
            world.store.put("beat", small.kernel.now)

    def body():
        world.tasks.spawn("beat", beat)
        world.store.put("a", 1)
        world.register.commit("t", 0, 1)
        small.log.append("committed")

    def other():
        for _ in range(15):
            small.kernel.sleep(100)

    small.task("w1", body)
    small.task("w2", other)
    small.kernel.drive()
    before = [item for item in small.log if isinstance(item, int) and item < 1000]
    assert len(before) <= 2, "at most the beats before the pause"
    assert "committed" in small.log
    mine = [row[0] for row in small.kernel.trace if row[1].startswith("w1")]
    paused_at = next(row[0] for row in small.kernel.trace if row[6] == "pause")
    assert not [time for time in mine if paused_at < time < paused_at + 1000]


def test_pause_ends_early_when_nobody_else_can_run():
    """The clock goes straight to the end of the pause."""
    small = Small(faults=Once("pause", "put", pause_ms=5000))
    small.puts("w1", 1)
    small.kernel.drive()
    assert [(row[0], row[6]) for row in small.kernel.trace] == [(0, "pause"), (5000, "")]


def test_crash_during_a_pause_ends_both():
    """A process that was paused, crashed and restarted does not stand still any more."""
    small = Small()
    small.task("w1", lambda: small.store.put("a", 1))
    small.task("w2", lambda: small.kernel.sleep(100))
    small.kernel.pause("w1", 10_000)
    small.kernel.on_crash = lambda _: both(small.kernel.start("w1-restarted", beat, process="w1", daemon=True))

    def beat():
        small.kernel.sleep(10)
        small.log.append(small.kernel.now)

    small.kernel.crash("w1")
    small.kernel.drive()
    assert small.log == [10]


@pytest.mark.parametrize("seed", range(20))
def test_every_main_task_ends_whatever_the_order(seed):
    """With helpers, sleeps and daemons about."""
    world = (small := Small(RandomWalk(seed))).world("w1")

    def body():
        beat = world.tasks.spawn("beat", lambda: both([world.clock.sleep_ms(7) for _ in range(9)]))
        for i in range(4):
            world.store.put(str(i), i)
            world.clock.sleep_ms(10)
        beat.cancel()

    small.task("w1", body)
    small.puts("w2", 5)
    small.kernel.drive()
    assert len(small.store.objects) == 9
