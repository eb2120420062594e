"""A metastore that is restarted while others work, as data: `Restart` ends its process, and another one begins.

| statement | steps (operation at the replica) | Thrift call |
| --- | --- | --- |
| `Restart` | `restart`; then those of a prewarm | none: whoever operates the metastore |

The cache is gone, and what was not settled of a call in the old process gets no answer. What the new process knows of
the log is up to `model.hive.rules.Rules.keeps_position`.

Choices: the new process is up at once, and answers while it fills its cache. Only replicas whose update threads run are
restarted.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sim.hive.validation import check_statement


@dataclass(frozen=True, slots=True)
class Restart:
    """A replica's process ends, and begins anew with an empty cache. `at` "" is the session's home."""

    at: str = ""

    def __post_init__(self) -> None:
        check_statement(self)


def restarted(statements: Iterable[object], home: str) -> list[str]:
    """The replicas that a session restarts."""
    return [one.at or home for one in statements if isinstance(one, Restart)]
