"""Equality deletes in a race of the Java API that was drawn without: some of its statements are made by them.

Choices: drawn last, and rarely, so that other races are what they were. An append of one row, or a change of one, may
become an upsert; a delete of a row, one by equality; a compaction outside of transactions, one that keeps its starting
number. A row that somebody appends is upserted by nobody but him who would have appended it: an append does not look
for the row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sim.generation.draws import Draws
from sim.iceberg.draw.writers import Writers
from sim.iceberg.workload import (
    Append,
    ChangeRow,
    Compact,
    DeleteRow,
    DeleteWhere,
    Operation,
    Statement,
    Transaction,
    Upsert,
)

RARELY, OFTEN = (False, False, True), (False, True, True)


def with_equality(draws: Draws, writers: Writers) -> Writers:
    """The statements of each writer, some of them by equality deletes if that is drawn."""
    if not draws.one_of("equality deletes", RARELY):
        return writers
    made = {name: [_by_equality(draws, one, None) for one in todo] for name, todo in writers.items()}
    appended = frozenset(_appended([one for todo in made.values() for one in todo]))
    return {name: [_by_equality(draws, one, appended) for one in todo] for name, todo in made.items()}


def _by_equality(draws: Draws, one: Statement, appended: frozenset[int] | None) -> Statement:
    """The statement, or what is drawn in its place. Args: `appended`: the rows that are not upserted; None: appends are
    asked about, and nothing else."""
    if isinstance(one, Transaction):
        return replace(one, steps=tuple([_instead(draws, step, appended) for step in one.steps]))
    if isinstance(one, Compact) and appended is not None:
        return Compact("starting") if draws.flag("at the starting number") else one
    return _instead(draws, one, appended) if isinstance(one, Operation) else one


def _instead(draws: Draws, one: Operation, appended: frozenset[int] | None) -> Operation:
    match one:
        case Append(((key, value),)) if appended is None and draws.flag("upsert"):
            return Upsert(key, value)
        case ChangeRow(key, value, level) if appended is not None and key not in appended and draws.flag("upsert"):
            return Upsert(key, value, draws.one_of("validated", ("none", level)))
        case DeleteRow(key, level) if appended is not None and draws.one_of("delete where", OFTEN):
            return DeleteWhere(key, draws.one_of("validated", ("none", level)))
    return one


def _appended(done: Sequence[Statement]) -> Iterator[int]:
    for one in done:
        if isinstance(one, Transaction):
            yield from _appended(one.steps)
        elif isinstance(one, Append):
            yield from [key for key, _ in one.rows]
