"""What is wrong with changes of a table's partition spec in a workload, and why they are refused."""

from __future__ import annotations

from collections.abc import Sequence

from model.iceberg.formats import FORMAT
from model.iceberg.partitioning import VOID, Field
from sim.iceberg.checked_workload import wrong
from sim.iceberg.sql_statements import AlterPartitionField
from sim.iceberg.statements import SetProperty, Statement, UpdateSpec, steps_of


def changes_spec(done: Sequence[Statement]) -> bool:
    """Whether somebody changes the partition spec, alone or in a transaction."""
    return any(isinstance(step, UpdateSpec | AlterPartitionField) for step in steps_of(*done))


def check_specs(done: Sequence[Statement], format_version: int) -> None:
    """Raise `ValueError` for a change of the partition spec that is not simulated.

    Args: `done`: all statements, before the race and in it.
    """
    changes = [step for step in steps_of(*done) if isinstance(step, UpdateSpec)]
    for one in changes:
        if one.transform == "bucket" and not one.width:
            raise wrong("writers: UpdateSpec", "a number of buckets from 1", one.width)
    formats = [step for step in steps_of(*done) if isinstance(step, SetProperty) and step.name == FORMAT]
    if changes and formats and format_version < 2:
        raise wrong("writers: UpdateSpec", "no change of format beside it in format 1", changes[0])


def check_buckets(transform: str, width: int, *, in_sql: bool) -> None:
    """Raise `ValueError` for a table that is made in buckets where none is."""
    if transform == "bucket" and not (width and in_sql):
        raise wrong("partition_transform", "truncate but for SQL, by buckets", transform)


def check_alters(first: Field | None, history: Sequence[Statement], sent: Sequence[Statement]) -> None:
    """Raise `ValueError` for an ALTER that does not say what there is, or that would leave two fields.

    Args: `first`: what the table is partitioned by when it is made; `sent`: what is done in the race. Of several ALTERs
    there all but one are refused, or are of the field that has gone.
    """
    there = first
    for one in history:
        there = _altered(there, one) if isinstance(one, AlterPartitionField) else there
    beside = [one for one in sent if isinstance(one, AlterPartitionField)]
    for one in beside:
        _altered(there, one)
    if there is None and len(beside) > 1:
        raise wrong("writers: AlterPartitionField", "one ADD at most where there is no field", beside[1])


def _altered(there: Field | None, one: AlterPartitionField) -> Field | None:
    if one.dropped != there:
        raise wrong("AlterPartitionField", f"one that drops {there}", one)
    if one.dropped == one.added or one.added == VOID or (one.added and one.added.width < 1):
        raise wrong("AlterPartitionField", "one that changes something, to partitions or none", one)
    return one.added
