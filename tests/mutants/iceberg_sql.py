"""Mutants of Spark's MERGE, INSERT OVERWRITE and TRUNCATE. Source: `model.iceberg.spark`, `spark_changes`."""

from dataclasses import replace
from typing import Any

from model.iceberg import spark
from model.iceberg.files import Rows
from model.iceberg.merging import DeleteFiles
from model.iceberg.result import CommandResult
from model.iceberg.scan import plan
from model.iceberg.spark import SparkSql
from model.iceberg.spark_changes import Change, merge
from model.iceberg.table import IcebergTable
from model.iceberg.tables import open_table
from tests.mutants.damage import replaced
from tests.mutants.mutant import Mutant


def inserts_all(self: Change, _: Rows) -> Rows:
    """Rows that are there are inserted once more."""
    return self.otherwise


def merge_as_delete(*asked: Any, **further: Any) -> Change:
    """Its row delta is validated as that of a DELETE."""
    return replace(merge(*asked, **further), deletes_only=True)


def truncates_seen(self: SparkSql, ids: tuple[int, ...], _: bool = False) -> CommandResult:
    """The files that were there when it was planned go, by name."""
    table = self._load()
    producer = DeleteFiles(table)
    for task in plan(table.files, table.metadata.current):
        producer.delete_file(task.file)
    command = CommandResult(table.metadata.current_snapshot_id, writes=tuple([(row_id, None) for row_id in ids]))
    return self._commit(table, producer, command, [])


STATIC = SparkSql.insert_overwrite


def overwrites_all(self: SparkSql, rows: Rows, _: bool = False) -> CommandResult:
    """Whatever the mode is."""
    return STATIC(self, rows)


def cached_as_loaded(self: SparkSql) -> IcebergTable:
    """The catalog's table is never the one that a session commits on."""
    kept = self.cache[0] if self.cache else None
    table = open_table(self.world, self.name, catalog=self.catalog, rules=self.rules,
                       loaded=None if kept is None else kept.ops.seen)  # fmt: skip
    self.opened.append(table)
    if kept is None:
        table.ops.refresh()
        if self.cache is not None:
            seen = table.ops.seen
            self.cache.append(open_table(self.world, self.name, catalog=self.catalog, rules=self.rules, loaded=seen))
    return table


SQL: tuple[Mutant, ...] = (
    replaced("merge-inserts-all", Change, "missing", inserts_all, "rows that are there are there twice"),
    replaced("merge-validated-as-delete", spark, "merge", merge_as_delete, "concurrent updates of its rows stay"),
    replaced("truncates-what-was-seen", SparkSql, "truncate", truncates_seen, "what was added meanwhile stays"),
    replaced("own-commits-not-cached", SparkSql, "_load", cached_as_loaded, "a session does not see what it has done"),
    replaced("dynamic-overwrites-all", SparkSql, "insert_overwrite", overwrites_all, "other partitions go, too"),
)
