"""Statements of PyIceberg that are drawn: half the races have its appends and deletes alone, the others any."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sim.generation.draws import Draws
from sim.iceberg.draw_statements import SCANS, TRANSACTION, Table
from sim.iceberg.equality import Upsert
from sim.iceberg.managing import CreateRef, Expire, RollBack
from sim.iceberg.statements import Operation, Statement, Transaction

PLAIN = ("append", "delete", "append two rows")
UPSERT = "upsert"
MANAGED = ("roll back", "expire", "tag")
WIDE = (*PLAIN, "change", "copy", "overwrite", UPSERT, "set property", "add column", *SCANS)
NO_STEPS = (UPSERT, *SCANS)
"""What is no part of a transaction here."""


def kinds_of(draws: Draws) -> tuple[str, ...]:
    """Draw which kinds of statements a race has."""
    wide = draws.one_of("repertoire", ("plain", "wide", "transactions", "managed"))
    if wide == "managed":
        return (*MANAGED, *draws.some("statements", PLAIN))
    kinds = draws.some("statements", PLAIN if wide == "plain" else WIDE)
    return (*kinds, *[TRANSACTION] * len(kinds)) if wide == "transactions" else kinds


def history_of(draws: Draws, table: Table, kinds: Sequence[str]) -> list[Statement]:
    """Draw what was done to the table before, if its snapshots are managed: one append at least."""
    if MANAGED[0] not in kinds:
        return []
    return draws.list_of("history", 1, 3, lambda _: table.of_kind("append", ()))


def statement(draws: Draws, table: Table, kinds: Sequence[str]) -> Statement:
    """Draw a statement of one of these kinds."""
    kind = draws.one_of("kind", kinds)
    match kind:
        case "roll back":
            return RollBack(draws.number("back", 1, 2))
        case "expire":
            return Expire(1)
        case "tag":
            return CreateRef(f"t{draws.number('tag', 1, 9)}", tag=True, back=draws.number("back", 0, 2))
    if kind == UPSERT:
        return Upsert(*table.row_of_any_id())
    if kind == TRANSACTION:
        steps = [step for step in kinds if step not in (*NO_STEPS, TRANSACTION)] or PLAIN
        return Transaction(tuple(table.steps_of(lambda _: _step(draws, table, steps))))
    return table.of_kind(kind, ())


def _step(draws: Draws, table: Table, kinds: Sequence[str]) -> Operation:
    step: Any = table.of_kind(draws.one_of("kind", kinds), ())  # a Delete may be one here
    return step  # type: ignore[no-any-return]
