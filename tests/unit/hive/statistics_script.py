"""The commands of `tests/vectors/hive_statistics.json`: whose statistics may be used with a list of write ids.

Source: hive/7; `TestCachedStoreUpdateUsingEvents` and `ObjectStore.isCurrentStatsValidForTheQuery` 4.0.1: those of a
write id that the list has as valid. Choices: the first of upstream's four is of a table; here all are of both.
"""

import json
from pathlib import Path
from typing import Any, Protocol

from model.hive import Request, Rules
from model.hive.rules import UNCACHED
from model.hive.txn_service import TableIds
from tests.unit.hive.lab import Lab, T

FILE = Path(__file__).resolve().parents[2] / "vectors" / "hive_statistics.json"
SCENARIOS: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))["scenarios"]


class Statistics(Protocol):
    """One table's statistics, in the model's lists or in a metastore."""

    def open_txn(self) -> int: ...
    def commit_txn(self, txn: int) -> None: ...
    def abort_txn(self, txn: int) -> None: ...
    def allocate(self, txn: int) -> int: ...
    def analyze(self, write_id: int) -> None: ...
    def is_compliant(self) -> bool: ...


class ModelStatistics:
    """Those of a table of the model's metastore, or its partition, which has no cache unless its rules say so."""

    def __init__(self, rules: Rules = UNCACHED, *, partition: str = "") -> None:
        self.h1 = Lab(rules).replica("h1")
        self.told = 0
        self.partition = partition
        if partition:
            self.h1.put_partition(T, partition, "p0")
            self.h1.poller.poll()

    def open_txn(self) -> int:
        return self.h1.open_txn()

    def commit_txn(self, txn: int) -> None:
        self.h1.commit_txn(txn)

    def abort_txn(self, txn: int) -> None:
        self.h1.abort_txn(txn)

    def allocate(self, txn: int) -> int:
        return self.h1.allocate_write_id(txn, T)

    def analyze(self, write_id: int) -> None:
        self.told += 1
        self.h1.update_statistics(T, str(self.told), write_id, self._ids().writes, partition=self.partition)

    def is_compliant(self) -> bool:
        ids = self._ids()
        request = Request(T, ids.table_id, ids.writes)
        return self.h1.get_statistics(request, self.partition).value == str(self.told)

    def _ids(self) -> TableIds:
        return self.h1.table_ids(self.h1.valid_txns(0), T)


class StatisticsScript:
    """Runs the commands; transactions are named by their order."""

    def __init__(self, table: Statistics) -> None:
        self.table = table
        self.txns: list[int] = []
        self.write_id = 0

    def told(self, scenario: dict[str, Any]) -> list[str]:
        """The scenario's steps with what this table answers; what is still open is aborted afterwards."""
        told = []
        for step in scenario["steps"]:
            command = step.partition(" -> ")[0]
            told.append(f"{command} -> {self.run(command)}")
        ended = [int(step.split()[1]) for step in scenario["steps"] if step.startswith(("commit", "abort"))]
        for number, txn in enumerate(self.txns, 1):
            if number not in ended:
                self.table.abort_txn(txn)
        return told

    def run(self, line: str) -> str:
        """Do one command; returns its answer."""
        name, _, number = line.partition(" ")
        txn = self.txns[int(number) - 1] if number else 0
        match name:
            case "open":
                self.txns.append(self.table.open_txn())
                return str(len(self.txns))
            case "write":
                self.write_id = self.table.allocate(txn)
                return str(self.write_id)
            case "seen":
                return "compliant" if self.table.is_compliant() else "not compliant"
            case "commit":
                self.table.commit_txn(txn)
            case "abort":
                self.table.abort_txn(txn)
            case _:
                assert name == "analyze", f"statistics script: expected a command, got {line!r}"
                self.table.analyze(self.write_id)
        return "ok"
