"""Generated scenarios of one configuration, swept in this process until one breaks or the budget is used up.

Choices: it ends with the first scenario that breaks, since one is enough for a verdict; a campaign finds them all. The
budget in seconds is of this process's CPU time, so a busy machine finds no less; with seeds, the same comes of it
everywhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import count
from time import process_time

from checkers.properties import RANK
from lakeproof.errors import CommandError, UsageProblem, one_line
from sim.generation.generator import Generator, Settings
from sim.generation.residual import Residual, none_of, residual
from sim.generation.sweep import Swept, sweep
from sim.search.result import Evidence, broken_by
from sim.search.run import Run
from sim.world.scenario import Scenario

MISFITS = 200
"""After so many seeds in a row of which no scenario can be made, none will be."""


@dataclass(slots=True)
class Looked:
    """What was looked at, over all scenarios.

    Args: `scenarios`, `schedules` count what was run, `complete` the scenarios of which every schedule
    was, `misfits` the seeds whose draws fit no scenario; `operations`
    and `faults` say in how many scenarios a kind was done, and how often one was injected; `writers` in how many
    scenarios there were so many actors; `kinds` in how many a kind of pair of accesses was met; `asked` are the
    properties that the scenarios asked; `endless`, `indeterminate` count runs; `seconds` is the CPU time; `failing` is
    the run that ended it (None: nothing broke), found after `found_at` schedules.
    """

    scenarios: int = 0
    schedules: int = 0
    complete: int = 0
    misfits: int = 0
    endless: int = 0
    indeterminate: int = 0
    seconds: float = 0.0
    operations: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    asked: dict[str, int] = field(default_factory=dict)
    evidence: Evidence = field(default_factory=Evidence)
    coverage: Counter[str] = field(default_factory=Counter)
    failing: Run | None = None
    found_at: int = 0

    def add(self, swept: Swept) -> None:
        """Count what a scenario has shown."""
        before = self.schedules
        self.scenarios += 1
        self.schedules += swept.schedules
        self.complete += swept.complete
        self.endless += swept.endless
        self.indeterminate += swept.indeterminate
        self.operations.update(swept.operations)
        self.kinds.update(swept.kinds)
        self.coverage.update(swept.coverage)
        for name, hits in swept.coverage.items():
            if name.startswith("fault ") and hits:
                self.faults[name.removeprefix("fault ")] += hits
        for name in swept.scenario.properties:
            self.asked[name] = self.asked.get(name, 0) + 1
        self.evidence.include(swept.evidence)
        if swept.failures:
            self.failing = min(swept.failures.values(), key=lambda run: RANK[broken_by(run)])
            self.found_at = before + swept.found_at[self.failing.failure or ""]

    @property
    def breaks_at_most(self) -> float:
        """The chance that the next scenario breaks is at most this (95 %), if none did."""
        return none_of(self.scenarios)

    @property
    def new_pairs(self) -> Residual:
        """How likely the next scenario is to show a kind of pair of accesses that none did."""
        return residual(self.kinds.values(), self.scenarios)

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why nothing can be said, in words; none if something can."""
        missing = self.evidence.missing
        endless = f"{self.endless:,} runs did not come to their end" if self.endless else ""
        return tuple(filter(None, (missing, endless)))


def look(
    generator: Generator,
    settings: Settings,
    rules: str,
    *,
    seeds: Iterable[int] | None = None,
    seconds: float | None = None,
    progress: Callable[[int], object] = lambda _: None,
) -> Looked:
    """Sweep the scenarios of these seeds (None: all), for so many CPU-seconds (None: without end), at least one.

    Raises: `UsageProblem` if no scenario can be made of these settings.
    """
    looked, begun, in_a_row, problem = Looked(), process_time(), 0, "no seed was tried"
    for seed in count() if seeds is None else seeds:
        try:
            scenario = generator.make(generator.source(seed, settings), settings, rules)
        except ValueError as error:  # draws that do not fit together
            problem = one_line(error)
            looked.misfits, in_a_row = looked.misfits + 1, in_a_row + 1
            if in_a_row >= MISFITS:
                raise UsageProblem(
                    f"{generator.protocol}: no scenario can be made of these settings: {problem}"
                ) from None
            continue
        in_a_row = 0
        looked.add(_swept(scenario))
        progress(1)
        looked.seconds = process_time() - begun
        if looked.failing is not None or (seconds is not None and looked.seconds >= seconds):
            break
    if not looked.scenarios:
        raise UsageProblem(f"{generator.protocol}: no scenario can be made of these settings: {problem}")
    return looked


def _swept(scenario: Scenario) -> Swept:
    try:
        return sweep(scenario)
    except Exception as error:  # of ours: nobody else's code is in it
        what = f"{type(error).__name__}: {one_line(error)}"
        raise CommandError(f"scenario {scenario.name}: internal error: {what}; report it with the command") from error
