"""Losses of what PyIceberg 0.12.0 alone has here, as their pages tell them."""

from __future__ import annotations

from sim.iceberg.defects import DEFECTS
from sim.iceberg.loss_pages.pyiceberg import LIVE, SQL_CATALOG
from sim.search.loss import Loss, Upstream, named

PYTHON_ALONE_LOSSES: tuple[Loss, ...] = (
    Loss(
        "PyIceberg's roll-back takes an acknowledged append with it if it tags the head first",
        named(DEFECTS, "pyiceberg/tag-roll-back-append"),
        "`table.manage_snapshots()` with two calls in a chain, of which one creates a tag or a branch and another one "
        "moves main: `create_tag(...).rollback_to_snapshot(...)`, or `.set_current_snapshot(...)`; the class's own "
        "words chain operations so. A transaction keeps one requirement of a kind (`Transaction._stage`), so the "
        "commit asserts that there is no such tag yet, and not where main is. Every catalog. In a table of format 1 a "
        "transaction that appends to another branch, and then to main, does the same to an append between; in format 2 "
        "its sequence numbers are too old then, which is an error.",
        "Rare: any commit within the time that the roll-back takes from its load to its own. No fault. Both are told "
        "of success.",
        "Two commits: the tag first, then the roll-back alone, which asserts main.",
        (
            f"{LIVE}::test_a_roll_back_that_tags_the_head_first_takes_an_append_with_it[True]",
            f"{LIVE}::test_a_transaction_of_two_branches_takes_an_append_with_it_in_format_1[1]",
        ),
        Upstream(
            "",
            (
                ("apache/iceberg-go#1786", "one assertion of each ref, where Go dropped all but one (merged)"),
                ("apache/iceberg-python#2871", "how roll-backs came to be chained behind tags (merged)"),
            ),
            ("pyiceberg transaction AssertRefSnapshotId requirement only once per type _stage create_tag rollback",),
        ),
        SQL_CATALOG,
    ),
    Loss(
        "PyIceberg's expiry removes a tag that was just created",
        named(DEFECTS, "pyiceberg/tag-expire"),
        "`table.maintenance.expire_snapshots()` while another process tags one of the snapshots that are expired. The "
        "commit of an expiry asserts the table's uuid alone, and a ref of a snapshot that goes is removed with it. "
        "Every catalog whose commits PyIceberg stages itself: SQL, Hive, Glue, DynamoDB.",
        "Rare: a tag within the time that an expiry takes from its load to its commit. No fault. Both are told of "
        "success, and who reads at the tag is told that there is none.",
        "Stop expiries while an old snapshot is tagged. A tag of main's head is safe. An older metadata file has the "
        "snapshot, whose files nobody has deleted yet.",
        (f"{LIVE}::test_an_expiry_removes_a_tag_that_was_created_meanwhile",),
        Upstream(
            "",
            (
                ("apache/iceberg-go#672", "the same race, for which Go asserts every ref since (merged)"),
                ("apache/iceberg-rust#1939", "a tag in the commit of its snapshot, so that no expiry is first (open)"),
            ),
            ("iceberg-python expire_snapshots concurrent tag removed AssertRefSnapshotId requirement missing",),
        ),
        SQL_CATALOG,
    ),
    Loss(
        "PyIceberg adds a file twice",
        named(DEFECTS, "pyiceberg/add-file-add-file"),
        "`Table.add_files` of one file by two processes, with its look for files that the table has "
        "(`check_duplicate_files`, the default): it looks before the commit, and an append that is tried again is "
        "validated against nothing. A job that was started twice, or a second one that takes over from one that is "
        "only slow, does so.",
        "Certain, sooner or later, where two add the same files at the same time. No fault.",
        "One process that adds a file, or `inspect.data_files()` afterwards for paths that are there twice.",
        (f"{LIVE}::test_two_that_add_one_file_add_it_twice",),
        Upstream(
            "",
            (
                ("apache/iceberg-python#998", "how the look for files that are there came (closed)"),
                ("apache/iceberg-python#3287", "the look as it is now (merged)"),
            ),
            ("pyiceberg add_files concurrent duplicate files check_duplicate_files race retry",),
        ),
        SQL_CATALOG,
    ),
    Loss(
        "PyIceberg overwrites a commit that came between a scan and a refresh",
        named(DEFECTS, "pyiceberg/change-refreshed"),
        "A program that reads a table, calls `refresh`, and then overwrites what it has read. What a commit is "
        "validated against begins at the snapshot of the table when it is written to, not at the one that was read, "
        "at any isolation level.",
        "Likely for such a program: any change of the same rows between its scan and its refresh. No fault.",
        "No `refresh` between; or a transaction that reads and writes: begin it first, and read the table by it.",
        (f"{LIVE}::test_a_refresh_between_a_scan_and_an_overwrite_hides_what_came_between[True]",),
        Upstream(
            "",
            (("apache/iceberg-python#3811", "how isolation levels and the window of commits came (merged)"),),
            ("pyiceberg overwrite after refresh lost update conflict window starting snapshot scan",),
        ),
        SQL_CATALOG,
    ),
    Loss(
        "PyIceberg lists files in a manifest of another partition spec",
        named(DEFECTS, "pyiceberg/append-evolve"),
        "Any write of rows that is tried again (`append`, `overwrite`, `upsert`, `dynamic_partition_overwrite`, "
        "`add_files`), with all defaults, on a table whose partition spec changed since its client loaded it. Each "
        "attempt writes its manifest by the table's default spec of then (`_SnapshotProducer._manifests`), and not by "
        "the one that its files were written by; nothing that an append requires is about the spec. The partition "
        "values stay what they were: what was a day is taken for an hour then, and bucket 3 of 4 for bucket 3 of 16. "
        "Every catalog.",
        "Rare: the spec has to change, and another commit has to make the append try again, between its load and its "
        "commit: a long batch job on a table that is repartitioned and written to meanwhile. No fault, no error; the "
        "append is told that it succeeded.",
        "Change the spec while nobody writes; or `commit.retry.num-retries` 0, where a writer is refused and loads the "
        "table anew (`pyiceberg/append-evolve-no-retries`). Afterwards: read the table without a filter, and write the "
        "rows that a filter does not find anew; a delete of them succeeds, and leaves them.",
        (f"{LIVE}::test_an_append_that_is_tried_again_after_a_change_of_the_spec_is_hidden_from_filters[truncate]",),
        Upstream(
            "",
            (
                ("apache/iceberg-python#3320", "how commits came to be tried again; no word of specs (merged)"),
                ("apache/iceberg-go#1818", "one manifest for each spec of what is added, in Go (merged)"),
                ("apache/beam#32879", "a pipeline whose table changes its spec under way, in Beam (merged)"),
            ),
            (
                "pyiceberg append commit retry concurrent partition spec update manifest written with wrong spec data "
                "file spec_id",
                "iceberg-python _SnapshotProducer _manifests uses default spec for added data files after retry "
                "partition evolution",
            ),
            "2026-11-26",
        ),
        SQL_CATALOG + " Where the table had no partitions before, the manifest cannot be written: the append ends with "
        "an IndexError, and leaves its files (`pyiceberg/append-evolve-from-none`). So does, without any race, a "
        "transaction that gives a table its first partitions and then calls `dynamic_partition_overwrite`.",
    ),
)
