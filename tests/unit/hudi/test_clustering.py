"""Clustering: what it writes and hides, and, as upstream does, who is refused beside it."""

import pytest

from model.hudi import ClusteringClient, HudiClient, Reader
from model.hudi.errors import ConfigError, InstantGone, NothingPlanned
from model.hudi.names import CLUSTERING, INFLIGHT, REPLACE_COMMIT, REQUESTED
from model.hudi.partitions import ONE_PARTITION
from model.hudi.timeline import Instant
from sim.hudi.race import hudi_race
from sim.hudi.statements import Cluster
from sim.hudi.workload import HudiWorkload
from tests.unit.hudi.clustering_vectors import CASES, Clients
from tests.unit.hudi.worlds import Lab

TWO = (("fg1", ((1, "a"),)), ("fg2", ((2, "b"),)))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.strategy}: {case.script}")
def test_clustering_beside_another_write(case):
    """As Hudi 1.2.0 did, of which `tests/live/hudi/test_clustering.py` plays the same cases."""
    clients = Clients(case)
    assert clients.play() == case.told
    assert clients.rows() == case.rows


def test_file_groups_become_one():
    """The rows are as they were, in one file; the other file groups are hidden, not deleted."""
    lab = Lab(groups=TWO)
    client = ClusteringClient(lab.world("c"), lab.config)
    instant = client.schedule(ONE_PARTITION.names)
    client.commit(instant, client.execute(instant))
    view = Reader(lab.world("r"), lab.config).read()
    assert view.rows == (("1", ("a",)), ("2", ("b",)))
    assert [file.instant for _, file in view.slices] == [instant]
    assert len([path for path in lab.files.files if path.endswith(".parquet")]) == 3
    assert [(each.requested, each.action) for each in view.timeline.completed][-1] == (instant, REPLACE_COMMIT)


def test_nothing_changes_before_the_commit():
    """A reader sees the old file groups while a plan is pending and carried out."""
    lab = Lab(groups=TWO)
    client = ClusteringClient(lab.world("c"), lab.config)
    instant = client.schedule(ONE_PARTITION.names)
    client.execute(instant)
    view = Reader(lab.world("r"), lab.config).read()
    assert [file.file_id for _, file in view.slices] == ["fg1", "fg2"]
    assert [(each.requested, each.action) for each in view.timeline.pending] == [(instant, CLUSTERING)]


def test_what_came_after_the_plan_is_left_alone():
    """A new file group is in no plan; a second plan has it alone."""
    lab = Lab()
    client, writer = ClusteringClient(lab.world("c"), lab.config), HudiClient(lab.world("w"), lab.config)
    first, inserted = client.schedule(ONE_PARTITION.names), writer.start_commit()
    writer.commit(inserted, writer.insert((("9", "n"),), inserted))
    second = client.schedule(ONE_PARTITION.names)
    assert [each.instant for _, each in client.execute(second).replaced] == [inserted]
    assert [each.file_id for _, each in client.execute(first).replaced] == ["fg1"]
    with pytest.raises(NothingPlanned):
        client.schedule(ONE_PARTITION.names)


def test_a_plan_that_is_gone_is_not_carried_out():
    """Somebody has taken it back."""
    lab = Lab()
    client = ClusteringClient(lab.world("c"), lab.config)
    instant = client.schedule(ONE_PARTITION.names)
    client.timeline.delete(Instant(instant, CLUSTERING, INFLIGHT), INFLIGHT, REQUESTED)
    with pytest.raises(InstantGone):
        client.execute(instant)


def test_tables_of_version_6_are_not_clustered():
    """Their plans are replacecommits, which is not modelled."""
    options = (("hoodie.write.table.version", "6"),)
    with pytest.raises(ConfigError, match="8 or 9"):
        hudi_race(HudiWorkload((("w1", (Cluster(),)),), options=options))
