"""The commands of `tests/vectors/hive_soft_deletes.json`, on the model's database or a live metastore.

Source: hive/7; `TestDbTxnManager2` 4.0.1.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from model.hive import soft_deletes, tables
from model.hive.rules import UNCACHED
from model.hive.soft_deletes import Cleanup
from model.hive.txns import open_txns, snapshot
from model.hive.write_ids import valid_write_ids
from tests.unit.hive.lab import Lab
from tests.unit.hive.steps import answered

FILE = Path(__file__).resolve().parents[2] / "vectors" / "hive_soft_deletes.json"
SCENARIOS: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))["scenarios"]
PARTS = ("p=1", "p=2")


class Drops(Protocol):
    """Who answers: the model, or a live metastore. Tables are named without their database."""

    def make(self, table: str, *, managed: bool) -> None: ...
    def open(self) -> int: ...
    def alloc(self, txn: int, table: str) -> int: ...
    def commit(self, txn: int) -> None: ...
    def drop(self, table: str, txn: int) -> None: ...
    def purge(self, table: str) -> None: ...
    def drop_partition(self, table: str, partition: str, txn: int, write_id: int) -> None: ...
    def clone(self, table: str, old: str, new: str, txn: int, write_id: int) -> None: ...
    def drop_database(self, txn: int) -> None: ...
    def queue(self) -> Sequence[Cleanup]: ...
    def partitions(self, table: str) -> Sequence[str]: ...
    def writes(self, table: str) -> str: ...


class ModelDrops:
    """The model's, in the database `sales`."""

    def __init__(self) -> None:
        self.lab = Lab(UNCACHED)

    def make(self, table: str, *, managed: bool) -> None:
        def body(tx: Any) -> None:
            tables.create(tx, _full(table), (("v", "1"),), managed)
            for part in PARTS:
                tables.put_partition(tx, _full(table), part, "1")

        self.lab.sql(body)

    def open(self) -> int:
        return self.lab.replica().open_txn(False)

    def alloc(self, txn: int, table: str) -> int:
        return self.lab.replica().allocate_write_id(txn, _full(table))

    def commit(self, txn: int) -> None:
        self.lab.replica().commit_txn(txn)

    def drop(self, table: str, txn: int) -> None:
        self.lab.sql(lambda tx: soft_deletes.drop_table(tx, _full(table), txn))

    def purge(self, table: str) -> None:
        self.lab.replica().drop_table(_full(table))

    def drop_partition(self, table: str, partition: str, txn: int, write_id: int) -> None:
        self.lab.sql(lambda tx: soft_deletes.drop_partition(tx, _full(table), partition, txn, write_id))

    def clone(self, table: str, old: str, new: str, txn: int, write_id: int) -> None:
        self.lab.sql(lambda tx: soft_deletes.clone_partition(tx, _full(table), old, new, txn, write_id))

    def drop_database(self, txn: int) -> None:
        self.lab.sql(lambda tx: soft_deletes.drop_database(tx, "sales", txn))

    def queue(self) -> Sequence[Cleanup]:
        found = self.lab.sql(soft_deletes.queue)
        return [one._replace(table=one.table.partition(".")[2]) for one in found]

    def partitions(self, table: str) -> Sequence[str]:
        return self.lab.sql(lambda tx: [name for name, _ in tables.partitions(tx, tables.get(tx, _full(table)))])

    def writes(self, table: str) -> str:
        def body(tx: Any) -> str:
            return valid_write_ids(tx, snapshot(open_txns(tx)), _full(table), counts_cleaned=False).short

        return self.lab.sql(body)


def _full(table: str) -> str:
    return f"sales.{table}"


class SoftDeleteScript:
    """Runs the commands; transactions are named by the order in which they are opened."""

    def __init__(self, metastore: Drops) -> None:
        self.metastore = metastore
        self.txns: list[int] = []

    def told(self, scenario: dict[str, Any]) -> list[str]:
        """The scenario's steps with these answers."""
        return answered(scenario["steps"], self._answer)

    def _answer(self, command: str) -> str:
        name, *words = command.split()
        return str(getattr(self, f"do_{name.replace('-', '_')}")(*words) or "none")

    def do_make(self, table: str) -> None:
        self.metastore.make(table, managed=True)

    def do_make_external(self, table: str) -> None:
        self.metastore.make(table, managed=False)

    def do_open(self) -> int:
        self.txns.append(self.metastore.open())
        return len(self.txns)

    def do_alloc(self, txn: str, table: str) -> int:
        return self.metastore.alloc(self._txn(txn), table)

    def do_commit(self, txn: str) -> None:
        self.metastore.commit(self._txn(txn))

    def do_drop(self, table: str, txn: str = "") -> None:
        self.metastore.drop(table, self._txn(txn) if txn else 0)

    def do_purge(self, table: str) -> None:
        self.metastore.purge(table)

    def do_drop_partition(self, table: str, partition: str, txn: str, write_id: str) -> None:
        self.metastore.drop_partition(table, partition, self._txn(txn), int(write_id))

    def do_clone(self, table: str, old: str, new: str, txn: str, write_id: str) -> None:
        self.metastore.clone(table, old, new, self._txn(txn), int(write_id))

    def do_drop_database(self, txn: str) -> None:
        self.metastore.drop_database(self._txn(txn))

    def do_queue(self) -> str:
        rows = [
            f"{one.table}{f'/{one.partition}' if one.partition else ''}:{one.write_id}:{self.txns.index(one.txn) + 1}"
            for one in self.metastore.queue()
        ]
        return ", ".join(rows)

    def do_partitions(self, table: str) -> str:
        return ",".join(self.metastore.partitions(table))

    def do_writes(self, table: str) -> str:
        return self.metastore.writes(table)

    def _txn(self, name: str) -> int:
        return self.txns[int(name) - 1]
