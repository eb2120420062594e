"""Overwrites and deletions of partitions: what they hide, what they compare, and what a rollback of one takes back."""

from contextlib import nullcontext
from dataclasses import replace
from functools import partial

import pytest

from model.hudi import SHIPPED, Cleaner, HudiClient, Reader, coverage
from model.hudi.conflicts import Operation, overwritten_by_both, own_groups
from model.hudi.errors import StorageFailed, WriteConflict
from model.hudi.file_groups import CLUSTER, DELETE_PARTITION, OVERWRITE, OVERWRITE_TABLE, CommitMetadata, WriteStat
from model.hudi.names import COMMIT, REPLACE_COMMIT, inflight_path, requested_path
from model.hudi.partitions import ONE_PARTITION, Partitions
from model.hudi.variants import LOST_PLANS_SKIPPED, REPLACED_COMPARED
from tests.unit.hudi.worlds import Lab

ROW = (("1", "A"),)
TWO = (("fg1", ((1, "a"),)), ("fg2", ((2, "b"),)))
APART = Partitions("p", (("1", "p"), ("2", "q")))


def rows(lab, names=None):
    """What a reader sees: key and value of each row, duplicates joined."""
    return " ".join([f"{key}={'|'.join(found)}" for key, found in Reader(lab.world("r"), lab.config).read(names).rows])


def client_of(lab, name="w1", rules=SHIPPED):
    """A client of the table."""
    return HudiClient(lab.world(name), lab.config, rules, owner=name)


def replaced(client, changed, operation, partitions=ONE_PARTITION.names, where=ONE_PARTITION):
    """A replacecommit up to its commit: (instant, what it wrote)."""
    instant = client.start_commit(REPLACE_COMMIT)
    return instant, client.replace(changed, instant, where, operation, partitions)


def test_an_overwrite_takes_the_place_of_its_partition_alone():
    """The row of the other one stays; an overwrite of the whole table takes that, too."""
    lab = Lab(groups=TWO, partitions=("p", "q"))
    client = client_of(lab)
    client.commit(*replaced(client, ROW, OVERWRITE, ("p",), APART))
    assert rows(lab, ("p", "q")) == "1=A 2=b"
    client.commit(*replaced(client, (("1", "B"),), OVERWRITE_TABLE, APART.names, APART))
    assert rows(lab, ("p", "q")) == "1=B"


def test_nothing_is_hidden_before_the_commit():
    """Until then a reader sees what was there, and nothing of the new rows."""
    lab = Lab()
    client = client_of(lab)
    instant, written = replaced(client, ROW, OVERWRITE)
    assert rows(lab) == "1=a"
    client.commit(instant, written)
    assert rows(lab) == "1=A"


def test_a_hidden_file_group_is_hidden_for_good():
    """Also a slice that is written into it afterwards, with a larger instant: by file id, not by time."""
    lab = Lab()
    other, client = client_of(lab, "w2", SHIPPED), client_of(lab)
    other._precommit._needed = False  # whoever is kept apart is refused before that
    deletion = replaced(client, (), DELETE_PARTITION)
    instant = other.start_commit()
    written = other.upsert(ROW, instant)
    client.commit(*deletion)
    other.commit(instant, written)
    assert rows(lab) == ""


def test_an_upsert_after_a_deletion_inserts_its_row_again():
    """The index does not see what is hidden."""
    lab = Lab()
    client = client_of(lab)
    client.commit(*replaced(client, (), DELETE_PARTITION))
    instant = client.start_commit()
    written = client.upsert(ROW, instant)
    assert [stat.previous for stat in written.stats] == [None]
    client.commit(instant, written)
    assert rows(lab) == "1=A"


def test_a_deletion_hides_half_of_what_was_committed_meanwhile():
    """As shipped: the row in an old file group is gone, that in a new one is there, and nobody was refused."""
    lab = Lab()
    deleting, upserting = client_of(lab), client_of(lab, "w2")
    deletion = replaced(deleting, (), DELETE_PARTITION)
    instant = upserting.start_commit()
    upserting.commit(instant, upserting.upsert((*ROW, ("9", "n")), instant))
    deleting.commit(*deletion)
    assert rows(lab) == "9=n"


@pytest.mark.parametrize(("operation", "rules"), [(DELETE_PARTITION, REPLACED_COMPARED), (OVERWRITE, SHIPPED)])
def test_who_compares_what_is_hidden_is_refused(operation, rules):
    """An overwrite as shipped, a deletion where it is repaired."""
    lab = Lab()
    replacing, upserting = client_of(lab, rules=rules), client_of(lab, "w2")
    prepared = replaced(replacing, ROW if operation == OVERWRITE else (), operation)
    instant = upserting.start_commit()
    upserting.commit(instant, upserting.upsert((("1", "B"),), instant))
    with pytest.raises(WriteConflict, match="fg1"):
        replacing.commit(*prepared)
    assert rows(lab) == "1=B"


def test_a_refused_overwrite_is_rolled_back_with_its_files():
    """Requested and inflight file of the replacecommit, marker and data."""
    lab = Lab()
    loser, winner = client_of(lab), client_of(lab, "w2")
    prepared, first = replaced(loser, ROW, OVERWRITE), replaced(winner, (("1", "B"),), OVERWRITE)
    winner.commit(*first)
    with pytest.raises(WriteConflict):
        loser.commit(*prepared)
    cleaner = Cleaner(lab.world("c"), lab.config, owner="c")
    assert cleaner.rollback_failed_writes() == (prepared[0],)
    assert [path for path in lab.files.files if f"{prepared[0]:06d}.replacecommit" in path] == []
    assert [path for path in lab.files.files if path.endswith(f"_{prepared[0]:06d}.parquet")] == []
    assert rows(lab) == "1=B"


class Slow(Cleaner):
    """Waits for the lock while a writer goes on."""

    meanwhile = staticmethod(lambda target: None)

    def _schedule(self, target, begun=None, action=COMMIT):
        self.meanwhile(target)
        return super()._schedule(target, begun, action)


@pytest.mark.parametrize("begun", [False, True])
def test_an_overwrite_that_was_requested_when_it_was_looked_at_leaves_its_inflight_file(begun):
    """`deleteInflightAndRequestedInstant` goes by the state that was seen before the lock; nobody can read then."""
    lab = Lab("prefer-writer")
    config = replace(lab.config, unplanned=True)
    client, cleaner = client_of(lab), Slow(lab.world("c"), config, owner="c")
    instant = client.start_commit(REPLACE_COMMIT)
    overwrite = partial(client.replace, ROW, where=ONE_PARTITION, operation=OVERWRITE, partitions=ONE_PARTITION.names)
    if begun:
        overwrite(instant=instant)
    lab.wait(120_001)
    if not begun:
        cleaner.meanwhile = lambda target: overwrite(instant=target)
    assert cleaner.rollback_failed_writes() == (instant,)
    left = [path for path in lab.files.files if f"{instant:06d}.replacecommit" in path]
    assert left == ([] if begun else [inflight_path(2, instant, REPLACE_COMMIT)])
    refused = nullcontext() if begun else pytest.raises(StorageFailed, match="expected the plan of a replacecommit")
    for attempt in (Reader(lab.world("r"), config).read, cleaner.clean):
        with refused:
            attempt()
    assert Reader(lab.world("r"), config, LOST_PLANS_SKIPPED).read().rows == (("1", ("a",)),)


def test_a_rollback_fails_once_if_the_requested_file_is_gone():
    """The next one goes on with it, and finds nothing that it has to delete."""
    lab = Lab("prefer-writer")
    client = client_of(lab)
    instant = client.start_commit()
    client.upsert(ROW, instant)
    lab.wait(120_001)
    lab.files.delete(requested_path(2, instant, COMMIT))
    with pytest.raises(StorageFailed, match="requested: expected its file"):
        Cleaner(lab.world("c"), lab.config, owner="c").rollback_failed_writes()
    assert Cleaner(lab.world("d"), lab.config, owner="d").rollback_failed_writes() == (instant,)
    assert rows(lab) == "1=a"


def test_an_overwrite_makes_its_marker_without_a_look_at_others():
    """`WriteMarkers.create`: who is a pending replacecommit is checked for nothing; an upsert is."""
    lab = Lab("direct")
    overwriting, upserting = client_of(lab), client_of(lab, "w2")
    replaced(overwriting, ROW, OVERWRITE)
    hits = lab.simulation.kernel.coverage
    assert coverage.EARLY_CHECK not in hits
    upserting.upsert(ROW, upserting.start_commit())
    assert hits[coverage.EARLY_CHECK] == 1


@pytest.mark.parametrize(
    ("operation", "rules", "compared"),
    [(OVERWRITE, SHIPPED, "fg1 new"), (OVERWRITE_TABLE, SHIPPED, "fg1 new"), (CLUSTER, SHIPPED, "fg1 new"),
     (DELETE_PARTITION, SHIPPED, "new"), (DELETE_PARTITION, REPLACED_COMPARED, "fg1 new")],
)  # fmt: skip
def test_what_a_commit_compares_of_itself(operation, rules, compared):
    """`ConcurrentOperation`: the replaced file ids of clustering and overwrites, not of a deletion."""
    metadata = CommitMetadata(operation, (WriteStat("p", "new", "p/new", None),), (("p", "fg1"),))
    assert " ".join(sorted(file_id for _, file_id in own_groups(metadata, rules))) == compared


def test_two_overwrites_meet_in_a_partition():
    """Whatever file groups they take out; an overwrite and an upsert do not."""
    this = Operation(1, REPLACE_COMMIT, OVERWRITE, frozenset([("p", "n1"), ("q", "n2")]))
    other = Operation(2, REPLACE_COMMIT, OVERWRITE_TABLE, frozenset([("q", "n3"), ("r", "n4")]))
    assert overwritten_by_both(this, other) == [("q", "n3")]
    assert overwritten_by_both(this, other._replace(action=COMMIT, operation="upsert")) == []
