"""Calls that no engine makes, as updates of Iceberg's Java API: those that have a check of their own, and those that it
refuses whatever is there (`sim.iceberg.by_hand`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from model.iceberg.delete_plans import FAR
from real_backend.iceberg.java_ancestry import append_once
from real_backend.iceberg.java_filters import overwrite_where
from real_backend.iceberg.java_manifests import write_existing
from real_backend.jvm.jvm import Jvm
from sim.iceberg.by_hand import AddPartitions, AppendGiven, AppendOnce, OverwriteWhere, SetAndUnset
from sim.iceberg.workload import Rows


def checked(jvm: Jvm, maker: Any, operation: AppendOnce | OverwriteWhere | AddPartitions) -> tuple[Any, str, Rows]:
    """An update that has a check of its own, of the history, of its rows or of its partitions; the method that it is
    given files by, and the rows of these."""
    match operation:
        case AppendOnce(rows, job):
            return append_once(maker, job), "appendFile", rows
        case OverwriteWhere(key, rows):
            return overwrite_where(jvm, maker, key), "addFile", rows
        case AddPartitions(rows):
            return maker.newReplacePartitions().validateAppendOnly(), "addFile", rows


def refused_at_once(
    jvm: Jvm, table: Any, name: str, new_files: Callable[[Rows], Iterable[Any]], operation: AppendGiven | SetAndUnset
) -> Any:  # fmt: skip
    """An update that its builder refuses. Args: `new_files` makes those that a manifest says to exist; `name` begins
    the names of what is written."""
    if isinstance(operation, SetAndUnset):
        return table.updateProperties().set(operation.name, operation.value).remove(operation.name)
    files = new_files(operation.rows) if operation.rows else ()
    written = [write_existing(jvm, table, f"{name}-{at}-given.avro", file) for at, file in enumerate(files)]
    update = table.newFastAppend()
    for manifest in written or table.currentSnapshot().dataManifests(table.io()):
        update = update.appendManifest(manifest)
    return update


class Elsewhere:
    """A Java row delta that is given each deletion vector twice, the second time as one of another partition."""

    def __init__(self, jvm: Jvm, maker: Any, table: Any) -> None:
        self._jvm, self._update, self._table = jvm, maker.newRowDelta(), table

    def newRowDelta(self) -> Elsewhere:  # Java's
        """It is one."""
        return self

    def validateFromSnapshot(self, snapshot: int) -> Elsewhere:
        """As Java's."""
        self._update = self._update.validateFromSnapshot(snapshot)
        return self

    def addDeletes(self, vector: Any) -> Elsewhere:
        """Add it, and add it again."""
        spec = self._table.specs().get(vector.specId())
        partition = vector.partition().copy()
        partition.set(0, partition.get(0, self._jvm.java_class("java.lang.Integer")) + FAR)
        again = self._jvm.iceberg.FileMetadata.deleteFileBuilder(spec).copy(vector).withPartition(partition).build()
        self._update = self._update.addDeletes(vector).addDeletes(again)
        return self

    def removeDeletes(self, vector: Any) -> Elsewhere:
        """As Java's."""
        self._update = self._update.removeDeletes(vector)
        return self

    def commit(self) -> None:
        """Commit it, which is refused."""
        self._update.commit()
