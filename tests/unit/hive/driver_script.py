"""The commands of `tests/vectors/hive_driver.json`: the driver's loop, on the model's metastore or a live one.

Source: hive/7; `TestDbTxnManager2` 4.0.1. Choices: whoever is in the way is a transaction that opens, updates the table
and commits between a statement's compilation and its lock.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from model.hive.conflicts import latest_conflict
from model.hive.driver import Driver, TxnManager
from model.hive.errors import SnapshotOutdated
from model.hive.lists import ValidTxnList, ValidWriteIdList
from model.hive.lock_queue import Component
from model.hive.locks import Locked
from tests.unit.hive.history_script import ModelHistory
from tests.unit.hive.steps import answered

FILE = Path(__file__).resolve().parents[2] / "vectors" / "hive_driver.json"
SCENARIOS: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))["scenarios"]


class Managed:
    """A lock manager's calls, as the driver asks for them; of the model, or of a live metastore."""

    def __init__(self, history: Any) -> None:
        self.history = history

    def open_txn(self) -> int:
        return int(self.history.locks.open_txn())

    def commit_txn(self, txn: int) -> None:
        self.history.locks.commit_txn(txn, exclusive=True)

    def abort_txn(self, txn: int) -> None:
        self.history.locks.abort_txn(txn)

    def seen_by(self, txn: int) -> ValidTxnList:
        seen: ValidTxnList = self.history.seen_by(txn)
        return seen

    def writes_of(self, seen: ValidTxnList, table: str) -> ValidWriteIdList:
        writes: ValidWriteIdList = self.history.writes_of(seen, table)
        return writes

    def allocate_write_id(self, txn: int, table: str, *, again: bool) -> int:
        return int(self.history.locks.allocate_write_id(txn, table, again=again))

    def lock(self, txn: int, parts: Sequence[Component]) -> Locked:
        asked: Locked = self.history.locks.lock(txn, tuple(parts))
        return asked

    def check_lock(self, number: int) -> Locked:
        asked: Locked = self.history.locks.check_lock(number)
        return asked

    def latest_conflict(self, txn: int) -> int:
        return int(self.history.locks.lab.sql(lambda tx: latest_conflict(tx, txn)))


def model() -> Managed:
    """The model's metastore."""
    return Managed(ModelHistory(keeps=True))


class DriverScript:
    """Runs the commands on a table of its own."""

    def __init__(self, metastore: TxnManager, table: str) -> None:
        self.metastore = metastore
        self.table = table
        self.drivers: dict[str, Driver] = {}

    def told(self, scenario: dict[str, Any]) -> list[str]:
        """The scenario's steps with these answers."""
        return answered(scenario["steps"], self._answer)

    def _answer(self, command: str) -> str:
        name, *words = command.split()
        return self.run(*words) if name == "run" else self._do(name, self._driver(words[0]))

    def _driver(self, number: str) -> Driver:
        return self.drivers.setdefault(number, Driver(self.metastore, self.table, self._part()))

    def _part(self) -> Component:
        return Component("excl-write", self.table, operation="update")

    def _do(self, name: str, driver: Driver) -> str:
        match name:
            case "lock":
                return "has" if driver.lock() else "waits"
            case "outdated":
                return driver.outdated() or "nothing"
            case "renew":
                driver.renew(driver.outdated())
            case "reads":
                return ",".join(map(str, driver.reads())) or "none"
            case "compile" | "commit":
                getattr(driver, name)()
        return ""

    def run(self, times: str, most: str) -> str:
        """A statement that is overtaken so often."""
        left = [int(times)]

        def meanwhile() -> None:
            if left[0]:
                left[0] -= 1
                rival = Driver(self.metastore, self.table, self._part())
                rival.compile()
                assert rival.lock()
                rival.commit()

        try:
            return str(Driver(self.metastore, self.table, self._part()).run(meanwhile, int(most)))
        except SnapshotOutdated:
            return "refused"
