"""The page of the published formal model, recomputed: `python -m tests.search.hudi.formal_page`, some CPU-minutes."""

from __future__ import annotations

from pathlib import Path

from sim.hudi.study_formal import HEADS, NOTES, STUDY
from tests.search.formal import page

PAGE = Path("docs/formal-hudi.md")
HEAD = """# The formal model of Hudi's writers, recomputed

Rows H1 to H19 of Vanlightly's TLA+ specification ("Understanding Apache Hudi's consistency model", 2024) with two file
groups, searched by Lakeproof's own protocol code, every schedule of every row: `lakeproof study hudi-formal` prints
the same. What is asked: consistent reads are that nothing refused is seen, what was acknowledged survives, no update
is lost, and every write began from a snapshot; that no key is there twice is the second invariant. The rows of one
file group are those of `lakeproof study hudi-consistency`.

The published verdicts are of a run of that specification: two writers, two keys, two values, two file groups, three
operations, or four. States and schedules are not the same in number, for steps differ. What makes two writers safe is
the same in both: control, a check of new keys, and instants that cannot meet, or cannot overwrite each other.
Pessimistic control and the check of keys are the specification's; no release of Hudi has them
(`model.hudi.specified`). This page is made by `make formal`.

"""


if __name__ == "__main__":
    PAGE.write_text(page(HEAD, HEADS, STUDY.run(None).rows, NOTES), encoding="utf-8")
