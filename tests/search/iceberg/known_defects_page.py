"""The page of known defects: each looked for once, kept as it comes, then told in two tables.

    python -m tests.search.iceberg.known_defects_page                every row that is not kept yet, then the page
    python -m tests.search.iceberg.known_defects_page NAME...        these rows anew, then the page

Tries are kept in docs/known-defects/iceberg.jsonl: an interruption loses one. To start anew, delete it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from lakeproof.protocols import known_properties
from sim.generation.draws import replayed
from sim.generation.sweep import sweep
from tests.search.iceberg.known_defects import (
    CODE,
    JAVA_ROWS,
    NOT_EXPRESSED,
    PYTHON_ROWS,
    Row,
    planted_of,
    rows,
)  # fmt: skip
from tests.search.planted import MOST_CPU_S, MOST_SCHEDULES, PLAN, Found, Planted, find

KEPT, PAGE = Path("docs/known-defects/iceberg.jsonl"), Path("docs/known-defects/iceberg.md")
HEAD = f"""# Known defects of Iceberg, found without a scenario of their own

What issues tell of, and what was found here: the old bug is put back into the model, or into PyIceberg's own code
(a mutant), or the shipped software has it still. A row pins a configuration; statements, tables, faults and schedules
are drawn until a scenario fails in a way in which it does not fail with the fix, or for {MOST_SCHEDULES:,} schedules,
or {MOST_CPU_S:.0f} seconds of CPU time. The fix holds: the scenario that shows the defect, swept again with the fix, by
as many schedules as are said, does not break that property so. CPU time is measured, and includes drawing and checking;
everything else is the same each time. This page is made by `make known-defects`.
"""


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of a row. Args: `found`: None, if nothing did; `fixed`: how many schedules the fix has held for (None:
    there is no fix)."""

    found: Found | None
    fixed: int | None


def main(words: Sequence[str]) -> None:
    """Look for what is named, or for what is not kept yet, and write the page."""
    known_properties()
    have = kept(KEPT)
    for row in rows():
        if row.planted in words or (not words and row.planted not in have):
            have[row.planted] = tried(row)
            _keep(have)
    PAGE.write_text(page(have), encoding="utf-8")


def tried(row: Row) -> Tried:
    """Look for a row's defect, and then for the same failure with the fix."""
    one = planted_of(row)
    found = find(one, 0)
    return Tried(found, _fixed(row, one, found))


def _fixed(row: Row, one: Planted, found: Found | None) -> int | None:
    """How many schedules of the scenario hold with the fix; none, if one of them fails in the same way."""
    if found is None or not row.fix:
        return None
    scenario = one.scenario(found.scenarios - 1)
    assert scenario is not None
    if row.fix != CODE:
        repaired = one.generator.make(replayed(scenario.name.rpartition("/")[2]), rules=row.fix)
        scenario = replace(repaired, properties=scenario.properties)
    swept = sweep(scenario, PLAN)
    return 0 if found.failure in swept.failures else swept.schedules


def kept(path: Path) -> dict[str, Tried]:
    """What is kept, by the row's name."""
    found: dict[str, Tried] = {}
    for text in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        line = json.loads(text)
        found[line["planted"]] = Tried(Found(**line["found"]) if line["found"] else None, line["fixed"])
    return found


def _keep(have: Mapping[str, Tried]) -> None:
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps({"planted": row.planted, **asdict(have[row.planted])}) for row in rows() if row.planted in have]
    KEPT.write_text("\n".join(lines) + "\n", encoding="utf-8")


# -- in words --------------------------------------------------------------------------------------------------------


def page(have: Mapping[str, Tried]) -> str:
    """The page, of what is kept."""
    return "".join([HEAD, *_table("Iceberg 1.11.0, Java", JAVA_ROWS, have), *_table("PyIceberg", PYTHON_ROWS, have),
                    *_not_expressed()])  # fmt: skip


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
    fix = f"{row.fix}, {holds}" if row.fix else "none is known"
    found = seen.found
    return f"{start} {found.failure} | {found.schedules:,} | {found.cpu_s:.2f} | {fix} |\n"


def _not_expressed() -> Iterator[str]:
    yield "\n## What cannot be expressed\n\n| issue | why |\n| --- | --- |\n"
    yield from (f"| {name} | {why} |\n" for name, why in NOT_EXPRESSED.items())


if __name__ == "__main__":
    main(sys.argv[1:])
