"""Drawn sequences of calls of the lock manager, and how the model answers them; a live metastore is asked the same.

Transactions and requests are named by the order in which they were made: 1 is the first of the sequence.
"""

from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Literal, Protocol

from model.hive.errors import TxnAborted
from model.hive.lock_queue import KINDS, Component
from model.hive.locks import Locked, add_dynamic_partitions, check_lock, heartbeat, lock, unlock
from model.hive.rows import COMMITTED, HIVE_LOCKS, Lock
from model.hive.rules import UNCACHED, Rules
from model.hive.txns import Ending, abort_txn, commit_txn, open_txn
from model.hive.txns import heartbeat as beat
from model.hive.write_ids import allocate
from model.ports import PortError
from tests.unit.hive.lab import Lab

Name = Literal["open", "lock", "check", "unlock", "beat", "commit", "abort", "dynamic", "allocate"]
DRAWN: tuple[Name, ...] = (
    "open", "open", "lock", "lock", "lock", "lock", "lock", "lock", "check", "check", "check", "unlock", "beat",
    "commit", "commit", "abort", "dynamic", "allocate",
)  # fmt: skip
PARTITIONS = ("p=1", "p=2")
UNEXPLAINED = ("allocate", "dynamic")
"""Calls that a metastore refuses without saying why: whatever is wrong with the transaction is a `MetaException`."""


@dataclass(frozen=True)
class Call:
    """One call. `txn` and `number` are names; 0 is none, and one too many is nobody's."""

    name: Name
    txn: int = 0
    number: int = 0
    parts: tuple[Component, ...] = ()
    table: str = ""
    flag: bool = False
    """Of an open: read only; of a commit: writes are exclusive; of an allocation: again."""


class Manager(Protocol):
    """Who answers: the model, or a live metastore."""

    def open_txn(self, *, read_only: bool = False) -> int: ...
    def commit_txn(self, txn: int, *, exclusive: bool) -> None: ...
    def abort_txn(self, txn: int) -> None: ...
    def lock(self, txn: int, components: tuple[Component, ...]) -> Locked: ...
    def check_lock(self, number: int) -> Locked: ...
    def unlock(self, number: int) -> None: ...
    def heartbeat(self, txn: int, number: int) -> None: ...
    def add_dynamic_partitions(self, txn: int, table: str, partitions: Any, operation: Any) -> None: ...
    def allocate_write_id(self, txn: int, table: str, *, again: bool) -> int: ...
    def locks_of(self, database: str) -> dict[tuple[int, int], Lock]: ...


class ModelLocks:
    """The model's lock manager on a database of its own."""

    def __init__(self, rules: Rules = UNCACHED) -> None:
        self.lab = Lab()
        self.rules = rules

    def open_txn(self, *, read_only: bool = False) -> int:
        return self.lab.sql(lambda tx: open_txn(tx, read_only)).txn

    def commit_txn(self, txn: int, *, exclusive: bool) -> None:
        rules = replace(self.rules, exclusive_writes=exclusive)
        ending: Ending = self.lab.sql(lambda tx: commit_txn(tx, rules, txn))
        if ending.state != COMMITTED:
            raise TxnAborted(ending.why)

    def abort_txn(self, txn: int) -> None:
        self.lab.sql(lambda tx: abort_txn(tx, txn))

    def lock(self, txn: int, components: tuple[Component, ...]) -> Locked:
        return self.lab.sql(lambda tx: lock(tx, UNCACHED, txn, components))

    def check_lock(self, number: int) -> Locked:
        return self.lab.sql(lambda tx: check_lock(tx, number))

    def unlock(self, number: int) -> None:
        self.lab.sql(lambda tx: unlock(tx, number))

    def heartbeat(self, txn: int, number: int) -> None:
        if txn:
            self.lab.sql(lambda tx: beat(tx, txn))
        if number:
            self.lab.sql(lambda tx: heartbeat(tx, number))

    def add_dynamic_partitions(self, txn: int, table: str, partitions: Any, operation: Any) -> None:
        self.lab.sql(lambda tx: add_dynamic_partitions(tx, txn, table, partitions, operation))

    def allocate_write_id(self, txn: int, table: str, *, again: bool) -> int:
        return self.lab.sql(lambda tx: allocate(tx, txn, table, again=again))

    def locks_of(self, database: str) -> dict[tuple[int, int], Lock]:
        rows = self.lab.sql(lambda tx: tx.scan(HIVE_LOCKS))
        return {key: row._replace(heartbeat_ms=0) for key, row in rows if row.database == database}


def drawn(seed: int, length: int = 18) -> list[Call]:
    """A sequence on tables of the database `d<seed>`, which begins with two transactions."""
    draws, database = Random(seed), f"d{seed}"
    calls = [Call("open"), Call("open", flag=draws.random() < 0.1)]
    while len(calls) < length:
        calls.append(_drawn(draws, database, calls))
    return calls


def _drawn(draws: Random, database: str, before: list[Call]) -> Call:
    name = draws.choice(DRAWN)
    opened = sum(call.name == "open" for call in before)
    asked = sum(call.name == "lock" for call in before)
    txn = draws.randint(1, opened + (draws.random() < 0.05))
    number = draws.randint(1, asked + (asked == 0 or draws.random() < 0.05))
    table, flag = f"{database}.{draws.choice('ttu')}", draws.random() < 0.5
    if name == "lock":
        alone = draws.random() < 0.15
        parts = tuple(_part(draws, database, alone=alone) for _ in range(draws.choice((1, 1, 1, 2))))
        return Call(name, 0 if alone else txn, parts=parts)
    if name == "beat":
        which = draws.choice(((txn, 0), (0, number), (txn, number)))
        return Call(name, *which)
    return Call(name, txn, number, table=table, flag=flag if name != "open" else draws.random() < 0.1)


def _part(draws: Random, database: str, *, alone: bool) -> Component:
    kind = draws.choice(KINDS)
    table = draws.choice((database, *[f"{database}.{name}" for name in "tttu"]))
    partition = draws.choice(("", "", *PARTITIONS)) if "." in table else ""
    changes = "." in table and not alone and kind != "shared-read"
    operation = (
        draws.choice(("insert", "update", "update", "delete")) if changes else draws.choice(("select", "no-txn"))
    )
    dynamic = changes and not partition and draws.random() < 0.3
    return Component(kind, table, partition, operation, dynamic, transactional=not changes or draws.random() < 0.9)  # type: ignore[arg-type]


@dataclass
class Names:
    """The numbers that a manager gave, by the order in which it gave them."""

    txns: list[int] = field(default_factory=list)
    requests: list[int] = field(default_factory=list)

    def number(self, known: list[int], name: int) -> int:
        """A number by its name; of nobody's a number that nobody has."""
        return 0 if not name else known[name - 1] if name <= len(known) else 10_000_000


def answers(manager: Manager, calls: list[Call]) -> list[str]:
    """What the manager says to each call, and then which locks there are. Open transactions are aborted afterwards."""
    names = Names()
    told = [_answer(manager, call, names) for call in calls]
    database = next((part.table.split(".")[0] for call in calls for part in call.parts), "")
    for (number, place), row in sorted(manager.locks_of(database).items()):
        txn = names.txns.index(row.txn) + 1 if row.txn else 0
        told.append(f"{names.requests.index(number) + 1}.{place}: {row._replace(txn=txn)[:-1]}")
    for txn in names.txns:
        try:
            manager.abort_txn(txn)
        except PortError:
            continue
    return told


def _answer(manager: Manager, call: Call, names: Names) -> str:
    try:
        return str(_asked(manager, call, names))
    except PortError as error:
        return "Refused" if call.name in UNEXPLAINED else type(error).__name__


def _asked(manager: Manager, call: Call, names: Names) -> object:
    txn, number = names.number(names.txns, call.txn), names.number(names.requests, call.number)
    match call.name:
        case "open":
            names.txns.append(manager.open_txn(read_only=call.flag))
            return len(names.txns)
        case "lock":
            names.requests.append(0)
            names.requests[-1], held = manager.lock(txn, call.parts)
            return held
        case "check":
            return manager.check_lock(number).held
        case "unlock":
            return manager.unlock(number)
        case "beat":
            return manager.heartbeat(txn, number)
        case "commit":
            return manager.commit_txn(txn, exclusive=call.flag)
        case "abort":
            return manager.abort_txn(txn)
        case "dynamic":
            return manager.add_dynamic_partitions(txn, call.table, PARTITIONS[: 1 + call.flag], "update")
        case "allocate":
            return manager.allocate_write_id(txn, call.table, again=call.flag)
