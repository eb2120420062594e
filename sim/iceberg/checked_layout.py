"""What is wrong with changes of columns, sort order or location in a workload, and why they are refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields

from model.iceberg.metadata import TableMetadata
from model.iceberg.tables import IN_FOLDERS
from sim.iceberg.checked_workload import wrong
from sim.iceberg.columns import AddTyped, ChangeType, OfColumns, RenameColumn, WidenColumn
from sim.iceberg.layout import DropColumn, MoveTo, SortBy
from sim.iceberg.statements import AddColumn, Statement, steps_of

FIRST: tuple[str, ...] = TableMetadata._field_defaults["columns"]
"""The columns of a new table, whose rows have them."""
MOVED_ON = ("java-api", "rest", "jdbc", *IN_FOLDERS)


def check_layout(done: Sequence[Statement], catalog: str) -> None:
    """Raise `ValueError` for a change that is not simulated.

    Args: `done`: all statements, before the race and in it.
    """
    steps = steps_of(*done)
    added = [step.name for step in steps if isinstance(step, AddColumn | AddTyped)]
    for one in steps:
        if isinstance(one, DropColumn) and one.name in FIRST:
            raise wrong("writers: DropColumn", "a column that was added", one.name)
        if isinstance(one, DropColumn) and added.count(one.name) > 1:
            raise wrong("writers: DropColumn", "a column that is added once", one.name)
        if isinstance(one, RenameColumn | WidenColumn | ChangeType) and one.name in FIRST:
            raise wrong(f"writers: {type(one).__name__}", "a column that was added", one.name)
        if isinstance(one, OfColumns) and any("." in str(getattr(one, each.name)) for each in fields(one)):
            raise wrong(f"writers: {type(one).__name__}", "names without dots", one)
        if isinstance(one, RenameColumn) and (found := _named_elsewhere(one, steps)):
            raise wrong("writers: RenameColumn", "columns that nobody drops or sorts by", found)
        if isinstance(one, MoveTo) and catalog not in MOVED_ON:
            raise wrong("catalog", f"{' or '.join(MOVED_ON)} for MoveTo", catalog)
        if isinstance(one, MoveTo) and ("/" in one.folder or not one.folder):
            raise wrong("writers: MoveTo", "the name of a folder", one.folder)
        if isinstance(one, SortBy) and len(set(one.columns)) < len(one.columns):
            raise wrong("writers: SortBy", "columns that differ", one.columns)


def _named_elsewhere(given: RenameColumn, steps: Sequence[Statement]) -> list[str]:
    """The names of a column, old and new, by which others go that are not followed when it is renamed."""
    by = {name for one in steps if isinstance(one, SortBy) for name in one.columns}
    by |= {one.name for one in steps if isinstance(one, DropColumn)}
    return sorted({given.name, given.to} & by)
