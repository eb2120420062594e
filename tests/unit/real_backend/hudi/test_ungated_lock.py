"""Who counts as the holder of the table's lock where that is ZooKeeper's, which the gate does not see. No JVM."""

from unittest.mock import MagicMock

import pytest

from real_backend.gating.gate import Gate, InterpositionPoint
from real_backend.hudi.storage import StorageGate

INSTANT = "20250101000000001"
HEARTBEAT, COMPLETED = f"/.hoodie/.heartbeat/{INSTANT}", f"/.hoodie/timeline/{INSTANT}_20250101000000009.commit"


@pytest.fixture
def storage(tmp_path):
    """A storage gate whose JVM does nothing; it holds nobody."""
    gate = StorageGate(MagicMock())
    gate.install(Gate(()), str(tmp_path))
    return gate


def is_free(storage):
    """Whether another actor may take the lock."""
    return storage.is_passable(InterpositionPoint("w2", "try_lock", "table"))


@pytest.mark.parametrize(("operation", "path", "free"), [("rename", COMPLETED, False), ("delete", HEARTBEAT, True)])
def test_whoever_is_about_to_delete_its_heartbeat_has_given_the_lock_back(storage, operation, path, free):
    """Hudi leaves the critical section first, whether the commit stands or not: others may go while it waits there."""
    storage.enter("w1")
    storage._listener.before("w1", False, operation, path)
    assert is_free(storage) == free


def test_a_call_that_ends_late_takes_the_lock_from_nobody(storage):
    """w1's call still cleans up when w2 is inside."""
    storage.enter("w1")
    storage._listener.before("w1", False, "delete", HEARTBEAT)
    storage.enter("w2")
    storage.leave("w1")
    assert not is_free(storage)
    storage.leave("w2")
    assert is_free(storage)
