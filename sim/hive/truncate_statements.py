"""A table that is truncated, as data.

| statement | steps (operation at the replica) | Thrift call |
| --- | --- | --- |
| `Truncate` | first `allocate_write_id`; as shipped `read_to_truncate`; `truncate_table` | `truncate_table_req` |

Choices: a table counts as one with partition keys if the race names a partition of it.
"""

from __future__ import annotations

from dataclasses import dataclass

from sim.hive.validation import check_statement


@dataclass(frozen=True, slots=True)
class Truncate:
    """Delete all rows of a table."""

    table: str
    at: str = ""

    def __post_init__(self) -> None:
        check_statement(self)
