"""Changes of a table's statistics files.

| update | works on | beside another commit |
| --- | --- | --- |
| `updateStatistics` | what is there, anew in each attempt | is tried again |
| `updatePartitionStatistics` | what its client has loaded | is refused, but over REST |

Source: `core/SetStatistics.java`, `core/SetPartitionStatistics.java` (`commit`: `ops.current()`, no loop) of 1.11.0.

Choices: each sets, or removes, one file. The file is written before, unless the table names it already.
"""

from model.iceberg.clock_rule import built
from model.iceberg.meanings import STATISTICS
from model.iceberg.metadata import TableMetadata
from model.iceberg.statistics import StatisticsFile
from model.iceberg.statistics_changes import OfStatistics, SetStatistics
from model.iceberg.table import IcebergTable
from model.iceberg.transaction import Staged
from model.iceberg.updates import UpdateInLoop


class UpdateStatistics(UpdateInLoop):
    """Sets or removes the statistics of the table at a snapshot."""

    def __init__(self, table: IcebergTable, change: OfStatistics) -> None:
        super().__init__(table)
        self._change = change

    def applied_to(self, base: TableMetadata) -> TableMetadata:
        """With the change; the very same if there was nothing to remove."""
        return self._change.applied_to(base)


class UpdatePartitionStatistics:
    """Sets or removes the statistics of the partitions at a snapshot."""

    def __init__(self, table: IcebergTable, change: OfStatistics) -> None:
        self._table, self._change = table, change

    def commit(self) -> None:
        """Commit on what the client has loaded. Raises: any `IcebergError`."""
        base = self._table.ops.refresh() if isinstance(self._table.ops, Staged) else self._table.ops.current
        self._table.ops.commit(built(self._table.world, base, self._change.applied_to(base)))


def written(table: IcebergTable, name: str, snapshot_id: int, *, of_partitions: bool) -> SetStatistics:
    """Write a file of this name, unless the table names it already, to be set for a snapshot."""
    named = [each.path for each in table.metadata.statistics if each.path.endswith(f"/{name}.stats")]
    path = named[0] if named else f"{table.location}/metadata/{name}.stats"
    if not named:
        table.files.write(path, name, STATISTICS)
    return SetStatistics(StatisticsFile(snapshot_id, path, of_partitions))
