"""What Hudi asks of the gate: steps that wait for another actor, and timers that never end."""

import threading

import pytest

from real_backend.errors import Abandoned
from sim.kernel.schedule import Divergence, steps_of
from tests.unit.real_backend.toy import Toy


class Locked(Toy):
    """The toy with a lock around load and commit; the lock is a step that is on offer while it is free."""

    holder: str | None = None

    def is_passable(self, at):
        return at.operation != "lock" or self.holder is None

    def act(self, actor):
        self.gate.hold(actor, "lock")
        assert self.holder is None
        self.holder = actor
        super().act(actor)
        self.gate.hold(actor, "unlock")
        self.holder = None


def test_waiting_actor_is_passed_over_until_the_lock_is_free():
    """w1 waits for w2's lock while the rest is run; then it goes on, and no update is lost."""
    toy = Locked()
    gate = toy.run(steps_of("w2:load"))
    assert toy.value == 2
    assert " ".join(str(passed.at) for passed in gate.trace if passed.at.operation == "lock") == "w2.lock w1.lock"


def test_schedule_that_lets_a_waiting_actor_go_diverges():
    """A lock that is held is not on offer."""
    with pytest.raises(Divergence, match=r"w1:end: w1.lock waits for another actor; blocked: w1.lock, w2.load"):
        Locked().run(steps_of("w2:load w1:end"))


def test_actors_that_wait_for_each_other_end_the_run():
    """Nobody can go: the run says so and does not hang."""
    toy = Locked()
    toy.holder = "nobody"
    with pytest.raises(Divergence, match=r"expected an actor that can go, got none; blocked: w1.lock, w2.lock"):
        toy.run(())


class Beating(Toy):
    """One actor, and a timer of its own that beats as long as it may."""

    def __init__(self) -> None:
        super().__init__(("w1",))
        self.helpers = ("w1-timer",)
        self.beats = 0
        self.beaten = threading.Condition()
        self.stop = threading.Event()
        self.timer = threading.Thread(target=self.beat, daemon=True)

    def beat(self) -> None:
        while not self.stop.is_set():
            try:
                self.gate.hold("w1-timer", "beat")
            except Abandoned:
                return
            with self.beaten:
                self.beats += 1
                self.beaten.notify_all()
            self.gate.note("w1-timer")

    def act(self, actor):
        """Start the timer, make a step, hold timers from then on, make another step."""
        self.timer.start()
        with self.beaten:
            assert self.beaten.wait_for(lambda: self.beats > 2, 60.0)
        self.gate.hold_helpers(self.gate.helpers)
        self.gate.hold("w1", "load")
        self.seen = self.beats
        self.gate.hold("w1", "commit")

    def close(self):
        self.stop.set()
        self.timer.join(60.0)
        assert not self.timer.is_alive()


def test_timers_pass_freely_until_they_are_held():
    """Two beats are steps of the schedule, in their places; the others never stop."""
    toy = Beating()
    gate = toy.run(steps_of("w1-timer:beat w1-timer.beat w1-timer.beat w1.load w1-timer:beat w1.commit"))
    assert [str(passed) for passed in gate.trace] == ["w1-timer.beat", "w1-timer.beat", "w1.load", "w1.commit"]


def test_blocked_timer_does_nothing():
    """The other order: the beat stands at the gate while the actor runs to its end, and then does not happen."""
    toy = Beating()
    beats = []

    def schedule(gate):
        gate.await_blocked("w1")
        gate.await_blocked("w1-timer")
        before = toy.beats
        gate.release("w1")
        gate.release("w1")
        beats.append(before)
        gate.free_helpers()

    toy.run(schedule)
    assert [toy.beats, toy.seen] == beats * 2
