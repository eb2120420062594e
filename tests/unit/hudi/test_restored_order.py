"""Where restores stand among versions, and which runs beside them live gates can follow."""

import pytest

from checkers.histories.history import OK
from model.hudi import SHIPPED, RestoreClient
from model.hudi.names import COMMIT, COMPLETED
from model.hudi.timeline import Instant
from sim.hudi.build import PREFERRING, Writers, race
from sim.hudi.restored import Taken, goes_on_from, with_undone
from sim.hudi.statements import DeletePartition, Restore, Savepoint, Upsert
from sim.kernel.schedule import steps_of
from sim.search.projection import can_play
from sim.search.run import Runner
from tests.unit.hudi.worlds import Lab

FIRST = Instant(0, COMMIT, COMPLETED, 0)


def _row(name):
    """A recorder's row of a version of this name, which wrote a row."""
    return [0, OK, "w", 0, "", "", None, name, None, (), (("row:1", name),)]


@pytest.mark.parametrize(
    ("targets", "order"),
    [
        ({9: (8,)}, ["000008_000011", "000009"]),
        ({9: (8,), 16: (8,)}, ["000009", "000008_000011", "000016"]),
        ({9: (), 16: (8,)}, ["000009", "000008_000011", "000016"]),
    ],
    ids=["one", "both were to, and the later one did", "the later one"],
)
def test_restore_stands_after_what_it_took_back(targets, order):
    """A commit that was completed when the first restore ended stood still: the second one took it back."""
    names = [FIRST.name, "000008_000011", *[f"{restore:06}" for restore in targets]]
    assert with_undone([FIRST], map(_row, names), targets) == [FIRST.name, *order]


@pytest.mark.parametrize(("then", "follows"), [("w2:end w1:end", False), ("w1:end w2:end", True)])
def test_who_finds_nothing_to_delete_goes_on_at_once(then, follows):
    """A deletion of a partition has no markers: what comes next looks for restores as soon as its heartbeat is gone."""
    writers: Writers = {"w1": [DeletePartition("p1"), Upsert(((1, "A"),))], "w2": [Savepoint(), Restore()]}
    scenario = race("any", "", writers, rules=SHIPPED, options=PREFERRING)
    assert scenario.live is not None
    points = scenario.live.yield_points[0]
    run = Runner(scenario, yield_points=points).play(steps_of(f"w1:delete w1.delete {then}"))
    assert can_play(scenario.live, run) is follows


def test_what_the_try_before_has_taken_back_is_the_restores():
    """Who has taken back a commit that nobody was told of yet, is alone to know it; another restore has its own."""
    lab, taken = Lab(), Taken()
    for instant, own, known in ((7, [1, 2], [1, 2]), (7, [3], [1, 2, 3]), (9, [4], [4]), (None, [], [])):
        client = RestoreClient(lab.world("w"), lab.config)
        client.instant, client.taken = instant, own
        goes_on_from(client, taken)
        assert client.taken == known
