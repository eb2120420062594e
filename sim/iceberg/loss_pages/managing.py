"""The losses of Iceberg 1.11.0 by who manages snapshots: a commit is tried again beside branches, or is staged; an
expiry is answered with an older table."""

from __future__ import annotations

from sim.iceberg.defects import DEFECTS
from sim.iceberg.loss_pages.jdbc import WHERE
from sim.search.loss import Loss, Upstream, named

FOUND = "tests/live/iceberg/test_found_schedules.py::test_found_violation_is_real"
RINGS = "tests/live/iceberg/test_rings.py"
SEARCHED_ON = "2026-11-26"
MANAGING_LOSSES: tuple[Loss, ...] = (
    Loss(
        "A staged append is published by its own retry",
        named(DEFECTS, "iceberg/jdbc-stage-broken"),
        f"{WHERE} A write that is staged (`stageOnly`; in Spark a table with `write.wap.enabled` and a session with "
        "`spark.wap.id`), to be published after an audit. Any catalog that may tell of a lost race where the commit "
        "was applied does the same: a Hadoop catalog whose rename is not answered, a REST catalog that answers 409.",
        "Rare per commit: the connection has to break after the UPDATE was carried out and before its answer. Then it "
        "is certain, no other writer is needed, and nobody is told: the writer hears that its append was staged.",
        "Write to a branch, and audit that (`spark.wap.branch`): a retry sets the branch, and main stays. Afterwards: "
        "roll main back to the snapshot below.",
        (f"{FOUND}[iceberg/jdbc-stage-broken]",),
        Upstream(
            "",
            (("apache/iceberg#14947", "of the same retry that finds its snapshot: what it cleans up (closed)"),),
            (
                "iceberg stageOnly commit retry publishes staged snapshot to main setBranchSnapshot WAP "
                "CommitFailedException although commit succeeded",
                "apache/iceberg SnapshotProducer commit base.snapshot(newSnapshotId) rollback stageOnly write audit "
                "publish staged snapshot becomes current after retry",
            ),
            SEARCHED_ON,
        ),
        "`SnapshotProducer.commit` asks first whether the table has the snapshot that it is about to add, takes that "
        "for a roll-back, and sets the target branch to it, main by default; only then it asks whether the snapshot is "
        "to be staged alone.",
    ),
    Loss(
        "A branch loses the files of an append that was sent again",
        named(DEFECTS, "iceberg/rest-branch-append-resent"),
        "A REST catalog without idempotency keys, whose server checks the requirements that clients send, and no more, "
        "as Iceberg's own `CatalogHandlers` do; any commit to main, somebody who writes to a new branch on top of it, "
        "and a roll-back of main to where the commit began.",
        "Very rare: branch and roll-back have to come within the time that the client was told to wait.",
        "Idempotency keys, on a server that honours them. Afterwards nothing: the files are deleted. A tag or a branch "
        "at the snapshot itself is lost in the same way.",
        (f"{FOUND}[iceberg/rest-branch-append-resent]",),
        Upstream(
            "",
            (("apache/iceberg#13867", "asks for keys: what a commit loses that is sent again (closed)"),),
            ("iceberg REST commit resent snapshot already exists BadRequestException cleanup deletes committed files",),
            SEARCHED_ON,
        ),
        "Main is where the commit requires it to be, so the server goes on to add the snapshot, and refuses it because "
        "it is there (`Snapshot already exists for id`): 400, which `CommitErrorHandler` makes `BadRequestException`, "
        "a `CleanableFailure`. A staged append, which requires nothing of any ref, is refused so whenever it is sent "
        "again (`iceberg/rest-stage-resent`): its snapshot stays in the table, and its files are gone.",
    ),
    Loss(
        "An expiry of nothing deletes the newest commit, if the catalog answers it with an older table",
        named(DEFECTS, "iceberg/expire-insert-stale"),
        "A REST catalog that may answer a load with a table older than one it has answered before: several servers "
        "that cache tables, a read replica behind them, a proxy that caches. `CALL system.expire_snapshots` and "
        "Spark's action, with any arguments: nothing needs to be old enough to go. The clean-up of "
        "`table.expireSnapshots()` loads the table in the same way; that is simulated, and not replayed.",
        "As likely as one old answer, of the load that every expiry makes behind its commit. No writer has to overlap: "
        "the smallest schedule is an INSERT that has ended, and an expiry that is sent after it. No error; both are "
        "told that they succeeded.",
        "A catalog that never answers with less than it has answered before (no table cache in its servers, reads from "
        "the primary), or `cleanExpiredFiles(false)` and `remove_orphan_files` days later, of the Java API alone. "
        "Afterwards: roll main back to the newest snapshot whose manifest list is there; the files are gone.",
        (f"{FOUND}[iceberg/expire-insert-stale]",),
        Upstream(
            "",
            (
                ("apache/hive#5882", "a REST catalog that is shipped and answers from a cache that is old (merged)"),
                ("apache/iceberg#3457", "where the action has come to compare snapshots in place of files (merged)"),
            ),
            (
                "iceberg RemoveSnapshots expireSnapshots cleanExpiredSnapshots ops.refresh stale metadata deletes "
                "files of live snapshot REST catalog eventual consistency",
                "ExpireSnapshotsSparkAction originalMetadata updatedMetadata ops.refresh stale table metadata eventual "
                "consistent catalog deletes files of current snapshot",
            ),
            "2026-11-27",
        ),
        "`ExpireSnapshotsSparkAction.expireFiles` and `RemoveSnapshots.cleanExpiredSnapshots` take for expired what "
        "the table had before and does not have when it is loaded again, and not what the expiry has asked to remove. "
        "The answer to the commit, which `RESTTableOperations` has by then, says what is left: it is not used.",
    ),
    Loss(
        "A commit that is tried again makes the table's history a ring",
        named(DEFECTS, "iceberg/insert-expire-misreported"),
        "Any catalog that may tell of a lost race where the commit was applied (REST without idempotency keys, JDBC, "
        "Hadoop), any writer that tries again, one that commits on top of it, and an expiry of all but the newest "
        "snapshots, whatever their age (`expire_snapshots` with `older_than` of now, `retain_last` 1).",
        "Very rare: the expiry has to come between a commit and its retry. Then it is certain, nobody is told, and the "
        "table can still be read: but its head comes from itself, and whoever looks back (a validation of a DELETE, an "
        "UPDATE or a MERGE, a roll-back, the next `expire_snapshots`, the metadata table `history`) goes round, for "
        "good.",
        "Expire nothing that is younger than a commit may take: an hour (`iceberg/append-expire-older-misreported`); "
        "five days is the default. Afterwards: have the catalog itself remove the snapshot of the ring that is not the "
        "head (`remove-snapshots` over REST); what looks back first is no help.",
        (f"{FOUND}[iceberg/insert-expire-misreported]", f"{RINGS}::test_the_ancestors_of_its_head_never_end"),
        Upstream(
            "",
            (
                ("apache/iceberg#7718", "how `SnapshotUtil.ancestorsOf` ends where a parent has expired (merged)"),
                ("apache/iceberg-python#3320", "a retry that cannot know its own commit, in Python (merged)"),
            ),
            (
                "iceberg snapshot parent cycle ancestorsOf infinite loop expire snapshots retry commit same snapshot "
                "id re-added",
                "iceberg duplicate data after commit retry snapshot expired between commit succeeded "
                "CommitFailedException snapshot parent-snapshot-id cycle",
            ),
            "2026-11-28",
        ),
        "`SnapshotProducer.commit` knows its own snapshot again as long as the table has it. One that has expired is "
        "added once more under its old id, as a child of those that are its children; `SnapshotUtil.ancestorsOf` "
        "follows parents as long as there are any. Its manifest is listed twice, which no reader notices: a scan has a "
        "set of manifests.",
    ),
)
