"""Statements of the Java API that manage snapshots, branches and tags, and those that write beside main.

What they name is what their client has loaded before the race: main's head or an ancestor of it, the newest snapshot
that main does not have. Source: `api/ManageSnapshots.java`, `api/ExpireSnapshots.java`, `api/SnapshotUpdate.java`.

Choices: none of them is in a transaction with others; branches are appended to, or overwritten by the filter `true`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from model.iceberg.metadata import MAIN
from sim.iceberg import ages, creating
from sim.iceberg.ages import ExpireOlder, OfTimes, RollBackToTime
from sim.iceberg.creating import OfTables, PurgeTable
from sim.iceberg.python_statements import OnBranch, TagAndRollBack
from sim.iceberg.seen import Snapshots

Rows = tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class RollBack:
    """`manageSnapshots().rollbackTo` the ancestor `back` commits below the head, or the oldest one if there
    are fewer; `anywhere`: `setCurrentSnapshot`."""

    back: int = 1
    anywhere: bool = False


@dataclass(frozen=True, slots=True)
class Expire:
    """`expireSnapshots` of all but the newest `keep` of each branch, or, with 0, of the snapshot below main's head.

    `cleans_metadata`: partition specs that nobody needs go, too (`cleanExpiredMetadata`).
    """

    keep: int = 1
    cleans_metadata: bool = False


@dataclass(frozen=True, slots=True)
class AppendTo:
    """`newFastAppend().toBranch` of one file with `rows`."""

    branch: str
    rows: Rows


@dataclass(frozen=True, slots=True)
class OverwriteIn:
    """`newOverwrite().toBranch` of everything by one file with `rows`, by row filter, without validation."""

    branch: str
    rows: Rows


@dataclass(frozen=True, slots=True)
class Stage:
    """`newFastAppend().stageOnly` of one file with `rows`, under a WAP id (0: none); `overwrites`: `newOverwrite`;
    `replaces`: `newReplacePartitions`, and not that."""

    rows: Rows
    wap: int = 0
    overwrites: bool = False
    replaces: bool = False


@dataclass(frozen=True, slots=True)
class CherryPick:
    """`manageSnapshots().cherrypick` of the newest snapshot that main does not have; of main's head, if it has all.

    That is refused, whoever else is there: who asks for `no-spurious-refusal` stages something before.
    """


@dataclass(frozen=True, slots=True)
class CreateRef:
    """`createBranch` or `createTag` at main's head, or `back` commits below it, or at the oldest ancestor if there
    are fewer."""

    name: str
    tag: bool = False
    back: int = 0


@dataclass(frozen=True, slots=True)
class RemoveRef:
    """`removeBranch` or `removeTag`."""

    name: str
    tag: bool = False


@dataclass(frozen=True, slots=True)
class ReplaceRef:
    """`replaceBranch` or `replaceTag`: to main's head, or `back` commits below it, as `CreateRef`."""

    name: str
    tag: bool = False
    back: int = 0


@dataclass(frozen=True, slots=True)
class MoveBranch:
    """`fastForwardBranch` to where another ref is; not `forward`: `replaceBranch`."""

    name: str
    to: str
    forward: bool = True


@dataclass(frozen=True, slots=True)
class RenameBranch:
    """`renameBranch`."""

    name: str
    to: str


@dataclass(frozen=True, slots=True)
class ManageSnapshots:
    """One `manageSnapshots()` with several changes, one after the other, and one commit of them all.

    One of them at least is of a branch or a tag, so that any commit in between refuses them all.
    """

    changes: tuple[RollBack | CherryPick | OfRefs, ...]


@dataclass(frozen=True, slots=True)
class Publish:
    """`setCurrentSnapshot` to where a branch or tag is, wherever main is; Spark's `set_current_snapshot(ref => ...)`.

    The ref is looked up in the table that its client has; what is set is a snapshot.
    """

    ref: str


@dataclass(frozen=True, slots=True)
class ReplaceTable:
    """A transaction that replaces the table by one of one file with `rows` (`replaceTransaction`)."""

    rows: Rows


OfBranches = AppendTo | OverwriteIn | Stage
"""Those that make a snapshot beside main."""
OfRefs = CreateRef | RemoveRef | ReplaceRef | MoveBranch | RenameBranch
Alters = RemoveRef | ReplaceRef
"""Those that are `ALTER TABLE t` in Spark SQL: `DROP` and `REPLACE BRANCH` or `TAG`."""
Procedures = RollBack | Expire | CherryPick | MoveBranch | Publish | Alters | RollBackToTime | ExpireOlder
"""Those that Spark has a procedure for, or such a statement, which names the same snapshots; a branch is moved forward
alone."""
Together = RollBack | CherryPick | OfRefs
"""What one `ManageSnapshots` may have several of."""
Managing = (
    RollBack | Expire | CherryPick | Publish | ReplaceTable | OfBranches | OfRefs | OfTables | OfTimes | ManageSnapshots
)


def describe(statement: Managing) -> tuple[str, str]:
    """The history's name of a statement, and its argument in words."""
    match statement:
        case _ if isinstance(statement, OfTables):
            return creating.describe(statement)
        case _ if isinstance(statement, OfTimes):
            return ages.describe(statement)
        case ReplaceTable(rows):
            return "replace table", _words(rows)
        case RollBack(back, anywhere):
            return "set current" if anywhere else "roll back", f"{back} back"
        case Expire(keep, cleans):
            words = f"all but {keep}" if keep else "the snapshot below the head"
            return "expire", f"{words}, specs too" if cleans else words
        case AppendTo(branch, rows) | OverwriteIn(branch, rows):
            verb = "append" if isinstance(statement, AppendTo) else "overwrite"
            return f"{verb} to branch", f"{branch}: {_words(rows)}"
        case Stage(rows, wap):
            return "stage", _words(rows) + (f", WAP id {wap}" if wap else "")
        case CherryPick():
            return "cherry-pick", ""
        case CreateRef(name, _, back) | ReplaceRef(name, _, back):
            verb = "create" if isinstance(statement, CreateRef) else "replace"
            return f"{verb} {_kind(statement.tag)}", f"{name}, {back} back"
        case RemoveRef(name, tag):
            return f"remove {_kind(tag)}", name
        case RenameBranch(name, to):
            return "rename branch", f"{name} to {to}"
        case ManageSnapshots(changes):
            return "manage", "; ".join([" ".join(describe(one)).strip() for one in changes])
        case Publish(ref):
            return "publish", ref
        case MoveBranch(name, to, forward):
            return "fast-forward" if forward else "replace branch", f"{name} to {to}"


def _kind(tag: bool) -> str:
    return "tag" if tag else "branch"


def _words(rows: Rows) -> str:
    return ", ".join(f"row {key} = {value}" for key, value in rows)


def is_managed(writers: Sequence[tuple[str, Sequence[Any]]]) -> bool:
    """Whether somebody manages snapshots: main's lineage is then not all that there is."""
    return any(isinstance(one, Managing | TagAndRollBack | OnBranch) for _, statements in writers for one in statements)


def versions_of(seen: Snapshots, statement: object) -> tuple[int | None, ...]:
    """The snapshots whose rows say what a statement does to main.

    Returns: the one that main is rolled back to; what is purged; that before, and that after what is picked; or none.
    """
    match statement:
        case RollBack(back):
            return (seen.below(back),)
        case PurgeTable():  # nobody writes beside it
            return (seen.head,)
        case CherryPick():
            picked = seen.picked()
            return (seen.parents[picked], picked)
        case _:
            return ()


def last_place(heads: Sequence[int | None], snapshot: int | None, before: int | None = None) -> int | None:
    """The last place before this one at which main was at a snapshot; the first one, if none is named.

    Args: `heads`: the snapshots that main has been at, in order.
    """
    found = [place for place, head in enumerate(heads) if head == snapshot]
    if before is None:
        return found[0] if found else None
    return next((place for place in reversed(found) if place < before), None)


__all__ = [
    "MAIN", "Alters", "AppendTo", "CherryPick", "CreateRef", "Expire", "ManageSnapshots", "Managing", "MoveBranch",
    "OfBranches", "OfRefs", "OverwriteIn", "Procedures", "Publish", "RemoveRef", "RenameBranch", "ReplaceRef",
    "ReplaceTable", "RollBack", "Stage", "Together", "describe", "is_managed", "last_place", "versions_of",
]  # fmt: skip
