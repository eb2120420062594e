"""Statements with an equality delete, which depend on no snapshot: they delete whatever is there when they commit."""

from __future__ import annotations

from dataclasses import dataclass

from model.iceberg.plans import Level


@dataclass(frozen=True, slots=True)
class DeleteWhere:
    """Java API `newRowDelta` of one equality delete, of all rows of `id` that are there by then.

    It asks for no validation, as Flink does; at another `level` it sets the starting snapshot and
    validateNoConflictingDeleteFiles for that id, and validateNoConflictingDataFiles, too.
    """

    id: int
    level: Level = "none"


@dataclass(frozen=True, slots=True)
class Upsert:
    """Java API `newRowDelta` of one equality delete, of row `id`, and of a file with its new `value`; as Flink writes.

    It asks for what `DeleteWhere` asks for.
    """

    id: int
    value: str
    level: Level = "none"


ByEquality = DeleteWhere | Upsert
