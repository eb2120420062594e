"""What sessions do with locks, and what the house keeper does to a session, as data.

| statement | steps (operation at the replica) | Thrift call |
| --- | --- | --- |
| `Lock` | `lock_table`, `check_lock`; last `give_up_lock`, `abort_txn` | `lock`, `check_lock`, `unlock`, `abort_txn` |
| `TimeOut` | `time_out` at the database | none: `AcidHouseKeeperService` |

Choices: a transaction that times out has been silent for long enough, whenever that is; time does not pass for it.
"""

from __future__ import annotations

from dataclasses import dataclass

from model.hive.lock_queue import KINDS, LockKind
from sim.hive.validation import check_statement


@dataclass(frozen=True, slots=True)
class Lock:
    """Lock a table for the session's transaction; wait for it, and give up and abort if it is not granted."""

    table: str
    kind: LockKind

    def __post_init__(self) -> None:
        check_statement(self)
        if self.kind not in KINDS:
            raise ValueError(f"Lock: kind: expected one of {', '.join(KINDS)}, got {self.kind!r}")


@dataclass(frozen=True, slots=True)
class TimeOut:
    """The house keeper aborts the open transaction of this session: it has given no sign of life."""

    session: str

    def __post_init__(self) -> None:
        check_statement(self)
