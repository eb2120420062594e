"""The losses of Iceberg 1.11.0 where a commit is tried again beside branches, or is staged, as pages tell them."""

from __future__ import annotations

from sim.iceberg.defects import DEFECTS
from sim.iceberg.losses_jdbc import WHERE
from sim.search.loss import Loss, Upstream, named

FOUND = "tests/live/iceberg/test_found_schedules.py::test_found_violation_is_real"
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
)
