"""Single runs on the model of what the document shows of `BaseTransaction` and of `apply`: what is wrong ("": nothing).

Source: iceberg/5; `core/BaseTransaction.java`, `core/Transactions.java`, `core/MergingSnapshotProducer.java`.
"""

from __future__ import annotations

from collections.abc import Callable

from checkers.histories.notation import history
from checkers.verdict import quick
from model.iceberg.append import FastAppend
from model.iceberg.errors import AlreadyExists, CommitFailed, IcebergError, InvalidOperation, ValidationFailed
from model.iceberg.files import DELETED
from model.iceberg.merging import DeleteFiles, MergeAppend, RewriteFiles
from model.iceberg.new_table import begin_creating
from model.iceberg.replace_table import ReplaceTransaction
from model.iceberg.row_delta import RowDelta
from model.iceberg.table import IcebergTable
from model.iceberg.tables import open_table, write_delete_file
from model.iceberg.transaction import Transaction
from model.iceberg.updates import UpdateProperties
from sim.iceberg.document_test import FILES, append, fresh_table, played, step, versions_of
from sim.world.words import counted

UNCOMMITTED_READS = {
    "a dirty read": ("no-aborted-reads", "setup(row1=a) ; w1:upd(row1=b)@0!conflict r1:read(row1:b)"),
    "a phantom": ("read-atomic", "setup(row1=a) ; w1:ins(row2=b)@0->1 r1:read(row1:a,row2:-,row1:a,row2:b)"),
    "an unrepeatable read": ("read-atomic", "setup(row1=a) ; w1:upd(row1=b)@0->1 r1:read(row1:a,row1:b)"),
}
"""What SQL-92 lets happen where reads are uncommitted: the property that it breaks, and a history that has it."""
NEW = "db.new"


def uncommitted_reads() -> str:
    """Histories of a system that reads what is not committed: which of the three anomalies no checker finds."""
    missed = [name for name, (broken, line) in UNCOMMITTED_READS.items() if quick(history(line), (broken,)) is None]
    return f"not found: {', '.join(missed)}" if missed else ""


def a_new_table() -> str:
    """How often a table that was just created has been changed."""
    simulation, _ = fresh_table()
    version = versions_of(simulation)
    return f"it is on version {version}" if version else ""


def created_where_a_table_is() -> str:
    """A transaction that creates a table is begun where one is."""
    _, table = fresh_table()
    return "" if _refuses(lambda: begin_creating(table, replaces=False), AlreadyExists) else "it begins"


def created_where_a_table_comes() -> str:
    """Two transactions that create one table are begun where none is."""
    simulation, _ = fresh_table()
    one, other = (_creation(open_table(simulation.world(who), NEW, catalog="java-api")) for who in ("w1", "w2"))
    one.commit()
    return "both begin, and the second commit is refused" if _refuses(other.commit, AlreadyExists) else ""


def _creation(table: IcebergTable) -> Transaction:
    transaction = begin_creating(table, replaces=False)
    step(transaction, add=("A",))
    return transaction


def _refuses(act: Callable[[], object], error: type[IcebergError]) -> bool:
    try:
        act()
    except error:
        return True
    return False


def every_type_commits() -> str:
    """A transaction of each type, with an append."""
    _, table = fresh_table()
    types: dict[str, Callable[[], Transaction]] = {
        "simple": lambda: Transaction(table),
        "replace": lambda: ReplaceTransaction(table),
        "create or replace": lambda: begin_creating(table, replaces=True),
    }
    failed = []
    for name, begin in types.items():
        transaction = begin()
        made = step(transaction, add=("A",))
        transaction.commit()
        failed += [] if table.ops.refresh().current_snapshot_id == made.snapshot_id else [name]
    return f"nothing is committed by: {', '.join(failed)}" if failed else created_and_read()


def created_and_read() -> str:
    """A transaction creates a table, and another process reads it."""
    simulation, _ = fresh_table()
    _creation(open_table(simulation.world("w1"), NEW, catalog="java-api")).commit()
    found = open_table(simulation.world("r1"), NEW, catalog="java-api").ops.refresh()
    return "" if len(found.snapshots) == 1 else f"created with {counted(len(found.snapshots), 'snapshot')}"


def begins_with_its_base() -> str:
    """What a transaction starts with, and the table's metadata at that time."""
    _, table = fresh_table()
    append(table, "A")
    transaction = Transaction(table)
    return "start is the table's metadata" if transaction.current is transaction.base else ""


def replacement_begins_apart() -> str:
    """The same of a transaction that replaces the table."""
    _, table = fresh_table()
    append(table, "A")
    transaction = ReplaceTransaction(table)
    return "start is the table's metadata" if transaction.current is transaction.base else ""


def another_commits_meanwhile() -> str:
    """An update is committed to the transaction while the table is not what the transaction began with any more."""
    simulation, table = fresh_table()
    transaction = Transaction(table)
    append(open_table(simulation.world("w2"), "db.t", catalog="java-api"), "D")
    refused = _refuses(lambda: step(transaction, add=("A",)), CommitFailed)
    return "" if refused else "the table has changed since, the update is taken: the transaction's own metadata counts"


def stages_what_it_began_with() -> str:
    """The metadata that an update gives the transaction, and that of the beginning."""
    begun, staged, _ = played().inside
    return "" if staged is begun else "it is new metadata, made from that of the beginning"


def holds_every_update() -> str:
    """Updates of a transaction are kept in order, to be applied again."""
    _, table = fresh_table()
    transaction = Transaction(table)
    step(transaction, add=("A",))
    step(transaction, delete=FILES["A"])
    kinds = [type(update).__name__ for update in transaction.updates]
    return "" if kinds == ["MergeAppend", "DeleteFiles"] else f"it holds {', '.join(kinds)}"


def holds_no_other_update() -> str:
    """The same, where properties are set."""
    _, table = fresh_table()
    transaction = Transaction(table)
    update = UpdateProperties(transaction.table()).set("k", "1")
    transaction.add(update)
    update.commit()
    kinds = [type(one).__name__ for one in transaction.updates]
    return f"it holds {', '.join(kinds)}, which makes no snapshot" if kinds else ""


def operations_validate_for_themselves() -> str:
    """A row is deleted while one appends, and while one rewrites its file: who is refused."""
    _, table = fresh_table()
    append(table, "A")
    start = table.ops.refresh().current_snapshot_id
    rewrite = RewriteFiles(table).delete_file(FILES["A"]).add_file(FILES["B"]).validate_from_snapshot(start)
    RowDelta(table).add_deletes(write_delete_file(table, ((FILES["A"].path, 0),))).commit()
    FastAppend(table).append_file(FILES["C"]).commit()
    return "" if _refuses(rewrite.commit, ValidationFailed) else "the rewrite is not refused"


def _listed_after(kind: type[MergeAppend | FastAppend]) -> list[str]:
    _, table = fresh_table()
    append(table, "A")
    DeleteFiles(table).delete_file(FILES["A"]).commit()
    kind(table).append_file(FILES["B"]).commit()
    manifests = table.files.manifests(table.ops.refresh().current)
    return [manifest.path for manifest in manifests if not manifest.has_live_files]


def merging_keeps_what_lives() -> str:
    """An append that may merge, after all files of a manifest were deleted."""
    left = _listed_after(MergeAppend)
    return f"{counted(len(left), 'manifest')} without live files listed" if left else ""


def fast_append_keeps_all() -> str:
    """A fast append, after all files of a manifest were deleted."""
    left = _listed_after(FastAppend)
    return f"{counted(len(left), 'manifest')} without live files listed" if left else ""


def its_own_manifest_stays() -> str:
    """The manifest in which a commit has deleted the last file."""
    _, table = fresh_table()
    append(table, "A")
    made = DeleteFiles(table).delete_file(FILES["A"]).commit()
    manifests = table.files.manifests(made)
    return "" if [one.added_snapshot_id for one in manifests] == [made.snapshot_id] else "it is dropped at once"


def lists_live_data_alone() -> str:
    """The entries of the manifests that a commit lists."""
    _, table = fresh_table()
    append(table, "A")
    made = DeleteFiles(table).delete_file(FILES["A"]).commit()
    entries = [entry for manifest in table.files.manifests(made) for entry in table.files.entries(manifest)]
    gone = [entry for entry in entries if entry.status == DELETED]
    return f"{counted(len(gone), 'entry', 'entries')} of a deleted file is listed as well" if gone else ""


def commits_with_an_open_update() -> str:
    """A transaction is committed while its last update is not."""
    _, table = fresh_table()
    transaction = Transaction(table)
    transaction.add(FastAppend(transaction.table()).append_file(FILES["A"]))
    return "" if _refuses(transaction.commit, InvalidOperation) else "it commits"
