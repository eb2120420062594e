"""Pages of known defects: a row for each, looked for once, kept as it comes, then told in tables."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from lakeproof.protocols import known_properties
from sim.generation.sweep import sweep
from tests.search.planted import MOST_CPU_S, MOST_SCHEDULES, PLAN, Found, Planted, find

NONE = "none found"
CODE = "the shipped rule"
"""What mends a mutant: the code as it is."""
HOW = f"""A row pins a configuration; statements, tables, faults and schedules
are drawn until a scenario fails in a way in which it does not fail with the fix, or for {MOST_SCHEDULES:,} schedules,
or {MOST_CPU_S:.0f} seconds of CPU time. The fix holds: the scenario that shows the defect, swept again with the fix, by
as many schedules as are said, does not break that property so. CPU time is measured, and includes drawing and checking;
everything else is the same each time."""


@dataclass(frozen=True, slots=True)
class Row:
    """A defect.

    Args: `id`, `issue`: the source's, and upstream's; `lost`: what of the table; `planted`: the mutant's name, or the
    known finding's; `fix`: what mends it: the shipped rule, or a named set of rules of the model, or "" (nothing
    does); `note`: how the model's form of it differs; `why_none`: why nothing mends it.
    """

    id: str
    issue: str
    lost: str
    planted: str
    fix: str = CODE
    note: str = ""
    why_none: str = "none is known"


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of a row. Args: `found`: None, if nothing did; `fixed`: how many schedules the fix has held for (None:
    there is no fix)."""

    found: Found | None
    fixed: int | None


@dataclass(frozen=True, slots=True)
class Book:
    """A page: its text before the tables, its tables by their titles, what cannot be expressed and why.

    Args: `kept`, `page`: where tries are kept, and where the page is; `planted_of` says what is looked for.
    """

    head: str
    tables: Mapping[str, tuple[Row, ...]]
    not_expressed: Mapping[str, str]
    planted_of: Callable[[Row], Planted]
    kept: Path
    page: Path

    @property
    def rows(self) -> tuple[Row, ...]:
        """All rows, table after table."""
        return tuple([row for some in self.tables.values() for row in some])

    def make(self, words: Sequence[str]) -> None:
        """Look for what is named, or for what is not kept yet, and write the page."""
        known_properties()
        have = self.tries()
        for row in self.rows:
            if row.planted in words or (not words and row.planted not in have):
                have[row.planted] = self.tried(row)
                self._keep(have)
        self.page.write_text(self.text(have), encoding="utf-8")

    def tried(self, row: Row) -> Tried:
        """Look for a row's defect, and then for the same failure with the fix."""
        one = self.planted_of(row)
        settings = one.generator.configurations[one.configurations[0]]
        found = find(one, 0, cpu_s=MOST_CPU_S * one.generator.slowness(settings))
        return Tried(found, _fixed(row, one, found))

    def tries(self) -> dict[str, Tried]:
        """What is kept, by the row's name."""
        found: dict[str, Tried] = {}
        for text in self.kept.read_text(encoding="utf-8").splitlines() if self.kept.exists() else ():
            line = json.loads(text)
            found[line["planted"]] = Tried(Found(**line["found"]) if line["found"] else None, line["fixed"])
        return found

    def _keep(self, have: Mapping[str, Tried]) -> None:
        self.kept.parent.mkdir(parents=True, exist_ok=True)
        names = [row.planted for row in self.rows if row.planted in have]
        lines = [json.dumps({"planted": name, **asdict(have[name])}) for name in names]
        self.kept.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def text(self, have: Mapping[str, Tried]) -> str:
        """The page, of what is kept."""
        tables = [line for title, some in self.tables.items() for line in _table(title, some, have)]
        why = [f"| {name} | {why} |\n" for name, why in self.not_expressed.items()]
        start = "\n## What cannot be expressed\n\n| issue | why |\n| --- | --- |\n"
        return "".join([self.head, *tables, start, *why])


def _fixed(row: Row, one: Planted, found: Found | None) -> int | None:
    """How many schedules of the scenario hold with the fix; none, if one of them fails in the same way."""
    if found is None or not row.fix:
        return None
    scenario = one.scenario(found.scenarios - 1)
    assert scenario is not None
    if one.repair is not None:
        swept = one.mended(scenario)
    else:
        swept = sweep(scenario if row.fix == CODE else one.under(scenario, row.fix), PLAN)
    run = swept.failures.get(found.failure)
    return swept.schedules if run is None or not one.shows(run) else 0


def _table(title: str, some: Sequence[Row], have: Mapping[str, Tried]) -> Iterator[str]:
    hits = [row for row in some if row.planted in have and have[row.planted].found]
    yield f"\n## {title}\n\n{len(some)} defects, {len(hits)} of them found.\n\n"
    yield "| id | upstream issue | what is lost | put back as | found as | schedules | CPU-s | fix holds |\n"
    yield "| --- | --- | --- | --- | --- | ---: | ---: | --- |\n"
    yield from (_line(row, have.get(row.planted)) for row in some)


def _line(row: Row, seen: Tried | None) -> str:
    name = f"{row.planted}: {row.note}" if row.note else row.planted
    start = f"| {row.id} | {row.issue} | {row.lost} | {name} |"
    if seen is None or seen.found is None:
        return f"{start} {'not tried yet' if seen is None else 'not found'} | | | |\n"
    holds = f"{seen.fixed} schedules" if seen.fixed else "but not in this scenario"
    fix = f"{row.fix}, {holds}" if row.fix else row.why_none
    found = seen.found
    return f"{start} {found.failure} | {found.schedules:,} | {found.cpu_s:.2f} | {fix} |\n"
