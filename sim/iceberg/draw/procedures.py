"""Spark's procedures in a race of Spark SQL that was drawn without: what manages snapshots, and `rewrite_manifests`.

Choices: it is the last draw, and a rare one: without it a race is what it was. Of tables without partitions alone; what
may fail is what was drawn before. One writer more calls them, who may have a table of more than one manifest, a branch
or a staged snapshot before him; a branch is made once. He may cache the table. Who has a branch may publish it at last,
beside one who moves it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sim.generation.draws import Draws
from sim.iceberg.draw.calls import only
from sim.iceberg.draw.purging import KINDS as OF_NAMES
from sim.iceberg.draw.purging import with_purging
from sim.iceberg.draw.statements import Table
from sim.iceberg.draw.writers import Writers
from sim.iceberg.managing import (
    MAIN,
    AppendTo,
    CherryPick,
    CreateRef,
    Expire,
    MoveBranch,
    Publish,
    RollBack,
    Rows,
    Stage,
)
from sim.iceberg.options import OF_SNAPSHOTS
from sim.iceberg.workload import Insert, RewriteManifests, Select, Statement

RARELY, OFTEN, MOVED = (False, False, False, False, True), (True, False), (False, True)
OF_REFS = AppendTo | CreateRef
KINDS = ("rewrite manifests", "procedures that manage snapshots", *OF_NAMES)
BRANCH, TAG = "b", "t"
BY = ("expire", "roll back", "rewrite manifests", "cherry-pick", "fast-forward", "expire")
BEFORE = ("stage", "append to branch", "create tag")


def with_procedures(
    draws: Draws, writers: Writers, new_row: Callable[[], Rows], *, caches: bool, purges: bool
) -> tuple[Writers, list[Statement], tuple[str, ...]]:
    """Draw who calls procedures, or, in place of all that, who purges the table (`draw_purging`); mostly nobody.

    Args: `new_row` makes a row of an id that there is not; `caches`: sessions may cache the table; `purges`: somebody
    may purge it. Returns: the writers with that one, what was done to the table before, at last, and who of them
    caches.
    """
    drawn = _with_calls(draws, writers, new_row, caches=caches)
    purging = with_purging(draws, drawn[0]) if purges else None
    return drawn if purging is None else (purging[0], drawn[1], purging[1])


def _with_calls(
    draws: Draws, writers: Writers, new_row: Callable[[], Rows], *, caches: bool
) -> tuple[Writers, list[Statement], tuple[str, ...]]:
    if not draws.one_of("calls procedures", RARELY, only(draws, OF_SNAPSHOTS)):
        return writers, [], ()
    name, before = f"w{len(writers) + 1}", []
    if draws.one_of("of manifests", OFTEN):
        todo: list[Statement] = [RewriteManifests()]
    else:
        before = draws.list_of("beside main", 1, 2, lambda place: made_before(draws, place, new_row))
        todo = draws.list_of("calls", 1, 3, lambda _: called(draws))
    cached: tuple[str, ...] = (name,) if caches and draws.one_of("caller caches", OFTEN) else ()
    if cached and draws.flag("caller has read"):
        todo = [Select(), *todo]
    return {**writers, name: [*todo, *_published(draws, before)]}, before, cached


def with_moves(draws: Draws, table: Table, writers: Writers) -> Writers:
    """Draw who else moves a branch that is published, which begins at main's head then: he brings it to main, when he
    has inserted a row. It is a draw behind all others."""
    named = [one.ref for todo in writers.values() for one in todo if isinstance(one, Publish)]
    if not named or not named[0].startswith(BRANCH) or not draws.one_of("branch moved beside", MOVED):
        return writers
    branch = named[0]
    appended = [isinstance(one, AppendTo) and one.branch == branch for one in table.history]
    table.history[appended.index(True)] = CreateRef(branch)
    return {**writers, f"w{len(writers) + 1}": [Insert(table.new_row()), MoveBranch(branch, MAIN)]}


def _published(draws: Draws, before: Sequence[Statement]) -> list[Statement]:
    """What publishes a branch or a tag, if there is one."""
    named = [one.branch if isinstance(one, AppendTo) else one.name for one in before if isinstance(one, OF_REFS)]
    publishes = bool(named) and draws.one_of("publishes", OFTEN)
    return [Publish(named[0])] if publishes else []


def made_before(draws: Draws, place: int, new_row: Callable[[], Rows]) -> Statement:
    """What there is beside main before: a staged snapshot, a branch, or a tag. Args: `place`: how many there are."""
    match draws.one_of("made beside", BEFORE):
        case "stage":
            return Stage(new_row(), 1 + place)
        case "append to branch":
            return AppendTo(f"{BRANCH}{place or ''}", new_row())
    return CreateRef(f"{TAG}{place or ''}", tag=True)


def called(draws: Draws) -> Statement:
    """A procedure that manages snapshots, or one that rewrites manifests."""
    match draws.one_of("called", BY):
        case "expire":
            return Expire(draws.number("keeps", 0, 2))
        case "roll back":
            return RollBack(draws.number("back", 1, 2), anywhere=draws.flag("anywhere"))
        case "cherry-pick":
            return CherryPick()
        case "fast-forward":
            main, branch = draws.one_of("moves", (("main", BRANCH), (BRANCH, "main")))
            return MoveBranch(main, branch)
    return RewriteManifests()
