"""What becomes of columns that writers add on Hudi 1.2.0, for people; see `sim.hudi.losses`."""

from __future__ import annotations

from dataclasses import replace

from sim.search.defect import Defect
from sim.search.loss import Loss, Upstream

LIVE = "tests/live/hudi/test_schemas.py"
STEPS = f"{LIVE}::test_found_schedule_does_the_same_to_the_real_hudi"
WORDS = (
    "hudi concurrent schema evolution two writers add column lost, schema conflict resolution multi writer",
    "Hudi column missing after concurrent writers, newly added column lost, schema reverted by older schema commit "
    "completed out of order getLastCommitMetadataWithValidSchema",
    "apache hudi table schema regress latest commit requested time clustering commit old schema overrides evolved "
    "schema",
)
OF_COMPACTION = (
    "hudi compaction commit schema old column lost after concurrent schema evolution, compaction writes old table "
    "schema, merge-on-read added column disappears",
    "hudi HoodieCompactor readerSchema getTableSchema stale schema compaction drops new column log file values null",
)
UPSTREAM = Upstream(
    "",
    (
        ("apache/hudi#12781", "HUDI-8219: the check before a commit, by completion times (merged, in 1.1.0)"),
        ("apache/hudi#12646", "a reader of a table's schema that leaves services aside, for that check (merged)"),
        ("apache/hudi#19388", "the check fails for a writer without a schema; version 6 (merged, after 1.2.0)"),
    ),
    WORDS,
    "2026-11-28",
)
BESIDE = (
    "The column comes back with the next commit that is compared with the one that added it. Until then nobody reads "
    "it, and nobody is refused for lacking it: who writes a file group anew leaves it out, and its values are gone "
    "from rows that he has not touched."
)
SCHEMA_LOSSES: tuple[Loss, ...] = (
    Loss(
        "A column that a write adds is not in the table",
        Defect(
            "hudi/schema-older-instant",
            "an acknowledged column",
            "a write that adds a column, and another one of other file groups that begins later and is committed first",
            "Hudi 1.2.0",
            ("hudi/schema-by-completion",),
        ),
        "Both types of tables, with and without a metadata table, under optimistic concurrency control, with any "
        "conflict strategy, and with the check of schemas that is on by default: a table has the schema of the commit "
        "that was requested last, and the check goes by which was completed last.",
        "Certain in that order: a long write that adds a column, and a short one without it, of another partition, "
        "while it lasts. Nobody is refused. No fault, no error.",
        "Add columns while nobody else writes. Afterwards, one write with the column, by whoever has it, brings it "
        "back.",
        (
            f"{STEPS}[schema-older-instant]",
            f"{STEPS}[schema-logs-older-instant]",
            f"{STEPS}[schema-metadata]",
            f"{LIVE}::test_a_table_of_version_6_loses_it_as_well",
            f"{LIVE}::test_a_data_frame_that_adds_a_column_loses_it_to_one_that_is_written_meanwhile[default]",
            f"{LIVE}::test_a_column_that_is_not_there_goes_out_of_rows_that_nobody_has_touched",
        ),
        UPSTREAM,
        f"{BESIDE} With data frames Hudi's defaults held otherwise, metadata table and timeline server among them.",
    ),
    Loss(
        "Clustering takes a column out that was added while it was at work",
        Defect(
            "hudi/schema-clustering",
            "an acknowledged column",
            "clustering that is inflight when a write of other file groups adds a column, and is committed after it",
            "Hudi 1.2.0",
            ("hudi/schema-clustering-by-completion",),
        ),
        "As above: clustering says that the table has the columns that it had when its files were begun, is compared "
        "with nobody for it, and counts like a write where the table is read.",
        "Certain in that order, if the clustering was planned after the write had begun. No fault, no error.",
        "Cluster while nobody adds columns. Afterwards as above.",
        (f"{STEPS}[schema-clustering]",),
        UPSTREAM,
        BESIDE,
    ),
    Loss(
        "Compaction takes a column out that was added while it was at work, and its values with it",
        Defect(
            "hudi/schema-compaction",
            "an acknowledged column",
            "a compaction that is inflight when a write adds a column by a log file, and is committed after it",
            "Hudi 1.2.0",
            ("hudi/schema-compaction-by-completion",),
        ),
        "Merge-on-read tables of versions 8 and 9 under optimistic concurrency control: a compaction says that the "
        "table has the columns that it had when its files were begun, is compared with nobody for it, and counts like "
        "a write where the table is read.",
        "Certain in that order, if the compaction was planned after the write had begun. No fault, no error.",
        "Compact while nobody adds columns. Afterwards, one write with the column, by whoever has it, brings it back, "
        "before the next compaction.",
        (
            f"{STEPS}[schema-compaction]",
            f"{LIVE}::test_a_compaction_takes_a_column_that_is_not_there_out_of_all_rows",
            f"{LIVE}::test_values_of_log_files_come_back_with_their_column",
        ),
        replace(UPSTREAM, words=(*WORDS, *OF_COMPACTION)),
        "Values that log files hold come back with the column. Who compacts these while the column is not there writes "
        "its base files without them: they are gone, and as the compaction says what the table has, the next commit "
        "brings the column back no more.",
    ),
    Loss(
        "Of two columns that are added at once one is not in the table",
        Defect(
            "hudi/schema-unchecked",
            "an acknowledged column",
            "`hoodie.write.concurrency.schema.conflict.resolution.enable=false`, or a release before 1.1.0",
            "Hudi 1.2.0",
            ("hudi/schema-checked",),
        ),
        "Optimistic concurrency control without the check of schemas: file groups are compared, columns are not.",
        "Certain whenever two writes of different file groups overlap and one of them lacks what the other one adds. "
        "No fault, no error.",
        "Leave the option on, which is the default since 1.1.0: then the second one is refused.",
        (
            f"{STEPS}[schema-unchecked]",
            f"{LIVE}::test_a_data_frame_that_adds_a_column_loses_it_to_one_that_is_written_meanwhile[unchecked]",
        ),
        UPSTREAM,
        "Measured on 1.2.0 alone: releases before 1.1.0 have no such check.",
    ),
)
