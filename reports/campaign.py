"""The record of a campaign: everything that its page, its JUnit file, its summary and its metrics show, as plain data.

Choices: no times of day; what was measured (seconds, schedules per second) stands in `Spent` alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from reports.record import Live, Record, strict

FORMAT = 1


@strict
@dataclass(frozen=True, slots=True)
class Searched:
    """What was searched of one configuration.

    Args: `settings` in words; `scenarios`, `schedules` count what was run, `failed` the scenarios that fail,
    `complete` those of which every schedule was run, `indeterminate`, `endless` schedules; `kinds` counts the kinds of
    pairs of accesses met; `breaks_bound` is the greatest chance (95 %) that the next scenario breaks, if none did, else
    None; `new`, `new_bound` how likely it is to show a kind of pair that none has (Good and Turing; at 95 %); `missing`
    says why nothing can be said ("": it can).
    """

    protocol: str
    name: str
    rules: str
    settings: str
    scenarios: int
    schedules: int
    failed: int
    complete: int
    indeterminate: int
    endless: int
    kinds: int
    breaks_bound: float | None
    new: float
    new_bound: float
    cpu_s: float
    missing: str = ""

    @property
    def verdict(self) -> str:
        """What can be said: violated, unknown, or nothing found, which is no "holds"."""
        return "violated" if self.failed else "unknown" if self.missing or not self.scenarios else "nothing found"


@strict
@dataclass(frozen=True, slots=True)
class Grown:
    """How far a protocol's search was after so many schedules: kinds of pairs of accesses, causes of failures."""

    protocol: str
    schedules: int
    kinds: int
    causes: int


@strict
@dataclass(frozen=True, slots=True)
class Cluster:
    """Failures of one cause.

    Args: `broken` is the property and `anomaly` how it broke, by these `operations` and `faults`; `cause` is that in
    words; `known` names the finding that explains it ("": it is new); `failures` counts those that are like it, in
    `configurations`; `scenario` is the smallest, `folder` that of its run as seen from the report, and `command`
    replays it; `record` tells it (None: it could not be run: `error` says why), `live` is the same on the real system
    (None: not asked for), and `not_live` says why there is none.
    """

    protocol: str
    broken: str
    anomaly: str
    operations: tuple[str, ...]
    faults: tuple[str, ...]
    cause: str
    known: str
    failures: int
    configurations: tuple[str, ...]
    scenario: str
    folder: str
    command: str
    record: Record | None = None
    error: str = ""
    live: Live | None = None
    not_live: str = ""

    @property
    def is_new(self) -> bool:
        """Whether somebody has to look at it."""
        return not self.known


@strict
@dataclass(frozen=True, slots=True)
class Differs:
    """A generated scenario on which the real system does something else than the simulation, and what is different."""

    scenario: str
    system: str
    differences: tuple[str, ...]
    command: str


@strict
@dataclass(frozen=True, slots=True)
class Replays:
    """The live sample: how many were `asked` for and `replayed`; `differing` are failures of ours; `skipped` says of
    the others, by reason, how many they were."""

    asked: int
    replayed: int
    differing: tuple[Differs, ...] = ()
    skipped: dict[str, int] | None = None


@strict
@dataclass(frozen=True, slots=True)
class Spent:
    """What was measured: CPU-seconds of all slices, seconds of all waves, and schedules per second."""

    cpu_s: float
    wall_s: float
    per_s: float


@strict
@dataclass(frozen=True, slots=True)
class CampaignRecord:
    """What a campaign has shown. `cannot` says of each protocol what its generator never makes; `command` makes the
    report anew."""

    tool: str
    name: str
    searched: tuple[Searched, ...]
    grown: tuple[Grown, ...]
    clusters: tuple[Cluster, ...]
    cannot: dict[str, tuple[str, ...]]
    faults_never: dict[str, tuple[str, ...]]
    spent: Spent
    command: str
    replays: Replays | None = None
    format: int = FORMAT

    @property
    def schedules(self) -> int:
        """Of all configurations."""
        return sum(one.schedules for one in self.searched)

    @property
    def scenarios(self) -> int:
        """Of all configurations."""
        return sum(one.scenarios for one in self.searched)

    @property
    def new(self) -> tuple[Cluster, ...]:
        """The clusters that no known finding explains."""
        return tuple([one for one in self.clusters if one.is_new])

    @property
    def differing(self) -> tuple[Differs, ...]:
        """Where the real system does something else."""
        return self.replays.differing if self.replays is not None else ()

    @property
    def missing(self) -> tuple[str, ...]:
        """Why nothing can be said of some configurations."""
        return tuple([f"{one.protocol} {one.name}: {one.missing}" for one in self.searched if one.missing])
