"""The commands of `tests/vectors/hive_replication.json`, on the model's transactions or a live metastore's.

Source: hive/7; `TestTxnHandler` 4.0.1.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from model.hive.replication import (
    abort_replicated,
    allocate_replicated,
    commit_replicated,
    open_but_for,
    open_replicated,
)
from model.hive.rules import UNCACHED
from model.hive.txns import open_txns, snapshot
from model.hive.write_ids import valid_write_ids
from tests.unit.hive.lab import Lab
from tests.unit.hive.steps import answered

FILE = Path(__file__).resolve().parents[2] / "vectors" / "hive_replication.json"
SCENARIOS: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))["scenarios"]
Pairs = Sequence[tuple[int, int]]


class Replicates(Protocol):
    """Who answers, under one policy: the model, or a live metastore. `listed`: the open transactions."""

    def plain(self, *, read_only: bool) -> int: ...
    def open(self, sources: Sequence[int]) -> Sequence[int]: ...
    def alloc(self, table: str, asked: Pairs) -> Pairs: ...
    def commit(self, source: int) -> None: ...
    def abort(self, source: int) -> None: ...
    def listed(self, *, others: bool) -> Sequence[int]: ...
    def writes(self, table: str) -> str: ...


class ModelReplicates:
    """The model's."""

    def __init__(self) -> None:
        self.lab = Lab(UNCACHED)

    def plain(self, *, read_only: bool) -> int:
        return self.lab.replica().open_txn(read_only)

    def open(self, sources: Sequence[int]) -> Sequence[int]:
        return self.lab.sql(lambda tx: open_replicated(tx, "p", sources))

    def alloc(self, table: str, asked: Pairs) -> Pairs:
        return self.lab.sql(lambda tx: allocate_replicated(tx, "p", table, asked))

    def commit(self, source: int) -> None:
        self.lab.sql(lambda tx: commit_replicated(tx, UNCACHED, "p", source))

    def abort(self, source: int) -> None:
        self.lab.sql(lambda tx: abort_replicated(tx, "p", source))

    def listed(self, *, others: bool) -> Sequence[int]:
        return self.lab.sql(lambda tx: open_but_for(tx, replicated=others))

    def writes(self, table: str) -> str:
        return self.lab.sql(lambda tx: valid_write_ids(tx, snapshot(open_txns(tx)), table, counts_cleaned=False)).short


class ReplicationScript:
    """Runs the commands; transactions are named by the order in which they come up."""

    def __init__(self, metastore: Replicates, prefix: str = "default.") -> None:
        self.metastore = metastore
        self.prefix = prefix
        self.txns: list[int] = []

    def told(self, scenario: dict[str, Any]) -> list[str]:
        """The scenario's steps with these answers."""
        return answered(scenario["steps"], self._answer)

    def _answer(self, command: str) -> str:
        name, *words = command.split()
        return getattr(self, f"do_{name}")(*words) or "none"

    def do_plain(self) -> str:
        return self._name(self.metastore.plain(read_only=False))

    def do_read(self) -> str:
        return self._name(self.metastore.plain(read_only=True))

    def do_open(self, *sources: str) -> str:
        return self._names(self.metastore.open([int(one) for one in sources]))

    def do_alloc(self, table: str, *pairs: str) -> str:
        asked = [(int(source), int(write_id)) for source, _, write_id in [pair.partition(":") for pair in pairs]]
        given = self.metastore.alloc(self.prefix + table, asked)
        return ",".join([f"{self._name(txn)}:{write_id}" for txn, write_id in sorted(given)])

    def do_commit(self, source: str) -> None:
        self.metastore.commit(int(source))

    def do_abort(self, source: str) -> None:
        self.metastore.abort(int(source))

    def do_listed(self) -> str:
        return self._names(self.metastore.listed(others=False))

    def do_others(self) -> str:
        return self._names(self.metastore.listed(others=True))

    def do_writes(self, table: str) -> str:
        return self.metastore.writes(self.prefix + table)

    def _names(self, txns: Sequence[int]) -> str:
        return ",".join([self._name(txn) for txn in sorted(txns)])

    def _name(self, txn: int) -> str:
        if txn not in self.txns:
            self.txns.append(txn)
        return str(self.txns.index(txn) + 1)
