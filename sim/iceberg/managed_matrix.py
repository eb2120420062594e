"""The part of the matrix of operations that manages snapshots, branches and tags, and a table that all of it can be on.

Choices: they are on that table, and on the plainest one as far as it has what they name; on others they would meet
the same. They have no levels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from sim.iceberg.managing import AppendTo, CherryPick, CreateRef, Expire, Managing, MoveBranch, RollBack, Stage
from sim.iceberg.statements import Append, JavaApi

PLAIN, MANAGED = "file-a-row", "managed"
MANAGED_WORDS = "two rows, each in a file of its own, a branch with a row more, a tag, and a staged append"
MANAGED_HISTORY: tuple[JavaApi, ...] = (
    Append(((2, "b"),)), CreateRef("t", tag=True), AppendTo("b", ((6, "c"),)), Stage(((7, "d"),), 1),
)  # fmt: skip


class Asks(Protocol):
    """Who asks: a value of a row, and an id, that only this side writes; a letter for what has a name."""

    @property
    def letter(self) -> str: ...

    @property
    def new(self) -> int: ...

    def value(self, key: int) -> str: ...


def _row(side: Asks) -> tuple[tuple[int, str], ...]:
    return ((side.new, side.value(side.new)),)


MANAGING: Mapping[str, tuple[str, Callable[[Asks], Managing]]] = {
    "roll-back": ("manageSnapshots: rollbackTo the snapshot below the head", lambda _: RollBack(1)),
    "expire": ("expireSnapshots but the newest of each branch", lambda _: Expire(1)),
    "expire-below": ("expireSnapshots: the one below the head, by its id", lambda _: Expire(0)),
    "append-branch": ("newFastAppend of a new row to a branch", lambda s: AppendTo("b", _row(s))),
    "stage": ("newFastAppend of a new row, staged", lambda s: Stage(_row(s))),
    "branch": ("manageSnapshots: createBranch at the head", lambda s: CreateRef(f"b-{s.letter}")),
    "tag-below": ("manageSnapshots: createTag below the head", lambda s: CreateRef(f"t-{s.letter}", tag=True, back=1)),
    "cherry-pick": ("manageSnapshots: cherrypick what is staged", lambda _: CherryPick()),
    "fast-forward": ("manageSnapshots: fastForwardBranch main to a branch", lambda _: MoveBranch("main", "b")),
}
NEED_MANAGED = ("cherry-pick", "fast-forward")


def can_be(table: str, *operations: str) -> bool:
    """Whether these operations can be on a table."""
    if table == PLAIN:
        return not any(name in NEED_MANAGED for name in operations)
    return table == MANAGED or not any(name in MANAGING for name in operations)
