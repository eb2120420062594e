"""The commands of `tests/vectors/hive_lock_scenarios.json` on a lock manager: the model's, or a live metastore's.

Source: hive/7; `TestTxnHandler` and `TestDbTxnManager2` 4.0.1. Choices: upstream's sleep and `performTimeOuts` are
`silence`, which the house keeper of a live metastore ends; databases have a prefix, as live scenarios share a server;
what `TestDbTxnManager2` compiles from SQL is the lock request that it says that it gets.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from model.hive.lock_queue import Component
from model.hive.locks import time_out
from model.hive.txns import TXN_TIMEOUT_MS
from model.ports import PortError
from tests.unit.hive.lock_calls import Manager, ModelLocks, Names
from tests.unit.hive.steps import answered

FILE = Path(__file__).resolve().parents[2] / "vectors" / "hive_lock_scenarios.json"
SCENARIOS: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))["scenarios"]
DATABASES = ("mydb", "yourdb")


class LockScript:
    """Runs the commands on one manager. `silence` lets so much time pass that who was silent has timed out."""

    def __init__(self, manager: Manager, prefix: str, silence: Callable[[], None]) -> None:
        self.manager = manager
        self.prefix = prefix
        self.names = Names()
        self.silence = silence

    def run(self, line: str) -> str:
        """Do one command; returns its answer, or the name of the error."""
        name, _, rest = line.partition(" ")
        try:
            return str(getattr(self, "do_" + name)(rest))
        except PortError as error:
            return type(error).__name__

    def told(self, scenario: dict[str, Any]) -> list[str]:
        """The scenario's steps with this manager's answers; what is still open is aborted afterwards."""
        told = answered(scenario["steps"], self.run)
        for txn in self.names.txns:
            try:
                self.manager.abort_txn(txn)
            except PortError:
                continue
        return told

    def do_open(self, _: str) -> int:
        self.names.txns.append(self.manager.open_txn())
        return len(self.names.txns)

    def do_lock(self, words: str) -> str:
        txn, _, parts = words.partition(" ")
        components = tuple(self._component(*part.split()) for part in parts.split(" + "))
        number, held = self.manager.lock(self.names.number(self.names.txns, int(txn)), components)
        self.names.requests.append(number)
        return _held(held)

    def do_check(self, number: str) -> str:
        return _held(self.manager.check_lock(self._request(number)).held)

    def do_unlock(self, number: str) -> str:
        self.manager.unlock(self._request(number))
        return "ok"

    def do_beat(self, number: str) -> str:
        self.manager.heartbeat(0, self._request(number))
        return "ok"

    def do_commit(self, txn: str) -> str:
        self.manager.commit_txn(self.names.number(self.names.txns, int(txn)), exclusive=True)
        return "ok"

    def do_compare(self, txn: str) -> str:
        """Commit, and look for conflicts."""
        self.manager.commit_txn(self.names.number(self.names.txns, int(txn)), exclusive=False)
        return "ok"

    def do_wrote(self, words: str) -> str:
        """Say which partitions an update has changed."""
        txn, table, partitions = words.split()
        number = self.names.number(self.names.txns, int(txn))
        self.manager.add_dynamic_partitions(number, self.prefix + table, partitions.split(","), "update")
        return "ok"

    def do_abort(self, txn: str) -> str:
        self.manager.abort_txn(self.names.number(self.names.txns, int(txn)))
        return "ok"

    def do_silence(self, _: str) -> str:
        self.silence()
        return ""

    def do_locks(self, _: str) -> str:
        rows = [row for name in DATABASES for row in self.manager.locks_of(self.prefix + name).items()]
        return ", ".join(self._shown(number, row) for (number, _), row in sorted(rows)) or "none"

    def _request(self, number: str) -> int:
        return self.names.number(self.names.requests, int(number))

    def _component(self, kind: Any, place: str, operation: Any, dynamic: str = "") -> Component:
        table, _, partition = place.partition("/")
        return Component(kind, self.prefix + table, partition, operation, bool(dynamic))

    def _shown(self, number: int, row: Any) -> str:
        txn = self.names.txns.index(row.txn) + 1 if row.txn else 0
        table = row.database.removeprefix(self.prefix) + (f".{row.table}" if row.table else "")
        place = table + (f"/{row.partition}" if row.partition else "")
        return f"{self.names.requests.index(number) + 1} of {txn}: {row.kind} {place} {_held(row.held)}"


def on_model(scenario: dict[str, Any]) -> list[str]:
    """The scenario on a model of its own."""
    manager = ModelLocks()

    def silence() -> None:
        kernel = manager.lab.kernel
        kernel.run(until=int(kernel.now) + TXN_TIMEOUT_MS + 1)
        manager.lab.sql(time_out)

    return LockScript(manager, "", silence).told(scenario)


def _held(held: bool) -> str:
    return "held" if held else "waits"
