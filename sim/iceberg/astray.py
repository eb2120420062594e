"""What no statement of a race can have done to a table: from version to version, where its catalog keeps them.

* A column goes only if somebody drops it or replaces the table, and field ids are given away once.
* A table that was made anew is not the old one again as it was, and none takes the name of another that is there.
* Main, and a branch, move to what has come from where they are, or back to where they have been, unless somebody sets
  them anywhere; and back to a time is to the latest snapshot before it.
* A WAP id is published once.
* What is younger than every expiry and every ref says does not expire, unless the way to it from a head has ended at an
  older one.

Source: Iceberg table specification, Column Projection, Snapshot References, Snapshot Retention Policy; of 1.11.0
`SchemaUpdate`, `SetSnapshotOperation`, `UpdateSnapshotReferencesOperation.replaceBranch`, `CherryPickOperation`,
`WapUtil.validateWapPublish`, `RemoveSnapshots`.

Choices: where anybody makes, drops or replaces tables, only that none is there again is asked. Who has begun to replace
a table that is dropped by the time that he commits makes it anew on JDBC, with its uuid and its history; its main is
his own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise

from model.iceberg.append_once import JOB
from model.iceberg.cherry_pick import PUBLISHED_WAP_ID, STAGED_WAP_ID
from model.iceberg.metadata import MAIN, TableMetadata
from model.iceberg.retention import FIVE_DAYS_MS, MAX_SNAPSHOT_AGE
from sim.iceberg.ages import ExpireOlder, RollBackToTime, time_before
from sim.iceberg.columns import RenameColumn
from sim.iceberg.creating import CreateTable, OfTables
from sim.iceberg.layout import DropColumn
from sim.iceberg.lineage import Parents, line_of, line_through
from sim.iceberg.managing import (
    CherryPick,
    Expire,
    ManageSnapshots,
    MoveBranch,
    Publish,
    RemoveRef,
    RenameBranch,
    ReplaceRef,
    ReplaceTable,
    RollBack,
)
from sim.iceberg.statements import Statement, steps_of

MAKES = ReplaceTable | CreateTable | OfTables
MOVES_MAIN = RollBack | CherryPick | MoveBranch


def astray(versions: Sequence[TableMetadata], sent: Sequence[Statement]) -> list[str]:
    """What is not to be, as sentences. Args: `versions`: of a table, in order; `sent`: all statements of the race."""
    if any(isinstance(one, MAKES) for one in sent):
        return list(_again(versions))
    # Of all that the table has ever had: what has expired since was on the way all the same.
    parents = {each.snapshot_id: each.parent_id for one in versions for each in one.snapshots}
    done = [*sent, *[change for one in sent if isinstance(one, ManageSnapshots) for change in one.changes]]
    looks = (_columns, partial(_moves, parents=parents), _back_in_time, _expired)
    found = [text for pair in pairwise(versions) for look in looks for text in look(*pair, done)]
    return [*found, *([*_published(versions[-1]), *_done_once(versions[-1])] if versions else ())]


def _again(versions: Sequence[TableMetadata]) -> Iterator[str]:
    for at, (before, after) in enumerate(pairwise(versions)):
        earlier = [one for one in versions[:at] if one.uuid == after.uuid]
        known = {each.snapshot_id for one in earlier for each in one.snapshots}
        if after.uuid != before.uuid and earlier and after.current_snapshot_id in (None, *known):
            yield f"table: expected none that was replaced, {after.uuid} is there again"


def overwritten(versions: Sequence[object]) -> list[str]:
    """Tables whose name another one has taken, as sentences. Args: `versions`: what a name has stood for, in order."""
    return [
        f"table: expected {before.uuid} to be dropped or renamed, {after.uuid} has taken its name"
        for before, after in pairwise(versions)
        if isinstance(before, TableMetadata) and isinstance(after, TableMetadata) and before.uuid != after.uuid
    ]


def _columns(before: TableMetadata, after: TableMetadata, sent: Sequence[Statement]) -> Iterator[str]:
    if before.columns == after.columns and before.last_column_id == after.last_column_id:
        return
    dropped = {one.name for one in steps_of(*sent) if isinstance(one, DropColumn | RenameColumn)}
    for name in before.columns:
        if name not in after.columns and name.partition(".")[0] not in dropped:
            yield f"column: expected {name}, which nobody drops, it is gone"
    if after.last_column_id < before.last_column_id:
        yield f"column: expected ids above {before.last_column_id}, which is given away, got {after.last_column_id}"


def _moves(before: TableMetadata, after: TableMetadata, sent: Sequence[Statement], parents: Parents) -> Iterator[str]:
    heads = dict(after.refs)
    for name, old in before.refs:
        new = heads.get(name)
        if new in (None, old) or name in before.tags or _is_next(after, old, new):
            continue
        if any(_set_anywhere(one) == name for one in sent):
            continue
        if old not in line_through(new, parents) and new not in line_through(old, parents):
            yield f"moved: expected {name} where it was or behind it, {old}; it is at {new}"


def _set_anywhere(one: Statement) -> str:
    """The ref that a statement sets, wherever it is."""
    match one:
        case RollBack(anywhere=True) | Publish():
            return MAIN
        case ManageSnapshots(changes) if sum(isinstance(each, MOVES_MAIN) for each in changes) > 1:
            return MAIN  # back, and forward from there
        case ReplaceRef(name) | RemoveRef(name) | RenameBranch(name) | MoveBranch(name, forward=False):
            return name
    return ""


def _is_next(metadata: TableMetadata, one: int | None, other: int | None) -> bool:
    """Whether a snapshot is the parent of another one, as after most commits."""
    snapshot = metadata.snapshot(other)
    return snapshot is not None and snapshot.parent_id == one


def _is_below(metadata: TableMetadata, one: int | None, other: int | None) -> bool:
    return any(each.snapshot_id == one for each in line_of(metadata, metadata.snapshot(other)))


def _back_in_time(before: TableMetadata, after: TableMetadata, sent: Sequence[Statement]) -> Iterator[str]:
    """Where nobody but a roll-back to a time sets main back, or anywhere."""
    if _is_next(after, before.current_snapshot_id, after.current_snapshot_id):
        return
    times = [time_before(one.age_h) for one in sent if isinstance(one, RollBackToTime)]
    old, new = before.current_snapshot_id, after.current_snapshot_id
    if (
        not times
        or old == new
        or not _is_below(before, new, old)
        or any(isinstance(one, RollBack) or _set_anywhere(one) == MAIN for one in sent)
    ):
        return
    line = [each for each in line_of(before, before.current) if each.timestamp_ms]
    latest = [max((each.timestamp_ms for each in line if each.timestamp_ms < time), default=0) for time in times]
    if not any(each.snapshot_id == new and each.timestamp_ms in latest for each in line):
        yield f"moved: expected main at the latest snapshot before a time, it went from {old} to {new}"


def _published(metadata: TableMetadata) -> Iterator[str]:
    told = [dict(each.summary) for each in line_of(metadata, metadata.current)]
    ids = [wap for one in told if (wap := one.get(PUBLISHED_WAP_ID, one.get(STAGED_WAP_ID)))]
    if ids:
        twice = [(wap, times) for wap, times in Counter(ids).items() if times > 1]
        yield from [f"published: expected WAP id {wap} once, got {times} times" for wap, times in twice]


def _done_once(metadata: TableMetadata) -> Iterator[str]:
    jobs = [dict(each.summary).get(JOB) for each in line_of(metadata, metadata.current)]
    twice = [(job, times) for job, times in Counter(jobs).items() if job is not None and times > 1]
    yield from [f"published: expected job {job} once, got {times} times" for job, times in twice]


def _expired(before: TableMetadata, after: TableMetadata, sent: Sequence[Statement]) -> Iterator[str]:
    """Where all expiries go by age, on a table with times."""
    asked = [one for one in sent if isinstance(one, ExpireOlder)]
    if not asked or not before.last_updated_ms or any(isinstance(one, Expire) for one in sent):
        return
    said = dict(before.properties.further)
    usual = after.last_updated_ms - int(said.get(MAX_SNAPSHOT_AGE, FIVE_DAYS_MS))
    ages = [one.max_snapshot_age_ms for one in before.retentions if one.max_snapshot_age_ms is not None]
    cuts = [usual if one.age_h is None else time_before(one.age_h) for one in asked]
    latest = max([*cuts, *[after.last_updated_ms - age for age in ages]])
    old = [each for each in before.snapshots if each.timestamp_ms < latest]
    behind = {one.snapshot_id for each in old for one in line_of(before, each)}
    there = {each.snapshot_id for each in after.snapshots}
    for each in before.snapshots:
        if each.snapshot_id not in there | behind:
            yield f"expired: expected {each.snapshot_id}, which is younger than anybody has said, it is gone"
