"""What Spark SQL reads that is not current: a snapshot, a branch or a tag, as of a time; what came since a snapshot.

| read | loads | what is looked at in the first load | in the last one |
| --- | --- | --- | --- |
| `VERSION AS OF`, `t.branch_b`, `t.tag_t`, `t.snapshot_id_1` | 2 | that it is there; where a tag is | the rest |
| `TIMESTAMP AS OF`, `t.at_timestamp_1` | 2 | where main was | the rest |
| options `snapshot-id`, `branch`, `tag`, `as-of-timestamp` | 2 | nothing | all |
| options `start-snapshot-id`, `end-snapshot-id` of t, or of `t.changes` | 2 | nothing | all |
| `create_changelog_view`, and SELECT from the view | 3 | nothing | all: a view has no rows |
| the same with `identifier_columns`, which else are looked for in the table | 2 | nothing | all |

A tag is a snapshot once the statement was planned, wherever it is moved to before the scan, and so is a time; a branch
stays a branch.
Who asks for what came since the snapshot that is current is refused, as a scan has to have a commit. A scan that cannot
be planned is planned once more, by another load; but the files of a changelog are looked for when the query runs: only
whether there is its end is asked before (`SparkScan`, `SparkPartitioningAwareScan`: a scan that reports its partitions
finds its files for that). A catalog that caches tables loads none of them again.

Source: for Spark 3.5 of 1.11.0 `SparkCatalog.java` (`loadTable`, `load`), `SparkTable.java` (its constructor,
`newScanBuilder`, `snapshotSchema`), `SparkScanBuilder.java` (`buildBatchScan`, `buildIncrementalAppendScan`,
`buildChangelogScan`), `SparkChangelogTable.java`, `CreateChangelogViewProcedure.java` (`call`, `identifierColumns`).
"""

from collections.abc import Callable
from typing import Literal

from model.iceberg.as_of_time import AsOf, snapshot_as_of
from model.iceberg.changelog import net_changes, with_updates, without_carryovers
from model.iceberg.errors import InvalidOperation, ValidationFailed
from model.iceberg.files import Rows
from model.iceberg.incremental import Change, appended, changes, refuse_unknown_end, signed
from model.iceberg.metadata import TableMetadata
from model.iceberg.result import CommandResult
from model.iceberg.scan import rows_at
from model.iceberg.table import IcebergTable

By = Literal["version", "name", "option"]
At = int | str | AsOf
"""A snapshot, a branch or a tag, or where main was at a time."""
Since = Literal["appends", "changes", "view", "net changes", "updates"]
Again = Callable[[], TableMetadata]
"""Loads the table another time, where the session does not cache it; returns what is known of it then."""
MADE_OF_CHANGES: dict[str, Callable[[list[Change]], list[Change]]] = {
    "changes": list,
    "view": without_carryovers,
    "net changes": net_changes,
    "updates": with_updates,
}


def read_version(table: IcebergTable, at: At, by: By, again: Again) -> CommandResult:
    """Read all rows of a snapshot, of a branch or a tag, or of where main was, of a table that was loaded to plan.

    Raises: `ValidationFailed` if there is no such ref when it is planned; `InvalidOperation` if there is no such
    snapshot, if main was nowhere then, or if there is no such branch when it is scanned; else as a scan.
    """
    planned = at if by == "option" else _planned(table.metadata, at)

    def found(metadata: TableMetadata) -> Rows:
        snapshot = metadata.snapshot(_scanned_id(metadata, planned))
        if snapshot is None:
            raise InvalidOperation(f"read at {at}: expected a ref or a snapshot of the table, it has none")
        return tuple(sorted(rows_at(table.files, metadata, snapshot)))

    return _scanned(again, found)


def _scanned_id(metadata: TableMetadata, planned: At) -> int | None:
    match planned:
        case AsOf():
            return snapshot_as_of(metadata, planned)
        case str():
            return dict(metadata.refs).get(planned)
    return planned


def _planned(metadata: TableMetadata, at: At) -> int | str:
    """What is read: a snapshot, or a branch."""
    if isinstance(at, AsOf):
        return snapshot_as_of(metadata, at)
    if isinstance(at, int):
        if metadata.snapshot(at) is None:
            raise InvalidOperation(f"plan a read at {at}: expected a snapshot of the table, it has none")
        return at
    target = dict(metadata.refs).get(at)
    if target is None:
        raise ValidationFailed(f"plan a read at {at}: expected a branch or a tag of the table, it has none such")
    return target if at in metadata.tags else at


def read_between(table: IcebergTable, what: Since, start: int, end: int | None, again: Again) -> CommandResult:
    """Read what came since `start`, until `end` or now, of a table that was loaded to plan.

    Raises: as `incremental.appended`, `incremental.changes`, or `changelog.with_updates`.
    """
    if what in ("view", "net changes"):
        again()

    if what == "appends":
        return _scanned(again, lambda metadata: appended(table.files, metadata, start, end))
    metadata = _planned_at_last(again, lambda found: refuse_unknown_end(found, end))
    told = MADE_OF_CHANGES[what](changes(table.files, metadata, start, end))
    return CommandResult(metadata.current_snapshot_id, reads=signed(told))


def _scanned(again: Again, found: Callable[[TableMetadata], Rows]) -> CommandResult:
    """The rows of a scan whose files are found when it is planned."""
    metadata = _planned_at_last(again, found)
    return CommandResult(metadata.current_snapshot_id, reads=found(metadata))


def _planned_at_last(again: Again, plans: Callable[[TableMetadata], object]) -> TableMetadata:
    """The table as a query is planned on it: another time, of the table as it is then, if it cannot be the first time.

    Spark describes a query's plan before it runs it: what fails there is not told, and what is not known yet by then is
    looked for when it runs. Source: `SQLExecution.withNewExecutionId0`, `QueryExecution.explainString` of Spark 3.5.
    """
    metadata = again()
    try:
        plans(metadata)
    except InvalidOperation:
        metadata = again()
        plans(metadata)
    return metadata
