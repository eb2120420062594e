"""Calls that are rarest of all in a race of the Java API that was drawn without: a property that is taken away, a
schema that changes; where somebody manages snapshots already, a branch that is renamed, or several changes at once.

Choices: they are drawn last, and rarely, so that other races are what they were. One writer more makes them, beside
nobody who reads what a branch or a tag was at. Main is moved once at most in one commit: if it goes to and fro, the
history names where nobody has seen it (`TableMetadata.Builder.updateSnapshotLog` leaves out added snapshots alone).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sim.generation.draws import Draws
from sim.generation.generator import Settings
from sim.iceberg.by_hand import AppendOnce
from sim.iceberg.checked_workload import PRUNES
from sim.iceberg.columns import AddField, AddStruct, MoveColumn, OfColumns, RenameColumn, WidenColumn
from sim.iceberg.draw.by_callers import with_callers
from sim.iceberg.draw.calls import of_specs_over_rest, others
from sim.iceberg.draw.expired_schemas import with_expired_schemas
from sim.iceberg.draw.given_up import with_given_up
from sim.iceberg.draw.managing import BRANCH, IN_SQL_ON, TAG
from sim.iceberg.draw.position_deletes import with_position_deletes
from sim.iceberg.draw.refused import with_refused
from sim.iceberg.draw.statements import Table
from sim.iceberg.draw.types import with_types
from sim.iceberg.draw.upgrades import with_upgrade
from sim.iceberg.draw.writers import Writers
from sim.iceberg.incremental import OfPast
from sim.iceberg.layout import UnsetProperty
from sim.iceberg.managing import (
    CherryPick,
    CreateRef,
    ManageSnapshots,
    MoveBranch,
    OfRefs,
    RenameBranch,
    RollBack,
    Stage,
)
from sim.iceberg.managing import Together as Change
from sim.iceberg.options import (
    BY_HAND,
    CALLS,
    CATALOG,
    DRAWN_LAST,
    GIVEN_UP,
    INCREMENTAL,
    MERGED,
    OF_LAYOUT,
    OF_SNAPSHOTS,
    OF_SPECS,
    OF_TYPES,
    REFUSED,
)
from sim.iceberg.statements import AddColumn, Append, SetProperty, Statement, Transaction

DRAWN_BESIDE = (None, CALLS.values[0], BY_HAND, INCREMENTAL, OF_SNAPSHOTS, MERGED, *DRAWN_LAST)
"""The calls that are asked for beside which they are drawn, over REST those of specs, too: of others, draws are left
out that a replay makes."""
KINDS = (
    "unset property",
    "append once",
    "stage of partitions",
    "of columns",
    "rename branch",
    "several changes of snapshots",
)
RARELY = (False, True, False, False, False, False, False)
CHANGES = ("tag", "roll back", "rename branch", "branch", "cherry-pick", "fast-forward")
MOVES = RollBack | CherryPick | MoveBranch
SOMETIMES = (False, False, True)
COLUMNS = ("add field", "add struct", "move", "widen", "rename")
"""A struct is renamed at last, when its transaction has added to it."""
LAID_OUT_ON = (*IN_SQL_ON, "hadoop")
SET = "set"


def drawn_last(
    draws: Draws, table: Table, writers: Writers, settings: Settings, manages: bool, plain: bool
) -> tuple[Settings, Writers]:
    """Draw what is drawn behind all else. Args: as `_with_further`.

    Returns: the settings with the format that the table is made in, and the writers.
    """
    asked = of_specs_over_rest(draws, settings) or draws.pinned(CALLS.key) in DRAWN_BESIDE
    calls = None
    if asked and (manages or plain):  # a replay has no pin: it looks for it where consumers may be drawn, which is here
        calls = draws.told(CALLS.key, CALLS.values)
    made_in, writers = with_upgrade(draws, table, writers, settings), with_position_deletes(draws, writers, settings)
    writers = _with_further(draws, table, writers, settings, manages, plain) if asked else writers
    if plain and calls == OF_SPECS:
        return made_in, with_expired_schemas(draws, table, writers)
    if plain and calls == OF_TYPES:
        return made_in, with_types(draws, table, writers)
    if plain and calls == GIVEN_UP:
        return made_in, with_given_up(draws, table, writers, settings)
    if plain and calls == REFUSED:
        return made_in, with_refused(draws, table, writers, settings)
    return made_in, with_callers(draws, table, writers, settings, calls) if plain else writers


def _with_further(
    draws: Draws, table: Table, writers: Writers, settings: Settings, manages: bool, plain: bool
) -> Writers:
    """Draw who makes such a call; mostly nobody. What is drawn for before is put into the history.

    Args: `manages`: somebody manages snapshots; `plain`: nobody does, or makes tables, and it is the Java API.
    """
    if manages:
        reads = any(isinstance(one, OfPast) for todo in writers.values() for one in todo)
        staged = [place for place, one in enumerate(table.history) if isinstance(one, Stage)]
        if staged and not reads and draws.one_of("partitions staged", SOMETIMES, others(draws, OF_SNAPSHOTS)):
            return _with(writers, _picking(draws, table, staged[-1]))
        if reads or not draws.one_of("managed further", RARELY, others(draws, OF_SNAPSHOTS)):
            return writers
        return _with(writers, draws.list_of("further", 1, 2, lambda place: _managing(draws, str(place))))
    if not (plain and settings[CATALOG.key] in LAID_OUT_ON and PRUNES not in settings):
        return writers
    if draws.one_of("schema", RARELY, others(draws, OF_LAYOUT)):
        table.history += [AddColumn("x"), AddStruct("st", "a")]
        alone = [draws.one_of(f"of column, {place}", COLUMNS) for place in ("first", "second")]
        first: Statement = _of_column(alone[0], "1")
        return _with(_with(writers, [first, _of_columns(draws, table)]), [_of_column(alone[1], "2")])
    if draws.one_of("property unset", RARELY, others(draws, OF_LAYOUT)):
        return _unsetting(draws, table, writers)
    if draws.one_of("once", RARELY, others(draws, BY_HAND)):
        return _with(_with(writers, [AppendOnce(table.new_row())]), [AppendOnce(table.new_row())])
    return writers


def _unsetting(draws: Draws, table: Table, writers: Writers) -> Writers:
    table.history.append(SetProperty(SET, "before"))
    unset: Statement = UnsetProperty(SET)
    if draws.flag("unset in a transaction"):
        unset = Transaction((UnsetProperty(SET), Append(table.new_row())))
    if draws.flag("and set"):
        writers = _with(writers, [SetProperty(SET, "after")])
    return _with(writers, [unset])


def _picking(draws: Draws, table: Table, place: int) -> list[Statement]:
    """Who picks what was staged last, which has replaced partitions. Args: `place`: where it is in the history."""
    staged = table.history[place]
    assert isinstance(staged, Stage)
    table.history[place] = replace(staged, overwrites=False, replaces=True)
    added: list[Statement] = [Append(table.new_row())] if draws.flag("and added") else []
    return [*added, CherryPick()]


def _of_columns(draws: Draws, table: Table) -> Statement:
    first = draws.one_of("first of columns", COLUMNS)
    second = draws.one_of("second of columns", tuple([kind for kind in COLUMNS if kind != first]))
    kinds = [kind for kind in COLUMNS if kind in (first, second)]
    return Transaction((*[_of_column(kind, "3") for kind in kinds], Append(table.new_row())))


def _of_column(kind: str, place: str) -> OfColumns:
    match kind:
        case "widen":
            return WidenColumn("x")
        case "add field":
            return AddField("st", f"f{place}")
        case "add struct":
            return AddStruct(f"st{place}", "a")
        case "move":
            return MoveColumn("st", "id")
    return RenameColumn("st", f"renamed{place}")


def _with(writers: Writers, todo: Sequence[Statement]) -> Writers:
    return {**writers, f"w{len(writers) + 1}": list(todo)}


def _managing(draws: Draws, place: str) -> Statement:
    if draws.one_of(f"further by, {place}", ("several", "rename")) == "rename":
        return RenameBranch(BRANCH, f"{BRANCH}-{place}")
    drawn = draws.list_of(f"changes, {place}", 2, 3, lambda at: _change(draws, f"{place}-{at}"))
    moves = [one for one in drawn if isinstance(one, MOVES)]
    changes = [one for one in drawn if one not in moves[1:]]
    if not any(isinstance(one, OfRefs) for one in changes):
        changes = [*changes, CreateRef(f"{TAG}-{place}", tag=True)]
    return ManageSnapshots(tuple(changes))


def _change(draws: Draws, place: str) -> Change:
    match draws.one_of(f"change, {place}", CHANGES):
        case "roll back":
            return RollBack(1, anywhere=draws.flag(f"anywhere, {place}"))
        case "rename branch":
            return RenameBranch(BRANCH, f"{BRANCH}-{place}")
        case "branch":
            return CreateRef(f"{BRANCH}-{place}")
        case "cherry-pick":
            return CherryPick()
        case "fast-forward":
            return MoveBranch("main", BRANCH)
    return CreateRef(f"{TAG}-{place}", tag=True)
