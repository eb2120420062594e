"""Every interleaving of two clients of a REST catalog: on the model, and on the real requirements and handlers."""

import pytest

from sim.iceberg.built_in.managed import KEPT
from sim.iceberg.managing import CherryPick, CreateRef, Expire, ReplaceTable, RollBack, Stage
from sim.iceberg.statements import AddColumn
from sim.iceberg.workload import Append
from tests.live.iceberg.agreement import NUMBERS, both, failures_of_all, kinds, scenario_of

pytestmark = pytest.mark.live
ADDED, STAGED = Append(((3, "x"),)), Stage(((5, "s"),), 7)
MOVED_ON = (STAGED, Append(((6, "z"),)))
NEW = ReplaceTable(((7, "n"),))
LOST, UNREADABLE = "acknowledged-writes-survive/lost-row", "readable/unreadable-table"


def over_rest(one, other, *before):
    history = (Append(((2, "b"),)), *before)
    given = {"w1": [one], "w2": [other]}
    return scenario_of(given, catalog="rest", rows=((1, "a"),), history=history, properties=KEPT)


@pytest.mark.parametrize(
    ("one", "other", "before", "broken"),
    [
        (RollBack(1), Expire(1), (), {LOST}),
        (CherryPick(), Expire(1), MOVED_ON, {UNREADABLE}),
        (CherryPick(), Expire(1), (STAGED,), {LOST}),
        (CreateRef("t", True, 1), Expire(1), (), set()),
        (CreateRef("b"), ADDED, (), set()),
        (AddColumn("c"), ADDED, (), set()),
        (AddColumn("c"), AddColumn("d"), (), set()),
        (NEW, ADDED, (), {NUMBERS}),
        (NEW, Expire(1), (), set()),
    ],
)
def test_model_and_real_client_and_server_agree_on_every_interleaving(java, one, other, before, broken):
    """In steps, outcome classes, lineage, refs, columns, files and rows, and in what breaks."""
    work = over_rest(one, other, *before)
    assert failures_of_all(java, work) == broken


@pytest.mark.parametrize(
    ("fault", "kind", "rows"),
    [
        ("503-after", "ok", 3),
        ("503-before", "state unknown", 2),
        ("409-before", "ok", 3),
        ("drop-after", "no answer", 3),
    ],
)
def test_what_the_client_makes_of_an_answer(java, fault, kind, rows):
    """It looks for its snapshot after a server error, by a load of its own, and not after a lost connection."""
    scenario = scenario_of({"w1": [ADDED]}, catalog="rest")
    _, live = both(java, scenario, f"w1:commit w1.commit!{fault} w1:end")
    assert kinds(live) == {"w1": kind}
    assert len(live.rows) == rows
