"""The skeleton of a gated run on a toy system: what is made, played, read back and closed, however it ends."""

import threading

import pytest

from real_backend.errors import Abandoned, BackendTimeout
from sim.kernel.schedule import Divergence, steps_of
from tests.unit.real_backend.toy import Toy


class Told(Toy):
    """The toy, which notes what is asked of it."""

    def __init__(self, fails: str = "") -> None:
        super().__init__(timeout_s=0.2)
        self.told: list[str] = []
        self.fails = fails

    def note(self, what):
        """Note it; fail there if it is to."""
        self.told.append(what)
        if what == self.fails:
            raise ZeroDivisionError

    def make(self):
        self.note("make")

    def install(self):
        self.note("install")

    def act(self, actor):
        self.note(f"act {actor}")
        super().act(actor)

    def read_back(self):
        self.note("read back")
        return super().read_back()

    def close(self):
        self.note("close")


def test_run_makes_installs_acts_reads_back_and_closes():
    """In this order, each once; the result is what was read back."""
    race = Told()
    assert race.run(()) is race.gate
    assert race.told == ["make", "install", "act w1", "act w2", "read back", "close"]


@pytest.mark.parametrize(
    ("fails", "told"),
    [
        ("make", ["make", "close"]),
        ("install", ["make", "install", "close"]),
        ("act w2", ["make", "install", "act w1", "act w2", "close"]),
        ("read back", ["make", "install", "act w1", "act w2", "read back", "close"]),
    ],
)
def test_run_that_fails_is_closed(fails, told):
    """Wherever it fails, and what failed is raised."""
    race = Told(fails)
    with pytest.raises(ZeroDivisionError):
        race.run(())
    assert race.told == told


def test_an_actor_that_failed_is_why_its_step_is_missing():
    """What it raised is told, not that it has finished."""
    race = Told("act w2")
    with pytest.raises(ZeroDivisionError):
        race.run(steps_of("w2.load"))
    assert race.told[-1] == "close"


def test_run_that_diverges_ends_its_actors_before_it_is_closed():
    """Nobody is at work any more when the gate is taken away."""
    left = []

    class Ending(Toy):
        def close(self):
            left.append(self.gate.running)

    race = Ending()
    with pytest.raises(Divergence):
        race.run(steps_of("w1.load w2.commit"))
    assert left == [()]
    assert {type(error) for error in race.errors.values()} == {Abandoned}


def test_actor_that_hangs_is_given_up_and_the_run_is_closed(monkeypatch):
    """The wait for its next step has an end, and so has the wait for its own."""
    monkeypatch.setattr("real_backend.gating.race.END_S", 0.05)
    forever = threading.Event()

    class Hanging(Told):
        def act(self, actor):
            forever.wait(60)

    race = Hanging()
    with pytest.raises(BackendTimeout, match=r"w1: expected a step or its end within 0\.2 s"):
        race.run(())
    assert race.told[-1] == "close"
    forever.set()
