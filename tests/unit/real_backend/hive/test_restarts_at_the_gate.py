"""A replica that is restarted at the gate: its thread stands before the first part of filling its cache."""

import threading
from typing import Any

import pytest

from real_backend.errors import BackendError
from real_backend.gating.gate import Gate
from real_backend.hive.pollers import Pollers
from sim.hive.live import PREWARM


class Filling:
    """Two parts, then it is filled."""

    def __init__(self) -> None:
        self.begun, self.left = 0, ["prewarm_table", ""]

    def begin(self):
        self.begun += 1

    def go(self):
        return self.left.pop(0)


class Follower:
    """There is always an event."""

    def has_next(self):
        return True

    def read(self):
        return "read"

    def apply(self):
        return "applied"


def test_what_its_thread_was_about_to_do_has_gone():
    """It had read events; it is filled in two parts, and reads again."""
    filling: Any = Filling()
    follower: Any = Follower()
    pollers = Pollers({"h2": follower}, batches=True, fills={"h2": filling})
    gate = Gate((), yield_points=("poll", "apply", *PREWARM), helpers=("h2",))
    gate.hold_helpers(gate.helpers)
    thread = threading.Thread(target=pollers._follow, args=(gate, "h2"), daemon=True)
    thread.start()
    gate.release("h2")
    assert str(gate.await_blocked("h2")) == "h2.apply(h2)"
    pollers.restart(gate, "h2")
    for _ in range(3):
        gate.release("h2")
    assert [str(step) for step in gate.trace] == ["h2.poll=read", "h2.prewarm", "h2.prewarm_table", "h2.poll=read"]
    assert filling.begun == 1
    gate.free_helpers()
    thread.join(10)
    assert not thread.is_alive()


def test_it_must_be_a_step():
    """Else nobody could say when the cache is filled."""
    with pytest.raises(BackendError, match="restart of h2: expected prewarm among the steps"):
        Pollers({}, batches=True).restart(Gate((), yield_points=("poll",), helpers=("h2",)), "h2")
