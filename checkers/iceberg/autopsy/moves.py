"""What happened to the branch main between one version of a table and the next.

Choices: what a rollback, a replaced table or an expiry looks like is taken for one. Only what none of these leaves
behind is called lost.
"""

from typing import NamedTuple

from checkers.iceberg.autopsy.lineage import ancestry
from checkers.iceberg.autopsy.records import Snapshot, Version

SAME, COMMIT, ROLLBACK, SET, REPLACED, EMPTIED = "same", "commit", "rollback", "set", "replaced", "emptied"
BYPASSED, VANISHED, VANISHED_OR_REPLACED = "bypassed", "vanished", "vanished or replaced"


class Move(NamedTuple):
    """A move of main. Args: `lost` are the snapshots, newest first, that main had and that went without a reason."""

    kind: str
    lost: tuple[Snapshot, ...] = ()


def move(before: Version, after: Version) -> Move:
    """How main went from one version to the next.

    Returns: BYPASSED if a new snapshot was made from an ancestor of main's head, so that the head's changes are gone;
    VANISHED if the head is not even kept as a snapshot, which no expiry does.
    """
    old, new = before.head, after.head
    if old == new or old is None or old not in before.snapshots:
        return Move(SAME if old == new else COMMIT)
    chain = list(ancestry(new, after.snapshots, before.snapshots))
    if old in chain:
        return Move(COMMIT)
    if old not in after.snapshots:
        starts_anew = new is not None and new not in before.snapshots and _root(chain, before, after) is None
        return Move(VANISHED_OR_REPLACED if starts_anew else VANISHED, (before.snapshots[old],))
    if new is None:
        return Move(EMPTIED)
    past = list(ancestry(old, before.snapshots))
    if new in before.snapshots:
        return Move(ROLLBACK if new in past else SET)
    root = _root(chain, before, after)
    if root is None:
        return Move(REPLACED)
    if root not in past:
        return Move(SET)
    lost = past[: past.index(root)]
    return Move(BYPASSED, tuple([before.snapshots[one] for one in lost if one in before.snapshots]))


def _root(chain: list[int], before: Version, after: Version) -> int | None:
    """The first snapshot of a chain that is not new; None if the chain starts with a new one that has no parent."""
    return next((one for one in chain if one in before.snapshots or one not in after.snapshots), None)


def expired(before: Version, after: Version) -> tuple[int, ...]:
    """The snapshots that one version has and the next has not."""
    return tuple([one for one in before.snapshots if one not in after.snapshots])
