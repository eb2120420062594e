"""Commands of the Java API on a table that was loaded before: one update each, or a transaction of several.

A command's calls to the catalog: load, commit, load; after a lost race load, commit again; refused: load. A
transaction's: load, to begin; load, commit; after a lost race load, commit again; nothing after its commit.

Source: iceberg/2.1, iceberg/4.3, iceberg/5.2.
"""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from model.iceberg import plans
from model.iceberg.as_of_time import AsOf, snapshot_as_of
from model.iceberg.errors import IcebergError, InvalidOperation
from model.iceberg.files import DataFile, Rows
from model.iceberg.incremental import appended, changed
from model.iceberg.meanings import Loads
from model.iceberg.plans import Level, Planned, as_reads, live_files
from model.iceberg.producer import SnapshotProducer
from model.iceberg.result import CommandResult, Effect
from model.iceberg.scan import read_rows, rows_at
from model.iceberg.schemas import refuse_unknown_schema
from model.iceberg.spark_target import MAIN_ALONE, Target
from model.iceberg.table import IcebergTable
from model.iceberg.transaction import Transaction

__all__ = [
    "append", "as_reads", "live_files", "overwrite", "read", "read_at", "read_since", "run", "run_commit",
    "run_transaction", "scan",
]  # fmt: skip
TO_READ = Loads("plan")
Step = Callable[[IcebergTable, int | None], Planned]
"""Plans an update on a table; it is told the snapshot that the transaction began at."""


def append(table: IcebergTable, rows: Rows) -> CommandResult:
    """`newFastAppend` of one new data file. Conflicts with nothing, and depends on no snapshot."""
    return run(plans.append(table, rows), table)


def overwrite(
    table: IcebergTable,
    rows: Rows,
    *,
    level: Level = "none",
    by: Literal["filter", "file"] = "filter",
    live: Sequence[DataFile] | None = None,
) -> CommandResult:
    """`newOverwrite` of the whole table by one new data file.

    Args: `by`: remove by the row filter `true`, evaluated anew by every attempt, or by naming the data files that are
    live in the loaded metadata; `live`: these files, if the caller knows them, else they are read; `level`: which
    validations are asked for, from the snapshot that is loaded, with the conflict filter `true`.
    """
    return run(plans.overwrite(table, rows, level, by, live, table.metadata.current_snapshot_id), table)


def read(table: IcebergTable, target: Target = MAIN_ALONE) -> CommandResult:
    """Refresh, and read all rows of main, or of a branch; `reads` joins duplicates of one id by "|".

    Raises: `TableUnreadable` if a file that the metadata names is missing.
    """
    metadata = target.seen(table.ops.refresh())
    return CommandResult(metadata.current_snapshot_id, reads=as_reads(read_rows(table.files, metadata)))


def scan(table: IcebergTable, times: int = 1, *, refreshes: bool = False) -> CommandResult:
    """Refresh, and read all rows `times`: of the snapshot found, or each time of the current one (`refreshes`).

    Who reads one snapshot twice names it. Returns: what was read, one reading after the other. Raises: as `read`;
    `UnknownSchema` if the snapshot that is named is of none.
    """
    table.world.notes.intend(TO_READ)
    metadata = table.ops.refresh()
    start = metadata.current_snapshot_id
    if times > 1 and not refreshes and metadata.current is not None:
        refuse_unknown_schema(metadata, metadata.current)
    readings = [read_rows(table.files, metadata)]
    for _ in range(times - 1):
        if refreshes:
            table.world.notes.intend(TO_READ)
            metadata = table.ops.refresh()
        readings += [read_rows(table.files, metadata)]
    keys = dict.fromkeys([row[0] for rows in readings for row in rows])
    return CommandResult(start, reads=tuple([read for rows in readings for read in as_reads(rows, *keys)]))


def read_since(table: IcebergTable, what: Literal["appends", "changes"]) -> CommandResult:
    """Refresh, and read what came since the snapshot that the table was loaded at, if main has moved.

    Raises: as `incremental.appended`.
    """
    start = table.metadata.current_snapshot_id
    table.world.notes.intend(TO_READ)
    metadata = table.ops.refresh()
    found: Rows = ()
    if start is not None and metadata.current_snapshot_id != start:
        found = (appended if what == "appends" else changed)(table.files, metadata, start)
    return CommandResult(metadata.current_snapshot_id, reads=found)


def read_at(table: IcebergTable, at: int | str | AsOf) -> CommandResult:
    """Refresh, and read all rows of a snapshot, of the one that a branch or a tag points to then, or that main was at.

    Raises: `InvalidOperation` if there is none; `UnknownSchema` if it is of none, and no branch is named; else as
    `read`. Source: `SnapshotScan.useSnapshot`, `useRef`, `asOfTime`.
    """
    table.world.notes.intend(TO_READ)
    metadata = table.ops.refresh()
    number = snapshot_as_of(metadata, at) if isinstance(at, AsOf) else at
    snapshot = metadata.snapshot(dict(metadata.refs).get(number) if isinstance(number, str) else number)
    if snapshot is None:
        raise InvalidOperation(f"read at {at}: expected a ref or a snapshot of the table, it has none")
    if number not in metadata.branches:
        refuse_unknown_schema(metadata, snapshot)
    return CommandResult(metadata.current_snapshot_id, reads=tuple(sorted(rows_at(table.files, metadata, snapshot))))


def run(planned: Planned, table: IcebergTable) -> CommandResult:
    """Commit an update, and complete its command's result."""
    update, command = planned
    if isinstance(update, SnapshotProducer):
        return run_commit(update, command)
    try:
        update.commit()
    except IcebergError as error:
        error.result = command
        raise
    return command


def run_commit(producer: SnapshotProducer, command: CommandResult) -> CommandResult:
    """Commit, and complete the command's result; an error gets the result as far as it is known."""
    producer.table.command = command._replace(snapshot=producer.snapshot_id)
    try:
        saved = producer.commit()
    except IcebergError as error:
        known = producer.table.command
        error.result = known._replace(start=command.start) if error.definite else known  # it was refused from there on
        raise
    return producer.table.command._replace(snapshot=saved.snapshot_id, commit=saved.snapshot_id, parent=saved.parent_id)


class _Done(NamedTuple):
    """What the updates of a transaction have read and written so far, and whether they depend on no snapshot."""

    reads: tuple[Effect, ...] = ()
    writes: tuple[Effect, ...] = ()
    blind: bool = True

    def and_then(self, planned: Planned) -> "_Done":
        """With one update more: what it has read of the transaction's own is nobody else's, and it may write it again.

        An update of properties or of the schema depends on no snapshot.
        """
        own = dict(self.writes)
        reads = [read for read in planned.command.reads if read[0] not in own]
        blind = getattr(planned.update, "starts_at_commit", True)
        return _Done((*self.reads, *reads), tuple((own | dict(planned.command.writes)).items()), self.blind and blind)


def run_transaction(table: IcebergTable, steps: Sequence[Step], *, left_open: bool = False) -> CommandResult:
    """`newTransaction`, each step planned on what the ones before have made and committed to it; `commitTransaction`.

    Args: `left_open`: the last step is made, and not committed.

    Returns: the result of them all, whose `commit` is the last snapshot. Raises: as an update, or as the commit does.
    """
    transaction = Transaction(table)
    begun = transaction.current.current_snapshot_id
    done = _Done()
    try:
        for place, step in enumerate(steps, 1):
            planned = step(transaction.table(), begun)
            transaction.add(planned.update)
            if not (left_open and place == len(steps)):
                planned.update.commit()
            done = done.and_then(planned)
        made = transaction.current.current_snapshot_id
        table.command = CommandResult(begun, made if made != begun else None, reads=done.reads, writes=done.writes)
        transaction.commit()
    except IcebergError as error:
        error.result = CommandResult(begun, reads=done.reads, writes=done.writes)
        if not error.definite and table.command is not None:
            error.result = _seen(transaction, table.command, done)
        raise
    command = _seen(transaction, table.command, done)
    return command._replace(commit=command.snapshot, parent=transaction.below)


def _seen(transaction: Transaction, command: CommandResult, done: _Done) -> CommandResult:
    """What depends on no snapshot works on whatever is there when it is committed."""
    return command._replace(start=transaction.below) if done.blind else command
