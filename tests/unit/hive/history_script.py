"""The commands of `tests/vectors/hive_history.json`, on the model's transactions or a live metastore's.

Source: hive/7; `TestDbTxnManager2` 4.0.1, whose driver takes its snapshot when it compiles and its lists when it runs.
Choices: 4.0.1 keeps the write ids of the last transaction before a reader's, too, so there is one without any.
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from model.hive.cleaning import clean_write_ids, clean_write_set
from model.hive.lists import ValidTxnList, ValidWriteIdList
from model.hive.lock_queue import Component
from model.hive.rules import UNCACHED
from model.hive.txns import open_txns, snapshot
from model.hive.write_ids import valid_write_ids
from tests.unit.hive.lock_calls import ModelLocks
from tests.unit.hive.steps import answered

FILE = Path(__file__).resolve().parents[2] / "vectors" / "hive_history.json"
ROWS: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
SCENARIOS: list[dict[str, Any]] = ROWS["scenarios"]
OVERTAKEN: dict[str, list[str]] = ROWS["overtaken"]
"""By mode, the two lists of a reader that an insert's commit meets."""


class History(Protocol):
    """Who answers: the model, or a live metastore with its house keeper."""

    locks: Any

    def seen_by(self, own: int) -> ValidTxnList: ...
    def writes_of(self, seen: ValidTxnList, table: str) -> ValidWriteIdList: ...
    def wait(self) -> None: ...
    def clean(self) -> None: ...


class ModelHistory:
    """The model's. `keeps`: whom open transactions may have missed is noted; `dates`: the cleaner dates inserts."""

    def __init__(self, *, keeps: bool, dates: bool = False) -> None:
        self._rules = replace(UNCACHED, keeps_min_history=keeps, cleaner_dates_inserts=dates)
        self.locks = ModelLocks(self._rules)

    def seen_by(self, own: int) -> ValidTxnList:
        return self.locks.lab.sql(lambda tx: snapshot(open_txns(tx), own))

    def writes_of(self, seen: ValidTxnList, table: str) -> ValidWriteIdList:
        return self.locks.lab.sql(lambda tx: valid_write_ids(tx, seen, table, counts_cleaned=False))

    def wait(self) -> None:
        """What is there is old enough for the cleaner at any time (`model.hive.cleaning`)."""

    def clean(self) -> None:
        self.locks.lab.sql(clean_write_set)
        self.locks.lab.sql(lambda tx: clean_write_ids(tx, self._rules))


class HistoryScript:
    """Runs the commands on a table of its own."""

    def __init__(self, history: History, table: str) -> None:
        self.history = history
        self.table = table
        self.txns: list[int] = []
        self.seen: dict[str, ValidTxnList] = {}

    def told(self, scenario: dict[str, Any]) -> list[str]:
        """The scenario's steps with these answers; what is still open is committed afterwards."""
        told = answered(scenario["steps"], self._answer)
        for txn in self.txns:
            self.history.locks.commit_txn(txn, exclusive=True)
        return told

    def _answer(self, command: str) -> object:
        name, *words = command.split()
        return getattr(self, "do_" + name)(*words)

    def do_open(self, read_only: bool = False) -> int:
        self.history.wait()
        self.txns.append(self.history.locks.open_txn(read_only=read_only))
        return len(self.txns)

    def do_read(self) -> int:
        return self.do_open(read_only=True)

    def do_snapshot(self, txn: str) -> str:
        self.seen[txn] = self.history.seen_by(self._txn(txn))
        return self.do_again(txn)

    def do_again(self, txn: str) -> str:
        return self.history.writes_of(self.seen[txn], self.table).short

    def do_insert(self, txn: str) -> int:
        return self._write(txn, Component("shared-read", self.table, operation="insert"))

    def do_update(self, txn: str) -> int:
        return self._write(txn, Component("shared-write", self.table, operation="update"))

    def do_commit(self, txn: str) -> None:
        self.history.locks.commit_txn(self._txn(txn), exclusive=True)

    def do_clean(self) -> None:
        self.history.clean()

    def _write(self, txn: str, part: Component) -> int:
        assert self.history.locks.lock(self._txn(txn), (part,)).held
        return int(self.history.locks.allocate_write_id(self._txn(txn), self.table, again=False))

    def _txn(self, name: str) -> int:
        return self.txns[int(name) - 1]
