"""What was told that it is done, and is not: each kind, and what is beside it."""

import pytest

from model.iceberg.clock_rule import HOUR_MS
from model.iceberg.metadata import MAIN, RefRetention, Snapshot, TableMetadata
from model.iceberg.retention import GC_ENABLED, MAX_REF_AGE, MAX_SNAPSHOT_AGE, MIN_TO_KEEP
from model.iceberg.table_properties import TableProperties
from sim.iceberg.ages import ExpireOlder, time_before
from sim.iceberg.by_hand import AddPartitions, ReplaceManifests
from sim.iceberg.managing import Expire, RollBack
from sim.iceberg.not_done import not_done
from sim.iceberg.statements import Append, Transaction

LINE = {1: None, 2: 1, 3: 2, 9: 1}
"""Snapshots and their parents: 9 is beside the line."""


def table(ids=(1, 2, 3), refs=(), tags=(), said=(), uuid=1, timed=True, **properties) -> TableMetadata:
    """A table whose snapshot n was made 2 (4 - n) hours before the race; 9 was made with 2. Main is at 3."""
    age = {one: time_before(2 * (4 - min(one, 2 if one > 3 else 3))) if timed else 0 for one in ids}
    return TableMetadata(
        uuid, snapshots=tuple([Snapshot(one, LINE[one], one, "append", f"list-{one}", (), age[one]) for one in ids]),
        current_snapshot_id=3, refs=((MAIN, 3), *refs), tags=tags, retentions=said,
        last_updated_ms=time_before(0) if timed else 0,
        properties=TableProperties(further=tuple(sorted(properties.items()))),
    )  # fmt: skip


OLDER = ExpireOlder(3.0)
KEEPS_2, UP_TO_5_H = RefRetention(MAIN, 2), RefRetention(MAIN, None, 5 * HOUR_MS)
ITSELF_UP_TO_3_H = RefRetention("t", None, None, 3 * HOUR_MS)
TAG = {"refs": (("t", 2),), "tags": ("t",)}
NO_GC = {GC_ENABLED: "false"}


@pytest.mark.parametrize(("statement", "after", "known", "kind"), [
    (OLDER, table((3,)), {}, None),
    (OLDER, table((2, 3)), {}, "overdue"),
    (ExpireOlder(3.0, 2), table((2, 3)), {}, None),
    (ExpireOlder(4.0), table((2, 3)), {}, None),
    (ExpireOlder(None), table((1, 2, 3)), {}, None),
    (ExpireOlder(None), table((1, 2, 3)), {MAX_SNAPSHOT_AGE: str(3 * HOUR_MS)}, "overdue"),
    (ExpireOlder(3.0, None), table((2, 3)), {MIN_TO_KEEP: "2"}, None),
    (ExpireOlder(3.0, 1), table((2, 3)), {MIN_TO_KEEP: "2"}, "overdue"),
    (OLDER, table((2, 3), said=(KEEPS_2,)), {}, None),
    (OLDER, table((2, 3), said=(UP_TO_5_H,)), {}, None),
    (OLDER, table((1, 2, 3), said=(UP_TO_5_H,)), {}, "overdue"),
    (OLDER, table((2, 3), **TAG), {}, None),
    (OLDER, table((1, 2, 3), **TAG), {}, "overdue"),
    (OLDER, table((2, 3), **TAG, said=(ITSELF_UP_TO_3_H,)), {}, "overdue"),
    (OLDER, table((2, 3), **TAG), {MAX_REF_AGE: str(3 * HOUR_MS)}, "overdue"),
    (OLDER, table((3, 9)), {}, "overdue"),
    (ExpireOlder(5.0), table((3, 9)), {}, None),
    (ExpireOlder(5.0), table((2, 3, 9)), {}, None),
    (Expire(1), table((3,)), {}, None),
    (Expire(1), table((2, 3)), {}, "overdue"),
    (Expire(1), table((2, 3), timed=False), {}, "overdue"),
    (Expire(2), table((2, 3)), {}, None),
    (Expire(0), table((1, 3), timed=False), {}, None),
    (Expire(0), table((2, 3)), {MAX_SNAPSHOT_AGE: str(5 * HOUR_MS)}, None),
    (Expire(0), table((2, 3)), {MAX_SNAPSHOT_AGE: str(3 * HOUR_MS)}, "overdue"),
    (OLDER, table((3,), **NO_GC), NO_GC, "taken"),
    (OLDER, table((3,)), NO_GC, None),
    (OLDER, table((2, 3), uuid=2), {}, None),
    (OLDER, None, {}, None),
    (RollBack(1), table((2, 3)), {}, None),
    (ReplaceManifests(), table(), {}, None),
    (ReplaceManifests(gives="added files"), table(), {}, "taken"),
    (ReplaceManifests(gives="the table's own"), table(), {}, "taken"),
    (AddPartitions(), table(), {}, "taken"),
    (AddPartitions(((1, "a"),)), table(), {}, None),
    (Transaction((Append(((1, "a"),)),), left_open=True), table(), {}, "taken"),
    (Transaction((Append(((1, "a"),)),)), table(), {}, None),
])  # fmt: skip
def test_what_was_told_that_it_is_done(statement, after, known, kind):
    """It is told by its kind."""
    found = not_done(statement, [after], table((3,), timed=after is None or after.last_updated_ms > 0, **known))
    assert [text.partition(":")[0] for text in found] == ([kind] if kind else [])


def test_what_comes_to_be_overdue_while_an_expiry_is_under_way_is_nobodys_fault():
    """Another writer's snapshot makes the head before it one too many."""
    assert not_done(Expire(1), [table((1, 2, 3)), table((3,))], table()) == []
    assert not_done(Expire(1), [table((1, 2, 3)), table((2, 3))], table()) == [
        "overdue: expected snapshot 2 to go, it is there"
    ]
