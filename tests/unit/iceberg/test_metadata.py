"""The rules of the metadata builder, and what a metadata that breaks an invariant is told."""

import pytest

from model.iceberg.errors import InvalidOperation, StaleSnapshot, ValidationFailed
from model.iceberg.expire import expire_snapshot
from model.iceberg.invariants import invariant_findings
from model.iceberg.metadata import (
    Snapshot,
    TableMetadata,
    add_snapshot,
    ancestors,
    move_branch,
)


def snapshot(number, parent=None, sequence=None):
    return Snapshot(number, parent, number if sequence is None else sequence, "append", f"list-{number}")


def table(*numbers):
    metadata = TableMetadata(uuid=1)
    for number in numbers:
        metadata = add_snapshot(metadata, snapshot(number, metadata.current_snapshot_id))
    return metadata


def test_adding_a_snapshot_moves_main_and_the_sequence_number():
    """Head, ref, log and last number move together."""
    metadata = table(1, 2)
    assert metadata.current == snapshot(2, 1)
    assert metadata.refs == (("main", 2),)
    assert metadata.snapshot_log == (1, 2)
    assert metadata.last_sequence_number == 2
    assert invariant_findings(metadata) == []


def test_duplicate_snapshot_id_is_refused():
    """A collision never replaces a snapshot."""
    with pytest.raises(ValidationFailed, match="exists already"):
        add_snapshot(table(1), snapshot(1, 1, 2))


def test_stale_sequence_number_is_refused_unless_there_is_no_parent():
    """The parent-less exemption is Iceberg's."""
    with pytest.raises(StaleSnapshot, match="above 2, got 2"):
        add_snapshot(table(1, 2), snapshot(3, 2, sequence=2))
    assert add_snapshot(table(1, 2), snapshot(3, None, sequence=2)).last_sequence_number == 2


def test_snapshot_on_another_branch_leaves_main():
    """Sequence numbers are of the table, not of the branch."""
    metadata = add_snapshot(table(1), snapshot(2, 1), branch="audit")
    assert metadata.current_snapshot_id == 1
    assert metadata.refs == (("audit", 2), ("main", 1))
    assert metadata.last_sequence_number == 2
    assert invariant_findings(metadata) == []


def test_moving_a_branch_where_it_is_changes_nothing():
    """The loop sees by identity that there is nothing to commit."""
    metadata = table(1, 2)
    assert move_branch(metadata, 2) is metadata
    assert move_branch(metadata, 1).snapshot_log == (1, 2, 1)
    assert move_branch(metadata, 1, "old").refs == (("main", 2), ("old", 1))


def test_refs_resolve():
    """No branch is set to a snapshot that is not there, and no snapshot expires under a ref."""
    with pytest.raises(InvalidOperation, match="unknown id 9"):
        move_branch(table(1), 9)
    with pytest.raises(InvalidOperation, match="still points"):
        expire_snapshot(table(1, 2), 2)


def test_expiring_cuts_the_log_before_it():
    """Entries up to an expired snapshot go."""
    metadata = expire_snapshot(table(1, 2, 3), 2)
    assert metadata.snapshot_log == (3,)
    assert [s.snapshot_id for s in metadata.snapshots] == [1, 3]


def test_ancestors_stop_at_the_start_and_at_a_hole():
    """Newest first, without the start; an expired parent ends the walk."""
    metadata = table(1, 2, 3, 4)
    assert [s.snapshot_id for s in ancestors(metadata, metadata.current, 2)] == [4, 3]
    assert [s.snapshot_id for s in ancestors(expire_snapshot(metadata, 2), metadata.current)] == [4, 3]
    assert [s.snapshot_id for s in metadata.lineage] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("changes", "finding"),
    [
        ({"current_snapshot_id": 1}, "current snapshot"),
        ({"refs": (("main", 7),)}, "ref main"),
        ({"last_sequence_number": 1}, "last-sequence-number"),
        ({"snapshot_log": (2, 1)}, "snapshot log"),
        ({"snapshots": (snapshot(2, 1), snapshot(2, 1))}, "unique ids"),
        ({"snapshots": (snapshot(2, 1), snapshot(1))}, "increasing sequence numbers"),
    ],
)
def test_broken_invariants_are_found(changes, finding):
    """Each invariant has its own sentence."""
    assert any(finding in sentence for sentence in invariant_findings(table(1, 2)._replace(**changes)))


def test_metadata_has_structural_equality_and_a_hash():
    """Worlds compare and intern what is put into ports."""
    assert table(1, 2) == table(1, 2)
    assert len({table(1, 2), table(1, 2), table(1)}) == 2
