"""What sessions do with statistics of a table's column, as data.

| statement | steps (operation at the replica) | Thrift call |
| --- | --- | --- |
| `Analyze` | first `allocate_write_id`; `update_statistics` | `update_table_column_statistics_req` |
| the same of a partition | the same | `update_partition_column_statistics_req` |
| `DeleteStatistics` | `delete_statistics` | `delete_table_column_statistics` |
| the same of a partition | the same | `delete_partition_column_statistics` |
| `GetStatistics` | `get_statistics`; on a miss `read_statistics` | `get_table_statistics_req` |
| the same of a partition | the same | `get_partitions_statistics_req` |
| `GetAggregate` | the same | `get_aggr_stats_for` |
"""

from __future__ import annotations

from dataclasses import dataclass

from sim.hive.validation import check_statement, check_text, sequence


@dataclass(frozen=True, slots=True)
class Analyze:
    """Say what the statistics of the table's column are now, or of its partition's."""

    table: str
    value: str
    at: str = ""
    partition: str = ""

    def __post_init__(self) -> None:
        check_statement(self)


@dataclass(frozen=True, slots=True)
class DeleteStatistics:
    """Delete the statistics of the table's column, or of its partition's. `unnamed`: of all columns, none is named."""

    table: str
    at: str = ""
    partition: str = ""
    unnamed: bool = False

    def __post_init__(self) -> None:
        check_statement(self)


@dataclass(frozen=True, slots=True)
class GetStatistics:
    """Ask for the statistics of the table's column, or its partition's, that may be used with the session's list."""

    table: str
    at: str = ""
    partition: str = ""

    def __post_init__(self) -> None:
        check_statement(self)


@dataclass(frozen=True, slots=True)
class GetAggregate:
    """Ask for the statistics of some of a table's partitions together: the highest value of the column."""

    table: str
    partitions: tuple[str, ...]
    at: str = ""

    def __post_init__(self) -> None:
        check_statement(self)
        if not sequence("GetAggregate: partitions", self.partitions):
            raise ValueError("GetAggregate: partitions: expected names, got none")
        for name in self.partitions:
            check_text("GetAggregate: partitions", name)
