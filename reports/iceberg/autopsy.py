"""An autopsy as text: its findings, and the table's history as a small picture. Or as data, for machines."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from checkers.iceberg.autopsy.finding import WEIGHTS, Finding
from checkers.iceberg.autopsy.history import Row
from checkers.iceberg.autopsy.judge import Autopsy, autopsy
from checkers.iceberg.autopsy.words import named
from checkers.text import LINE_CHARACTERS, plain
from real_backend.iceberg.autopsy.find import at_path, in_catalog
from real_backend.iceberg.autopsy.read import Progress, read_table
from reports.autopsy import Told

MOST_OF_A_KIND = 5
LONGEST_HISTORY = 12


def examine(
    table: str, catalog: str | None, properties: Mapping[str, str], newest: int, whole: bool, progress: Progress
) -> Told:
    """Find, read and judge a table.

    Args: `table` is a path, or a name in `catalog`; `newest` is how many metadata files are read at most; `whole` asks
    for the whole history.
    Raises: NothingThere, NoTable.
    """
    place = at_path(table, properties) if catalog is None else in_catalog(catalog, table, properties)
    found = autopsy(read_table(place, newest, progress))
    history = history_lines(found.rows, None if whole else LONGEST_HISTORY)
    return Told(
        counts(found.findings), tuple(finding_lines(found.findings)), tuple(history), found.notes,
        as_data(table, found), lambda: _graph(found),
    )  # fmt: skip


def _graph(found: Autopsy) -> Any:
    from reports.iceberg.autopsy_graph import history_graph  # with networkx: only who asks for a graph waits for it

    return history_graph(found.rows)


def finding_lines(findings: Iterable[Finding]) -> Iterator[str]:
    """Every finding in five lines; of one kind a few, and how many there are."""
    for _, same in groupby(sorted(findings, key=_order), key=_order):
        several = list(same)
        for finding in several[:MOST_OF_A_KIND]:
            yield f"{finding.weight}: {finding.kind}: {finding.what}"
            yield f"  where     {finding.where}"
            yield f"  expected  {finding.expected}"
            yield f"  got       {finding.got}"
            yield f"  do        {finding.do}"
        if len(several) > MOST_OF_A_KIND:
            more = len(several) - MOST_OF_A_KIND
            yield f"{several[0].weight}: {several[0].kind}: and {more:,} more; --json lists all"


def _order(finding: Finding) -> tuple[int, str]:
    return list(WEIGHTS).index(finding.weight), finding.kind


def history_lines(rows: tuple[Row, ...], most: int | None) -> Iterator[str]:
    """A line a version: `*` on the table's line, and a branch to the right for what is off it.

    Args: `most` is how many of the newest are shown; None: all.
    """
    left_out = 0 if most is None else max(0, len(rows) - most)
    if left_out:
        yield f"  ... {left_out:,} older versions; --history shows all"
    beside = ""
    for row in rows[left_out:]:
        if row.on_line:
            mark = "*    "
        elif row.parent is None:
            mark = "   o "
        else:
            if row.parent != beside:
                yield "  |\\"
            mark = "| o  "
        beside = "" if row.on_line else row.file
        became = f"  [{row.became}]" if row.became else ""
        words = ", ".join(row.did)
        yield plain(f"  {mark}{named(row.file)}  {row.time}  {words}{became}".rstrip(), LINE_CHARACTERS)


def as_data(table: str, found: Autopsy) -> dict[str, Any]:
    """The whole autopsy as JSON has it."""
    return {
        "table": plain(table, 1_000),
        "findings": [finding._asdict() for finding in found.findings],
        "history": [row._asdict() for row in found.rows],
        "notes": list(found.notes),
    }


def counts(findings: Iterable[Finding]) -> str:
    """How many findings there are of each weight: "2 loss, 1 leftover"."""
    weights = [finding.weight for finding in findings]
    return ", ".join(f"{weights.count(weight):,} {weight}" for weight in WEIGHTS if weight in weights)
