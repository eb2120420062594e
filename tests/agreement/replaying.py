"""One scenario's runs on the real system, and what is counted of them."""

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from lakeproof.folder import SCHEDULE, RunFolder
from lakeproof.live import LiveSystems
from lakeproof.replay_line import replay_command
from real_backend.errors import BackendUnavailable
from real_backend.gating.actors import Workers
from reports.record import Live
from sim.kernel.schedule import Divergence
from sim.search.projection import Played
from tests.agreement.cpu import spent_since
from tests.agreement.drawing import Chosen

LONGEST_S = 300.0
"""How long one replay may take in all; each of its waits has an end of its own, far below this."""
FOLLOWED = "could not be followed"


@dataclass(frozen=True)
class Differs:
    """One schedule on which the sides do not do the same: why, what in detail, and the line that replays it."""

    cause: str
    details: tuple[str, ...]
    command: str


@dataclass
class Tally:
    """What came of the scenarios of one configuration on one system. `failing` schedules are those that break a
    property in the simulation, `injected` those that a fault hits; `cpu_s` is what drawing, simulating, replaying and
    comparing took since the last one."""

    name: str
    scenarios: int = 0
    schedules: int = 0
    failing: int = 0
    injected: int = 0
    equal: int = 0
    cpu_s: float = 0.0
    differing: list[Differs] = field(default_factory=list)

    @property
    def causes(self) -> Counter[str]:
        """How many schedules differ, by cause."""
        return Counter(one.cause for one in self.differing)


class Replaying:
    """Replays scenarios, and keeps the schedules of those that differ in `folder`."""

    def __init__(self, systems: LiveSystems, folder: Path) -> None:
        self._systems = systems
        self._folder = folder
        self._workers = Workers()
        self._cpu_s = spent_since()
        self._kept = 0
        self.broken: Counter[str] = Counter()
        """How many replays in a row could not be made, by system."""

    def replay(self, chosen: Chosen, tally: Tally) -> None:
        """Play every run of the scenario and count. Raises: `BackendUnavailable` if the system cannot be had."""
        tally.scenarios += 1
        for played in chosen.played:
            found = self._differs(chosen, played)
            tally.schedules += 1
            tally.failing += played.run.failure is not None
            tally.injected += bool(played.run.injected)
            if found is None:
                tally.equal += 1
            else:
                tally.differing.append(found)
        tally.cpu_s += next(self._cpu_s)

    def _differs(self, chosen: Chosen, played: Played) -> Differs | None:
        try:
            live = self._workers.call(
                "replay",
                lambda: self._systems.replay(chosen.scenario, played.schedule, played.run).live,
                f"replaying {chosen.scenario.name}",
                LONGEST_S,
            )
        except BackendUnavailable:
            raise
        except Exception as error:  # one bad scenario does not end the run
            if not isinstance(error, Divergence):
                self.broken[chosen.system] += 1
            kind = type(error).__name__
            return Differs(f"{FOLLOWED}: {kind}", (f"{kind}: {error}",), self._command(played))
        self.broken[chosen.system] = 0
        return None if live.agrees else Differs(_cause(live), tuple(_differences(live)), self._command(played))

    def _command(self, played: Played) -> str:
        """Keep the schedule. Returns: the line that replays it."""
        self._kept += 1
        path = self._folder / f"{time.strftime('%Y%m%dT%H%M%S')}-{self._kept:03}"
        path.mkdir(parents=True)
        return f"{replay_command(RunFolder(path).write(SCHEDULE, str(played.schedule)), None)} --live"

    def close(self) -> None:
        """End the thread that replays."""
        self._workers.close()


def _differences(live: Live) -> Iterator[str]:
    for row in live.compared:
        if not row.agrees:
            yield f"{row.what}: simulated {row.simulated}, live {row.live}"


def _cause(live: Live) -> str:
    """What differs first, by its kind."""
    what = next((row.what for row in live.compared if not row.agrees), "what is compared step by step alone")
    if what == "left at the end":
        return "files, refs, columns or properties"
    if what.endswith(" at the end"):
        return "rows"
    return "outcomes" if ": " in what else "versions" if what.startswith("version ") else what
