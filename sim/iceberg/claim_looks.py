"""Single runs on the model that answer claims about Iceberg's transactions: each says what is wrong ("": nothing)."""

from __future__ import annotations

from model.iceberg import coverage
from model.iceberg.append import FastAppend
from model.iceberg.expire import expire_snapshot
from model.iceberg.files import DELETES
from model.iceberg.merging import MergeAppend
from model.iceberg.overwrite import OverwriteFiles
from model.iceberg.row_delta import RowDelta
from model.iceberg.table import IcebergTable
from model.iceberg.tables import open_table, write_delete_file
from model.iceberg.transaction import Transaction
from model.iceberg.updates import UpdateProperties
from sim.iceberg.document_test import FILES, NAME, append, fresh_table, played, step, versions_of
from sim.world.words import counted


def half_a_transaction_by_its_id() -> str:
    """Time travel to a snapshot that the table lists, of which the history knows nothing."""
    seen = played()
    listed = [snapshot.snapshot_id for snapshot in seen.committed.snapshots]
    halves = [snapshot for snapshot in listed if snapshot not in seen.committed.snapshot_log]
    files = ", ".join(entry for manifest in seen.statuses(seen.append) for entry in manifest)
    return (
        f"snapshots() lists {counted(len(halves), 'snapshot')} inside the transaction; read by its id: {files}"
        if halves
        else ""
    )


def an_update_without_snapshot() -> str:
    """Properties are set in a transaction."""
    _, table = fresh_table()
    transaction = Transaction(table)
    update = UpdateProperties(transaction.table()).set("k", "1")
    transaction.add(update)
    update.commit()
    return "" if transaction.current.snapshots else "setting a property makes metadata without a new snapshot"


def an_expired_snapshot() -> str:
    """A snapshot is expired."""
    _, table = fresh_table()
    append(table, "A")
    append(table, "B")
    old = table.metadata.snapshots[0].snapshot_id
    table.ops.commit(expire_snapshot(table.ops.refresh(), old))
    kept = [snapshot.snapshot_id for snapshot in table.ops.refresh().snapshots]
    return "" if old in kept else f"snapshot {old} was expired, {kept} are left"


def one_commit_outside() -> str:
    """A commit outside of any transaction."""
    simulation, table = fresh_table()
    before = versions_of(simulation)
    append(table, "A")
    made = len(table.ops.refresh().snapshots), versions_of(simulation) - before
    return "" if made == (1, 1) else f"{made[0]} snapshots and {made[1]} versions of metadata"


def metadata_is_never_changed() -> str:
    """The metadata that the transaction began with, after its updates."""
    begun, *later = played().inside
    counts = [len(metadata.snapshots) for metadata in (begun, *later)]
    same = counts[0] == counts[-1]
    return "" if same else f"the first metadata has {counts[0]} snapshot still, {counts[1:]} are in new ones"


def what_is_noted_is_deleted() -> str:
    """An update is committed twice within its transaction: what of the noted files is still there afterwards."""
    simulation, table = fresh_table()
    append(table, "C")
    transaction = Transaction(table)
    update = FastAppend(transaction.table()).append_file(FILES["A"])
    transaction.add(update)
    for _ in range(2):
        update.commit()
    there = [path for path in transaction.deleted if path in simulation.services.store.objects]
    return f"noted and not deleted: {', '.join(path.rpartition('/')[2] for path in there)}" if there else ""


def as_outside() -> str:
    """One append in a transaction, and one outside: snapshots, manifests and entries."""
    made = []
    for inside in (True, False):
        _, table = fresh_table()
        append(table, "C")
        if inside:
            transaction = Transaction(table)
            step(transaction, add=("A", "B"))
            transaction.commit()
        else:
            append(table, "A", "B")
        head = table.ops.refresh().current
        assert head is not None
        made.append((head.operation, head.sequence_number, [m[1:] for m in table.files.manifests(head)]))
    return "" if made[0] == made[1] else f"inside {made[0]}, outside {made[1]}"


def nothing_staged() -> str:
    """A transaction of nothing."""
    simulation, table = fresh_table()
    before = versions_of(simulation)
    Transaction(table).commit()
    return "" if versions_of(simulation) == before else "it commits"


def applied_again_without_need() -> str:
    """A transaction commits, and nobody else does."""
    simulation, table = fresh_table()
    transaction = Transaction(table)
    step(transaction, add=("A",))
    before = transaction.current
    transaction.commit()
    again = simulation.kernel.coverage.get(coverage.UPDATES_APPLIED_AGAIN, 0)
    same = transaction.current is before
    return "" if again and not same else "the table is as it was at the beginning: no update is committed a second time"


def applied_again_in_order() -> str:
    """A transaction commits after somebody else: the labels of its snapshots, oldest first."""
    simulation, table = fresh_table()
    append(table, "C")
    transaction = Transaction(table)
    step(transaction, add=("A", "B"))
    step(transaction, delete=FILES["A"])
    append(open_table(simulation.world("w2"), NAME, catalog="java-api"), "D")
    transaction.commit()
    labels = [snapshot.operation for snapshot in table.ops.refresh().lineage]
    return "" if labels == ["append", "append", "append", "delete"] else f"labels: {labels}"


def _with_an_old_delete() -> IcebergTable:
    """A table on which a delete file is left of a data file that was replaced."""
    _, table = fresh_table()
    append(table, "A")
    path = FILES["A"].path
    RowDelta(table).add_deletes(write_delete_file(table, ((path, 0),))).commit()
    OverwriteFiles(table).delete_file(FILES["A"]).add_file(FILES["B"]).commit()
    table.ops.refresh()
    return table


def _delete_manifests(table: IcebergTable) -> int:
    manifests = table.files.manifests(table.ops.refresh().current)
    return len([one for one in manifests if one.content == DELETES and table.files.live_entries(one)])


def old_deletes_stay_after_an_append() -> str:
    """A delete file that is older than all data, and an append."""
    table = _with_an_old_delete()
    MergeAppend(table).append_file(FILES["C"]).commit()
    left = _delete_manifests(table)
    return f"{counted(left, 'delete manifest')} left after an append" if left else ""


def old_deletes_go_with_an_overwrite() -> str:
    """The same, and an overwrite that removes a data file."""
    table = _with_an_old_delete()
    OverwriteFiles(table).delete_file(FILES["B"]).add_file(FILES["C"]).commit()
    left = _delete_manifests(table)
    return f"{counted(left, 'delete manifest')} left after an overwrite" if left else ""


def minimum_is_searched() -> str:
    """Whether the last sequence number is the smallest one of the manifests: then no search would be needed."""
    append_first = fresh_table()[1]
    append(append_first, "A")
    append(append_first, "B")
    metadata = append_first.ops.refresh()
    low = min(m.min_sequence_number or 0 for m in append_first.files.manifests(metadata.current))
    return "" if low != metadata.last_sequence_number else f"both are {low}"
