"""What sessions do with locks, and what the house keeper does to a session, as data.

| statement | steps (operation at the replica) | Thrift call |
| --- | --- | --- |
| `Lock` | `lock_table`, `check_lock`; last `give_up_lock`, `abort_txn` | `lock`, `check_lock`, `unlock`, `abort_txn` |
| `LockSet` | the same, for all of it at once | the same |
| `TimeOut` | `time_out` at the database | none: `AcidHouseKeeperService` |

Choices: a transaction that times out has been silent for long enough, whenever that is; time does not pass for it.
"""

from __future__ import annotations

from dataclasses import dataclass

from model.hive.lock_queue import KINDS, LockKind
from sim.hive.validation import check_object, check_statement, sequence


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
class LockSet:
    """The same of several things in one request, which has all of them or waits for all of them.

    `parts` are pairs of a kind and of what is locked: a table ("default.t"), a partition of one ("default.t/d=1"), or a
    database ("default").
    """

    parts: tuple[tuple[LockKind, str], ...]

    def __post_init__(self) -> None:
        if not sequence("LockSet: parts", self.parts):
            raise ValueError("LockSet: parts: expected what is locked, got nothing")
        for pair in self.parts:
            if len(sequence("LockSet: parts", pair)) != 2 or pair[0] not in KINDS:
                raise ValueError(f"LockSet: parts: expected a kind out of {', '.join(KINDS)} and a name, got {pair!r}")
            check_object("LockSet: parts", pair[1])


@dataclass(frozen=True, slots=True)
class TimeOut:
    """The house keeper aborts the open transaction of this session: it has given no sign of life."""

    session: str

    def __post_init__(self) -> None:
        check_statement(self)
