"""What generated races did otherwise on the real Iceberg, each as small as it gets: the two do the same by now."""

import pytest

from sim.iceberg.ages import ExpireOlder, Retain
from sim.iceberg.by_hand import AddPartitions
from sim.iceberg.managing import CherryPick, Expire, RollBack, Stage
from sim.iceberg.manifests import ClusterManifests
from sim.iceberg.statements import Compact, RemoveWhere, UpdateSpec
from sim.iceberg.workload import Append, ChangeRow, Delete, Insert, Replace, SetProperty, Upsert
from tests.live.iceberg.agreement import both, scenario_of
from tests.unit.iceberg.schema_vectors import VECTORS
from tests.unit.iceberg.schema_vectors import scenario_of as schemas_of

pytestmark = pytest.mark.live
X, Y = Append(((3, "x"),)), Append(((4, "y"),))
MAX_AGE = SetProperty("history.expire.max-snapshot-age-ms", "18000000")


def committed(played):
    """Who has committed, live, as often as he did."""
    _, live = played
    return [step.split(".")[0] for step in live.trace if step.endswith(".commit=applied")]


def test_whoever_names_a_snapshot_expires_old_ones_beside_it(java):
    """So that nothing is left for who goes by ages, and he commits nothing."""
    writers = {"w1": [Expire(keep=0)], "w2": [ExpireOlder(5.0, 1)]}
    scenario = scenario_of(
        writers, history=(X, Replace(1, ((1, "A"),)), Y, MAX_AGE), ages_h=(9.0, 8.0, 2.0, 1.0), catalog="java-api"
    )
    assert committed(both(java, scenario, "w1:end w2:end")) == ["w1"]


def test_whoever_names_a_snapshot_takes_it_from_who_keeps_it(java):
    """Which breaks nothing: what a branch keeps is kept from ages."""
    writers = {"w1": [Retain("main", keep=3)], "w2": [Expire(keep=0)]}
    scenario = scenario_of(writers, history=(X, Y), ages_h=(9.0, 8.0, 3.0), catalog="java-api")
    _, live = both(java, scenario, "w1:end w2:end")
    assert live.unkept == ()


def test_partitions_are_replaced_by_files_of_a_spec_that_is_gone(java):
    """It is refused before it is seen what there is to replace."""
    gone = [UpdateSpec(4), Expire(keep=1, cleans_metadata=True), AddPartitions(((4, "y"),))]
    scenario = scenario_of({"w1": [X], "w2": gone}, history=(UpdateSpec(0),), partition_width=4, catalog="java-api")
    both(java, scenario, "w1.load w2.commit w2.load w2.commit w1:end w2:end")


def test_rows_are_looked_for_in_a_manifest_of_a_spec_that_is_gone(java):
    """It was there when that was loaded, and is not when the manifest is read."""
    gone = [UpdateSpec(0), Expire(keep=1, cleans_metadata=True), RemoveWhere((3,))]
    scenario = scenario_of({"w1": [X], "w2": gone}, history=(UpdateSpec(4),), catalog="java-api")
    both(java, scenario, "w2.commit w2:commit w1:commit w2:load w1:end w2:end")


@pytest.mark.parametrize("name", VECTORS)
def test_schemas_that_nobody_needs_go_with_an_expiry(java, name):
    """Whoever removes one commits, and there is nothing left for the second."""
    assert committed(both(java, schemas_of(name), "w1:end w2:end")) == VECTORS[name][2]


@pytest.mark.parametrize(("width", "other"), [(4, 9), (0, 3)])
def test_a_filter_looks_into_no_manifest_of_other_partitions(java, width, other):
    """So an old delete there stays, which no file needs any more."""
    buckets = () if width else (UpdateSpec(2, "bucket"),)
    upserts = Upsert(other, "b"), Upsert(0, "c"), Append(((4, "d"),)), Compact()
    both(java, scenario_of(
        {"w1": [RemoveWhere((12,))]}, catalog="java-api", rows=((0, "a"),), history=(*buckets, *upserts),
        partition_width=width,
    ), "w1:end")  # fmt: skip


@pytest.mark.parametrize("target", ["1", "17000"])
def test_a_manifest_whose_header_is_as_large_as_is_wanted_takes_one_file(java, target):
    """Of three that are clustered together."""
    size = ("commit.manifest.target-size-bytes", target)
    both(java, scenario_of(
        {"w1": [ClusterManifests()]}, catalog="java-api", history=(X, Y), table_properties=(size,),
    ), "w1:end")  # fmt: skip


def test_who_looks_for_a_row_that_is_not_there_reads_the_table_too(java):
    """Whose manifests an expiry has deleted."""
    scenario = scenario_of({"w1": [Expire(keep=1)], "w2": [Y, ChangeRow(9, "z", "serializable")]}, history=(X,))
    _, live = both(java, scenario, "w2.load w2.commit w1:end w2:end")
    assert live.outcome("w2").startswith("NotFoundException")


def test_what_a_roll_back_takes_back_is_known_when_its_files_are_gone(java):
    """It was begun on a snapshot that was rolled back, and expired, before it was committed."""
    scenario = scenario_of(
        {"w1": [RollBack(2)], "w2": [RollBack(1), Expire(keep=2)]}, history=(X, Replace(1, ((1, "A"),)))
    )
    run, _ = both(java, scenario, "w1.load w2:end w1:end")
    assert any(write.value == "a" for event in run.events if event.process == "w1" for write in event.writes)


def test_a_property_that_is_there_already_is_not_committed_again(java):
    """Nor is a format: two writers set the same."""
    same = [SetProperty("k", "v"), SetProperty("format-version", "3")]
    scenario = scenario_of({"w1": same, "w2": same}, catalog="java-api")
    assert committed(both(java, scenario, "w1:end w2:end")) == ["w1", "w1"]


def test_a_pick_that_moves_main_to_what_was_staged_is_the_version_that_it_made(java):
    """Though it looks at the table once more, when somebody else has committed."""
    scenario = scenario_of({"w1": [CherryPick()], "w2": [X]}, history=(Stage(((5, "s"),)),), catalog="java-api")
    run, _ = both(java, scenario, "w1.load w1.load w1.commit w2:end w1:end")
    assert run.failure is None


def test_a_delete_by_metadata_takes_a_row_that_it_has_not_seen(sql):
    """It was inserted before the delete was committed, and nobody is refused."""
    scenario = scenario_of({"w1": [Delete(4)], "w2": [Insert(((4, "x"),))]}, mode="copy-on-write")
    run, _ = both(sql, scenario, "w1:load w2:end w1:end")
    assert run.failure is None
