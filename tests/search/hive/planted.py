"""How long the generator takes to find what was planted: every mutant of the cache, and the shipped cache's findings.

    python -m tests.search.hive.planted            the whole table
    python -m tests.search.hive.planted M1 M2      some rows of it

Each is looked for from several seeds, in scenarios that were not made for it: of its rules and of every configuration
in turn, until a run fails. The reference fails in none of them, so it is the mutant that was found.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from statistics import median, quantiles

from lakeproof.protocols import known_properties
from model.hive.rules import SHIPPED, VARIANTS
from sim.generation.draws import seeded
from sim.generation.generator import Generator
from sim.generation.sweep import Plan, sweep
from sim.hive.generate import GENERATOR, Given
from sim.hive.promises import CACHED_STORE, DOCUMENT
from tests.mutants.hive import MUTANTS
from tests.mutants.hive_races import KILLS
from tests.mutants.mutant import Mutant

PLAN = Plan(first=16, most=32)
APART = 1_000_000
"""How far the seeds of one try are from those of the next."""
WHERE = {
    "M29": ("external", "both"),
    "M30": ("external", "both"),
    "M31": ("short-log",),
    "M36": ("old-clients",),
    "M37-reversed": ("conflicts-at-commit",),
    "no-conflict-event": ("conflicts-at-commit",),
}
"""The configurations that a row is looked for in, where it needs one."""
BROKEN = {kill.mutant: kill.broken for kill in KILLS}


@dataclass(frozen=True, slots=True)
class Planted:
    """Something to be found. Args: `given` are the rules; `configurations` those to look in; `broken` the property
    that its row names ("": any)."""

    name: str
    why: str
    given: Given
    mutant: Mutant | None = None
    broken: str = ""

    @property
    def configurations(self) -> tuple[str, ...]:
        """Those of `WHERE`; else all that have a cache."""
        return WHERE.get(self.name) or tuple([name for name in GENERATOR.configurations if "no-cache" not in name])

    @property
    def generator(self) -> Generator:
        """The generator of these rules alone."""
        return replace(GENERATOR, variants={"planted": self.given})


@dataclass(frozen=True, slots=True)
class Found:
    """How it was found: the failure, after how many schedules and CPU-seconds."""

    failure: str
    schedules: int
    cpu_s: float


def planted() -> Iterator[Planted]:
    """Every mutant; then every variant of the reference that is known to break something, and the shipped cache."""
    for mutant in MUTANTS:
        yield Planted(mutant.name, mutant.why, Given(mutant.base, DOCUMENT), mutant, BROKEN[mutant.name])
    for name in ("document-comparison", "document-prewarm", "document-outdated-list", "document-unless",
                 "no-conflict-event", "no-atomic-rename"):  # fmt: skip
        yield Planted(name, "the reference with one rule of the document, or of 4.0", Given(VARIANTS[name], DOCUMENT))
    for broken in ("acknowledged-writes-survive", "monotonic-reads-per-replica", "convergence"):
        yield Planted(f"shipped: {broken}", "CachedStore 4.0.1", Given(SHIPPED, CACHED_STORE), None, broken)
    for broken in ("read-your-writes", "right-incarnation", "freshness", "all-or-nothing"):
        yield Planted(f"shipped: {broken}", "against the document", Given(SHIPPED, DOCUMENT), None, broken)


def find(one: Planted, start: int, most: int, *, any_property: bool = False) -> Found | None:
    """Sweep generated scenarios until one fails on the row's property.

    Args: `start` is the first seed; `most` how many schedules may be run; `any_property`: any failure will do.

    Returns: how it was found; None if it was not.
    """
    generator, schedules, before = one.generator, 0, time.process_time()
    seed = start
    while schedules < most:
        name = one.configurations[seed % len(one.configurations)]
        scenario = generator.make(seeded(seed), GENERATOR.configurations[name])
        if one.broken and not any_property:
            scenario = replace(scenario, properties=tuple([each for each in scenario.properties if each == one.broken]))
        seed += 1
        if not scenario.properties:
            continue
        swept = sweep(scenario, PLAN)
        if swept.failures:
            failure = min(swept.failures, key=lambda key: swept.found_at[key])
            return Found(failure, schedules + swept.found_at[failure], time.process_time() - before)
        schedules += swept.schedules
    return None


def row(one: Planted, tries: int, most: int) -> str:
    """The row of a Markdown table: schedules and CPU-seconds over several tries."""
    found = []
    for number in range(tries):
        if one.mutant is None:
            found.append(find(one, number * APART, most))
        else:
            with one.mutant.alive():
                found.append(find(one, number * APART, most))
    hits = [each for each in found if each is not None]
    if not hits:
        return f"| {one.name} | {one.why} | {one.broken or 'any'} | 0 of {tries} | | |"
    schedules, cpu_s = [each.schedules for each in hits], [each.cpu_s for each in hits]
    keys = ", ".join(sorted({each.failure for each in hits}))
    counts = f"{median(schedules):,.0f} / {_high(schedules):,.0f}"
    return (
        f"| {one.name} | {one.why} | {keys} | {len(hits)} of {tries} | {counts}"
        f" | {median(cpu_s):.1f} / {_high(cpu_s):.1f} |"
    )


def _high(numbers: list[int] | list[float]) -> float:
    """The 95th percentile."""
    return quantiles(numbers, n=20, method="inclusive")[-1] if len(numbers) > 1 else numbers[0]


def main(names: list[str], tries: int = 5, most: int = 20_000) -> None:
    """Print the table, each row as soon as it is known."""
    known_properties()
    _say("| planted | what is wrong | found as | found | schedules, median / 95th | CPU-s, median / 95th |")
    _say("| --- | --- | --- | --- | --- | --- |")
    for one in planted():
        if not names or one.name in names:
            _say(row(one, tries, most))


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
