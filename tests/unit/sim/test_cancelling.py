"""A task that is cancelled, by another or by itself, goes no further than where it waits."""

import pytest

from sim.kernel.faults import Faults
from tests.unit.sim.worlds import Small, both


def test_cancelled_helper_makes_no_further_call():
    """Neither the call that it waits in nor the sleep that it is in."""
    small = Small()
    world = small.world("w1")

    def body():
        sleeper = world.tasks.spawn("sleeper", lambda: both(world.clock.sleep_ms(10), world.store.put("s", 1)))
        caller = world.tasks.spawn("caller", lambda: world.store.put("c", 1))
        world.register.commit("t", 0, 1)
        sleeper.cancel()
        caller.cancel()
        world.clock.sleep_ms(100)
        world.store.put("m", 1)

    small.task("w1", body)
    small.kernel.drive()
    assert set(small.store.objects) == {"m"}
    assert small.steps == ["w1.commit", "w1.sleep", "w1.put"]
    assert small.kernel.steps == 6, "three calls, two beginnings, the sleeper's timer; none for a dead call"


@pytest.mark.parametrize(
    "options",
    [{}, {"faults": Faults()}, {"split_replies": True}, {"latency": lambda choices, operation: (1, 1)}],
    ids=["plain", "faults", "split replies", "timed"],
)
def test_helper_that_cancels_itself_makes_no_further_call(options):
    """It goes on to its next port call, which does not happen; in every mode of the kernel."""
    small = Small(**options)

    def helper():
        small.store.put("before", 1)
        task.cancel()
        small.log.append("goes on")
        small.store.put("after", 1)

    task = small.task("w1-helper", helper, process="w1", daemon=True)
    small.puts("w1", 9)
    small.kernel.drive()
    assert small.log == ["goes on"]
    assert "w1-helper.put" in small.steps
    assert "after" not in small.store.objects
