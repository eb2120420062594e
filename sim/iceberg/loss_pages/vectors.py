"""The losses of Iceberg 1.11.0 that have to do with deletion vectors, as their pages tell them."""

from __future__ import annotations

from sim.iceberg.defects import DEFECTS
from sim.search.loss import Loss, Upstream, named

FOUND = "tests/live/iceberg/test_found_schedules.py::test_found_violation_is_real"

VECTOR_LOSSES: tuple[Loss, ...] = (
    Loss(
        "An expiry deletes a file of deletion vectors that are in use",
        named(DEFECTS, "iceberg/expire-shared-vectors"),
        "Format 3, any catalog. A merge-on-read DELETE, UPDATE or MERGE that takes rows out of several data files: its "
        "task writes one Puffin file with a vector for each. Later one of these data files loses another row, so that "
        "its vector is written anew and the old one removed; the vectors beside it stay in use. When that commit has "
        "expired, an expiry by the Java API (`table.expireSnapshots()` as it is, which Flink's maintenance and other "
        "engines call) on a table with nothing but main deletes the file: the table cannot be read any more.",
        "Likely on any table of format 3 that is changed merge-on-read and expired so: no race, no fault, no error. "
        "Spark's procedure `expire_snapshots` finds out by itself what is in use, and deletes nothing of the kind.",
        "Expire by Spark's procedure; or with `cleanExpiredFiles(false)`, and remove orphan files; or keep a tag that "
        "main has left behind it: then what goes is told by what can be reached (`iceberg/expire-shared-vectors-tag`). "
        "What has been deleted comes back from a backup alone: without the vectors, deleted rows are there again.",
        (
            f"{FOUND}[iceberg/expire-shared-vectors]",
            "tests/live/iceberg/test_vectors_shared.py::test_an_expiry_deletes_the_file_of_a_vector_that_spark_needs",
        ),
        Upstream(
            "",
            (
                (
                    "apache/iceberg#17456",
                    "readers miss a `deletes.puffin` where snapshots expire; no cause (open)",
                ),
                ("apache/iceberg#17304", "the same rule deletes a file that a commit removed and added again (closed)"),
                ("apache/iceberg#17772", "the tests of expiry are to run on format 3, too (open)"),
                ("apache/iceberg#10982", "the same rule, and older snapshots that need the file (closed)"),
            ),
            (
                "expire snapshots deletes puffin file still referenced by live deletion vector "
                "IncrementalFileCleanup shared puffin file",
                "NotFoundException deletes.puffin after expireSnapshots format version 3",
            ),
            "2026-11-26",
        ),
        "`IncrementalFileCleanup.findFilesToDelete` deletes the location of every file that an expired commit has "
        "removed, and asks nobody whether something else of that location is in use: until format 3 a location was one "
        "file. `ReachableFileCleanup` compares locations, and Spark's action does. With what is in use left alone "
        "(`iceberg/expire-shared-vectors-kept`) nothing is lost.",
    ),
    Loss(
        "A refused delete leaves the deletion vectors that it has merged",
        named(DEFECTS, "iceberg/delete-apart-compact"),
        "Format 3, any catalog. A commit that is given several deletion vectors of one data file, as where an engine "
        "splits a file among its tasks and each writes one: 1.11.0 merges them into a new Puffin file. Somebody "
        "removes the data file, by a compaction, say, between the first attempt and the next.",
        "Rare: mostly one task writes all that is deleted from a data file, and the commit has to lose a race before "
        "it is refused. Nothing is lost, nobody reads the file; it costs its size. The vectors that were merged stay, "
        "too: they are the caller's, who may offer them again.",
        "Remove orphan files now and then. Where one task writes what is deleted from a data file, nothing is merged "
        "(`iceberg/delete-apart-compact-one-task`).",
        (
            f"{FOUND}[iceberg/delete-apart-compact]",
            "tests/live/iceberg/test_vectors.py::test_java_answers_as_the_model_does[merged-vectors-left-over]",
            "tests/live/iceberg/test_vectors_shared.py::test_vectors_of_two_tasks_are_merged",
        ),
        Upstream(
            "apache/iceberg#17307",
            (
                ("apache/iceberg#17309", "its repair, not merged (closed)"),
                ("apache/iceberg#15006", "how vectors came to be merged (merged)"),
            ),
            ("merged DV puffin file orphan not cleaned up failed commit mergeDVs",),
            "2026-11-28",
        ),
        "`MergingSnapshotProducer.cleanUncommitted` deletes the manifests of an attempt, and not the file that "
        "`mergeDVs` has written for it. The live replay agrees in steps and outcomes, and leaves the files alone; that "
        "the file stays on the real one is seen by the second test.",
    ),
)
