"""The page of what was planted: each row looked for several times, kept as it comes, then told in tables.

    python -m tests.search.planted_page                 every try that is not kept yet, then docs/planted.md
    python -m tests.search.planted_page hive M1 M2      some rows, said and not kept

Tries are kept in runs/planted.jsonl: an interruption loses one. To start anew, delete it. First all rows are looked for
once, then once more, and so on; at last, what no try found is looked for far beyond the limits.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from statistics import median, quantiles

from lakeproof.protocols import known_properties
from tests.search.planted import MOST_CPU_S, MOST_SCHEDULES, Found, Planted, find
from tests.search.planted_agreement import find_difference, is_compared

PROTOCOLS = {"iceberg": "Iceberg", "hudi": "Hudi", "hive": "Hive Metastore"}
TRIES = 3
FAR_SCHEDULES, FAR_CPU_S = 100_000, 120.0
KEPT, PAGE = Path("runs/planted.jsonl"), Path("docs/planted.md")
Tries = Mapping[tuple[str, str], Sequence[Found | None]]
"""What each try of a row has found, by protocol and name."""
Far = Mapping[tuple[str, str], Found | None]
"""The same of one search beyond the limits, for rows that no try found."""
HEAD = f"""# Planted defects

What the generators find without a scenario made for it: every mutant of the models (a rule left out or bent, each of
which some test of its own kills), and every known finding about shipped software. A row pins a configuration, and the
property that its defect breaks; statements, tables, faults and schedules are drawn. Each is looked for {TRIES} times,
from seeds of its own, until it is found, or for {MOST_SCHEDULES:,} schedules, or {MOST_CPU_S:.0f} seconds of CPU time.
Rows with one or two tries have had no more since what is drawn of their protocol has changed.
A mutant is found when a scenario fails in a way in which it does not fail without the mutant; a known finding, when it
explains a failure; what nobody promises is asked of some, and some are told from others by what has happened. A mutant
that breaks no promise is compared with the model: it is found when a drawn schedule goes otherwise than without it
(`agreement/...`: in what is answered, in what is left, or only in the calls that are made).
CPU time is measured, and includes drawing and checking; everything else is the same each time.
What no try found was looked for once more, for {FAR_SCHEDULES:,} schedules or {FAR_CPU_S:.0f} seconds, where its row
says what came of it.

This page is made by `make planted`. In a column of two figures, the first is the median, the second the 95th
percentile; a try that did not find counts as infinite. In the first table they are of the rows' medians.
"""


def rows_of(protocol: str) -> list[Planted]:
    """Every row of a protocol, in order."""
    rows: Iterator[Planted] = import_module(f"tests.search.{protocol}.planted").planted()
    return list(rows)


def main(words: Sequence[str]) -> None:
    """Look for what is named, or for everything and write the page."""
    known_properties()
    if words:
        for one in rows_of(words[0]):
            if one.name in words[1:] or not words[1:]:
                sys.stdout.write(row(one, [look_for(one, number) for number in range(TRIES)] if is_asked(one) else []))
                sys.stdout.flush()
        return
    look_for_all(KEPT)
    PAGE.write_text(page(kept(KEPT), kept_far(KEPT)), encoding="utf-8")


def is_asked(one: Planted) -> bool:
    """Whether a row is looked for at all."""
    return not one.missing or is_compared(one)


def look_for(one: Planted, number: int, most: int = MOST_SCHEDULES, cpu_s: float = MOST_CPU_S) -> Found | None:
    """One try of a row: by its property, or by comparison."""
    return (find_difference if is_compared(one) else find)(one, number, most, cpu_s)


def look_for_all(path: Path) -> None:
    """Run every try that the file does not have, and add it there at once."""
    path.parent.mkdir(parents=True, exist_ok=True)
    have = kept(path)
    rows = [(protocol, one) for protocol in PROTOCOLS for one in rows_of(protocol) if is_asked(one)]
    for number in range(TRIES):
        for protocol, one in rows:
            if number < len(have.get((protocol, one.name), ())):
                continue
            _keep(path, protocol, one, look_for(one, number), far=False)
    tries, far = kept(path), kept_far(path)
    for protocol, one in rows:
        if not any(tries[protocol, one.name]) and (protocol, one.name) not in far:
            _keep(path, protocol, one, look_for(one, 0, FAR_SCHEDULES, FAR_CPU_S), far=True)


def _keep(path: Path, protocol: str, one: Planted, found: Found | None, far: bool) -> None:
    line = {"protocol": protocol, "name": one.name, "found": asdict(found) if found else None, "far": far}
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def kept(path: Path) -> Tries:
    """The tries in a file."""
    tries: dict[tuple[str, str], list[Found | None]] = {}
    for named, found, far in _lines(path):
        if not far:
            tries.setdefault(named, []).append(found)
    return tries


def kept_far(path: Path) -> Far:
    """The searches beyond the limits in a file."""
    return {named: found for named, found, far in _lines(path) if far}


def _lines(path: Path) -> Iterator[tuple[tuple[str, str], Found | None, bool]]:
    for text in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        line = json.loads(text)
        found = Found(**line["found"]) if line["found"] else None
        yield (line["protocol"], line["name"]), found, line.get("far", False)


# -- in words --------------------------------------------------------------------------------------------------------


def page(tries: Tries, far: Far) -> str:
    """The page, from every row's tries, and from what was found beyond their limits."""
    parts = [HEAD, "\n| protocol | rows | found in every try | in some | in none | not tried yet | not looked for"
             " | schedules | CPU-s |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n"]  # fmt: skip
    rows = {protocol: rows_of(protocol) for protocol in PROTOCOLS}
    parts += [_sum(title, rows[protocol], protocol, tries) for protocol, title in PROTOCOLS.items()]
    for protocol, title in PROTOCOLS.items():
        parts.append(f"\n## {title}\n\n| planted | configurations | found as | found | schedules | CPU-s |\n")
        parts.append("| --- | --- | --- | ---: | ---: | ---: |\n")
        parts += [_row(one, protocol, tries, far) for one in rows[protocol]]
    return "".join(parts)


def _row(one: Planted, protocol: str, tries: Tries, far: Far) -> str:
    named = protocol, one.name
    beyond = _beyond(far[named]) if named in far else ""
    return row(one, tries.get(named, ()), beyond)


def _beyond(found: Found | None) -> str:
    """What a search beyond the limits has found."""
    if found is None:
        return "; nor beyond the limits"
    return f"; beyond the limits within {found.schedules:,} schedules, {found.cpu_s:.0f} CPU-s, as {found.failure}"


def row(one: Planted, tries: Sequence[Found | None], beyond: str = "") -> str:
    """The line of a defect. `beyond` says what was found beyond the limits, if no try found anything."""
    where = ", ".join(one.configurations) if len(one.configurations) < 6 else "all that have a cache"
    start = f"| {one.name} | {where} |"
    if not is_asked(one):
        return f"{start} not looked for; it would take {one.missing} | | | |\n"
    hits = [each for each in tries if each is not None]
    keys = ", ".join(sorted({each.failure for each in hits})) or (f"not found{beyond}" if tries else "not tried yet")
    keys += f"; for a promise to tell, it would take {one.missing}" if one.missing else ""
    return f"{start} {keys} | {len(hits)} of {len(tries)} | {_figures(tries)} |\n"


def _sum(title: str, rows: Sequence[Planted], protocol: str, tries: Tries) -> str:
    asked = [tries.get((protocol, one.name), ()) for one in rows if is_asked(one)]
    looked = [some for some in asked if some]
    hits = [sum(each is not None for each in some) for some in looked]
    every = sum(hit == len(some) for hit, some in zip(hits, looked, strict=True))
    later, never = len(asked) - len(looked), len(rows) - len(asked)
    counts = (len(rows), every, sum(map(bool, hits)) - every, hits.count(0), later, never)
    figures = [_numbers(some) for some in looked]
    typical = _told([median(schedules) for schedules, _ in figures], [median(cpu_s) for _, cpu_s in figures])
    return f"| {title} | {' | '.join(map(str, counts))} | {typical} |\n"


def _figures(tries: Sequence[Found | None]) -> str:
    return _told(*_numbers(tries))


def _numbers(tries: Sequence[Found | None]) -> tuple[list[float], list[float]]:
    """The schedules and the CPU-seconds of each try."""
    schedules = [float("inf") if each is None else each.schedules for each in tries]
    return schedules, [float("inf") if each is None else each.cpu_s for each in tries]


def _told(schedules: Iterable[float], cpu_s: Iterable[float]) -> str:
    return f"{_both(schedules, '{:,.0f}')} | {_both(cpu_s, '{:.2f}')}"


def _both(numbers: Iterable[float], form: str) -> str:
    """The median and the 95th percentile."""
    known = sorted(numbers)
    if not known:
        return ""
    high = quantiles(known, n=20, method="inclusive")[-1] if len(known) > 1 else known[0]
    return " / ".join(["-" if number != number or number == float("inf") else form.format(number)
                       for number in (median(known), high)])  # fmt: skip


if __name__ == "__main__":
    main(sys.argv[1:])
