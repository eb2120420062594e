"""A slice: the work of one task, some seeds of one configuration of one generator.

A slice is data and travels as text. What it gives depends on nothing but itself and the code, so its key has a hash of
both: a slice that has been run with this code need never be run again.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from functools import cache, cached_property
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from typing import Any

from checkers.histories.history import History
from checkers.histories.storage import json_lines
from real_backend.pipeline.schema import (
    COUNTER,
    PAIR,
    SIMULATOR,
    CauseRow,
    CoverageRow,
    FailureRow,
    RunRow,
    SliceRow,
)
from sim.generation.causes import cause_of
from sim.generation.draws import seeded
from sim.generation.generator import Generator
from sim.generation.sweep import STRATEGIES, Plan, Swept, sweep
from sim.search.run import Run, Runner
from sim.search.script import schedule_of
from sim.search.strategies import RandomWalk
from sim.world.scenario import Scenario

ROOMS = ("model", "sim", "checkers")


@cache
def code_hash() -> str:
    """Returns: a hash of the code that decides what a slice gives, 16 hex digits."""
    hashed = blake2b(digest_size=8)
    for room in ROOMS:
        folder = Path(import_module(room).__path__[0])
        for file in sorted(folder.rglob("*.py"), key=lambda file: file.relative_to(folder).parts):
            hashed.update(f"{room}/{file.relative_to(folder).as_posix()}\n".encode())
            hashed.update(file.read_bytes())
    return hashed.hexdigest()


@dataclass(frozen=True)
class Slice:
    """Some seeds of one configuration.

    Args: `generator` is where the generator is ("module:NAME"); `protocol` and `configuration` name it and its
    settings; `settings` pin options, as (key, value); `rules` names a variant; the seeds are those from `seed_lo` up to
    but without `seed_hi`; `first`, `most` and `strategies` are the plan of each sweep; `faults` are the kinds that may
    strike (None: whatever is drawn).
    """

    generator: str
    protocol: str
    configuration: str
    settings: tuple[tuple[str, str], ...]
    rules: str
    seed_lo: int
    seed_hi: int
    first: int = Plan().first
    most: int = Plan().most
    strategies: tuple[str, ...] = STRATEGIES
    faults: tuple[str, ...] | None = None

    @property
    def text(self) -> str:
        """The slice as one line of JSON, which `slice_of` reads."""
        return json.dumps(asdict(self))

    @cached_property
    def key(self) -> str:
        """16 hex digits; other seeds, another plan or other code have another key."""
        return blake2b(f"{code_hash()} {self.text}".encode(), digest_size=8).hexdigest()

    @property
    def made_by(self) -> Generator:
        """The generator."""
        return generator_at(self.generator)

    @property
    def plan(self) -> Plan:
        """How each of its scenarios is swept."""
        return Plan(self.first, self.most, self.strategies)

    def scenario(self, seed: int) -> Scenario | None:
        """The scenario of a seed; None if its draws do not fit together."""
        settings = dict(self.settings)
        source = self.made_by.source(seed, settings) if self.faults is None else seeded(seed)
        return self.made_by.with_faults(source, settings, self.rules, self.faults)


def slice_of(text: str) -> Slice:
    """Returns: the slice that was written as this `text`."""
    fields: dict[str, Any] = json.loads(text)
    fields["settings"] = tuple([(key, value) for key, value in fields["settings"]])
    fields["strategies"] = tuple(fields["strategies"])
    fields["faults"] = None if fields["faults"] is None else tuple(fields["faults"])
    return Slice(**fields)


def generator_at(dotted: str) -> Generator:
    """Returns: the generator that "module:NAME" names."""
    module, _, name = dotted.partition(":")
    found: Generator = getattr(import_module(module), name)
    return found


@dataclass(frozen=True, slots=True)
class SliceRows:
    """What a slice gives: its own row, and those of the other tables."""

    slices: tuple[SliceRow, ...]
    runs: tuple[RunRow, ...]
    failures: tuple[FailureRow, ...]
    coverage: tuple[CoverageRow, ...]

    @property
    def summary(self) -> SliceRow:
        """The slice's own row."""
        return self.slices[0]


@dataclass(slots=True)
class _Work:
    """A slice as it is run."""

    slice: Slice
    runs: list[RunRow] = field(default_factory=list)
    failures: list[FailureRow] = field(default_factory=list)
    hits: Counter[tuple[str, str]] = field(default_factory=Counter)
    scenarios: Counter[tuple[str, str]] = field(default_factory=Counter)

    @property
    def named(self) -> tuple[str, str, str]:
        return self.slice.key, self.slice.protocol, self.slice.configuration

    def try_seed(self, seed: int) -> None:
        """Make and sweep the scenario of a seed, if its draws fit together."""
        scenario = self.slice.scenario(seed)
        if scenario is None:
            return
        before = time.process_time()
        try:
            swept = sweep(scenario, self.slice.plan)
            sample = Runner(scenario).run(RandomWalk(0))
        except Exception as error:  # ours, and no reason to lose the other scenarios
            self.runs.append(self._run(seed, Swept(scenario), "", time.process_time() - before, repr(error)))
            self.failures.append(self._raised(seed, scenario, error))
            return
        self.runs.append(self._run(seed, swept, _history(sample), time.process_time() - before))
        self.failures += [self._failed(seed, run, swept.found_at[key]) for key, run in swept.failures.items()]
        self._cover(swept)

    def _run(self, seed: int, swept: Swept, history: str, cpu_s: float, error: str = "") -> RunRow:
        scenario, keys = swept.scenario, tuple(swept.failures)
        return RunRow(
            *self.named, seed, scenario.name, scenario.summary, swept.schedules, swept.steps, len(swept.pairs),
            swept.failed, keys, swept.complete, swept.indeterminate, swept.endless, error or swept.evidence.missing,
            history, cpu_s, swept.digest or _digest([error]),
        )  # fmt: skip

    def _failed(self, seed: int, run: Run, found_at: int) -> FailureRow:
        cause = cause_of(run)
        return FailureRow(
            *self.named, seed, run.scenario.name, cause.property, cause.anomaly, cause.operations, cause.faults,
            found_at, str(schedule_of(run)), _history(run), "",
        )  # fmt: skip

    def _raised(self, seed: int, scenario: Scenario, error: Exception) -> FailureRow:
        return FailureRow(
            *self.named, seed, scenario.name, SIMULATOR, type(error).__name__, (), (), 0, "", "", said_of(error)
        )  # fmt: skip

    def _cover(self, swept: Swept) -> None:
        for counter, hits in swept.coverage.items():
            self.hits[COUNTER, counter] += hits
            self.scenarios[COUNTER, counter] += 1
        for kind in swept.kinds:
            self.hits[PAIR, kind] += 1
            self.scenarios[PAIR, kind] += 1

    def rows(self, cpu_s: float) -> SliceRows:
        """All rows, in an order that depends on nothing but the slice."""
        runs, of = self.runs, self.slice
        causes = sorted({CauseRow(f.property, f.anomaly, f.operations, f.faults) for f in self.failures})
        kinds = tuple(sorted([name for kind, name in self.hits if kind == PAIR]))
        row = SliceRow(
            *self.named, of.rules, of.seed_lo, of.seed_hi, len(runs), sum(run.schedules for run in runs),
            sum(run.steps for run in runs), len({failure.scenario for failure in self.failures}),
            sum(run.complete for run in runs), sum(run.indeterminate for run in runs),
            sum(run.endless for run in runs), tuple(causes), kinds, cpu_s,
            _digest(run.digest for run in runs),
        )  # fmt: skip
        coverage = [CoverageRow(*self.named, *key, self.hits[key], self.scenarios[key]) for key in sorted(self.hits)]
        return SliceRows((row,), tuple(runs), tuple(self.failures), tuple(coverage))


def said_of(error: Exception) -> str:
    """Returns: what the simulator raised, with the notes that say where."""
    return "\n".join([repr(error), *getattr(error, "__notes__", [])])


def _history(run: Run) -> str:
    return json_lines(History(run.events))


def _digest(parts: Iterable[str]) -> str:
    return blake2b(" ".join(parts).encode(), digest_size=12).hexdigest()


def run_slice(slice: Slice) -> SliceRows:
    """Run a slice in this process. Returns: the same rows each time, but for the measured columns.

    A scenario that cannot be run is a failure of the property `SIMULATOR`, and the others are run all the same.

    Raises: `PinError` for an unknown key or value of its settings.
    """
    slice.made_by.checked(dict(slice.settings))
    before = time.process_time()
    work = _Work(slice)
    for seed in range(slice.seed_lo, slice.seed_hi):
        work.try_seed(seed)
    return work.rows(time.process_time() - before)
