"""The losses of Hudi 1.2.0, as their pages tell them."""

from __future__ import annotations

from sim.hudi.defects import DEFECTS
from sim.hudi.loss_pages.archived_reads import ARCHIVED_READS_LOSSES
from sim.hudi.loss_pages.archiving import ARCHIVING_LOSSES
from sim.hudi.loss_pages.buckets import BUCKET_LOSSES
from sim.hudi.loss_pages.cleaning import CLEANING_LOSSES
from sim.hudi.loss_pages.clustering import CLUSTERING_LOSSES
from sim.hudi.loss_pages.compaction import COMPACTION_LOSSES
from sim.hudi.loss_pages.deletes import DELETE_LOSSES
from sim.hudi.loss_pages.log_compaction import LOG_COMPACTION_LOSSES
from sim.hudi.loss_pages.metadata import METADATA_LOSSES
from sim.hudi.loss_pages.metadata_executors import METADATA_EXECUTORS_LOSSES
from sim.hudi.loss_pages.metadata_restores import METADATA_RESTORE_LOSSES
from sim.hudi.loss_pages.news import NEWS_LOSSES
from sim.hudi.loss_pages.non_blocking import NON_BLOCKING_LOSSES
from sim.hudi.loss_pages.restores import RESTORE_LOSSES
from sim.hudi.loss_pages.restores_archived import RESTORE_ARCHIVED_LOSSES
from sim.hudi.loss_pages.rollbacks import ROLLBACK_LOSSES
from sim.hudi.loss_pages.savepoints import SAVEPOINT_LOSSES
from sim.hudi.loss_pages.savepoints_archived import SAVEPOINT_ARCHIVED_LOSSES
from sim.hudi.loss_pages.schemas import SCHEMA_LOSSES
from sim.hudi.loss_pages.updates import UPDATE_LOSSES
from sim.hudi.loss_pages.zookeeper import ZOOKEEPER_LOSSES
from sim.search.defect import Defect
from sim.search.loss import Loss, Upstream, named

FOUND = "tests/live/hudi/test_found.py::test_found_schedule_does_the_same_to_the_real_hudi"
UNGATED = "tests/live/hudi/test_ungated.py"
RELEASE = "Hudi 1.2.0"
BEATS = (
    ("apache/hudi#18903", "a heartbeat's timer that ends for good, after which the commit is refused (closed)"),
    ("apache/hudi#18904", "repairs the interrupt and the slow write of that issue (merged)"),
    ("apache/hudi#12522", "a writer whose heartbeat has expired goes on for hours, and is then refused (open)"),
    ("apache/hudi#7826", "HUDI-5675: a commit that had completed meanwhile was rolled back (in 0.14.0)"),
    ("apache/hudi#10593", "HUDI-7361: the same again, closed in favour of it"),
)
BEAT_WORDS = ("heartbeat failed timer thread dies rollback of completed commit data files deleted concurrent writer",)
LOCKS = (
    ("apache/hudi#6071", "HUDI-4065: the lock provider, as it was made (merged)"),
    ("apache/hudi#11347", "HUDI-7805: delete the lock file of whoever has it, refused as it loses data (closed)"),
)
LOCK_WORDS = ("FileSystemBasedLockProvider close deletes lock file of another writer",)
LEFT = (
    ("apache/hudi#18783", "files left by rollbacks are read after archival; not reproduced there (closed)"),
    ("apache/hudi#14200", "a rollback of Flink leaves files behind, which are read after archival (open)"),
)
LEFT_WORDS = (
    "stripMarkerSuffix partition path contains .marker rollback data loss",
    "rolled back data visible after archival leftover uncommitted file rollback marker not deleted duplicates",
)
PRODUCTION = (
    "Rare, and a question of operation: one write that storage refuses (an outage of a second is enough) in a commit "
    "that then waits for its lock for longer than the heartbeat lives, two minutes by default, while somebody cleans. "
)
WAIT = (
    "Keep waits for the lock shorter than heartbeat interval times misses, by fewer retries of the lock or more misses "
    "(`hoodie.client.heartbeat.tolerable.misses`)."
)

LOSSES: tuple[Loss, ...] = (
    Loss(
        "The older instant's update is never seen",
        named(DEFECTS, "hudi/older-instant"),
        "Optimistic concurrency control with the default `SimpleConcurrentFileWritesConflictResolutionStrategy`, or "
        "that for bucket indexes; copy-on-write and merge-on-read; with and without metadata table; any lock provider.",
        "Small in one `df.write`: another writer has to begin after it and to commit before it first looks at the "
        "timeline (none did in 25 rounds of three plain writes of one row that began within 1.5 s). Large for who "
        "computes between `startCommit` and `upsert` of the client, or waits there for the lock, as with the metadata "
        "table, which is on by default. No fault, no error.",
        "`hoodie.write.lock.conflict.resolution.strategy` PreferWriterConflictResolutionStrategy, which refuses the "
        "older one.",
        (
            f"{FOUND}[older-instant]",
            "tests/live/hudi/test_found.py::test_the_strategy_that_prefers_writers_refuses_the_older_instant",
            f"{UNGATED}::test_older_instant[default strategy]",
        ),
        Upstream(
            "",
            (
                ("apache/hudi#4962", "HUDI-3355: a reviewer asks whether commits have it, too (merged)"),
                ("apache/hudi#19023", "a baseline that has completed before the instant begins, in Flink alone (open)"),
            ),
            (
                "concurrent writers lost update older instant commits after newer completed, no conflict detected",
                "PreferWriterConflictResolutionStrategy completed instants by completion time requested time baseline",
            ),
        ),
        "It needs no gate: one thread that makes the calls of two clients in that order does it, too.",
    ),
    Loss(
        "One failed heartbeat and a wait for the lock: a committed file is deleted",
        named(DEFECTS, "hudi/zombie"),
        "Optimistic concurrency control with lazy cleaning of failed writes (`hoodie.clean.failed.writes.policy` LAZY, "
        "which several writers need), the default conflict strategy, any lock provider, any cleaner.",
        PRODUCTION + "The writer is told that it succeeded.",
        WAIT,
        (
            f"{FOUND}[zombie]",
            "tests/live/hudi/test_beats.py::test_one_failed_heartbeat_write_ends_the_timer_for_good",
            f"{UNGATED}::test_missed_beat_and_a_wait_for_the_lock[one beat is refused]",
        ),
        Upstream("", BEATS, BEAT_WORDS),
        "Upstream the dead timer is known as the cause of refused commits. That it lets an acknowledged one be deleted "
        "was not found. Beats are a second each here, of which two may be missed. Without a gate, and with "
        "`hoodie.rollback.avoid.duplicate.plan` on, 1.2.0 deleted the file as well.",
    ),
    Loss(
        "A committed file is deleted under the strategy that prefers writers, too",
        Defect(
            "hudi/zombie-prefer-writer",
            "committed data files",
            "one heartbeat write that fails, a wait for the lock past the expiry (two minutes), and a cleaner",
            RELEASE,
            ("hudi/zombie-fixed",),
        ),
        "As before, with PreferWriterConflictResolutionStrategy: it looks for a rollback that is pending when the "
        "commit is checked, and this one is scheduled after that.",
        PRODUCTION + "The window is narrower: the rollback must come after the check.",
        WAIT,
        (f"{FOUND}[zombie-prefer-writer]",),
        Upstream("", BEATS, BEAT_WORDS),
    ),
    Loss(
        "An instant is completed and rolled back",
        Defect(
            "hudi/zombie-completed",
            "nothing yet: a completed instant is the target of a completed rollback, and its files may go",
            "a cleaner that decides before a commit and acts after it, and a heartbeat write that fails",
            RELEASE,
            ("hudi/zombie-fixed",),
        ),
        "As before; `hoodie.rollback.avoid.duplicate.plan` off, its default.",
        PRODUCTION + "Here the cleaner decides first, and is slow.",
        WAIT,
        (f"{FOUND}[zombie-completed]",),
        Upstream("", BEATS, BEAT_WORDS),
    ),
    Loss(
        "Who closes its client deletes another one's lock",
        Defect(
            "hudi/file-lock",
            "an acknowledged update",
            "the file-system lock; no fault",
            RELEASE,
            ("hudi/file-lock-owned",),
        ),
        "`hoodie.write.lock.provider` FileSystemBasedLockProvider, on any file system. Retries of the lock are off in "
        "the scenario, which only shortens it.",
        "Likely with several writers: after each commit the lock file is deleted twice, and in between somebody else "
        "may have made it.",
        "Another lock provider: ZooKeeper, the metastore, or the one that is based on storage.",
        (f"{FOUND}[file-lock]",),
        Upstream("", LOCKS, LOCK_WORDS),
    ),
    Loss(
        "Who never had the lock deletes the holder's",
        named(DEFECTS, "hudi/file-lock-failed-client"),
        "`hoodie.write.lock.provider` FileSystemBasedLockProvider, and a client that gives up before it gets the lock.",
        "Likely where three clients meet: one that fails to get the lock lets the next one in beside the holder.",
        "Another lock provider.",
        (f"{FOUND}[file-lock-failed-client]",),
        Upstream("", LOCKS, LOCK_WORDS),
    ),
    Loss(
        "Two upserts insert one key twice",
        Defect(
            "hudi/same-new-key",
            "that a key is there once",
            "two upserts of one new key under optimistic concurrency control; no fault",
            RELEASE,
            ("hudi/same-new-key-indexed",),
        ),
        "Optimistic concurrency control, an index that looks keys up in files (SIMPLE or BLOOM), and a key that no "
        "file has yet: each writer puts it into a file group of its own, and conflicts are looked for by file group.",
        "Certain whenever two writers get one new key at once. No fault, no error.",
        "New keys from one writer only.",
        (f"{FOUND}[same-new-key]",),
        Upstream(
            "apache/hudi#3246",
            (
                ("apache/hudi#7745", "duplicates of two Java clients (closed)"),
                ("apache/hudi#9831", "a user asks what is promised then (closed)"),
            ),
            ("two concurrent writers insert same new key duplicate records optimistic concurrency upsert duplicates",),
        ),
        "Closed upstream as known. The documentation promises of several writers that an upsert never shows "
        "duplicates, as apache/hudi#9831 quotes it.",
    ),
    Loss(
        "A deletion of a partition hides half of an upsert",
        named(DEFECTS, "hudi/delete-partition"),
        "Optimistic concurrency control with either conflict strategy, any lock provider, copy-on-write; "
        "`delete_partition` beside any other write of the same partition.",
        "Certain if somebody commits an update there between the beginning of the deletion and its commit: the "
        "deletion names its file groups at the start, and compares nothing. What the other has added is in a new file "
        "group, and stays. Both are told that they succeeded. No fault.",
        "No other writer in the partition while it is deleted. An overwrite of the partition in the same place is "
        "refused, as its file groups are compared.",
        (
            "tests/live/hudi/test_replacing.py::test_found_schedule_does_the_same_to_the_real_hudi[delete-partition]",
            "tests/live/hudi/test_replacing.py::test_half_of_an_acknowledged_upsert_is_gone",
        ),
        Upstream(
            "",
            (
                ("apache/hudi#19720", "two overwrites of a partition; a deletion is not named (open)"),
                ("apache/hudi#18830", "an overwrite beside pending clustering of its file groups (open)"),
                ("apache/hudi#9472", "clustering and deletion of one partition (closed)"),
            ),
            (
                "delete_partition concurrent upsert OCC conflict detection replaced file ids lost data",
                "delete_partition concurrent writer new file group data not deleted insert overwrite multi-writer",
            ),
        ),
        "In `ConcurrentOperation` the replaced file ids of the committing write count for clustering and overwrites "
        "alone (`WriteOperationType.isOverwrite`). It needs no gate: one thread that makes the calls of two clients in "
        "that order does it, too, under both strategies.",
    ),
    Loss(
        "Two overwrites of an empty partition leave every row twice",
        Defect(
            "hudi/overwrite-twice",
            "that a key is there once; and that an overwrite is all there is",
            "two overwrites of a partition that has nothing in it; no fault",
            RELEASE,
            ("hudi/overwrite-twice-compared",),
        ),
        "Optimistic concurrency control with either conflict strategy; `insert_overwrite` or `insert_overwrite_table`, "
        "of a partition that is new, or empty since a deletion.",
        "Certain if both begin before one of them has committed, as a job and its repetition do. No fault, no error.",
        "One writer at a time for what is overwritten; a further overwrite mends it.",
        ("tests/live/hudi/test_replacing.py::test_found_schedule_does_the_same_to_the_real_hudi[overwrite-twice]",),
        Upstream(
            "apache/hudi#19720",
            (("apache/hudi#17501", "tests of two overwrites of partitions that have files (merged)"),),
            ("insert_overwrite concurrent upsert conflict resolution replaced file ids not checked lost update",),
        ),
        "A pull request that was open when it was looked for refuses the second one.",
    ),
    Loss(
        "What was rolled back in a partition called `.marker` is read again",
        named(DEFECTS, "hudi/marker-in-partition"),
        "Any table with a partition whose name has `.marker` in it, at any level; direct markers and those of the "
        "timeline server; one writer or several; any clean-up of failed writes that goes by markers, the default.",
        "Certain for such a table once a write there has failed or died: the rollback says that it is done. Readers "
        "take its files for committed when the instants around it have been archived, which is automatic.",
        "No `.marker` in the name of a partition, or `hoodie.rollback.using.markers` false, which was not run here.",
        (
            "tests/live/hudi/test_marker_names.py::test_what_was_rolled_back_is_read_when_it_is_archived[p.marker-dead-direct]",
            "tests/live/hudi/test_marker_names.py::test_found_schedule_does_the_same_to_the_real_hudi",
        ),
        Upstream("", LEFT, LEFT_WORDS),
        "A live test has the rows: an upsert that died replaces an acknowledged row, and one that was never committed "
        "is there, without a word. In the simulation, which does not archive, it is the file that stays.",
    ),
    Loss(
        "A partition `p.marker` beside `p` stops every writer",
        Defect(
            "hudi/marker-partition-beside",
            "nothing; but no commit in the one partition ever succeeds, and who rolls it back fails as well",
            "two partitions, of which the one is called as the other and `.marker`; no fault, one writer",
            RELEASE,
            ("hudi/marker-partition-beside-fixed",),
        ),
        "A table with both partitions, where a folder cannot be deleted as a file: local disk, HDFS.",
        "Certain with the first commit in the longer one. From then on writers that roll back eagerly, as one writer "
        "does by default, cannot begin, and cleaners fail.",
        "No `.marker` in the name of a partition.",
        ("tests/live/hudi/test_marker_names.py::test_no_commit_succeeds_beside_the_partition_of_the_shorter_name",),
        Upstream("", LEFT, LEFT_WORDS),
    ),
    *CLUSTERING_LOSSES,
    *COMPACTION_LOSSES,
    *LOG_COMPACTION_LOSSES,
    *NON_BLOCKING_LOSSES,
    *CLEANING_LOSSES,
    *SAVEPOINT_LOSSES,
    *RESTORE_LOSSES,
    *ROLLBACK_LOSSES,
    *ARCHIVING_LOSSES,
    *METADATA_LOSSES,
    *METADATA_RESTORE_LOSSES,
    *RESTORE_ARCHIVED_LOSSES,
    *SAVEPOINT_ARCHIVED_LOSSES,
    *METADATA_EXECUTORS_LOSSES,
    *NEWS_LOSSES,
    *ARCHIVED_READS_LOSSES,
    *UPDATE_LOSSES, *DELETE_LOSSES,
    *BUCKET_LOSSES,
    *SCHEMA_LOSSES,
    *ZOOKEEPER_LOSSES,
)  # fmt: skip
