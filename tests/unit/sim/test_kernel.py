"""The event loop: what a port call is, when it is applied and answered, and what it leaves in the trace."""

import contextlib

import pytest

from model.ports import CasLost, NotFound
from sim.kernel.choices import ReplayTape
from sim.kernel.errors import EscapeError, StepLimitReached, Stuck
from sim.search.run import Runner
from sim.search.strategies import RandomWalk
from tests.unit.sim.worlds import Small, both, scenario


class Last:
    """Picks the call that became ready last."""

    def pick(self, ready, kernel):
        return len(ready) - 1

    def choose(self, name, options):
        return 0


def test_port_call_is_applied_when_picked_not_when_made():
    """The write of a task that waits is not there yet."""
    small = Small()
    small.puts("w1", 1)
    assert small.store.objects == {}
    small.kernel.drive()
    assert small.store.objects == {"w1/0": 0}


def test_trace_has_the_footprint_of_every_call():
    """Time, task, operation, resource, arguments, value, fault."""
    small = Small()
    small.puts("w1", 1)
    small.kernel.drive()
    assert small.kernel.trace == [(0, "w1", "put", "w1/0", ("w1/0", 0), None, "")]


def test_call_waits_with_its_footprint():
    """What a strategy sees: operation, resource and mode."""
    small = Small()
    small.task("w1", lambda: both(small.register.commit("t", 0, "a")))
    (call,) = small.kernel.ready
    assert (call.task.name, call.operation, call.resource, call.mode) == ("w1", "commit", "t", "cas")


def test_fused_reply_is_part_of_the_call():
    """Between apply and reply nobody else runs."""
    small = Small(Last())
    small.task("w1", lambda: both(small.store.put("a", 1), small.log.append("w1")))
    small.task("w2", lambda: both(small.store.put("b", 1), small.log.append("w2")))
    small.kernel.drive()
    assert (small.steps, small.log) == (["w2.put", "w1.put"], ["w2", "w1"])


def test_split_reply_is_a_step_of_its_own():
    """Both calls can be applied before either caller goes on, and the replies come in any order."""
    small = Small(split_replies=True)
    small.task("w1", lambda: both(small.store.put("a", 1), small.log.append("w1")))
    small.task("w2", lambda: both(small.store.put("b", 1), small.log.append("w2")))
    small.kernel.drive()
    assert small.steps == ["w1.put", "w2.put", "w1.put/reply", "w2.put/reply"]
    other = Small(Last(), split_replies=True)
    other.puts("w1", 1)
    other.puts("w2", 1)
    other.kernel.drive()
    assert other.steps == ["w2.put", "w2.put/reply", "w1.put", "w1.put/reply"]


@pytest.mark.parametrize("split", [False, True])
def test_refusal_is_raised_in_the_caller_and_traced_by_name(split):
    """The trace keeps the name of the error where a value would stand."""
    small = Small(split_replies=split)

    def body():
        with pytest.raises(NotFound):
            small.store.get("nowhere")
        small.register.commit("t", 0, "b")
        with pytest.raises(CasLost):
            small.register.commit("t", 7, "a")

    small.task("w1", body)
    small.kernel.drive()
    outcomes = [row[5] for row in small.kernel.trace if not row[2].endswith("/reply")]
    assert outcomes == ["NotFound", 1, "CasLost"]


def test_calls_outside_the_yield_points_are_inline():
    """They happen between two steps, unpicked, and are traced all the same."""
    small = Small(Last(), yield_points=("commit",))

    def body(name):
        small.store.put(name, 1)
        small.register.commit(name, 0, 1)
        small.store.put(f"{name}-2", 1)

    small.task("w1", lambda: body("w1"))
    small.task("w2", lambda: body("w2"))
    assert [call.operation for call in small.kernel.ready] == ["commit", "commit"]
    small.kernel.drive()
    assert small.steps == ["w1.put", "w2.put", "w2.commit", "w2.put", "w1.commit", "w1.put"]
    assert small.kernel.steps == 2


def test_sleep_outside_the_yield_points_moves_the_clock_without_a_step():
    """The sleeper goes on at once, later."""
    small = Small(yield_points=("put",))
    small.task("w1", lambda: both(small.kernel.sleep(40), small.store.put("a", 1)))
    small.kernel.drive()
    assert small.kernel.trace[0][0] == 40


def test_sleep_of_a_main_task_is_a_step_that_moves_the_clock():
    """Picked after the other's put, it takes the time to its end."""
    small = Small()
    small.task("w1", lambda: small.kernel.sleep(500))
    small.puts("w2", 1)
    small.kernel.drive()
    assert [(row[0], row[1], row[2]) for row in small.kernel.trace] == [(500, "w1", "sleep"), (500, "w2", "put")]


@pytest.mark.parametrize("seed", range(40))
def test_time_never_goes_back(seed):
    """Sleeps overtake each other and the timers of daemons; the clock only moves on."""
    small = Small(RandomWalk(seed))

    def sleeper(name, times):
        for ms in times:
            small.kernel.sleep(ms)
            small.store.put(name, ms)

    small.task("w1", lambda: sleeper("w1", [300, 10, 400]))
    small.task("w2", lambda: sleeper("w2", [50, 700, 1]))
    small.task("d", lambda: sleeper("d", [30] * 20), daemon=True)
    small.kernel.drive()
    times = [row[0] for row in small.kernel.trace]
    assert times == sorted(times)


def test_timers_on_the_way_of_a_sleep_go_off_in_their_order_and_on_time():
    """A tick every 100 ms is due ten times while its maker sleeps for a second."""
    small = Small()

    def beat():
        while True:
            small.kernel.sleep(100)
            small.log.append(small.kernel.now)

    small.task("w1-heartbeat", beat, daemon=True)
    small.task("w1", lambda: small.kernel.sleep(1000))
    small.kernel.drive()
    assert small.log == list(range(100, 1001, 100))


def test_sleep_stops_where_somebody_else_can_act():
    """The heartbeat that is due on the way may arrive before the sleep is over, or after: both are schedules."""

    def arrivals(picks):
        small = Small(ReplayTape([("pick", 2, pick) for pick in picks]))
        small.task("w1-beat", lambda: both(small.kernel.sleep(100), small.store.put("beat", 1)), daemon=True)
        small.task("w1", lambda: both(small.kernel.sleep(300), small.store.put("a", 1)))
        small.kernel.drive()
        return [(row[0], row[2], row[5]) for row in small.kernel.trace]

    first = (100, "sleep", "sleeps on")
    assert arrivals([0]) == [first, (100, "put", None), (300, "sleep", None), (300, "put", None)]
    assert arrivals([1, 0]) == [first, (300, "sleep", None), (300, "put", None), (300, "put", None)]


def test_timer_overtaken_by_an_inline_sleep_goes_off_late():
    """An inline sleep cannot let others run; they run at the time that it has become."""
    small = Small(yield_points=("put",))
    small.task("d", lambda: both(small.kernel.sleep(10), small.log.append(small.kernel.now)), daemon=True)
    small.task("w1", lambda: both(small.kernel.sleep(500), small.store.put("a", 1)))
    small.kernel.drive()
    assert small.log == [500]


def test_no_task_can_run_is_stuck():
    """A main task that was cancelled never ends; the error names it."""
    small = Small()

    def body():
        small.kernel.hub.switch()  # waits for what nobody will do

    small.task("w1", body)
    with pytest.raises(Stuck, match="unfinished: w1"):
        small.kernel.drive()


@pytest.mark.parametrize("options", [{}, {"latency": lambda choices, operation: (1, 1)}])
def test_step_limit_ends_an_endless_run(options):
    """The error names the limit and the last step; timed runs have it too."""
    small = Small(max_steps=50, **options)
    small.puts("w1", 10_000)
    with pytest.raises(StepLimitReached, match=r"at most 50 steps, got more; the last was .*w1.put"):
        small.kernel.drive()


def test_step_limit_ends_a_run_that_only_waits():
    """A daemon that ticks for ever does not keep a stuck run alive."""
    small = Small(max_steps=50)
    small.task("w1", lambda: small.kernel.hub.switch())

    def tick():
        while True:
            small.kernel.sleep(10)

    small.task("d", tick, daemon=True)
    with pytest.raises(StepLimitReached, match="the timer of d"):
        small.kernel.drive()


def test_step_limit_ends_an_endless_loop_between_two_steps():
    """Calls outside the yield points are no steps, but bounded too; catching the error would not help."""
    small = Small(yield_points=("commit",), max_steps=50)

    def body():
        while True:
            with contextlib.suppress(Exception):
                small.store.put("a", 1)

    small.task("w1", body)
    small.task("w2", lambda: both(small.register.commit("t", 0, 1)))
    with pytest.raises(StepLimitReached, match="at most 50 steps"):
        small.kernel.drive()


def test_port_call_from_a_foreign_greenlet_raises():
    """Only the running task may wait: a switch under somebody else's frames is refused."""
    from greenlet import greenlet

    small = Small()

    def body():
        with pytest.raises(EscapeError, match=r"put\(a\): expected a call from the running task"):
            greenlet(lambda: small.store.put("a", 1)).switch()
        with pytest.raises(EscapeError, match=r"sleep\(5\)"):
            greenlet(lambda: small.kernel.sleep(5)).switch()

    small.task("w1", body)


def test_port_call_from_a_task_of_another_run_raises():
    """A task that got hold of another run's service does not corrupt that run."""
    mine, other = Small(), Small()
    with pytest.raises(EscapeError, match="expected a call from the running task of this run"):
        mine.task("w1", lambda: other.store.put("a", 1))


def test_port_call_from_a_thread_raises():
    """Another thread has another stack: it is not the task that runs."""
    import threading

    small = Small()
    errors = []

    def elsewhere():
        try:
            small.store.put("a", 1)
        except EscapeError as error:
            errors.append(error)

    def body():
        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()

    small.task("w1", body)
    assert len(errors) == 1


def test_harness_calls_are_applied_at_once_and_leave_no_trace():
    """Set-up and read-back are no steps."""
    small = Small()
    small.store.put("a", 1)
    assert (small.store.get("a"), small.kernel.trace) == (1, [])


def test_error_of_a_body_ends_the_run_with_itself():
    """What the code under test raises is not hidden."""
    small = Small()
    small.task("w1", lambda: both(small.store.put("a", 1), 1 / 0))
    with pytest.raises(ZeroDivisionError):
        small.kernel.drive()


def test_a_set_up_that_waits_for_ever_is_ended(monkeypatch):
    """No time passes in it, so who polls until time is up would never come back."""
    monkeypatch.setattr("sim.kernel.kernel.CALLS_OUTSIDE", 50)

    def polling(simulation):
        for _ in range(60):
            simulation.kernel.sleep(1_000)

    with pytest.raises(StepLimitReached, match=r"set-up: expected at most 50 calls, got more; the last was sleep"):
        Runner(scenario({}, prepare=polling))
