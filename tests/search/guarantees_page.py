"""The page of what each cache of a metastore guarantees: every cell searched, kept, then told in tables.

    python -m tests.search.guarantees_page            go on with every cell, the shortest first, then docs/guarantees.md
    python -m tests.search.guarantees_page 20000      the same until each has so many schedules

Cells are kept in docs/guarantees/cells.json, and what breaks them beside it, a schedule each: an interruption loses
little. To start anew, delete them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from lakeproof.protocols import known_properties
from tests.search.guarantees import ASKED, CACHES, KINDS, OF_ALL, OF_LISTS, Cache, Cell, asked_of, begun, look, short

FOLDER, PAGE = Path("docs/guarantees"), Path("docs/guarantees.md")
CELLS = FOLDER / "cells.json"
SCHEDULES, AT_ONCE, LEAST = 100_000, 2_500, 2_500
"""In how many each guarantee that holds is judged; how many are run before a cell is kept; without how many the page is
not to be believed."""
HEAD = f"""# What the caches of a metastore guarantee

Each cache that there is in `model/hive`, and each guarantee that one could ask of it: the smallest schedule found that
breaks it, or over how many generated schedules nothing did: at least {SCHEDULES:,} of each cache and kind of tables,
and more where convergence holds, which is not asked of every scenario. Statements (two to four sessions, one to three
transactions each), tables, partitions, warm, cold and lagging metastores, steps and up to two faults are drawn, and now
and then evictions, restarts, lists of what may be cached, locks and updates under them, transactions that time out,
renamed partitions, statistics, and history that is cleaned, of later seeds also sets of locks, tables that are renamed
under locks, statistics of partitions and aggregates of them, databases that get other names, and, since the first
60,000 schedules or so, truncates, primary keys, statistics that are deleted, inserts beside history that is cleaned,
and, of the last 30,000 or so, databases that get other names while their tables are locked; there are two metastores,
clients send lists of valid write ids, and events get their ids in order (HIVE-16886 aside).
Every guarantee is asked of every scenario until it breaks; convergence, of those in which the update threads come to
their end. Where all are broken nothing is left to ask, and no more schedules are run.

A guarantee that is about lists is not asked of external tables (-), whose readers have none; nor convergence where
nothing is cached. `lakeproof replay` plays a schedule and tells it.

This page is made by `make guarantees`.
"""


def main(words: Sequence[str]) -> None:
    """Go on with what is kept until every cell has its schedules, and write the page."""
    known_properties()
    FOLDER.mkdir(parents=True, exist_ok=True)
    wanted = int(words[0]) if words else SCHEDULES
    while True:
        cells = {(cache.name, kind): begun(cache, kind) for cache in CACHES.values() for kind in KINDS} | kept()
        unfinished = [cell for cell in cells.values() if short(cell, wanted)]
        if not unfinished:
            break
        cell = min(unfinished, key=lambda cell: cell.schedules)
        look(cell, wanted, AT_ONCE)
        keep(cell)
    PAGE.write_text(page(list(kept().values())), encoding="utf-8")


def kept(path: Path = CELLS) -> dict[tuple[str, str], Cell]:
    """The cells in a file, in the order of the caches."""
    read = [Cell(**row) for row in json.loads(path.read_text(encoding="utf-8"))] if path.exists() else []
    cells = {(cell.cache, cell.kind): cell for cell in read}
    return {(cache, kind): cells[cache, kind] for cache in CACHES for kind in KINDS if (cache, kind) in cells}


def keep(cell: Cell) -> None:
    """Add a cell, and the schedules that break it."""
    for name, text in cell.broken.items():
        if "\n" in text:  # not kept yet
            path_of(cell, name).write_text(text, encoding="utf-8")
    cell.broken = {name: path_of(cell, name).name for name in cell.broken}
    cells = {**kept(), (cell.cache, cell.kind): cell}
    rows = [asdict(cells[cache, kind]) for cache in CACHES for kind in KINDS if (cache, kind) in cells]
    CELLS.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def path_of(cell: Cell, name: str) -> Path:
    """Where the schedule is that breaks a property."""
    return FOLDER / f"{cell.cache}-{cell.kind}-{name}.txt"


# -- in words --------------------------------------------------------------------------------------------------------


def page(cells: Sequence[Cell]) -> str:
    """The page, from its cells."""
    known = {(cell.cache, cell.kind): cell for cell in cells}
    parts = [HEAD, "\n## In short\n\n", *matrix(cells)]
    for cache in CACHES.values():
        parts += [f"\n## {cache.title}\n\n", *_runs(cache, known)]
        parts += ["\n| guarantee | managed tables | external tables |\n| --- | --- | --- |\n"]
        parts += [_row(cache, name, words, known) for name, words in (OF_ALL | OF_LISTS).items()]
    return "".join(parts)


def matrix(cells: Iterable[Cell]) -> list[str]:
    """The lines of a table with a row for each guarantee and a column for each cache: managed, then external tables."""
    known = {(cell.cache, cell.kind): cell for cell in cells}
    lines = [f"| guarantee | {' | '.join(CACHES)} |\n", f"| --- |{' --- |' * len(CACHES)}\n"]
    for name in OF_ALL | OF_LISTS:
        told = [", ".join([_short(cache, kind, name, known) for kind in KINDS]) for cache in CACHES.values()]
        lines.append(f"| {name} | {' | '.join(told)} |\n")
    return lines


def _short(cache: Cache, kind: str, name: str, known: dict[tuple[str, str], Cell]) -> str:
    if name not in asked_of(cache, kind):
        return "-"
    return "holds" if name in known[cache.name, kind].held else "**broken**"


def _runs(cache: Cache, known: dict[tuple[str, str], Cell]) -> Iterator[str]:
    for kind in KINDS:
        cell = known[cache.name, kind]
        yield (
            f"{kind.capitalize()} tables: {cell.schedules:,} schedules of {cell.scenarios:,} scenarios, "
            f"{cell.several:,} with two writers or more; {cell.hits:,} reads were served from a cache.\n"
        )


def _row(cache: Cache, name: str, words: str, known: dict[tuple[str, str], Cell]) -> str:
    told = [_told(known[cache.name, kind], name) if name in asked_of(cache, kind) else "-" for kind in ASKED]
    return f"| {name}: {words} | {' | '.join(told)} |\n"


def _told(cell: Cell, name: str) -> str:
    if name in cell.held:
        return f"holds over {cell.held[name]:,} schedules"
    return f"**broken**: `lakeproof replay {path_of(cell, name).as_posix()}`"


if __name__ == "__main__":
    main(sys.argv[1:])
