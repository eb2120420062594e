"""Statements of PyIceberg that are drawn: half the races have its appends and deletes alone, the others any."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from sim.generation.draws import Draws
from sim.iceberg.draw.calls import only
from sim.iceberg.draw.statements import SCANS, TRANSACTION, Table
from sim.iceberg.equality import Upsert
from sim.iceberg.managing import CreateRef, Expire, RollBack
from sim.iceberg.options import OF_SNAPSHOTS
from sim.iceberg.python.catalogs import HIVE, OURS, PORTS, REST, SQL, STEPS, STORAGE
from sim.iceberg.statements import Operation, Statement, Transaction
from sim.world.scenario import FaultSpace

PLAIN = ("append", "delete", "append two rows")
UPSERT = "upsert"
MANAGED = ("roll back", "expire", "tag")
WIDE = (*PLAIN, "change", "copy", "overwrite", UPSERT, "set property", "add column", *SCANS)
NO_STEPS = (UPSERT, *SCANS)
"""What is no part of a transaction here."""


def kinds_of(draws: Draws) -> tuple[str, ...]:
    """Draw which kinds of statements a race has."""
    asked = only(draws, OF_SNAPSHOTS, "managed")
    wide = draws.one_of("repertoire", ("plain", "wide", "transactions", "managed"), asked)
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


class Beneath(NamedTuple):
    """What a race is on. Args: `steps`: its yield points, if they are not all calls to the catalog."""

    catalog: str
    faults: FaultSpace
    steps: tuple[str, ...] = ()


def beneath(draws: Draws, faults: FaultSpace) -> Beneath:
    """Draw one of PyIceberg's own catalogs, or none, which is the usual case; what may fail is drawn anew for it.

    It is the last draw: a race without it is what it was.
    """
    if not draws.one_of("own catalog", (False, False, True)):
        return Beneath(OURS, faults)
    catalog = draws.one_of("catalog of its own", (SQL, REST, HIVE))
    if not faults.limit:
        return Beneath(catalog, faults)
    fails = draws.flag("its files fail")
    port = STORAGE if fails else PORTS[catalog]
    known = tuple(dict.fromkeys([kind for kinds in port.kinds.values() for kind in kinds]))
    drawn = draws.list_of("kinds of its own", 1, 4, lambda _: draws.one_of("kind of its own", known))
    kinds = {call: tuple([kind for kind in possible if kind in drawn]) for call, possible in port.kinds.items()}
    some = {call: chosen for call, chosen in kinds.items() if chosen}
    return Beneath(catalog, replace(faults, kinds=some), (*STEPS[catalog], *STORAGE.kinds) if fails else ())


def _step(draws: Draws, table: Table, kinds: Sequence[str]) -> Operation:
    step: Any = table.of_kind(draws.one_of("kind", kinds), ())  # a Delete may be one here
    return step  # type: ignore[no-any-return]
