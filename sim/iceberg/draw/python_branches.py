"""Races of PyIceberg that write to a branch, drawn rarely in place of others; nothing fails in them.

Choices: there is one branch beside main, which mostly is there before, and often has a row that main has not; who
creates it in the race moves it if it is there. Now and then somebody makes a tag of its name.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sim.generation.draws import Draws
from sim.iceberg.draw.calls import only, unless
from sim.iceberg.draw.statements import Table
from sim.iceberg.equality import Upsert
from sim.iceberg.managing import AppendTo, CreateRef, Expire, OverwriteIn, Publish, RemoveRef
from sim.iceberg.options import OF_BRANCHES, OTHER_TABLES
from sim.iceberg.python_statements import AddFile, OnBranch
from sim.iceberg.statements import Scan, Statement, Transaction

RARELY = (*[False] * 7, True)
BRANCH, FILE = "b", 9
STEPS = ("append to branch", "change in branch", "delete in branch", "append", "change in branch", "copy in branch")
KINDS = (
    *STEPS, "transaction", "remove branch", "transaction", "create branch", "upsert in branch", "overwrite branch",
    "transaction", "remove branch", "change", "read branch", "tag", "add file", "expire", "publish",
)  # fmt: skip
STATEMENTS = tuple(dict.fromkeys(KINDS))
THEMES = (
    KINDS, KINDS, ("add file", "append to branch"), ("upsert in branch", "remove branch", "append"),
    ("transaction", "remove branch", "create branch"), ("transaction", "change in branch", "change"),
    ("change in branch", "delete in branch", "remove branch", "tag"),
)  # fmt: skip
"""What most meet: two statements of one kind, or a statement and who takes its branch away."""


class OfBranches(NamedTuple):
    """Such a race. Args: `history`: what was done to the table before."""

    writers: dict[str, list[Statement]]
    history: list[Statement]


def of_python_branches(draws: Draws, table: Table) -> OfBranches | None:
    """Draw such a race, or, more often, none. It is drawn behind all else: a race without it is what it was."""
    if not draws.one_of("branches of PyIceberg", RARELY, only(draws, OF_BRANCHES) or unless(draws, OTHER_TABLES)):
        return None
    history = draws.list_of("history", 0, 1, lambda _: table.of_kind("append", ()))
    kinds = draws.some("statements", draws.one_of("theme", THEMES))
    if draws.one_of("is there", (True, False) if "upsert in branch" in kinds else (True, True, True, False)):
        history.append(CreateRef(BRANCH))
        history += [AppendTo(BRANCH, table.new_row())] if draws.flag("has a row of its own") else []
    todo = draws.list_of(
        "writers", 2, 3, lambda _: draws.list_of("statements", 1, 2, lambda _: _one(draws, table, kinds))
    )
    return OfBranches({f"w{number}": one for number, one in enumerate(todo, 1)}, history)


def _one(draws: Draws, table: Table, kinds: tuple[str, ...]) -> Statement:
    kind = draws.one_of("kind", kinds)
    match kind:
        case "transaction":
            steps: Any = [_step(draws, table, kind) for kind in _places(draws)]
            return Transaction(tuple(steps))
        case "remove branch":
            return RemoveRef(BRANCH)
        case "create branch":
            return CreateRef(BRANCH, back=draws.number("back", 0, 1))
        case "tag":
            return CreateRef(BRANCH, tag=True)
        case "upsert in branch":
            rows = (table.row_of_any_id(), *table.rows)
            return OnBranch(BRANCH, Upsert(*draws.one_of("upserted", rows)))
        case "overwrite branch":
            return OverwriteIn(BRANCH, (table.row_of_any_id(),))
        case "read branch":
            return OnBranch(BRANCH, Scan(1))
        case "add file":
            return OnBranch(BRANCH, AddFile(FILE))
        case "expire":
            return Expire(1)
        case "publish":
            return Publish(BRANCH)
    return _step(draws, table, kind)


def _places(draws: Draws) -> tuple[str, str]:
    """The steps of a transaction: one in main, and one in the branch, in either order."""
    in_branch = draws.one_of("in branch", STEPS[:3])
    return draws.one_of("which part is first", (("append", in_branch), (in_branch, "append")))


def _step(draws: Draws, table: Table, kind: str) -> Statement:
    plain = kind.removesuffix(" in branch")
    if kind == "append to branch":
        return AppendTo(BRANCH, table.new_row())
    made: Statement = table.of_kind(plain, ())
    return made if plain == kind else OnBranch(BRANCH, made)
