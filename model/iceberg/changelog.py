"""What Spark's `create_changelog_view` makes of the changes of a table: what a commit has only carried over goes.

A copy-on-write command removes files and adds others: rows that are in both are no change. So in each commit a row that
is removed as often as it is added is left out (`without_carryovers`); with `net_changes`, also over several commits;
with identifier columns, of what is left a row that goes and one that comes with one id are an update.

Source: `ChangelogIterator.java`, `RemoveCarryoverIterator.java`, `RemoveNetCarryoverIterator.java`,
`ComputeUpdateIterator.java`, `CreateChangelogViewProcedure.java` for Spark 3.5 of 1.11.0.

Choices: of updates, rows of one id in one commit come in the order of their values, where Spark, which sorts by the id
and the kind of change alone, may have them in any: which rows of one id are paired is not said for more than one.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any

from model.iceberg.errors import InvalidOperation
from model.iceberg.incremental import Change

ADDED, REMOVED, BEFORE, AFTER = "+", "-", "from ", "to "


def without_carryovers(changes: Iterable[Change]) -> list[Change]:
    """Changes without the pairs of one row that one commit has removed and added."""
    return [left for group in _groups(changes, _row) for left in _left(group)]


def net_changes(changes: Iterable[Change]) -> list[Change]:
    """What is left of changes where a row that is removed and added, or added and removed, is none, whoever did it.

    What is left of one row is told as the first of them, as often as there is more of the one than of the other.
    """
    ordered = sorted(changes, key=lambda one: (one.id, one.value, one.ordinal, one.sign == ADDED))
    return [left for _, group in groupby(ordered, lambda one: (one.id, one.value)) for left in _net(group)]


def _net(group: Iterable[Change]) -> list[Change]:
    """Of one row's changes, in order."""
    open_: list[Change] = []
    for each in group:
        if open_ and open_[0].sign != each.sign:
            open_.pop()
        else:
            open_.append(open_[0] if open_ else each)
    return open_


def with_updates(changes: Iterable[Change]) -> list[Change]:
    """Changes without what is carried over, a removed and an added row of one id and one commit as an update.

    Raises: `InvalidOperation` if a commit has removed two rows of one id.
    """
    return [each for group in _groups(without_carryovers(changes), _id) for each in _updated(group)]


def _updated(group: list[Change]) -> list[Change]:
    gone, come = [one for one in group if one.sign == REMOVED], [one for one in group if one.sign == ADDED]
    if len(gone) > 1:
        raise InvalidOperation(f"updates of row {gone[0].id}: expected one row of an id, got {len(gone)}")
    if not gone or not come:
        return group
    return [gone[0]._replace(sign=BEFORE), come[0]._replace(sign=AFTER), *come[1:]]


def _row(one: Change) -> tuple[int, int, str]:
    return one.id, one.ordinal, one.value


def _id(one: Change) -> tuple[int, int]:
    return one.id, one.ordinal


def _groups(changes: Iterable[Change], key: Callable[[Change], tuple[Any, ...]]) -> Iterator[list[Change]]:
    """The changes of each row, or id, of a commit, by their values."""
    for _, group in groupby(sorted(changes, key=lambda one: (*key(one), one.value)), key):
        yield list(group)


def _left(group: list[Change]) -> list[Change]:
    """Of one row in one commit: how much more often it was added than removed, or removed than added."""
    come = [one for one in group if one.sign == ADDED]
    gone = [one for one in group if one.sign == REMOVED]
    return come[len(gone) :] or gone[len(come) :]
