"""The page of the published formal model, recomputed: `python -m tests.search.iceberg.formal_page`, a CPU-minute."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sim.iceberg.study_formal import HEADS, NOTES, STUDY
from sim.search.study import Cell

PAGE = Path("docs/formal-iceberg.md")
HEAD = """# The formal model of Iceberg's commits, recomputed

Rows I1 to I10 of Vanlightly's FizzBee specification ("Understanding Apache Iceberg's consistency model", 2024),
searched by Lakeproof's own protocol code, every schedule of every row: `lakeproof study iceberg-formal` prints the
same. What is asked: the table can be read, its invariants hold (sequence numbers, dangling deletes), nothing refused
is seen, and what was acknowledged survives. A violation is `acknowledged-writes-survive`; it ends its row's search.

The published verdicts are of a run of that specification: two writers, one row id, three writes, or two writes and a
compaction. States and schedules are not the same in number, for steps differ: here a step is a load or a commit of the
catalog, and the insert, which is a write, is made before the race. This page is made by `make formal`.

"""


def page(rows: Sequence[Sequence[Cell]]) -> str:
    """The page, of the study's rows."""
    told = [line(HEADS), line(["---"] * len(HEADS)), *map(line, rows)]
    return HEAD + "\n".join([*told, "", *[f"* {note}" for note in NOTES], ""])


def line(cells: Sequence[Cell]) -> str:
    """A line of the table; numbers have their thousands apart."""
    return f"| {' | '.join([f'{cell:,}' if isinstance(cell, int) else str(cell) for cell in cells])} |"


if __name__ == "__main__":
    PAGE.write_text(page(STUDY.run(None).rows), encoding="utf-8")
