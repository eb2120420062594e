"""The source document's own test, `testMultipleOperationTransaction`, on the model: what it looks at, step by step.

A file is appended; then, in one transaction, two files are appended, and one of them is deleted.

Source: `core-test/TestTransaction.java`.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from model.iceberg.append import FastAppend
from model.iceberg.files import ADDED, DELETED, EXISTING, DataFile, data_file
from model.iceberg.merging import DeleteFiles, MergeAppend
from model.iceberg.metadata import Snapshot, TableMetadata
from model.iceberg.table import IcebergTable
from model.iceberg.tables import create_table, open_table
from model.iceberg.transaction import Transaction
from sim.kernel.choices import Choices
from sim.kernel.kernel import Kernel
from sim.search.strategies import FirstCome
from sim.world.program import program
from sim.world.scenario import Scenario
from sim.world.simulation import Simulation

NAME = "db.t"
FILES = {name: data_file(f"{NAME}/data/{name}", ((number, name),)) for number, name in enumerate("ABCD", 1)}
STATUS = {ADDED: "ADDED", EXISTING: "EXISTING", DELETED: "DELETED"}
TERMS = Scenario("iceberg/document-test", program(lambda _: None), ("readable",))


class Seen(NamedTuple):
    """What the test has seen: the catalog's metadata and how often it was changed, at each of its steps."""

    begun: TableMetadata
    after_append: TableMetadata
    after_delete: TableMetadata
    committed: TableMetadata
    append: Snapshot
    delete: Snapshot
    versions: tuple[int, int, int, int]
    entries: dict[int, list[list[str]]]
    inside: tuple[TableMetadata, TableMetadata, TableMetadata]

    def statuses(self, snapshot: Snapshot) -> list[list[str]]:
        """The entries of each of a snapshot's manifests, as "STATUS file"."""
        return self.entries[snapshot.snapshot_id]


def fresh_table() -> tuple[Simulation, IcebergTable]:
    """An empty table, in a simulation in which nobody else acts."""
    simulation = Simulation(TERMS, Kernel(Choices(FirstCome())))
    return simulation, create_table(simulation.world("w1"), NAME, catalog="java-api")


def append(table: IcebergTable, *names: str) -> None:
    """Append files, outside of any transaction."""
    producer = FastAppend(table)
    for name in names:
        producer.append_file(FILES[name])
    producer.commit()


def step(transaction: Transaction, add: tuple[str, ...] = (), delete: DataFile | None = None) -> Snapshot:
    """One update of a transaction: an append, or the deletion of a file. Returns: the transaction's newest snapshot."""
    update: MergeAppend | DeleteFiles
    if delete is None:
        update = MergeAppend(transaction.table())
        for name in add:
            update.append_file(FILES[name])
    else:
        update = DeleteFiles(transaction.table()).delete_file(delete)
    transaction.add(update)
    return update.commit()


def versions_of(simulation: Simulation) -> int:
    """How often the catalog's table was changed since it was made."""
    return len(simulation.services.register.history[NAME]) - 1


@cache
def played() -> Seen:
    """The test, played once."""
    simulation, table = fresh_table()
    reader = open_table(simulation.world("r1"), NAME, catalog="java-api")
    append(table, "C")
    transaction = Transaction(table)
    found, inside = [reader.ops.refresh()], [transaction.current]
    versions = [versions_of(simulation)]
    appended = step(transaction, add=("A", "B"))
    found.append(reader.ops.refresh())
    inside.append(transaction.current)
    versions.append(versions_of(simulation))
    deleted = step(transaction, delete=FILES["A"])
    found.append(reader.ops.refresh())
    inside.append(transaction.current)
    versions.append(versions_of(simulation))
    transaction.commit()
    found.append(reader.ops.refresh())
    versions.append(versions_of(simulation))
    entries = {snapshot.snapshot_id: _entries(reader, snapshot) for snapshot in found[-1].snapshots}
    begun, after_append, after_delete, committed = found
    return Seen(
        begun, after_append, after_delete, committed, appended, deleted,
        (versions[0], versions[1], versions[2], versions[3]), entries, (inside[0], inside[1], inside[2]),
    )  # fmt: skip


def _entries(table: IcebergTable, snapshot: Snapshot) -> list[list[str]]:
    return [
        [f"{STATUS[entry.status]} {entry.file.path.rsplit('/', 1)[-1]}" for entry in table.files.entries(manifest)]
        for manifest in table.files.manifests(snapshot)
    ]
