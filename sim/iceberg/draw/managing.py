"""Statements that manage snapshots, branches and tags, drawn for a race that has been drawn already.

It is the last draw, and a rare one: without it a race is what it was. A writer more does what is drawn, or two do,
beside the others or alone; the table has, before, a branch, a tag or a staged append. Whether anything fails there is
drawn behind all else: now and then what was drawn of the race does.
"""

from __future__ import annotations

from model.iceberg.retention import GC_ENABLED
from sim.generation.draws import Draws
from sim.generation.generator import Settings
from sim.iceberg.ages import ExpireOlder
from sim.iceberg.draw.calls import manages
from sim.iceberg.draw.catalogs import of_catalog
from sim.iceberg.draw.statements import Table
from sim.iceberg.draw.writers import Writers
from sim.iceberg.managing import (
    AppendTo,
    CherryPick,
    CreateRef,
    Expire,
    Managing,
    MoveBranch,
    OverwriteIn,
    RemoveRef,
    ReplaceRef,
    RollBack,
    Stage,
)
from sim.iceberg.statements import SetProperty
from sim.iceberg.workload import Statement
from sim.world.scenario import FaultSpace

KINDS = (
    "append to branch", "cherry-pick", "expire", "roll back", "stage", "change of refs", "move branch",
    "overwrite branch", "change of refs",
)  # fmt: skip
BEFORE = ("append to branch", "stage", "create tag")
MANAGED_IN = ("in-memory", "rest")
"""Catalogs on which snapshots and tables may be managed."""
IN_SQL_ON = (*MANAGED_IN, "jdbc")
"""The catalogs of SQL whose tables may have partitions, and whose snapshots procedures manage."""
BRANCH, TAG = "b", "t"
RARELY = (*[False] * 11, True)


def managing(draws: Draws, table: Table, writers: Writers) -> Writers | None:
    """Draw who manages; mostly nobody (None). What is drawn for before is put into the history.

    Args: `writers`: those of the race by name. Returns: they, and one or two more; or two more alone.
    """
    if not draws.one_of("manages", (False, False, True), manages(draws)):
        return None
    table.history += draws.list_of("beside main", 1, 3, lambda place: _before(draws, table, place))
    more: list[list[Statement]] = [draws.list_of("managing", 2, 4, lambda _: _drawn(draws, table))]
    others = list(writers.values())
    if draws.one_of("two manage", (False, False, True)):
        more.append(draws.list_of("managing, too", 1, 3, lambda _: _drawn(draws, table)))
        others = [] if draws.flag("alone") else others
    return {f"w{number}": todo for number, todo in enumerate([*others, *more], 1)}


def beside_managing(draws: Draws, settings: Settings, faults: FaultSpace) -> FaultSpace:
    """What may fail beside who manages: now and then what was drawn, as it can be on the catalog; else nothing."""
    if not (faults.limit and draws.flag("fails beside managing")):
        return FaultSpace()
    return of_catalog(draws, settings, faults)


def with_shared_files(draws: Draws, table: Table, writers: Writers, managed: Writers | None) -> Writers:
    """Draw whether other tables may have the table's files, where somebody who manages snapshots expires some: the
    property that says so is put into the history. It is a draw behind all others. Returns: the writers."""
    done = [] if managed is None else [one for todo in writers.values() for one in todo]
    if any(isinstance(one, Expire | ExpireOlder) for one in done) and draws.one_of("files shared", RARELY):
        table.history.append(SetProperty(GC_ENABLED, "false"))
    return writers


def _before(draws: Draws, table: Table, place: int) -> Statement:
    match draws.one_of("made beside", BEFORE):
        case "append to branch":
            return AppendTo(BRANCH, table.new_row())
        case "stage":
            return Stage(table.new_row(), draws.number("WAP id", 0, 1))
    return CreateRef(f"{TAG}{place or ''}", tag=True)


def _drawn(draws: Draws, table: Table) -> Managing:
    match draws.one_of("manages by", KINDS):
        case "append to branch":
            return AppendTo(BRANCH, table.new_row())
        case "overwrite branch":
            return OverwriteIn(BRANCH, table.new_row())
        case "cherry-pick":
            return CherryPick()
        case "expire":
            return Expire(draws.number("keeps", 0, 2))
        case "roll back":
            return RollBack(draws.number("back", 1, 2), anywhere=draws.flag("anywhere"))
        case "stage":
            return Stage(table.new_row(), draws.number("WAP id", 0, 1), overwrites=draws.flag("staged overwrite"))
        case "move branch":
            main, branch = draws.one_of("moves", (("main", BRANCH), (BRANCH, "main")))
            return MoveBranch(main, branch, forward=not draws.flag("not forward"))
    tag = draws.flag("tag")
    name = TAG if tag else BRANCH
    return _of_ref(draws, name, tag)


def _of_ref(draws: Draws, name: str, tag: bool) -> Managing:
    match draws.one_of("of ref", ("create", "replace", "remove")):
        case "create":
            return CreateRef(f"{name}2", tag, draws.number("back", 0, 1))
        case "replace":
            return ReplaceRef(name, tag, draws.number("back", 0, 1))
    return RemoveRef(name, tag)
