"""Restores: what they leave, as upstream does, and what becomes of one that ends half-way."""

from contextlib import nullcontext
from dataclasses import replace

import pytest

from model.hudi import HudiClient, Reader, RestoreClient, SavepointClient
from model.hudi.errors import InstantGone, RestoreFailed, RestorePending, StorageFailed
from model.hudi.file_groups import OVERWRITE
from model.hudi.names import REPLACE_COMMIT, RESTORE, requested_path
from model.hudi.partitions import ONE_PARTITION
from model.hudi.restoring import later
from model.hudi.rules import SHIPPED
from model.hudi.timeline import parse_timeline
from model.hudi.variants import LOST_PLANS_SKIPPED, RESTORE_FENCED
from model.ports import NotFound
from tests.unit.hudi.cleaning_vectors import ARCHIVED_SAVED, RESTORED, Model
from tests.unit.hudi.worlds import Lab, Refusing


@pytest.mark.parametrize("case", RESTORED, ids=lambda case: f"{case.retained}: {case.calls}")
def test_what_restores_leave(case):
    """As Hudi 1.2.0 did, of which `tests/live/hudi/test_cleaning.py` plays the same cases."""
    model = Model(case)
    assert (model.play(case.calls), model.left()) == (case.left, case.saved)


@pytest.mark.parametrize(
    ("names", "order"),
    [
        ("1_2.commit 3_4.commit 5_6.commit", "5 3"),
        ("1_4.commit 2_3.commit", ""),
        ("1_6.savepoint 3_4.commit 5_8.commit", "5"),
        ("1_2.commit 1_6.savepoint 3_4.commit 5_8.commit", "5 3"),
        ("1_2.commit 3_6.commit 4_5.commit", "3 4"),
        ("1_2.commit 3.commit.requested 4_5.commit", "3 4"),
        ("0.inflight 1_2.commit 3.commit.requested 4_5.commit", "3 0 4"),
    ],
)
def test_what_is_pending_goes_first_then_the_newest_by_completion(names, order):
    """`InstantComparators.CompletionTimeBasedComparator`: whoever has no completion time is later than all others.

    Where the savepoint's commit is archived, what is later than the savepoint goes (`CompletionTimeQueryViewV2`).
    """
    assert " ".join(str(each.requested) for each in later(parse_timeline(tuple(names.split())), 1)) == order


def test_a_restore_to_a_commit_that_was_archived_fails():
    """As Hudi 1.2.0 did, of which `tests/live/hudi/test_cleaning.py` plays the same case."""
    model = Model(ARCHIVED_SAVED)
    with pytest.raises(RestoreFailed, match="to be the last commit"):
        model.play(f"{ARCHIVED_SAVED.calls} restore")
    assert model.active() == ARCHIVED_SAVED.left


class Table:
    """A table with a savepoint of its first commit, whose writers mind restores."""

    def __init__(self, rules=SHIPPED) -> None:
        self.lab = Lab("prefer-writer")
        self.rules = rules
        self.config = replace(self.lab.config, restored=True)
        SavepointClient(self.lab.world("s"), self.lab.config).savepoint()

    def client(self, name="w"):
        return HudiClient(self.lab.world(name), self.config, self.rules, owner=name)

    def upsert(self, value):
        client = self.client()
        instant = client.start_commit()
        client.commit(instant, client.upsert((("1", value),), instant))

    def reader(self):
        return Reader(self.lab.world("reader"), self.config, self.rules)

    def restores(self, **ports):
        return RestoreClient(self.lab.world("r", **ports), self.config, self.rules, owner="r")

    def dies(self, operation):
        """A restore whose storage refuses an operation for the first time in a target's turn."""
        with pytest.raises(StorageFailed):
            self.restores(files=Refusing(self.lab.files, operation, error=NotFound)).restore()


def test_a_restore_that_ended_half_way_is_gone_on_with():
    """By its own plan; until then no write starts."""
    table = Table()
    table.upsert("A")
    table.upsert("B")
    table.dies("delete")
    with pytest.raises(RestorePending):
        table.client().start_commit()
    client = table.restores()
    client.restore()
    seen = client._timeline.load()
    assert [each.is_completed for each in seen.restores] == [True]
    assert (len(seen.completed), seen.rollbacks, seen.pending) == (1, (), ())
    table.upsert("C")


def test_a_commit_with_a_savepoint_is_not_taken_back():
    """The restore fails when its turn comes, and stays pending."""
    table = Table()
    table.upsert("A")
    client = table.restores()
    seen = client._timeline.load()
    SavepointClient(table.lab.world("s"), table.lab.config).savepoint()
    announced, plan, there = client._announce(seen, seen.savepoints[0].requested)
    client._timeline.to_inflight(announced.requested, RESTORE)
    (target,) = client._still_there(plan, there)
    with pytest.raises(RestoreFailed, match="no savepoint of"):
        client._undo(target)
    with pytest.raises(RestorePending):
        table.client().start_commit()


def test_who_is_taken_back_before_its_commit_is_told():
    """Its inflight file is gone."""
    table = Table()
    client = table.client()
    instant = client.start_commit()
    written = client.upsert((("1", "A"),), instant)
    table.restores().restore()
    with pytest.raises(InstantGone):
        client.commit(instant, written)


@pytest.mark.parametrize(("rules", "told"), [(SHIPPED, False), (RESTORE_FENCED, True)], ids=["shipped", "fenced"])
def test_who_was_requested_when_a_restore_was_planned_and_is_inflight_in_its_turn_commits(rules, told):
    """Its requested file is deleted, and nothing else; repaired, it is refused."""
    table = Table(rules)
    table.upsert("A")
    client, restores = table.client(), table.restores()
    instant = client.start_commit()
    seen = restores._timeline.load()
    announced, plan, there = restores._announce(seen, seen.savepoints[-1].requested)
    targets = restores._still_there(plan, there)
    written = client.upsert((("1", "B"),), instant)
    restores._timeline.to_inflight(announced.requested, RESTORE)
    for target in targets:
        seen = restores._undo(target)
    restores._finish(announced.requested, plan, seen)
    if told:
        with pytest.raises(RestorePending):
            client.commit(instant, written)
    else:
        client.commit(instant, written)
        assert restores._timeline.load().newest.requested == instant


@pytest.mark.parametrize(("rules", "fails"), [(SHIPPED, True), (LOST_PLANS_SKIPPED, False)], ids=["shipped", "skipped"])
def test_an_overwrite_without_its_requested_file_stops_readers_and_writers(rules, fails):
    """`ClusteringUtils.getAllPendingClusteringPlans`: each pending replacement is asked for its plan."""
    table = Table(rules)
    client = table.client()
    instant = client.start_commit(REPLACE_COMMIT)
    client.replace((("1", "A"),), instant, ONE_PARTITION, OVERWRITE, ("p1",))
    table.reader().read()
    table.lab.files.delete(requested_path(2, instant, REPLACE_COMMIT))
    saving = SavepointClient(table.lab.world("s"), table.config, rules)
    for use in (table.reader().read, lambda: table.upsert("B"), saving.savepoint):
        with pytest.raises(StorageFailed, match="plan of a replacecommit") if fails else nullcontext():
            use()
