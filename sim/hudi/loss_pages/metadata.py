"""The losses of Hudi 1.2.0 that come with its metadata table, as their pages tell them; see `sim.hudi.losses`."""

from __future__ import annotations

from sim.search.defect import Defect
from sim.search.loss import Loss, Upstream

TESTS = "tests/live/hudi/test_metadata.py"
RELEASE = "Hudi 1.2.0"
SINCE = "2026-11-25"
LISTING = (
    ("apache/hudi#4489", "a clean takes a deleted partition out of the metadata table (merged)"),
    ("apache/hudi#4896", "data that are missing with a metadata table, in 0.10 (closed)"),
    ("apache/hudi#11600", "a clean deletes the folder of a partition in which an insert is under way (closed)"),
)
GHOSTS = (
    ("apache/hudi#8604", "what a retried instant has left there is rolled back (merged)"),
    ("apache/hudi#4747", "files are not found with a metadata table, in 0.9 (closed)"),
)
DELETIONS = (
    ("apache/hudi#13384", "a clean takes the record of a deleted partition out of the metadata table (merged)"),
    ("apache/hudi#10913", "a file that was deleted twice is listed again (merged)"),
    ("apache/hudi#6804", "files of a table with a metadata table are not found (closed)"),
)
METADATA_LOSSES: tuple[Loss, ...] = (
    Loss(
        "Rows of a partition that was cleaned meanwhile are never listed",
        Defect(
            "hudi/metadata-partition",
            "acknowledged inserts: no reader is told of their file, which is there",
            "a partition that was deleted, and a clean of the table that is planned after the insert has begun; no "
            "fault, no error",
            RELEASE,
            ("hudi/metadata-partition-files-only",),
        ),
        "A metadata table (`hoodie.metadata.enable`, on by default); any concurrency control, lock provider and "
        "conflict strategy. A partition that was deleted (`delete_partition`), or whose file groups were all taken out "
        "otherwise, and a table that is cleaned, as by default after each commit (`hoodie.clean.automatic`), once more "
        "commits have followed than are retained (`hoodie.clean.commits.retained`, 10).",
        "It takes a partition that is emptied and used again. An insert that has begun before a clean, be it that it "
        "writes its first file and commits long after the clean is over, is enough: the metadata table merges what it "
        "is told in the order of instants, so the later word of the older instant does not count. Nothing is told. The "
        "next write there brings back the partition, but not the rows; a key that is upserted again is in two files "
        "then.",
        "Read with `hoodie.metadata.enable` false, which lists folders. Let Hudi delete the metadata table "
        "(`HoodieTableMetadataUtil.deleteMetadataTable`; not by hand: then no writer can begin): the next write makes "
        "it anew, from the files. No insert into a partition that was deleted until a clean has deleted its "
        "folder.",
        (
            f"{TESTS}::test_what_a_clean_has_taken_out_is_not_listed_any_more",
            "tests/unit/hudi/test_metadata_table.py::"
            "test_what_a_clean_takes_out_stays_out_for_writes_of_smaller_instants",
        ),
        Upstream(
            "",
            LISTING,
            (
                "metadata table partition deleted by cleaner then written again, partition missing from metadata table "
                "listing, data not visible",
            ),
            SINCE,
        ),
        "`HoodieTableMetadataUtil.convertMetadataToFilesPartitionRecords` writes a record that deletes the partition's "
        "one, and takes it from the list of all; log files of the metadata table are merged by their instants. It "
        "needs no gate: one thread that makes the calls of two clients in that order does it, too.",
    ),
    Loss(
        "A writer that was rolled back makes the table unreadable later",
        Defect(
            "hudi/metadata-archived",
            "the table: no reader and no writer of the file group gets past a file that is gone",
            "a writer that is rolled back while it is at work, and goes on to its commit, which is refused; commits "
            "enough to archive that time",
            RELEASE,
            ("hudi/metadata-refused-aware",),
        ),
        "A metadata table (`hoodie.metadata.enable`, on by default). With Hudi's defaults for one writer, by which who "
        "begins a write rolls back what is pending (`hoodie.clean.failed.writes.policy` EAGER), any second client is "
        "enough; where several write (LAZY), one whose process stands still for longer than its heartbeats live.",
        "A job that hangs and is started again, while the first one lives on, does it with the defaults. The one that "
        "was rolled back is told that its commit failed, and nothing else seems to be wrong, until archiving has "
        "passed its instant (`hoodie.keep.max.commits`, 30; it waits for a compaction of the metadata table, which "
        "comes after ten delta commits): then every read fails, and every upsert that meets the file group.",
        "Read with `hoodie.metadata.enable` false, and let Hudi delete the metadata table "
        "(`HoodieTableMetadataUtil.deleteMetadataTable`; not by hand: then no writer can begin): the next write makes "
        "it anew, from the files. Let nobody begin while another one may still be at work.",
        (
            f"{TESTS}::test_a_writer_that_goes_on_after_its_rollback_makes_the_table_unreadable",
            "tests/unit/hudi/test_metadata_table.py::test_a_commit_after_its_rollback_leaves_a_file_that_is_gone",
        ),
        Upstream(
            "",
            GHOSTS,
            (
                "metadata table deltacommit completed but data table commit failed, rolled back file still in metadata "
                "table FileNotFoundException",
            ),
            SINCE,
        ),
        "The commit writes to the metadata table first, and looks for its own inflight file when it makes the "
        "completed one. Delta commits whose instant the data table does not know count "
        "(`HoodieTableMetadataUtil.isValidInstant`), and nothing takes them back. Who had announced the delta commit "
        "when the rollback came, as upserts do when their commit begins, is stopped by that. In the simulation "
        "the metadata table is compacted after each delta commit, for archiving waits for that.",
    ),
    Loss(
        "A partition that is deleted and filled again makes the table unreadable",
        Defect(
            "hudi/metadata-compacted",
            "the table: no reader gets past a file that a clean has deleted",
            "a partition that was deleted and cleaned away, and into which rows come again before the next compaction "
            "of the metadata table; commits enough to archive the deletion; one writer, no fault",
            RELEASE,
            ("hudi/metadata-compacted-files-only",),
        ),
        "A metadata table (`hoodie.metadata.enable`, on by default) that has been compacted while the partition had "
        "files, as it is after ten delta commits (`hoodie.metadata.compact.max.delta.commits`); table version 8 or 9. "
        "Any concurrency control, one writer as well. A partition that was deleted (`delete_partition`), or whose file "
        "groups were all taken out otherwise, and a table that is cleaned and archived, as by default after "
        "each commit.",
        "With all settings as by default, one client does it, and nobody is told: daily partitions that are deleted "
        "and loaded anew are of this kind. It depends on how the services come to follow each other. In the "
        "simulation, a partition that is deleted by one of the fourth to fourteenth commits, and filled at once when "
        "it has been cleaned away, has its old files listed again in eight cases of eleven, until the deletion is "
        "archived (`hoodie.keep.max.commits`, 30), and from then on every read fails, and every upsert into the "
        "partition. So it was on 1.2.0 where the seventh and the tenth deleted it; where the fourth did, nothing was "
        "listed again. A clean would take them out once more, but none looks into a partition for a file group that "
        "is new.",
        "Read with `hoodie.metadata.enable` false, and let Hudi delete the metadata table "
        "(`HoodieTableMetadataUtil.deleteMetadataTable`; not by hand: then no writer can begin): the next write makes "
        "it anew, from the files. Load a partition anew by `insert_overwrite`, which leaves it filled.",
        (
            f"{TESTS}::test_a_partition_that_is_filled_again_makes_the_table_unreadable",
            f"{TESTS}::test_with_default_settings_a_partition_that_is_filled_again_makes_the_table_unreadable",
            f"{TESTS}::test_records_are_merged_as_the_vectors_say",
            "tests/unit/hudi/test_metadata_compactions.py::"
            "test_by_default_a_partition_that_is_filled_again_makes_the_table_unreadable",
        ),
        Upstream(
            "",
            DELETIONS,
            (
                "hudi table unreadable parquet does not exist after delete_partition and re-insert same partition, "
                "metadata table still lists deleted file, archived replacecommit",
                "HoodieMetadataPayload preCombine isDeletedRecord partition delete then add files resurrected base "
                "file log record merge",
            ),
            SINCE,
        ),
        "Log files are merged among themselves before they are merged with the base file that a compaction has "
        "written. `HoodieMetadataPayload.preCombine` returns the newer record alone if the older one deletes the key: "
        "of a deletion and what was written after it that is what was written, without a trace of the deletion, and "
        "`combineAndGetUpdateValue` adds it to all that the base file has. A clean that takes out a partition writes "
        "such a record (#13384).",
    ),
)
