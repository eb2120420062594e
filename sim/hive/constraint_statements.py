"""What sessions do with a table's primary key, as data.

| statement | steps (operation at the replica) | Thrift call |
| --- | --- | --- |
| `AddKey` | first `allocate_write_id`; `add_key` | `add_primary_key` |
| `DropKey` | the same; `drop_key` | `drop_constraint` |
| `GetKey` | `get_key`; if the cache does not know, `read_key` | `get_primary_keys` |
"""

from __future__ import annotations

from dataclasses import dataclass

from sim.hive.validation import check_statement


@dataclass(frozen=True, slots=True)
class AddKey:
    """Give a table a primary key of this name."""

    table: str
    value: str
    at: str = ""

    def __post_init__(self) -> None:
        check_statement(self)


@dataclass(frozen=True, slots=True)
class DropKey:
    """Take the primary key of this name away."""

    table: str
    value: str
    at: str = ""

    def __post_init__(self) -> None:
        check_statement(self)


@dataclass(frozen=True, slots=True)
class GetKey:
    """Ask what a table's primary key is called."""

    table: str
    at: str = ""

    def __post_init__(self) -> None:
        check_statement(self)
