"""Playing one scenario once: a strategy in, a trace, a tape, a history and a verdict out."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from checkers.histories.history import Event, History
from checkers.verdict import Verdict, check, judge
from sim.kernel.choices import Choices, ReplayTape, Strategy, Tape
from sim.kernel.errors import SimulationError, StepLimitReached, Stuck
from sim.kernel.escape import guarded
from sim.kernel.faults import FaultBudget, Faults
from sim.kernel.kernel import Kernel
from sim.kernel.schedule import Step
from sim.kernel.trace import Note, Row
from sim.search.strategies.depth_first import Pruned
from sim.search.strategies.random_walk import FirstCome
from sim.search.strategies.scripted import Scripted
from sim.services.base import Interner
from sim.world.scenario import Scenario
from sim.world.simulation import Simulation

UNFINISHED: Mapping[type[SimulationError] | None, str] = {
    StepLimitReached: "the run was ended, it would have gone on", Stuck: "it waits for ever",
}  # fmt: skip
"""Why an operation has no outcome at the end of such a run; in any other one its process died."""
JUDGED = 1_000
"""How many histories a runner remembers: thousands of schedules of a small scenario leave a few hundred."""


@dataclass(slots=True)  # not frozen: searches make thousands a second
class Run:
    """What one run left.

    Args: `scenario` was run at `yield_points` (None: every port call); `events` are its history; `trace` has a row for
    each port call, `tape` every choice, `coverage` the hits of each counter; `time_ms` is the simulated time at the end
    and `steps` how many choices of a task were made; `failure` is the key (property/anomaly) of the weakest broken
    property, or None, and then `indeterminate` says whether one is left open; `injected` lists the faults as (fault,
    actor, operation); `complete` is False if the run did not come to its end: it hit its step limit or, if it is
    `stuck`, nobody could go on; `places`: entry i is how many trace rows stood before event i (to draw operations
    beside steps); `unfinished` names the tasks that did not run to their end (daemons, crashed ones); `notes` are the
    protocol's own annotations of its port calls, if the runner keeps them; `acted` is how many of the events had been
    recorded when the actors had ended (0 if there were none): what the program looked at afterwards is not among them;
    `left` is what the program found at the end that no event tells, and live systems are compared with.
    """

    scenario: Scenario
    events: tuple[Event, ...]
    failure: str | None
    indeterminate: bool
    trace: Sequence[Row]
    tape: Tape
    coverage: dict[str, int]
    injected: tuple[tuple[str, str, str], ...]
    time_ms: int
    steps: int
    complete: bool = True
    places: tuple[int, ...] = ()
    yield_points: tuple[str, ...] | None = None
    unfinished: tuple[str, ...] = ()
    notes: Sequence[Note] = ()
    acted: int = 0
    stuck: bool = False
    left: Any = None

    def verdict(self) -> Verdict:
        """Judge the run's history. Returns: the full verdict: every broken property, in sentences."""
        return check(History(self.events), self.scenario.properties)

    def digest(self) -> str:
        """Hash the trace, payloads included. Returns: 24 hex digits; equal runs have equal ones in every process."""
        return blake2b(repr((list(self.trace), self.events)).encode(), digest_size=12).hexdigest()


class Runner:
    """Runs a scenario many times from one prepared image.

    Args: `scenario` is run; `split_replies` makes every reply a step of its own; `max_steps` overrides the scenario's
    (from 1); `yield_points` overrides the scenario's (None = every port call is a step when the scenario says so);
    `exhaustive` keeps the bookkeeping that state keys need; `annotated` keeps the protocol's annotations, for a run
    that is to be explained.
    """

    def __init__(
        self,
        scenario: Scenario,
        *,
        yield_points: Collection[str] | None = None,
        exhaustive: bool = False,
        annotated: bool = False,
        split_replies: bool = False,
        max_steps: int | None = None,
    ) -> None:
        self.scenario = scenario
        self.yield_points = tuple(yield_points) if yield_points is not None else scenario.yield_points
        self.max_steps = scenario.max_steps if max_steps is None else max_steps
        self.split_replies = split_replies
        self.annotated = annotated
        self.interner = Interner() if exhaustive else None
        self._extent = scenario.faults.extent
        self._numbered = 0
        self._image, self._prepared = self._prepare()
        self.coverage: dict[str, int] = {}
        self.trace: Sequence[Row] = ()
        self._judged: dict[tuple[Event, ...], tuple[str | None, bool]] = {}
        self._simulation: Simulation | None = None
        self._faults: Faults | None = None

    def _prepare(self) -> tuple[Any, Any]:
        simulation = Simulation(self.scenario, Kernel(Choices(FirstCome())), self.interner)
        prepared = self.scenario.program.prepare(simulation)
        self._numbered = simulation.processes
        return simulation.image(), prepared

    def state_key(self) -> Hashable:
        """Returns: the key of the state that the current run is in."""
        assert self._simulation is not None
        return self._simulation.state_key(self._faults)

    def run(self, strategy: Strategy, faults: Faults | None = None) -> Run:
        """Play once, `strategy` making every choice.

        Faults come from `faults`, else from the scenario's own fault space as recorded choices.

        Returns: what the run left. What goes wrong inside is raised with a note that names the scenario and the last
        steps. Of a run that was cut off, `coverage` and `trace` are what it had done by then.
        """
        scenario, choices, space = self.scenario, Choices(strategy), self.scenario.faults
        if faults is None and space.limit:
            faults = FaultBudget(space.kinds, space.limit, space.actors, self._extent)
        kernel = Kernel(
            choices, yield_points=self.yield_points, faults=faults, latency=scenario.latency,
            split_replies=self.split_replies, max_steps=self.max_steps,
        )  # fmt: skip
        kernel.notes = [] if self.annotated else None
        simulation = self._simulation = Simulation(scenario, kernel, self.interner, self._numbered)
        self.coverage, self.trace, self._faults = kernel.coverage, kernel.trace, faults
        simulation.restore(self._image)
        simulation.prepared = self._prepared
        try:
            ending = self._drive(simulation)
            unfinished = tuple([task.name for task in kernel.tasks if not (task.finished and task.dead)])
            acted = len(simulation.record.rows) if kernel.tasks else 0
            scenario.program.finish(simulation)
            events = simulation.history(UNFINISHED.get(ending))
        except Exception as error:
            if not isinstance(error, Pruned):
                last = " ".join(f"{row[1]}.{row[2]}" for row in kernel.trace[-12:])
                error.add_note(f"scenario {scenario.name}, after {len(kernel.trace)} steps: ... {last}")
            raise
        finally:
            kernel.close()
        return Run(  # the places: a crashed task may record late
            scenario, events, *self._judge(events), kernel.trace, tuple(choices.tape), kernel.coverage,
            tuple(faults.injected) if faults is not None else (), int(kernel.now), kernel.steps, ending is None,
            tuple(simulation.places[: len(events)]), self.yield_points, unfinished, kernel.notes or (), acted,
            ending is Stuck, simulation.left,
        )  # fmt: skip

    def _judge(self, events: tuple[Event, ...]) -> tuple[str | None, bool]:
        """Judge a history; of one that another schedule has left, too, what was found then."""
        found = self._judged.get(events)
        if found is None:
            if len(self._judged) == JUDGED:
                self._judged.clear()
            found = self._judged[events] = judge(events, self.scenario.properties)
        return found

    def _drive(self, simulation: Simulation) -> type[SimulationError] | None:
        """Let the actors act. Returns: why they did not come to their end; None: they did."""
        with guarded():
            self.scenario.program.start(simulation)
            try:
                simulation.kernel.drive()
            except (StepLimitReached, Stuck) as error:
                return type(error)
        return None

    def replay(self, tape: Tape) -> Run:
        """Play `tape` again. Returns: its run. Raises: `NondeterminismError` if the run meets other choices."""
        strategy = ReplayTape(tape)
        run = self.run(strategy)
        strategy.done()
        return run

    def play(self, steps: Sequence[Step]) -> Run:
        """Play a schedule of named `steps`. Returns: its run. Raises: `Divergence` where one is not on offer."""
        script = Scripted(steps, self._extent)
        run = self.run(script, script)
        script.done()
        return run
