"""A partition that gets another name, as data.

| statement | steps (operation at the replica) | Thrift call |
| --- | --- | --- |
| `RenamePartition` | first `allocate_write_id`; `rename_partition` | `rename_partition` |

Choices: the call sends the whole partition as it is to be, and so has a value of its own, which nothing else wrote.
"""

from __future__ import annotations

from dataclasses import dataclass

from sim.hive.validation import check_statement


@dataclass(frozen=True, slots=True)
class RenamePartition:
    """Give the partition `old` the name `partition`, and this value."""

    table: str
    old: str
    partition: str
    value: str
    at: str = ""

    def __post_init__(self) -> None:
        check_statement(self)
