"""Clustering on merge-on-read tables: what a plan names, what it hides, and what is drawn."""

from dataclasses import replace
from typing import Any

import pytest

from model.hudi import ClusteringClient, HudiClient, Reader, coverage
from model.hudi.errors import ClusteringRefused, PlanPending
from model.hudi.file_groups import WriteStat
from model.hudi.names import CLUSTERING, REQUESTED, BaseFile, LogFile
from model.hudi.partitions import ONE_PARTITION
from model.hudi.slices import FileSlice, slices_named
from sim.generation.draws import seeded
from sim.hudi.build import OPTIMISTIC
from sim.hudi.built_in.merge_on_read import MERGED
from sim.hudi.built_in.non_blocking import NON_BLOCKING
from sim.hudi.generate import GENERATOR
from sim.hudi.statements import Cluster
from tests.unit.hudi.drawn_last import earlier
from tests.unit.hudi.test_generate_hours import unclustered
from tests.unit.hudi.worlds import Lab

SEEDS = 100


def test_clustering_of_log_files_is_drawn_last():
    """Without it a seed gives the same race, but for who clusters, and whether updates are allowed beside a plan."""
    changed, pinned = 0, GENERATOR.configurations["merge-on-read"]
    for seed in range(SEEDS):
        mine: Any = GENERATOR.make(earlier(seeded(seed)), pinned)
        usual: Any = GENERATOR.make(unclustered(earlier(seeded(seed))), pinned)
        mine, theirs = mine.program.workload, usual.program.workload
        assert replace(mine, writers=mine.writers[: len(theirs.writers)], options=theirs.options) == theirs
        assert all(isinstance(one, Cluster) for _, todo in mine.writers[len(theirs.writers) :] for one in todo)
        changed += mine != theirs
    assert 0 < changed < SEEDS / 2


def test_log_files_are_merged_and_hidden():
    """The new file has what they say; nothing of the file group is seen any more."""
    lab = Lab((*OPTIMISTIC, *MERGED))
    writer, client = HudiClient(lab.world("w"), lab.config), ClusteringClient(lab.world("c"), lab.config)
    instant = writer.start_commit()
    writer.commit(instant, writer.upsert((("1", "A"),), instant))
    plan = client.schedule(ONE_PARTITION.names)
    written = client.execute(plan)
    client.commit(plan, written)
    assert [[log.instant for log in each.logs] for _, each in written.replaced] == [[instant]]
    view = Reader(lab.world("r"), lab.config).read()
    assert view.rows == (("1", ("A",)),)
    assert [file.instant for _, file in view.slices] == [plan]
    assert lab.simulation.kernel.coverage[coverage.LOGS_CLUSTERED] == 1


def test_a_plan_names_each_file_of_a_slice():
    """In the order in which they are merged; a slice may have no base file."""
    base, logs = BaseFile("fg1", "0-0-0", 3), (LogFile("fg1", "0-0-0", 4, 1), LogFile("fg1", "0-0-0", 5, 1))
    alone = LogFile("fg2", "0-0-0", 6, 1)
    named = [WriteStat("p", "fg1", f"p/{file.name}", 3) for file in (base, *logs)]
    named += [WriteStat("p", "fg2", f"p/{alone.name}", 6)]
    assert slices_named(named) == (FileSlice(base, logs), FileSlice(None, (alone,), 6))


def test_buckets_are_planned_for_and_not_clustered():
    """The plan stays as it was announced, and refuses who upserts."""
    lab = Lab(NON_BLOCKING)
    client, writer = ClusteringClient(lab.world("c"), lab.config), HudiClient(lab.world("w"), lab.config)
    plan = client.schedule(ONE_PARTITION.names)
    with pytest.raises(ClusteringRefused):
        client.execute(plan)
    assert [(each.action, each.state) for each in client.timeline.load().pending] == [(CLUSTERING, REQUESTED)]
    instant = writer.start_commit()
    with pytest.raises(PlanPending):
        writer.upsert((("1", "A"),), instant)
