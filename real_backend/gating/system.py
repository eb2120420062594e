"""What a live system is: something that plays a schedule on real software, and what came of that.

A protocol has its systems in `system.py` of its own folder; the table of protocols names them.
"""

from typing import NamedTuple, Protocol

from checkers.histories.history import Event, History
from real_backend.gating.backends import Backends
from real_backend.gating.observed import Observed
from sim.kernel.schedule import Schedule
from sim.search.run import Run
from sim.world.live import Live


class Replayed(NamedTuple):
    """A schedule on both sides: the gate's trace, the live history, the simulated events, what each side saw.

    `notes` say what was set otherwise than in the simulation.
    """

    trace: tuple[str, ...]
    history: History
    events: tuple[Event, ...]
    simulated: Observed
    live: Observed
    agrees: bool
    notes: tuple[str, ...] = ()


class LiveSystem(Protocol):
    """One live system."""

    @property
    def unseen(self) -> tuple[str, ...]:
        """The properties that its histories cannot show."""
        ...

    def name(self, live: Live) -> str:
        """What a report calls it, with its versions."""
        ...

    def replay(self, backends: Backends, live: Live, schedule: Schedule, run: Run) -> Replayed:
        """Play `schedule`, of which `run` is the simulated run.

        Raises: `Divergence`, `ScheduleError`, `BackendError`.
        """
        ...
