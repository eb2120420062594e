"""The page of the published formal model, recomputed: `python -m tests.search.iceberg.formal_page`, a CPU-minute."""

from __future__ import annotations

from pathlib import Path

from sim.iceberg.study_formal import HEADS, NOTES, STUDY
from tests.search.formal import page

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


if __name__ == "__main__":
    PAGE.write_text(page(HEAD, HEADS, STUDY.run(None).rows, NOTES), encoding="utf-8")
