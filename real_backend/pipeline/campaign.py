"""A campaign: many configurations, each with many seeds, in slices and waves, until the seeds or the time are over.

What is searched is decided by the plan alone, seed after seed, each configuration in its turn; the time decides only
how far that goes. So a campaign that was ended goes on where it was, with the slices that are not kept yet.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from itertools import count, islice
from pathlib import Path
from typing import Any

from real_backend.pipeline.folder import Folder, writing
from real_backend.pipeline.pace import Pace
from real_backend.pipeline.schema import SliceRow, slice_row
from real_backend.pipeline.slices import Slice, code_hash, generator_at
from real_backend.pipeline.waves import Engine, run_wave
from sim.generation.causes import Cause
from sim.generation.sweep import STRATEGIES, Plan

WAVE_S = 60.0
APART = 1_000_000
"""How far the seeds of one configuration are from those of the next: with the same ones, all would have the same
statements, tables and faults."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """What is searched.

    Args: `generator` is where the generator is ("module:NAME"), `protocol` its name; `name` is the configuration's own;
    `settings` pin options, as (key, value); `rules` names a variant; `faults` are the kinds that may strike (None:
    whatever is drawn).
    """

    generator: str
    protocol: str
    name: str
    settings: tuple[tuple[str, str], ...]
    rules: str
    faults: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class CampaignPlan:
    """What a campaign searches.

    Args: `configurations` are searched in turn, the first from `first_seed`, each next one `APART` later, with
    `seeds` seeds (from 1; None: no end); a slice has `seeds_each` of them (from 1), or fewer, where scenarios are slow;
    each scenario is swept for `first` to `most` schedules, by `strategies`.
    """

    configurations: tuple[Configuration, ...]
    seeds: int | None = None
    first_seed: int = 0
    seeds_each: int = 16
    first: int = Plan().first
    most: int = Plan().most
    strategies: tuple[str, ...] = STRATEGIES

    @property
    def about(self) -> dict[str, Any]:
        """What a folder must have been made of, so that the campaign can go on in it."""
        return {"code": code_hash(), "plan": asdict(self)}

    def slices(self) -> Iterator[Slice]:
        """The slices in their order."""
        starts = count(0, self.seeds_each) if self.seeds is None else range(0, self.seeds, self.seeds_each)
        for start in starts:
            size = self.seeds_each if self.seeds is None else min(self.seeds_each, self.seeds - start)
            for number, one in enumerate(self.configurations):
                low = self.first_seed + number * APART + start
                yield from self._of(one, low, low + size)

    def _of(self, one: Configuration, low: int, high: int) -> Iterator[Slice]:
        """The slices of some seeds: of slow scenarios, fewer each, so that a slice takes about as long."""
        each = max(1, self.seeds_each // generator_at(one.generator).slowness(dict(one.settings)))
        for start in range(low, high, each):
            yield Slice(
                one.generator, one.protocol, one.name, one.settings, one.rules, start, min(start + each, high),
                self.first, self.most, self.strategies, one.faults,
            )  # fmt: skip

    def check(self) -> None:
        """Raises: `ValueError` if there is no configuration, an unknown option, value, fault or strategy, or a number
        below 1."""
        if not self.configurations:
            raise ValueError("campaign: expected a configuration, got none")
        for name in ("seeds", "seeds_each", "first", "most"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueError(f"campaign: expected {name} from 1, got {value}")
        _known("strategies", self.strategies, STRATEGIES)
        for one in self.configurations:
            generator = generator_at(one.generator)
            generator.checked(dict(one.settings))
            _known("rules", (one.rules,), generator.variants)
            _known("faults", one.faults or (), generator.faults)


def _known(what: str, given: Iterable[str], known: Collection[str]) -> None:
    for one in given:
        if one not in known:
            raise ValueError(f"{what}: expected {' or '.join(known)}, got {one!r}")


@dataclass(slots=True)
class Progress:
    """How far a campaign is.

    Args: `waves`, `slices`, `scenarios`, `schedules`, `steps` count all that is kept, `failed` the scenarios that fail;
    `kinds` are the kinds of pairs of accesses met, `causes` the causes of failures (protocol, rules, cause) with the
    slices that met each; `planned` and `done` count the slices of the wave that runs; `run` counts the schedules of
    this process, and `wall_s` the seconds that its waves took; `interrupted`: by Ctrl-C.
    """

    waves: int = 0
    slices: int = 0
    scenarios: int = 0
    schedules: int = 0
    steps: int = 0
    failed: int = 0
    kinds: set[str] = field(default_factory=set)
    causes: dict[tuple[str, str, Cause], int] = field(default_factory=dict)
    planned: int = 0
    done: int = 0
    run: int = 0
    wall_s: float = 0.0
    interrupted: bool = False

    @property
    def per_s(self) -> float:
        """Schedules per second of this process's waves; 0 before the first."""
        return self.run / self.wall_s if self.wall_s else 0.0

    def add(self, rows: list[SliceRow]) -> None:
        """Count a wave."""
        self.waves += 1
        for row in rows:
            self.slices += 1
            self.scenarios += row.scenarios
            self.schedules += row.schedules
            self.steps += row.steps
            self.failed += row.failed
            self.kinds.update(row.kinds)
            for cause in row.causes:
                met = row.protocol, row.rules, Cause(*cause)
                self.causes[met] = self.causes.get(met, 0) + 1


Tell = Callable[[Progress], None]


def kept(folder: Folder) -> Progress:
    """Returns: how far the campaign in a folder is."""
    progress = Progress()
    rows = folder.read("slices").to_pylist()
    for wave in folder.waves():
        progress.add([slice_row(row) for row in rows if row["wave"] == wave])
    return progress


def plan_of(kept: Mapping[str, Any]) -> CampaignPlan:
    """Returns: the plan that a folder has kept."""
    configurations = [
        Configuration(**{
            **one, "settings": tuple([(key, value) for key, value in one["settings"]]),
            "faults": None if one["faults"] is None else tuple(one["faults"]),
        })
        for one in kept["configurations"]
    ]  # fmt: skip
    both = {"configurations": tuple(configurations), "strategies": tuple(kept["strategies"])}
    return CampaignPlan(**{**kept, **both})


def kept_slices(folder: Folder) -> list[Slice]:
    """Returns: the slices that count, in the plan's order.

    Raises: `ValueError`, one line, if they were run with other code, under which they are others.
    """
    plan, keys = folder.about["plan"], folder.keys()
    if folder.about["code"] != code_hash():
        raise ValueError(
            f"folder {folder.path}: expected a campaign of the same code, got one of another; begin a new one"
        )
    slices = plan_of(plan).slices()
    return list(islice((one for one in slices if one.key in keys), len(keys)))


def search(
    path: Path,
    plan: CampaignPlan,
    engine: Engine,
    *,
    seconds: float | None = None,
    wave_s: float = WAVE_S,
    resume: bool = False,
    tell: Tell = lambda progress: None,
) -> Progress:
    """Run a campaign, or go on with one.

    Args: `path` is its folder; `plan` what it searches; `engine` runs the slices, and stays open; `seconds` is the time
    (None: until the seeds are over); a wave takes about `wave_s` seconds; `resume`: the folder may have waves of this
    campaign already; `tell` is told of every slice and every wave.

    Returns: how far it is. Ctrl-C ends it: the wave that runs is given up, those before it are kept.

    Raises: `ValueError`, one line, for a plan, a budget or a folder that cannot be.
    """
    plan.check()
    if seconds is not None and seconds <= 0:
        raise ValueError(f"campaign: expected seconds above 0, got {seconds:g}")
    if plan.seeds is None and seconds is None:
        raise ValueError("campaign: expected a number of seeds or of seconds, got neither")
    with writing(path, plan.about, resume=resume) as folder:
        progress, keys = kept(folder), folder.keys()
        left = (one for one in plan.slices() if one.key not in keys)
        pace = Pace(left, seconds, wave_s, engine.cores)
        with suppress(_Interrupted):
            while slices := pace.next():
                _wave(folder, engine, slices, progress, pace, tell)
        return progress


class _Interrupted(Exception):
    """Ctrl-C: the campaign ends, and that is no error."""


def _wave(folder: Folder, engine: Engine, slices: list[Slice], progress: Progress, pace: Pace, tell: Tell) -> None:
    def done(number: int) -> None:
        progress.done = number
        tell(progress)

    progress.planned, progress.done = len(slices), 0
    before = time.monotonic()
    try:
        rows = run_wave(folder, engine, slices, done)
    except KeyboardInterrupt:
        progress.interrupted = True
        raise _Interrupted from None
    wall_s = time.monotonic() - before
    pace.measured(rows, wall_s)
    progress.run += sum(row.schedules for row in rows)
    progress.wall_s += wall_s
    progress.planned = progress.done = 0
    progress.add(rows)
    tell(progress)
