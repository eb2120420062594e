"""What nobody in a race can have done: each kind, and what is beside it."""

import pytest

from model.iceberg.clock_rule import HOUR_MS
from model.iceberg.metadata import MAIN, Snapshot, TableMetadata
from model.ports import Absent
from sim.iceberg.ages import ExpireOlder, RollBackToTime, time_before
from sim.iceberg.astray import astray, overwritten
from sim.iceberg.creating import CreateTable
from sim.iceberg.layout import DropColumn
from sim.iceberg.managing import CherryPick, Expire, MoveBranch, Publish, RollBack

LINE = {1: None, 2: 1, 3: 2, 9: 1}
"""Snapshots and their parents: 9 is beside the line."""
BACK, AT_2_H = RollBack(1), RollBackToTime(2.0)


def table(main: int, ids=LINE, uuid=1, columns=("id", "v"), wap=(), **more) -> TableMetadata:
    """A table whose snapshot n was made n - 4 hours before the race, one of each of these ids."""
    snapshots = tuple([
        Snapshot(one, LINE[one], one, "append", f"list-{one}", tuple([(name, 7) for at, name in wap if at == one]),
                 time_before(4 - one))
        for one in ids
    ])  # fmt: skip
    return TableMetadata(
        uuid, snapshots=snapshots, current_snapshot_id=main, refs=((MAIN, main),), columns=columns,
        last_updated_ms=time_before(0) + HOUR_MS, **more,
    )  # fmt: skip


@pytest.mark.parametrize(("versions", "sent", "kind"), [
    ((table(2), table(3)), (), None),
    ((table(3), table(2)), (BACK,), None),
    ((table(3), table(9)), (BACK,), "moved"),
    ((table(3), table(9)), (RollBack(1, anywhere=True),), None),
    ((table(3), table(9)), (MoveBranch(MAIN, "b", forward=False),), None),
    ((table(3), table(9)), (MoveBranch(MAIN, "b"),), "moved"),
    ((table(1), table(1, ids=(1, 3)), table(3, ids=(1, 3))), (MoveBranch(MAIN, "b"), Expire(1)), None),
    ((table(3), table(1)), (AT_2_H,), None),
    ((table(3), table(2)), (AT_2_H,), "moved"),
    ((table(3), table(2)), (AT_2_H, BACK), None),
    ((table(3), table(2)), (AT_2_H, Publish("t")), None),
    ((table(1, columns=("id", "v", "x")), table(1, columns=("id", "v"), dropped_columns=1)), (DropColumn("x"),), None),
    ((table(1, columns=("id", "v", "x")), table(1, columns=("id", "v"), dropped_columns=1)), (), "column"),
    ((table(1, columns=("id", "v", "x")), table(1, columns=("id", "v"))), (DropColumn("x"),), "column"),
    ((table(1), table(1, uuid=2)), (CreateTable(()),), None),
    ((table(1), table(1, uuid=2), table(1)), (CreateTable(()),), "table"),
    ((table(1, ids=(1,)), table(1, uuid=2), table(2, ids=(1, 2))), (CreateTable(()),), None),
    ((table(2, wap=((2, "wap.id"),)),), (CherryPick(),), None),
    ((table(2, wap=((2, "wap.id"), (9, "wap.id"))),), (CherryPick(),), None),
    ((table(2, wap=((1, "published-wap-id"), (2, "wap.id"))),), (CherryPick(),), "published"),
    ((table(3), table(3, ids=(2, 3, 9))), (ExpireOlder(2.0),), None),
    ((table(3), table(3, ids=(1, 2, 3))), (ExpireOlder(2.0),), "expired"),
    ((table(3), table(3, ids=(1, 2, 3))), (ExpireOlder(None),), "expired"),
    ((table(3), table(3, ids=(1, 2, 3))), (ExpireOlder(2.0), Expire(1)), None),
    ((), (), None),
])  # fmt: skip
def test_what_nobody_can_have_done(versions, sent, kind):
    """It is told by its kind, and nothing else is."""
    assert [text.partition(":")[0] for text in astray(versions, sent)] == ([kind] if kind else [])


def test_no_table_takes_the_name_of_another_that_is_there():
    """It is dropped before, or has another name."""
    assert len(overwritten([table(1), table(1, uuid=2)])) == 1
    assert overwritten([table(1), Absent(), table(1, uuid=2), table(2, uuid=2)]) == []
