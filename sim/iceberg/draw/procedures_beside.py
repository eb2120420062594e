"""Procedures that manage snapshots, partition fields that are altered, and branches, in a race of Spark SQL beside a
client of the Java API that streams: drawn for a race that has been drawn already.

Choices: drawn last, where it is asked for. Refused statements are sent once; a table that has partitions is altered
alone, and one that procedures manage has none, or its race is as usual. Nobody publishes a branch that the client
appends to.
"""

from __future__ import annotations

from collections.abc import Sequence

from sim.generation.draws import Draws
from sim.iceberg.checked_specs import changes_spec
from sim.iceberg.draw.procedures import called, made_before
from sim.iceberg.draw.sql_specs import FIELDS, Partitions
from sim.iceberg.draw.statements import Table
from sim.iceberg.draw.streams import streamed
from sim.iceberg.draw.writers import Writers, with_more
from sim.iceberg.managing import AppendTo, Managing, Procedures, Publish
from sim.iceberg.sql_branches import InsertStaged, InsertTo
from sim.iceberg.sql_statements import Sql
from sim.iceberg.statements import Statement
from sim.iceberg.workload import AlterPartitionField, Insert, RewritePositionDeletes

WHEN = ("beside", "beside", "before")
OFTEN = (True, False)
KINDS = ("procedure", "procedure", "partition field")
SOMETIMES = (False, False, True)


def with_procedures_beside(
    draws: Draws, table: Table, writers: Writers, partitions: Partitions, tries: int
) -> tuple[Writers, int]:
    """Draw who calls procedures, or alters the partition field, and who streams beside him.

    Returns: the writers and those, and how often SQL is sent again; as they were, where they cannot be beside these.
    """
    sent = [one for todo in writers.values() for one in todo]
    if not all(isinstance(one, Sql | Procedures) for one in sent):
        return writers, tries
    managed = any(isinstance(one, Managing) for one in [*sent, *table.history])
    parted = bool(partitions["partition_width"]) or changes_spec([*table.history, *sent])
    kind = draws.one_of("beside Java", KINDS)
    more: list[list[Statement]] = []
    calls = kind == "procedure" and not parted
    if calls:
        more.append(_procedures(draws, table))
    elif not managed and not parted:
        more += _altering(draws, table)
    published = any(isinstance(one, Publish) for one in sent)
    branches = () if published else tuple([one.branch for one in table.history if isinstance(one, AppendTo)])
    more.append(draws.list_of("streams", 1, 2, lambda _: _streamed(draws, table, branches)))
    if bool(branches) and draws.one_of("inserted into a branch", OFTEN):
        more.append([InsertTo(branches[0], table.new_row())])
    if calls and draws.one_of("staged by SQL", SOMETIMES):
        more.append([InsertStaged(table.new_row(), 9)])
    return with_more(writers, more), 0


def _procedures(draws: Draws, table: Table) -> list[Statement]:
    named = [one.branch if isinstance(one, AppendTo) else "" for one in table.history if isinstance(one, Managing)]
    if not named:
        table.history += draws.list_of("made for Java", 1, 2, lambda at: made_before(draws, at, table.new_row))
    rewrites: list[Statement] = [RewritePositionDeletes()] if draws.one_of("deletes rewritten", SOMETIMES) else []
    return [*draws.list_of("calls beside Java", 1, 2, lambda _: called(draws)), *rewrites]


def _altering(draws: Draws, table: Table) -> list[list[Statement]]:
    altered: list[Statement] = [AlterPartitionField(None, draws.one_of("field beside Java", FIELDS[:-1]))]
    if draws.one_of("altered for Java", WHEN) == "before":
        table.history += altered
        return []
    inserted: list[Statement] = [Insert(table.new_row())] if draws.one_of("inserted beside Java", OFTEN) else []
    return [[*altered, *inserted]]


def _streamed(draws: Draws, table: Table, branches: Sequence[str]) -> Statement:
    if bool(branches) and draws.one_of("streamed to a branch", OFTEN):
        return AppendTo(branches[0], table.new_row())
    return streamed(draws, table)
