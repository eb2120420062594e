"""What a full cache does to a table, as data: `Evict` takes one out of a replica's cache, at any moment.

| statement | steps (operation at the replica) | Thrift call |
| --- | --- | --- |
| `Evict` | `evict` | none: Guava, when `metastore.cached.rawstore.max.cache.memory` (1 GB) is reached |

Choices: which table goes, and when, depends upstream on estimates of sizes, on what was read last and on the segment
that its name falls into; here any table can go at any moment, and nothing is weighed.
"""

from __future__ import annotations

from dataclasses import dataclass

from sim.hive.validation import check_statement


@dataclass(frozen=True, slots=True)
class Evict:
    """A replica takes this table out of its cache: others need the memory. `at` "" is the session's home."""

    table: str
    at: str = ""

    def __post_init__(self) -> None:
        check_statement(self)
