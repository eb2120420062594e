"""Planted defects: what it takes a generator to find a mutant or a known finding, without a scenario made for it.

`python -m tests.search.planted_page` looks for all of them, and makes `docs/planted.md` of what it takes.

A row may name configurations, rules, and the property that is asked: no statement, no fault, no schedule. A mutant is
found when a scenario fails in a way in which it does not fail without the mutant, in a sweep of the same plan; or
cannot be run. A known finding is found when it explains a failure of the rules that have it; where it would explain
what others do as well, rules that repair nothing else are compared.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace

from sim.generation.causes import cause_of
from sim.generation.draws import replayed
from sim.generation.generator import Generator
from sim.generation.sweep import Plan, Swept, sweep
from sim.search.run import Run
from sim.world.scenario import Scenario
from tests.mutants.mutant import Mutant

PLAN = Plan(first=16, most=48)
"""Many scenarios, each for a short time."""
APART = 1_000_000
"""How far the seeds of one try are from those of the next."""
MISTAKES = (AttributeError, NameError, TypeError)
"""What a mutant raises that is written wrongly, which finds nothing."""
MOST_SCHEDULES = 30_000
MOST_CPU_S = 30.0


def any_failure(_: Run) -> bool:
    """Whatever fails is the defect's, unless it fails without it."""
    return True


@dataclass(frozen=True, slots=True)
class Planted:
    """Something to be found.

    Args: `name` is the mutant's or the known finding's; `generator` draws scenarios of `rules` in the `configurations`
    in turn; `mutant` damages them (None: they are what is wrong); `broken` is the property that is asked ("": all that
    are promised); `shows` says whether a failing run may be this defect's; `missing` says what there would have to be
    for it to be found, and then nothing is looked for ("": it can be found); `repaired` names the rules, and `repair`
    is the patch of a library, that mend it.
    """

    name: str
    generator: Generator
    configurations: tuple[str, ...]
    rules: str | None = None
    mutant: Mutant | None = None
    broken: str = ""
    shows: Callable[[Run], bool] = any_failure
    missing: str = ""
    repaired: str | None = None
    repair: Mutant | None = None

    def scenario(self, seed: int) -> Scenario | None:
        """The scenario of a seed, or None if nothing that is asked is promised there."""
        name = self.configurations[seed % len(self.configurations)]
        settings = self.generator.configurations[name]
        scenario = self.generator.make(self.generator.source(seed, settings), settings, self.rules)
        if self.broken:
            asked = tuple([one for one in scenario.properties if one == self.broken])
            return replace(scenario, properties=asked) if asked else None
        return scenario

    def shown(self, scenario: Scenario) -> tuple[Swept, str | None]:
        """Sweep a scenario. Returns: what it has shown, and the first failure that is this defect's."""
        try:
            with self.mutant.alive() if self.mutant else nullcontext():
                swept = sweep(scenario, PLAN)
        except Exception as error:
            if self.mutant is None or isinstance(error, MISTAKES):
                raise
            if self.mutant.patches:
                sweep(scenario, PLAN)  # which raises, too, if it is not the mutant's fault
            failure = f"{type(error).__name__} (it cannot be run)"
            return Swept(scenario, PLAN.most, found_at={failure: PLAN.most}), failure
        found = sorted([key for key, run in swept.failures.items() if self.shows(run)], key=swept.found_at.__getitem__)
        usual = self.mended(scenario).failures if found and self._compares else {}
        return swept, next((key for key in found if key not in usual), None)

    def mended(self, scenario: Scenario) -> Swept:
        """Sweep the same scenario without the defect."""
        with self.repair.alive() if self.repair else nullcontext():
            return sweep(self._undamaged(scenario), PLAN)

    @property
    def _compares(self) -> bool:
        """Whether something is without the defect; of a mutant without patches it is the rules that are wrong."""
        return bool(self.repaired or self.repair or (self.mutant and self.mutant.patches))

    def _undamaged(self, scenario: Scenario) -> Scenario:
        """The same scenario where the defect is repaired; a mutant's is its own."""
        return scenario if self.repaired is None else self.under(scenario, self.repaired)

    def under(self, scenario: Scenario, rules: str) -> Scenario:
        """The same scenario under other rules."""
        draws = scenario.name.rpartition("/")[2]
        return replace(self.generator.make(replayed(draws), rules=rules), properties=scenario.properties)


class Unpromised(Planted):
    """A known finding that breaks what nobody promises: the property is asked all the same; where it is repaired it
    must hold, or what has happened tells that it is this one."""

    def scenario(self, seed: int) -> Scenario:
        """The scenario of a seed; it is asked for nothing else."""
        name = self.configurations[seed % len(self.configurations)]
        settings = self.generator.configurations[name]
        scenario = self.generator.make(self.generator.source(seed, settings), settings, self.rules)
        return replace(scenario, properties=(self.broken,))


def explained_by(
    generator: Generator, name: str, rules: str = "shipped", *, alone: bool = True
) -> Callable[[Run], bool]:  # fmt: skip
    """Make the test that the first known finding which explains a run, under rules of this name, is the one called
    `name`. Args: `alone`: another one that explains it, too, may not come first, as where no repair tells them apart.
    """
    known = generator if alone else replace(generator, known=tuple([k for k in generator.known if k.scenario == name]))
    return lambda run: known.known_as(cause_of(run), rules, run.scenario.parameters) == name


@dataclass(frozen=True, slots=True)
class Found:
    """How it was found: the failure's key, and after how many scenarios, schedules and CPU-seconds."""

    failure: str
    scenarios: int
    schedules: int
    cpu_s: float


Look = Callable[[Scenario], tuple[int, str]]
"""Plays a scenario. Returns: how many schedules it took, and what was found by the last one ("": nothing)."""


def find(one: Planted, number: int, most: int = MOST_SCHEDULES, cpu_s: float = MOST_CPU_S) -> Found | None:
    """Sweep generated scenarios until one shows the defect. Args, Returns: as `search`."""

    def look(scenario: Scenario) -> tuple[int, str]:
        swept, failure = one.shown(scenario)
        return (swept.schedules, "") if failure is None else (swept.found_at[failure], failure)

    return search(one, look, number, most, cpu_s)


def search(one: Planted, look: Look, number: int, most: int, cpu_s: float) -> Found | None:
    """Look at generated scenarios of a row until something is found.

    Args: `number` is the try's, from 0: each has seeds of its own; `most` schedules (from 1) are run and `cpu_s`
    seconds spent at the utmost.

    Returns: how it was found; None if it was not.
    """
    schedules, before, seed = 0, time.process_time(), number * APART
    while schedules < most and time.process_time() - before < cpu_s:
        scenario = one.scenario(seed)
        seed += 1
        if scenario is None:
            continue
        played, found = look(scenario)
        schedules += played
        if found:
            return Found(found, seed - number * APART, schedules, time.process_time() - before)
    return None
