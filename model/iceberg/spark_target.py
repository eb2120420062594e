"""Which branch Spark SQL's statements read and write: main; one that each statement names (`t.branch_b`); or one that
the session has for all of them (`spark.wap.branch`), of a table with `write.wap.enabled`.

| | named in the statement | the session's |
| --- | --- | --- |
| it is not there when a statement is planned | refused | goes on |
| it is not there when a scan is planned | - | main is read |
| it is not there when a commit is tried | it is made, of main | it is made, of main |

Whether there is a session's branch is asked anew by each scan. So the two scans of a copy-on-write command may be of
two snapshots though neither has moved: the pinned one is of main, whose head is compared with itself, and that which
looks for files to rewrite is of the branch that somebody has made meanwhile (`Target.pinned`).

Source: for Spark 3.5 of 1.11.0 the constructor of `source/SparkTable.java`, `scanBranchForDelete`, `deleteWhere`;
`SparkReadConf.java` and `SparkWriteConf.java` (`branch`), `SparkTableUtil.java` (`determineWriteBranch`),
`source/SparkCopyOnWriteScan.java` (`currentSnapshotId`), `source/SparkScanBuilder.java` (`buildCopyOnWriteScan`,
`buildMergeOnReadScan`); `core/SnapshotUtil.java` (`latestSnapshot`), `core/SnapshotProducer.java` (`targetBranch`).

Choices: a name is that of a branch, and of no tag. A session's branch is not named by its statements, which is refused.
"""

from dataclasses import dataclass

from model.iceberg.errors import ValidationFailed
from model.iceberg.metadata import TableMetadata
from model.iceberg.producer import SnapshotProducer
from model.iceberg.result import CommandResult


@dataclass(frozen=True, slots=True)
class Target:
    """What a session's statements read and write. Args: `branch`: None: main; `by_session`: as `spark.wap.branch`."""

    branch: str | None = None
    by_session: bool = False

    def require(self, metadata: TableMetadata) -> None:
        """Raise `ValidationFailed` unless a branch that a statement names is there."""
        if self.branch is None or self.by_session or self.branch in dict(metadata.refs):
            return
        error = ValidationFailed(f"use branch {self.branch}: expected a branch of the table, it has none")
        error.result = CommandResult(metadata.current_snapshot_id)
        raise error

    def seen(self, metadata: TableMetadata) -> TableMetadata:
        """The table as a scan sees it that is planned now: its current snapshot is the branch's, or else main's."""
        if self.branch is None:
            return metadata
        head = metadata.head(self.branch)
        return metadata._replace(current_snapshot_id=None if head is None else head.snapshot_id)

    def pinned(self, planned_on: TableMetadata) -> "Target":
        """What a scan goes by from then on that was planned on this table: main, where the branch was not there."""
        return self if self.branch in dict(planned_on.refs) else MAIN_ALONE

    def aim(self, producer: SnapshotProducer) -> None:
        """Commit there."""
        if self.branch is not None:
            producer.to_branch(self.branch)


MAIN_ALONE = Target()
