"""What PyIceberg 0.12.0 is asked of snapshots, branches and tags: its own calls, on a table that was loaded.

Source: `pyiceberg/table/update/snapshot.py` (`ManageSnapshots`, `ExpireSnapshots`).

Choices: a branch is moved by `create_branch`, as the library has no other call for it. What is expired by number is
named by its ids, as there is no other call, and by age with `older_than`. Ages are before the race's beginning.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from pyiceberg.table import Table
from pyiceberg.table.snapshots import Snapshot, ancestors_of, latest_ancestor_before_timestamp

from model.iceberg.metadata import MAIN
from sim.iceberg.ages import ExpireOlder, RollBackToTime
from sim.iceberg.managing import CreateRef, Expire, Publish, RemoveRef, ReplaceRef, RollBack
from sim.iceberg.python.by_hand import time_ms
from sim.iceberg.python.statements import OfSnapshots
from sim.iceberg.python_statements import TagAndRollBack

Moved = Callable[[str, int | None], None]
"""Told of a branch that is to be at a snapshot, or not to be there."""


def manage(table: Table, step: OfSnapshots, moves: Moved) -> None:
    """Carry it out. Raises: what the library raises."""
    chain = list(ancestors_of(table.current_snapshot(), table.metadata))
    if not chain:
        raise ValueError("main: expected a snapshot, got none: it is gone")
    match step:
        case Expire() | ExpireOlder():
            _expire(table, step, chain)
        case CreateRef() | ReplaceRef() | RemoveRef():
            _of_refs(table, step, chain, moves)
        case _:
            _move_main(table, step, chain, moves)


def _expire(table: Table, step: Expire | ExpireOlder, chain: list[Snapshot]) -> None:
    expiry = table.maintenance.expire_snapshots()
    match step:
        case Expire(0):
            expiry.by_ids([one.snapshot_id for one in chain[1:2]])
        case Expire(keep):
            kept = {ref.snapshot_id for ref in table.metadata.refs.values()}
            expiry.by_ids([one.snapshot_id for one in chain[keep:] if one.snapshot_id not in kept])
        case ExpireOlder(age):
            assert age is not None
            expiry.older_than(datetime.fromtimestamp(time_ms(age) / 1000, UTC))
    expiry.commit()


def _of_refs(table: Table, step: CreateRef | ReplaceRef | RemoveRef, chain: list[Snapshot], moves: Moved) -> None:
    changes = table.manage_snapshots()
    if isinstance(step, RemoveRef):
        moves(step.name, None)
        (changes.remove_tag if step.tag else changes.remove_branch)(step.name).commit()
        return
    at = chain[min(step.back, len(chain) - 1)].snapshot_id
    moves(step.name, at)
    (changes.create_tag if step.tag else changes.create_branch)(at, step.name).commit()


def _move_main(
    table: Table, step: RollBack | RollBackToTime | Publish | TagAndRollBack, chain: list[Snapshot], moves: Moved
) -> None:
    changes = table.manage_snapshots()
    match step:
        case Publish(ref):
            there = table.metadata.refs.get(ref)
            moves(MAIN, there.snapshot_id if there else None)
            changes.set_current_snapshot(ref_name=ref).commit()
        case RollBackToTime(age):
            below = latest_ancestor_before_timestamp(table.metadata, time_ms(age))
            if below is not None:
                moves(MAIN, below.snapshot_id)
            changes.rollback_to_timestamp(time_ms(age)).commit()
        case RollBack(back) | TagAndRollBack(_, back):
            target = chain[min(back, len(chain) - 1)].snapshot_id
            moves(MAIN, target)
            if isinstance(step, TagAndRollBack):
                changes.create_tag(chain[0].snapshot_id, step.name)
            changes.rollback_to_snapshot(target).commit()
