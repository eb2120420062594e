"""Partitions whose names have `.marker` in them: what rollback and reconciliation take their markers for."""

import pytest

from model.hudi import SHIPPED, Cleaner, HudiClient
from model.hudi.errors import StorageFailed
from model.hudi.markers import marked_path
from model.hudi.names import BaseFile
from model.hudi.partitions import Partitions
from model.hudi.variants import FIXED
from tests.unit.hudi.worlds import Lab

FILE = BaseFile("fg1", "0-0-0", 7)
GROUPS = (("fg1", ((1, "a"),)), ("fg2", ((2, "b"),)))


@pytest.mark.parametrize(
    ("partition", "shipped"),
    [
        ("p", f"p/{FILE.name}"),
        ("p.mark", f"p.mark/{FILE.name}"),
        ("p.marker", "p"),
        ("day=1.markers/x", "day=1"),
        ("a/b.marker.c/d", "a/b"),
    ],
)
def test_a_marker_is_cut_at_the_first_suffix(partition, shipped):
    """As `WriteMarkers.stripMarkerSuffix` 1.2.0 does with the path of a marker; repaired, at that of its name."""
    assert marked_path(partition, FILE, SHIPPED) == shipped
    assert marked_path(partition, FILE, FIXED) == f"{partition}/{FILE.name}"


@pytest.mark.parametrize("rules", [SHIPPED, FIXED])
def test_a_rollback_says_that_it_is_done_and_leaves_the_file(rules):
    """The instant is off the timeline, so nobody will ever come back for its file."""
    lab = Lab(groups=GROUPS[:1], partitions=("p.marker",))
    dead = HudiClient(lab.world("w1"), lab.config, rules, owner="w1")
    instant = dead.start_commit()
    written = dead.upsert((("1", "A"),), instant, Partitions("p.marker"))
    lab.wait(10**6)
    cleaner = Cleaner(lab.world("c"), lab.config, rules)
    assert cleaner.rollback_failed_writes() == (instant,)
    assert lab.files.exists(written.stats[0].path) is (rules is SHIPPED)
    assert cleaner.rollback_failed_writes() == ()


@pytest.mark.parametrize("rules", [SHIPPED, FIXED])
def test_a_reconciliation_leaves_the_file_of_a_failed_attempt(rules):
    """Both are of one instant: which of them a reader takes is a question of their names."""
    lab = Lab(groups=GROUPS[:1], partitions=("p.marker",))
    client = HudiClient(lab.world("w1"), lab.config, rules, owner="w1")
    instant = client.start_commit()
    written = client.upsert((("1", "A"),), instant, Partitions("p.marker"), attempts=2)
    client.commit(instant, written)
    names = [name for name in lab.files.list("p.marker") if name.endswith(f"_{instant:06d}.parquet")]
    assert len(names) == (2 if rules is SHIPPED else 1)


def test_beside_the_partition_that_it_is_cut_to_nothing_succeeds_and_nothing_is_deleted():
    """A commit there fails, and so does each rollback of it."""
    where = Partitions("p", (("1", "p"), ("2", "p.marker")))
    lab = Lab(groups=GROUPS, partitions=("p", "p.marker"))
    client = HudiClient(lab.world("w1"), lab.config, owner="w1")
    instant = client.start_commit()
    written = client.upsert((("2", "B"),), instant, where)
    with pytest.raises(StorageFailed, match="delete p: expected a file"):
        client.commit(instant, written)
    lab.wait(10**6)
    for _ in range(2):
        with pytest.raises(StorageFailed, match="delete p: expected a file"):
            Cleaner(lab.world("c"), lab.config).rollback_failed_writes()
    assert len(lab.files.list("p")) == 1
