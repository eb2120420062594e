"""Playing one scenario once: a strategy in, a trace, a tape, a history and a verdict out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from checkers.history import Event, History
from checkers.verdict import Verdict, check, quick
from sim.choices import Choices, ReplayTape, Strategy, Tape
from sim.errors import StepLimitReached
from sim.faults import FaultBudget, Faults
from sim.kernel import Kernel, Row
from sim.scenario import Scenario
from sim.schedule import Step
from sim.services.base import Interner
from sim.stage import Stage
from sim.strategies.random_walk import FirstCome
from sim.strategies.scripted import Scripted

StateKey = Callable[[Kernel], Hashable]


@dataclass(frozen=True, slots=True)
class Run:
    """What one run left.

    `failure` is the key (property/shape) of the weakest broken promise, or None; `struck` lists the faults as (fault,
    actor, operation); `complete` is False if the run hit its step limit; `places[i]` is how many trace rows stood before
    event i (to draw operations beside steps).
    """

    scenario: Scenario
    events: tuple[Event, ...]
    failure: str | None
    trace: Sequence[Row]
    tape: Tape
    marks: dict[str, int]
    struck: tuple[tuple[str, str, str], ...]
    time_ms: int
    steps: int
    complete: bool = True
    places: tuple[int, ...] = ()

    def verdict(self) -> Verdict:
        """The full verdict on the run's history: every broken promise, in sentences."""
        return check(History(self.events), self.scenario.properties)

    def digest(self) -> str:
        """A hash of the whole trace, payloads included: equal runs have equal digests in every process."""
        return blake2b(repr((list(self.trace), self.events)).encode(), digest_size=12).hexdigest()


class Runner:
    """Runs a scenario many times from one prepared image.

    Args: `grain` overrides the scenario's (None = every port call is a step when the scenario says so);
    `exhaustive` keeps the bookkeeping that state keys need.
    """

    def __init__(
        self,
        scenario: Scenario,
        *,
        grain: Collection[str] | None = None,
        exhaustive: bool = False,
        split_replies: bool = False,
        max_steps: int = 10_000,
    ) -> None:
        self.scenario = scenario
        self.grain = grain if grain is not None else scenario.grain
        self.max_steps = max_steps
        self.split_replies = split_replies
        self.interner = Interner() if exhaustive else None
        self._numbered = 0
        self._image, self._prepared = self._prepare()
        self._stage: Stage | None = None
        self._faults: Faults | None = None

    def _prepare(self) -> tuple[Any, Any]:
        if self.scenario.prepare is None:
            return None, None
        stage = Stage(self.scenario, Kernel(Choices(FirstCome())))
        prepared = self.scenario.prepare(stage)
        self._numbered = stage.processes
        return stage.image(), prepared

    def state_key(self, kernel: Kernel) -> Hashable:
        """The key of the state that the current run is in."""
        assert self._stage is not None
        return self._stage.state_key(self._faults)

    def run(self, strategy: Strategy, faults: Faults | None = None) -> Run:
        """Play once. Faults come from `faults`, else from the scenario's own fault space as recorded choices."""
        scenario, choices = self.scenario, Choices(strategy)
        space = scenario.faults
        if faults is None and space.limit:
            faults = FaultBudget(space.kinds, space.limit, space.actors, space.pause_ms)
        kernel = Kernel(
            choices, grain=self.grain, faults=faults, latency=scenario.latency, split_replies=self.split_replies,
            max_steps=self.max_steps,
        )  # fmt: skip
        stage = Stage(scenario, kernel, self.interner, self._numbered)
        self._stage, self._faults = stage, faults
        if self._image is not None:
            stage.restore(self._image)
            stage.prepared = self._prepared
        complete = True
        scenario.start(stage)
        try:
            kernel.drive()
        except StepLimitReached:
            complete = False
        if scenario.finish is not None:
            scenario.finish(stage)
        events = stage.history()
        failure = quick(events, scenario.properties)
        return Run(
            scenario, events, failure, kernel.trace, tuple(choices.tape), kernel.marks,
            tuple(faults.struck) if faults is not None else (), int(kernel.now), kernel.steps, complete,
            tuple(stage.record.places),
        )  # fmt: skip

    def replay(self, tape: Tape) -> Run:
        """Play a tape; raises `NondeterminismError` if the run meets other choices."""
        return self.run(ReplayTape(tape))

    def play(self, steps: Sequence[Step]) -> Run:
        """Play a schedule of named steps; raises `Divergence` where one is not on offer."""
        script = Scripted(steps, self.scenario.faults.pause_ms)
        run = self.run(script, script)
        script.done()
        return run
