"""What a helper does on time: a fault may put it off, but no time passes over it because others are picked."""

import pytest

from sim.kernel.fault_kinds import Extent
from sim.kernel.faults import Faults
from sim.kernel.task import WRITE
from tests.unit.sim.worlds import Small, both

FIRST_MS, SLEEP_MS, PAUSE_MS = 100, 1_000, 200


class Last:
    """Picks the call that became ready last."""

    def pick(self, ready, kernel):
        return len(ready) - 1

    def choose(self, name, options):
        return 0


class Once(Faults):
    """Strikes the first beat by one fault."""

    def __init__(self, fault: str) -> None:
        super().__init__(Extent(pause_ms=PAUSE_MS, clock_step_ms=1, clock_drift_percent=1))
        self.fault = fault

    def at(self, call, kernel):
        return self.fault if call.resource == "beat" and not self.injected else None


@pytest.mark.parametrize(
    ("fault", "applied"),
    [
        ("clock-step-back", [FIRST_MS]),
        ("clock-slow", [FIRST_MS]),
        ("resend", [FIRST_MS, FIRST_MS]),
        ("pause", [FIRST_MS + PAUSE_MS]),
    ],
)
def test_no_time_passes_over_what_is_on_time(fault, applied):
    """Others may have steps to make before it, but their sleeps do not: only a pause takes time."""
    small = Small(Last(), faults=Once(fault))

    def beat():
        small.kernel.sleep(FIRST_MS)
        small.kernel.call_on_time("put", "beat", WRITE, lambda: small.log.append(small.kernel.now))

    small.task("w1-beat", beat, daemon=True)
    small.task("w2", lambda: both(small.kernel.sleep(SLEEP_MS), small.store.put("a", 1), small.kernel.sleep(SLEEP_MS)))
    small.kernel.drive()
    assert small.log == applied
