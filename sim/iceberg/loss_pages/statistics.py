"""The losses of Iceberg 1.11.0 that have to do with statistics files, as their pages tell them."""

from __future__ import annotations

from sim.iceberg.defects import DEFECTS
from sim.search.loss import Loss, Upstream, named

FOUND = "tests/live/iceberg/test_found_schedules.py::test_found_violation_is_real"
VECTORS = "tests/live/iceberg/test_layout.py::test_java_answers_and_leaves_what_the_vector_says"
RACES = "tests/live/iceberg/test_layout.py::test_model_and_java_agree_on_every_interleaving"
NEAREST = (
    (
        "apache/iceberg#6090",
        "how an expiry came to delete them; its review asks whether they are shared (merged)",
    ),
    ("apache/iceberg-cpp#592", "its review: files deleted that the table still names, in C++ (merged)"),
    ("apache/iceberg-go#882", "statistics files that no expiry deleted, in Go (merged)"),
)
SEARCHED = (
    "iceberg statistics file for expired snapshot dangling setStatistics snapshot does not exist never removed",
    "iceberg expire_snapshots statistics files not deleted orphan compute_table_stats concurrent",
)

STATISTICS_LOSSES: tuple[Loss, ...] = (
    Loss(
        "An expiry deletes a statistics file that was set for another snapshot",
        named(DEFECTS, "iceberg/statistics-again-expire"),
        "Any catalog, also REST. `updateStatistics` (or the same of partitions) with a file that an older snapshot has "
        "already, as a compaction may do it, which changes no row; and `expireSnapshots`, which deletes files.",
        "Rare: the file has to be set after the expiry has loaded the table the last time, before or while it deletes, "
        "or later, by who had loaded the table before. No fault, no error. Nobody who reads rows opens the file: who "
        "copies the table, or reads its sketches, does.",
        "Write a file of its own for each snapshot, as Spark's `compute_table_stats` does "
        "(`iceberg/statistics-anew-expire`). Afterwards: remove the entry (`removeStatistics`), and compute it anew.",
        (
            f"{FOUND}[iceberg/statistics-again-expire]",
            f"{VECTORS}[file-named-again-after-its-expiry]",
            f"{RACES}[statistics named again, an expiry]",
        ),
        Upstream("", NEAREST, SEARCHED, "2026-11-26"),
        "The files that go are those that the table named before the expiry and does not after it "
        "(`expiredStatisticsFilesLocations`); an update of statistics asks for nothing, over REST either. That the "
        "file is gone is seen live among what is left of a run.",
    ),
    Loss(
        "Statistics of an expired snapshot stay for good",
        named(DEFECTS, "iceberg/statistics-expire"),
        "Any catalog, also REST. `updateStatistics` for a snapshot, as Spark's `compute_table_stats` and "
        "`compute_partition_stats` do when they have read it, and an expiry of that snapshot meanwhile.",
        "Likely where statistics are computed of snapshots that are about to expire, for that takes as long as reading "
        "them. No fault, no error; nothing is lost, but no expiry removes the entry or deletes its file, as both go by "
        "the snapshots that the table has, and the removal of orphans spares what the table names. Statistics of "
        "partitions are refused beside any other commit, but over REST, and leave their file, too.",
        "Compute statistics of the head alone (`iceberg/statistics-head-expire`), and not while snapshots expire. "
        "Afterwards: `removeStatistics` for each snapshot that the table does not have, and remove orphans.",
        (
            f"{FOUND}[iceberg/statistics-expire]",
            f"{VECTORS}[statistics-of-what-has-expired]",
            f"{RACES}[statistics, an expiry, over REST]",
        ),
        Upstream("", NEAREST, SEARCHED, "2026-11-26"),
        "`TableMetadata.Builder.setStatistics` does not ask whether the table has the snapshot.",
    ),
)
