"""The page of early detection: `python -m tests.search.hudi.detection_page`, some eight CPU-minutes."""

from __future__ import annotations

from pathlib import Path

from sim.hudi.study_detection import HEADS, NOTES, STUDY
from tests.search.formal import page

PAGE = Path("docs/early-detection.md")
HEAD = """# Early conflict detection of Hudi, strategy by strategy

RFC-56's five strategies, two of which Hudi never shipped, under the rules that are named (`model.hudi.variants`: what
1.2.0 ships, what the document says, repairs), with check of commits or without; `lakeproof study hudi-detection` prints
the same. All is simulated. A scenario beside a violation shows it in its simplest form; those of shipped rules are
replayed on Hudi 1.2.0 where a gate can do it (tests/live/hudi). What is asked of each:

* **loses no conflict**: with the strategy that prefers writers, two writers in conflict never both commit: what is not
  found early is found before the commit.
* **changes no verdict**: of two writers, every property of safety breaks in the same ways as without detection, under
  that strategy and under the default one: nothing of one file group in these steps, and a new key of both is there
  twice (`hudi/same-new-key`). An older instant is lost with detection as without it (`hudi/older-instant`), which takes
  finer steps: tests/search/hudi/test_detection.py asks that of the document's rules.
* **sound**: who is refused early is refused for a writer with a smaller instant that is at work on that file group, or
  has committed since (`sound-early-aborts`).
* **prompt**: with direct markers, who begins to look notices the marker of a smaller living instant
  (`made-markers-noticed`); transactions miss no conflict (`early-conflicts-noticed`); with check of commits a commit
  that was there is noticed, too (`visible-conflicts-found-early`). A pass of a timeline server finds what it could
  have seen (`prompt-early-aborts`).
* **somebody finishes**: two writers do not stop each other: of those in conflict one commits.

That the tries of one writer stop each other while a heartbeat is fresh is `hudi/retry-too-soon`. Strategies of direct
markers cannot be had with those of the timeline server, nor the other way round: Hudi replaces them, here they are
refused. This page is made by `make detection`.

"""


if __name__ == "__main__":
    PAGE.write_text(page(HEAD, HEADS, STUDY.run(None).rows, NOTES), encoding="utf-8")
