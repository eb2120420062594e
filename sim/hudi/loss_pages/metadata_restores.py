"""What restores of Hudi 1.2.0 lose by its metadata table, for people; see `sim.hudi.losses`."""

from __future__ import annotations

from sim.search.defect import Defect
from sim.search.loss import Loss, Upstream

TESTS = "tests/live/hudi/test_metadata_restores.py"
RELEASE = "Hudi 1.2.0"
SINCE = "2026-11-26"
LOST = "the table: no write begins on it any more"
DELETES = (
    ("apache/hudi#18572", "who restores looks for the compaction before the last one, too (open)"),
    ("apache/hudi#18696", "a procedure that restores to any instant, and looks for it (merged after 1.2.0)"),
    ("apache/hudi#13691", "HUDI-9694: a metadata table that has just been made anew (in 1.2.0)"),
    ("apache/hudi#8837", "such restores are refused, in words that say what to do (in 0.14.0)"),
)
BY_HAND = (
    "Before a restore to a savepoint that is not quite new let Hudi delete the metadata table "
    "(`HoodieTableMetadataUtil.deleteMetadataTable`; who restores makes it anew, from the files). If it has happened: "
    "the same, and then restore again; it is gone on with. Data are what the restore was to leave, and can be read."
)
ANY = (
    "A metadata table (`hoodie.metadata.enable`, on by default), table version 8 or 9. Any concurrency control, lock "
    "provider and table type."
)
METADATA_RESTORE_LOSSES: tuple[Loss, ...] = (
    Loss(
        "A restore to an older savepoint cannot be ended, and nobody writes any more",
        Defect(
            "hudi/metadata-restore-stuck",
            LOST,
            "a restore to a savepoint of which the metadata table has no slice any more, while the first compaction on "
            "its timeline was earlier; one writer, no fault",
            RELEASE,
            ("hudi/metadata-restore-remade",),
        ),
        ANY,
        "With all settings as by default it needs two savepoints: the older one keeps the timeline, with the first "
        "compaction of the metadata table, from being archived; and some 15 to 20 commits after the newer one the last "
        "slice is cleaned away that is not later (`hoodie.metadata.derive.from.datatable.clean.policy`: 20 commits of "
        "the metadata table, or a fifth more than the data table keeps). It fails when all that was to be taken back "
        "has been. With one savepoint it needs a timeline that is archived later than by default "
        "(`hoodie.keep.max.commits`), or cleaning that counts slices, as here.",
        BY_HAND,
        (
            f"{TESTS}::test_with_default_settings_a_restore_to_the_newer_of_two_savepoints_cannot_be_ended",
            f"{TESTS}::test_found_schedule_does_the_same_to_the_real_hudi",
        ),
        Upstream(
            "",
            DELETES,
            (
                'hudi "Can\'t restore to" "there is no base file in MDT lesser than the commit to restore to" delete '
                "metadata table and retry",
                "hudi restore savepoint metadata table deleted oldest compaction bootstrap restoreToSavepoint metadata",
            ),
            SINCE,
        ),
        "`restoreToSavepoint` deletes the metadata table if the savepoint is not later than the first compaction on "
        "its timeline; `HoodieBackedTableMetadataWriter.update` asks for a slice that is not later, and cleaning "
        "deletes slices while compactions stay on the timeline. With the default clean-up of failed writes (EAGER) the "
        "next write tries to roll back what the restore has begun, and fails: `Commit being rolled back .. is earlier "
        "than the latest compaction`; with LAZY it is refused: `Found pending restore`.",
    ),
    Loss(
        "A second restore to a savepoint cannot be ended, and nobody writes any more",
        Defect(
            "hudi/metadata-restore-twice",
            LOST,
            "a restore to a savepoint that made the metadata table anew, and another one to it before that is "
            "compacted; one writer, no fault",
            RELEASE,
            ("hudi/metadata-restore-twice-remade",),
        ),
        ANY,
        "Whoever restores, writes again, and has to restore once more: the first restore deletes the metadata table if "
        "it has been compacted since the savepoint for the first time, as it is after ten delta commits; and the "
        "second one has to come within ten more (`hoodie.metadata.compact.max.delta.commits`).",
        BY_HAND,
        (f"{TESTS}::test_what_a_restore_leaves_of_it[4: usuuuurur]",),
        Upstream(
            "",
            DELETES[2:3],
            ('hudi "Unable to find completion time for instant" restore metadata table restored twice same savepoint',),
            SINCE,
        ),
        "A metadata table that is made anew has one delta commit, of all files that there are; of the savepoint's "
        "commit it has none. `RestorePlanActionExecutor.getCompletionTime` knows of that as long as nothing else has "
        "been written there (HUDI-9694), and fails from then on: `Unable to find completion time for instant`.",
    ),
)
