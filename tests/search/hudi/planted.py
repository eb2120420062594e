"""How long the generator takes to find what was planted: every mutant of Hudi's write path, and every known finding.

    python -m tests.search.hudi.planted            the whole table
    python -m tests.search.hudi.planted M1 M2      some rows of it

Each is looked for from several seeds, in generated scenarios of its rules and of its configurations in turn, none of
which was made for it. A mutant is found by a failure that no known finding explains.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from statistics import median, quantiles

from lakeproof.protocols import known_properties
from model.hudi import SHIPPED, Rules
from model.hudi.rules import VERSION_1_0
from sim.generation.causes import cause_of
from sim.generation.draws import seeded
from sim.generation.sweep import Plan, sweep
from sim.hudi.bounds import name_of
from sim.hudi.generate import GENERATOR
from sim.search.run import Run
from tests.mutants.hudi import MUTANTS
from tests.mutants.mutant import Mutant
from tests.search.hudi.test_mutants import KILLS

PLAN = Plan(first=16, most=32)
APART = 1_000_000
"""How far the seeds of one try are from those of the next."""
SEVERAL = ("default", "zookeeper", "prefer-writer", "version-8", "short-heartbeats")
EARLY = ("early", "early-prefer-writer", "early-check-commit")
WHERE = {
    "prefers-older-writers": ("prefer-writer",),
    "loser-keeps-heartbeat": EARLY,
    "looks-at-larger-instants": EARLY,
    "dead-markers-count": EARLY,
    "early-loser-looks-alive": EARLY,
    "marker-after-unlock": ("early-transactional",),
    "file-id-by-substring": EARLY,
    "closes-what-others-hold": ("file-lock",),
    "lock-file-overwritten": ("file-lock",),
    "no-wait-for-skew": ("zookeeper", "prefer-writer-zookeeper"),
}
"""The configurations that a mutant is looked for in, where it needs one."""
BROKEN = {kill.mutant: kill.broken for kill in KILLS} | {"conflicts-by-partition": "all-writes-commit"}
FINDINGS = {
    "older-instant": ("acknowledged-writes-survive", ("default",), SHIPPED),
    "file-lock": ("no-lost-update", ("file-lock",), SHIPPED),
    "zombie-completed": ("table-invariants", ("default", "short-heartbeats"), SHIPPED),
    "same-new-key": ("acknowledged-writes-survive", ("prefer-writer",), SHIPPED),
    "late-completion": ("no-lost-update", ("prefer-writer",), SHIPPED),
    "late-requested": ("no-lost-update", ("default",), VERSION_1_0),
    "early-transactional-shipped": ("marker-checks-exclusive", ("early-transactional",), SHIPPED),
    "dead-marker": ("sound-early-aborts", EARLY, SHIPPED),
    "similar-names": ("sound-early-aborts", EARLY, SHIPPED),
    "finished-marker": ("sound-early-aborts", EARLY, SHIPPED),
    "check-commit-older": ("visible-conflicts-found-early", ("early-check-commit",), SHIPPED),
    "retry-too-soon": ("tries-do-not-stop-each-other", EARLY, SHIPPED),
}
"""Known findings: what each breaks, where, and under which rules."""


@dataclass(frozen=True, slots=True)
class Planted:
    """Something to be found.

    Args: `broken` is the property that it breaks; `configurations` are those to look in; `rules` run there; `mutant`
    damages them (None: they are what is wrong).
    """

    name: str
    broken: str
    configurations: tuple[str, ...]
    rules: Rules
    mutant: Mutant | None = None

    def is_found(self, run: Run) -> bool:
        """Whether a failing run is of this one: of the known finding of its name, or, a mutant, of none."""
        cause = cause_of(run)
        if self.mutant and "late" in cause.faults:
            return False  # beside other faults as well: the completed file that comes late breaks what no rule repairs
        known = [one.scenario for one in GENERATOR.known if one.explains(cause, run.scenario.parameters)]
        return not known if self.mutant else f"hudi/{self.name}" in known


def planted() -> Iterator[Planted]:
    """Every mutant, then every known finding."""
    for mutant in MUTANTS:
        yield Planted(mutant.name, BROKEN[mutant.name], WHERE.get(mutant.name, SEVERAL), mutant.base, mutant)
    for name, (broken, configurations, rules) in FINDINGS.items():
        yield Planted(name, broken, configurations, rules)


@dataclass(frozen=True, slots=True)
class Found:
    """How it was found: the failure, after how many schedules and CPU-seconds."""

    failure: str
    schedules: int
    cpu_s: float


def find(one: Planted, start: int, most: int = 20_000) -> Found | None:
    """Sweep generated scenarios from seed `start` until one fails on the row's property.

    Returns: how it was found; None if it was not within `most` schedules.
    """
    generator = replace(GENERATOR, variants={name_of(one.rules): one.rules})
    schedules, before, seed = 0, time.process_time(), start
    with one.mutant.alive() if one.mutant else nullcontext():
        while schedules < most:
            name = one.configurations[seed % len(one.configurations)]
            scenario = generator.make(seeded(seed), GENERATOR.configurations[name])
            seed += 1
            if one.broken not in scenario.properties:
                schedules += 1
                continue
            swept = sweep(replace(scenario, properties=(one.broken,)), PLAN)
            for failure, run in swept.failures.items():
                if one.is_found(run):
                    return Found(failure, schedules + swept.found_at[failure], time.process_time() - before)
            schedules += swept.schedules
    return None


def row(one: Planted, tries: int) -> str:
    """The row of a Markdown table: schedules and CPU-seconds over several tries."""
    hits = [each for number in range(tries) if (each := find(one, number * APART)) is not None]
    said = f"| {one.name} | {', '.join(sorted({each.failure for each in hits})) or one.broken} | {len(hits)} of {tries}"
    if not hits:
        return f"{said} | | |"
    schedules, cpu_s = [each.schedules for each in hits], [each.cpu_s for each in hits]
    return f"{said} | {median(schedules):,.0f} / {_high(schedules):,.0f} | {median(cpu_s):.2f} / {_high(cpu_s):.2f} |"


def _high(numbers: list[int] | list[float]) -> float:
    """The 95th percentile."""
    return quantiles(numbers, n=20, method="inclusive")[-1] if len(numbers) > 1 else numbers[0]


def main(names: list[str], tries: int = 5) -> None:
    """Write the table, each row as soon as it is known."""
    known_properties()
    _say("| planted | found as | found | schedules, median / 95th | CPU-s, median / 95th |")
    _say("| --- | --- | --- | --- | --- |")
    for one in planted():
        if not names or one.name in names:
            _say(row(one, tries))


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
