"""What cleaning on Hudi 1.2.0 loses, for people; see `sim.hudi.losses`."""

from __future__ import annotations

from sim.hudi.defects import DEFECTS
from sim.search.loss import Loss, Upstream, named

CLEANING_LOSSES: tuple[Loss, ...] = (
    Loss(
        "Cleaning deletes a partition with the rows that were inserted meanwhile",
        named(DEFECTS, "hudi/clean-partition"),
        "Any concurrency control, lock provider and conflict strategy: cleaning looks at none of them. A partition "
        "that was deleted (`delete_partition`), or whose file groups were all taken out otherwise, and a table that is "
        "cleaned, which is the default after each commit (`hoodie.clean.automatic`), once more commits have followed "
        "than are retained (`hoodie.clean.commits.retained`, 10).",
        "It takes a partition that is emptied and used again. Where several clients write, an insert into it between "
        "the plan of a clean and the end of its deletions is enough: of seconds to minutes. Where one job writes and "
        "cleans it is rare: a clean that was planned, and whose client died, is carried out by the next one, however "
        "much later. The data files are gone; no error is told, then or later.",
        "No insert into a partition that was deleted until a clean has deleted its folder; or nobody cleans but the "
        "one job that writes, and it looks for a pending clean (`*.clean.requested`, `*.clean.inflight`) after each "
        "failure.",
        (
            "tests/live/hudi/test_cleaning_races.py::test_found_schedule_does_the_same_to_the_real_hudi",
            "tests/live/hudi/test_cleaning.py::test_what_cleaning_leaves[1: d1 u2 plan i1 clean]",
        ),
        Upstream(
            "apache/hudi#11600",
            (("apache/hudi#8506", "a deleted partition is cleaned by the policy, not at once (merged)"),),
            (
                "hudi cleaner deletes partition concurrent insert partitionsToBeDeleted data loss clean plan "
                "delete_partition",
            ),
            "2026-11-23",
        ),
        "The report upstream is of an insert that had begun before the plan; it was closed and not merged. An insert "
        "that begins after the plan is lost in the same way.",
    ),
)
