"""Early conflict detection, strategy by strategy: which promises hold over all schedules, and what breaks others.

A row is a strategy of RFC-56 under the rules of a variant, with check of commits or without. Two writers, or three, do
what each program says (`detection_programs.py`); every schedule of its steps is judged by each property alone, so that
none hides another. The same is done without detection: what breaks there is to break with it, and nothing else.

Choices: writers are preferred, but where it is asked what detection changes: there the default strategy is asked as
well. What breaks there without detection is that two begin one new key; the default strategy's loss of an older instant
takes steps that are not among these, and is compared by tests/search/hudi/test_detection.py.
Promptness is what the document says of a strategy: who looks notices a marker that is there, transactions miss no
conflict, a server's pass that could see a conflict finds it, and with check of commits one that has completed is found.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from checkers.verdict import judge
from model.hudi import coverage
from model.hudi.keys import CHECK_COMMIT
from model.hudi.variants import VARIANTS
from sim.hudi.build import (
    ASYNC,
    BLOOM,
    BLOOM_ASYNC,
    DIRECT,
    OPTIMISTIC,
    PREFERRING,
    SAFETY,
    SERVER,
    TRANSACTIONAL,
    race,
)
from sim.hudi.built_in.locks import ZOOKEEPER_LOCK
from sim.hudi.detection_programs import COMPARED, PROGRAMS, Program
from sim.hudi.workload import Options
from sim.search.explore import exhaustive
from sim.search.run import Run
from sim.world.scenario import Scenario

LIMIT = 100_000
TOGETHER = "somebody-finishes"
SAFE = tuple([name for name in SAFETY if name != TOGETHER])
LOST = ("no-lost-update", "acknowledged-writes-survive", "snapshot-isolation")
"""What breaks if both of two writers in conflict commit."""
NOTICED, VISIBLE = "made-markers-noticed", "visible-conflicts-found-early"
COMMON = ("as-document", "fixed")


@dataclass(frozen=True, slots=True)
class Strategy:
    """A strategy: its options, those that are the same without it, what is asked of its promptness, and its variants.

    Args: `family` is whose steps it has: direct markers', Bloom files', or the timeline server's; `checks`: whether it
    is asked without check of commits, and with it.
    """

    name: str
    family: str
    options: Options
    without: Options
    prompt: tuple[str, ...]
    variants: tuple[str, ...]
    checks: tuple[bool, ...] = (False, True)


STRATEGIES = (
    Strategy("simple direct", "direct", DIRECT, OPTIMISTIC, (NOTICED,), ("shipped", "commits-since-instant", *COMMON)),
    Strategy(
        "transactional direct", "direct", TRANSACTIONAL, ZOOKEEPER_LOCK, (NOTICED, "early-conflicts-noticed"),
        ("shipped", *COMMON),
    ),
    Strategy(
        "asynchronous", "served", ASYNC, (*OPTIMISTIC, *SERVER), ("prompt-early-aborts",), ("shipped", *COMMON)
    ),
    Strategy(
        "Bloom direct", "blooms", BLOOM, OPTIMISTIC, (NOTICED,),
        ("as-document", "bloom-first", "fixed"),
    ),
    Strategy(
        "Bloom asynchronous", "served", BLOOM_ASYNC, (*OPTIMISTIC, *SERVER), ("prompt-early-aborts",),
        ("as-document", "fixed"), checks=(False,),
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """A strategy under rules, with check of commits or without."""

    strategy: Strategy
    rules: str
    commits: bool

    @property
    def options(self) -> Options:
        """What a user sets, but for the conflict strategy."""
        return (*self.strategy.options, *(((CHECK_COMMIT, "true"),) if self.commits else ()))

    @property
    def prompt(self) -> tuple[str, ...]:
        """The properties of its promptness: a server's asks for commits where they are checked."""
        more = (VISIBLE,) if self.commits and self.strategy.family != "served" else ()
        return (*self.strategy.prompt, *more)


ROWS = tuple([
    Row(strategy, rules, commits)
    for strategy in STRATEGIES
    for rules in strategy.variants
    for commits in strategy.checks
    if commits or rules != "commits-since-instant"
])  # fmt: skip


@dataclass(slots=True)
class Found:
    """What a search found: the programs in which each kind of violation is, and why something cannot be said."""

    schedules: int = 0
    broken: dict[str, list[str]] = field(default_factory=dict)
    reasons: list[str] = field(default_factory=list)

    def of(self, *properties: str) -> dict[str, list[str]]:
        """The violations of these properties."""
        return {kind: where for kind, where in sorted(self.broken.items()) if kind.partition("/")[0] in properties}


@dataclass(frozen=True, slots=True)
class Looked:
    """A row's findings: with detection, and what it changes (with the kinds that differ) beside none."""

    row: Row
    found: Found
    changed: tuple[str, ...]
    compared: int


def look(row: Row) -> Looked:
    """Search a row: every program with writers preferred; and what is compared, with detection and without, twice."""
    found = Found()
    for program in PROGRAMS:
        if program.fits(row.strategy.family, row.commits):
            search(found, scenario(row, program), program.name)
    changed, compared = compare(row, found)
    return Looked(row, found, changed, compared)


def compare(row: Row, found: Found) -> tuple[tuple[str, ...], int]:
    """Search with detection and without, under both conflict strategies. Returns: the kinds of violations that one of
    the two has alone, and how many schedules were run; what cannot be said is a reason of `found`."""
    changed, compared = list[str](), 0
    for preferring in (False, True):
        for program in COMPARED:
            on, off = Found(), Found()
            search(on, scenario(row, program, preferring=preferring), program.name)
            search(off, scenario(row, program, preferring=preferring, detects=False), program.name)
            compared += on.schedules + off.schedules
            found.reasons += [*on.reasons, *off.reasons]
            changed += sorted(set(on.of(*SAFE)) ^ set(off.of(*SAFE)))
    return tuple(changed), compared


def scenario(row: Row, program: Program, *, preferring: bool = True, detects: bool = True) -> Scenario:
    """The race of a program. Args: `preferring` writers; else by the default strategy; `detects` conflicts early."""
    strategy = row.strategy
    options = (*(row.options if detects else strategy.without), *(PREFERRING[-1:] if preferring else ()))
    asked = (*SAFE, TOGETHER, "sound-early-aborts", *row.prompt)
    return race(
        f"detection-{strategy.name}-{program.name}".replace(" ", "-"), program.words, program.writers,
        rules=VARIANTS[row.rules], options=options, properties=asked if detects else SAFE,
        counters=(coverage.EARLY_CONFLICT_BY_MARKER,) if detects and program.conflicts else (),
        yield_points=program.steps[strategy.family], **program.table,
    )  # fmt: skip


def search(found: Found, asked: Scenario, name: str) -> None:
    """Run every schedule, and judge each history that there can be by every property."""
    seen = set()

    def judged(run: Run) -> None:
        if run.events in seen:
            return
        seen.add(run.events)
        for each in asked.properties:
            kind, left_open = judge(run.events, (each,))
            if kind is not None and name not in found.broken.setdefault(kind, []):
                found.broken[kind].append(name)
            elif left_open:
                found.reasons.append(f"{name}: {each} left open")

    result = exhaustive(asked, limit=LIMIT, each=judged)
    found.schedules += result.schedules
    found.reasons += [f"{name}: {reason}" for reason in result.reasons]
