"""What a client makes of a storage that does not answer as it should, at the places where that is not plain."""

from contextlib import nullcontext

import pytest

from model.hudi import HudiClient, Reader, coverage
from model.hudi.errors import EarlyConflict, OutcomeUnknown, StorageFailed
from model.hudi.names import COMMIT, LOCK, heartbeat_path, inflight_path
from model.hudi.partitions import Partitions
from model.ports import ConnectionLost
from tests.unit.hudi.worlds import Lab, Refusing


def test_a_commit_whose_lock_is_not_released_may_stand():
    """The release comes after COMPLETED: its failure is no definite failure of the commit, which is there."""
    lab = Lab("file-system")
    client = HudiClient(lab.world("w1", files=Refusing(lab.files, "delete")), lab.config, owner="w1")
    instant = client._announce(1, COMMIT)
    written = client.upsert((("1", "A"),), instant)
    with pytest.raises(OutcomeUnknown) as caught:
        client.commit(instant, written)
    newest = Reader(lab.world("r"), lab.config).read().newest
    assert newest is not None
    assert caught.value.version == newest.name
    assert not caught.value.definite
    client.close()  # and what closing cannot do is not reported


def test_who_cannot_release_the_lock_keeps_it_and_its_heartbeat():
    """The release comes first in a `finally`, and nothing after it is done; the lock goes when the client is closed."""
    lab = Lab("file-system")
    files = Refusing(lab.files, "delete", only=LOCK)
    client = HudiClient(lab.world("w1", files=files), lab.config, owner="w1")
    instant = client._announce(1, COMMIT)
    written = client.upsert((("1", "A"),), instant)
    with pytest.raises(OutcomeUnknown):
        client.commit(instant, written)
    assert lab.files.exists(heartbeat_path(instant))
    files.only = ""
    client.close()
    assert not lab.files.exists(LOCK)


def test_a_refusal_whose_lock_is_not_released_is_a_failure_of_the_storage():
    """Nothing was completed, so nothing is in doubt."""
    lab = Lab("file-system")
    clients = [
        HudiClient(lab.world(name, files=files), lab.config, owner=name)
        for name, files in (("w1", lab.files), ("w2", Refusing(lab.files, "delete")))
    ]
    instants = [client._announce(at, COMMIT) for at, client in enumerate(clients, 1)]
    written = [client.upsert((("1", "A"),), at) for client, at in zip(clients, instants, strict=True)]
    clients[0].commit(instants[0], written[0])
    with pytest.raises(StorageFailed, match="refused by the test"):
        clients[1].commit(instants[1], written[1])
    assert [instant.requested for instant in Reader(lab.world("r"), lab.config).read().timeline.completed] == [0, 1]


def test_files_of_a_partition_that_is_not_committed_are_deleted_before_the_commit():
    """All that the instant has marked is compared with its stats: a first try went into another partition."""
    lab = Lab()
    client = HudiClient(lab.world("w1"), lab.config, owner="w1")
    instant = client.start_commit()
    orphan = client.insert((("7", "x"),), instant, Partitions("p2")).stats[0].path
    lab.files.delete(inflight_path(2, instant, COMMIT))  # the second try announces it again
    written = client.upsert((("1", "A"),), instant)
    assert lab.files.exists(orphan)
    client.commit(instant, written)
    assert not lab.files.exists(orphan)
    assert lab.files.exists(written.stats[0].path)


def test_an_instant_whose_heartbeat_cannot_be_read_is_not_in_the_way():
    """As shipped: its markers do not count, and the conflict is found at the commit."""
    lab = Lab("direct")
    other = HudiClient(lab.world("w1"), lab.config, owner="w1")
    other.upsert((("1", "A"),), other.start_commit())
    for error, alive in ((None, True), (ConnectionLost, False)):
        files = Refusing(lab.files, "mtime", error=error) if error else lab.files
        client = HudiClient(lab.world("w2", files=files), lab.config, owner="w2")
        instant = client.start_commit()
        with pytest.raises(EarlyConflict) if alive else nullcontext():
            client.upsert((("1", "B"),), instant)
    assert lab.simulation.kernel.coverage[coverage.EARLY_SKIPPED_DEAD] == 1
