"""What a statement reads and writes, planned on the content of a table.

Choices: which rows share a file is not known here: a statement that removes the file of a row is taken to remove that
row, and `as_left` says what else went with it.
"""

from collections.abc import Iterable, Sequence

from checkers.histories.history import Read, Write
from model.iceberg import spark_changes
from real_backend.gating.histories import joined
from sim.iceberg.ages import RollBackToTime
from sim.iceberg.by_hand import (
    AddPartitions,
    AppendGiven,
    AppendOnce,
    CompactWith,
    DeleteAndRemove,
    DeleteElsewhere,
    OverwriteWhere,
    ReplaceManifests,
)
from sim.iceberg.creating import CreateTable
from sim.iceberg.managing import CherryPick, ManageSnapshots, MoveBranch, Publish, ReplaceRef, ReplaceTable, RollBack
from sim.iceberg.manifests import AppendManifest
from sim.iceberg.replaced import Replaces
from sim.iceberg.sql_statements import RewriteInCommits
from sim.iceberg.statements import steps_of
from sim.iceberg.workload import (
    Append,
    ChangeRow,
    Copy,
    Delete,
    DeleteRow,
    DeleteWhere,
    Insert,
    InsertOverwrite,
    Merge,
    Overwrite,
    RemoveFile,
    RemoveWhere,
    Replace,
    ReplacePartitions,
    RewriteDataFiles,
    Rows,
    Select,
    Statement,
    Transaction,
    Update,
    Upsert,
)

DEPENDENT = (
    Replace, ReplacePartitions, Overwrite, DeleteRow, RemoveFile, ChangeRow, Copy, Delete, Update, Select, Merge,
    InsertOverwrite, RewriteDataFiles, RewriteInCommits, DeleteAndRemove, CompactWith, AddPartitions, ReplaceManifests,
    DeleteElsewhere, RollBack, RollBackToTime, CherryPick, MoveBranch, Publish, ReplaceRef, ReplaceTable, CreateTable,
    ManageSnapshots,
)  # fmt: skip
Effects = tuple[tuple[Read, ...], tuple[Write, ...]]


def effects(statement: Statement, content: Rows | None) -> Effects:
    """What a statement read and would write, planned on this content (None: it cannot be read)."""
    match statement:
        case Replace() | OverwriteWhere():
            return (), writes_of(statement.effects)
        case Overwrite(rows) | InsertOverwrite(rows, dynamic=False):
            kept = {key for key, _ in rows}
            return (), writes_of([*rows, *[(key, None) for key in dict(content or ()) if key not in kept]])
        case Insert(rows) | Append(rows) | ReplacePartitions(rows) | InsertOverwrite(rows):
            return (), writes_of(rows)
        case DeleteRow():
            return _deleted(statement.ids, content)
        case DeleteAndRemove(key) | DeleteElsewhere(key):
            return _deleted((key,), content)
        case CompactWith(rows) | AddPartitions(rows) | AppendOnce(rows) | AppendManifest(rows) | AppendGiven(rows):
            return (), writes_of(rows)
        case Delete(key) | Update(key):
            seen = joined(content or ()).get(f"row:{key}")
            value = statement.value if isinstance(statement, Update) else None
            writes = (Write(f"row:{key}", value),) if seen is not None or content is None else ()
            return (() if content is None else (Read(f"row:{key}", seen),)), writes
        case Merge():
            return _merged(statement, content)
        case DeleteWhere(key):
            return (), (Write(f"row:{key}", None),)
        case RemoveWhere(ids):
            return (), tuple([Write(f"row:{key}", None) for key in ids])
        case Upsert(key, value):
            return (), (Write(f"row:{key}", value),)
        case RemoveFile(key):
            return (), (Write(f"row:{key}", None),) if f"row:{key}" in joined(content or ()) else ()
        case ChangeRow(key, value):
            seen = joined(content or ()).get(f"row:{key}")
            return (Read(f"row:{key}", seen),), (Write(f"row:{key}", value),) if seen is not None else ()
        case Copy(source, target):
            return _copied(source, target, joined(content or ()))
        case Transaction(steps):
            return _one_after_another(steps, content)
        case _:
            return (), ()


def _merged(merge: Merge, content: Rows | None) -> Effects:
    """What a MERGE has read of the rows that it names, and what it does to them."""
    if content is None:
        return (), writes_of(merge.rows)
    there = joined(content)
    change = spark_changes.merge(merge.rows, merge.matched, merge.inserts)
    found = tuple([row for row in content if row[0] in change.ids])
    reads = tuple([Read(f"row:{key}", there.get(f"row:{key}")) for key in sorted(change.ids)])
    return reads, writes_of(change.writes(found))


def _deleted(ids: Sequence[int], content: Rows | None) -> Effects:
    """What a delete of rows has read of them, and which it takes out."""
    there = joined(content or ())
    keys = [f"row:{key}" for key in ids]
    writes = tuple([Write(key, None) for key in keys if content is None or key in there])
    return () if content is None else tuple([Read(key, there.get(key)) for key in sorted(keys)]), writes


def _copied(source: int, target: int, content: dict[str, str]) -> Effects:
    old, new = f"row:{target}", content.get(f"row:{source}")
    reads = tuple(Read(key, content.get(key)) for key in sorted({f"row:{source}", old}))
    return reads, (Write(old, new),) if new is not None and old in content else ()


def _one_after_another(steps: Sequence[Statement], content: Rows | None) -> Effects:
    """What a transaction has read of others, and what it has written last."""
    reads: list[Read] = []
    writes: dict[str, str | None] = {}
    for step in steps:
        read, written = effects(step, content)
        reads += [one for one in read if one.key not in writes]
        writes |= {one.key: one.value for one in written}
        content = None if content is None else rows_after(content, written)
    return tuple(reads), tuple(Write(key, value) for key, value in writes.items())


def as_left(
    statement: Statement, writes: tuple[Write, ...], seen: Rows | None, before: Rows | None, after: Rows | None
) -> tuple[Write, ...]:
    """The writes of a statement that was committed; if it removes files, all rows of theirs are gone; if it overwrites,
    what it had seen is, where it does not write it (`sim.iceberg.replaced`).

    Args: `seen`: the rows that it worked on; `before`, `after`: those of its commit's parent, and of its commit (None:
    they cannot be read).
    """
    steps = steps_of(statement)
    removes = any(isinstance(step, RemoveFile) for step in steps)
    if before is None or after is None or not (removes or any(isinstance(step, Replaces) for step in steps)):
        return writes
    there, old = joined(after), joined(before)
    meant = old if removes or seen is None else joined(seen)
    gone = {key: None for key in old if key not in there and key in meant}
    if not removes:
        own = {key: value for key, value in writes if value is not None or key in old}
        return tuple([Write(key, value) for key, value in (gone | own).items()])
    own = {key: value if key in there else None for key, value in writes if key in there or key in old}
    return tuple([Write(key, value) for key, value in (gone | own).items()])


def rows_after(rows: Rows, writes: Sequence[Write]) -> Rows:
    """The rows of a table after these writes."""
    gone = {write.key for write in writes}
    new = [(int(key.removeprefix("row:")), value) for key, value in writes if value is not None]
    return tuple([row for row in rows if f"row:{row[0]}" not in gone] + new)


def is_blind(statement: Statement) -> bool:
    """Whether a statement depends on no snapshot: what it does comes after whatever is there."""
    if isinstance(statement, Transaction):
        return all(is_blind(step) for step in statement.steps)
    return not isinstance(statement, DEPENDENT)


def writes_of(rows: Iterable[tuple[int, str | None]]) -> tuple[Write, ...]:
    """Rows as writes."""
    return tuple(Write(f"row:{key}", value) for key, value in rows)
