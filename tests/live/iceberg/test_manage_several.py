"""Several changes of snapshots at once, branches that are renamed and properties that are taken away, on the real
Iceberg: every interleaving of two clients, and drawn races."""

from typing import Any

import pytest

from sim.iceberg.by_hand import AppendOnce
from sim.iceberg.columns import AddField, RenameColumn
from sim.iceberg.layout import UnsetProperty
from sim.iceberg.managing import (
    AppendTo,
    CherryPick,
    CreateRef,
    ManageSnapshots,
    MoveBranch,
    RemoveRef,
    RenameBranch,
    RollBack,
    Stage,
)
from sim.iceberg.statements import Append, SetProperty, Transaction, steps_of
from sim.iceberg.workload import IcebergWorkload
from tests.live.iceberg.agreement import agree, failures_of_all, scenario_of
from tests.live.iceberg.drawn_races import done_in, drawn

pytestmark = pytest.mark.live
EACH = 12
ADDED, OTHER = Append(((3, "x"),)), Append(((4, "y"),))
TAGGED = ManageSnapshots((CreateRef("before", tag=True), RollBack(1)))
PICKED = ManageSnapshots((CherryPick(), CreateRef("c", tag=True), RenameBranch("b", "c2")))
BRANCHED = {"history": (Append(((2, "b"),)), AppendTo("b", ((6, "c"),)), Stage(((7, "d"),), 1))}
SET = {"history": (SetProperty("k", "1"), SetProperty("m", "2"))}
UNSET, AGAIN = UnsetProperty("k"), SetProperty("k", "2")
SEEN = ("readable", "no-aborted-reads", "acknowledged-writes-survive", "no-lost-update")
RACES: dict[str, tuple[list[Any], list[Any], dict[str, Any]]] = {
    "a roll-back with a tag, an append": ([TAGGED], [ADDED], BRANCHED),
    "a roll-back with a tag, the same": ([TAGGED], [TAGGED], BRANCHED),
    "a cherry-pick with refs, an append": ([PICKED], [ADDED], BRANCHED),
    "a cherry-pick with refs, a branch that goes": ([PICKED], [RemoveRef("b")], BRANCHED),
    "a renamed branch, an append to it": ([RenameBranch("b", "c")], [AppendTo("b", ((8, "e"),))], BRANCHED),
    "a branch that is renamed twice": ([RenameBranch("b", "c")], [RenameBranch("b", "d")], BRANCHED),
    "a branch that is renamed, and gone to": ([RenameBranch("b", "c")], [MoveBranch("main", "b")], BRANCHED),
    "a job done once, and again": ([AppendOnce(((3, "x"),))], [AppendOnce(((4, "y"),))], SET),
    "a job done once, and another": ([AppendOnce(((3, "x"),))], [AppendOnce(((4, "y"),), 2), Append(((5, "z"),))], SET),
    "a property unset, and set": ([UNSET], [AGAIN], SET),
    "a property unset in a transaction, and set": ([Transaction((UNSET, ADDED))], [AGAIN], SET),
    "a property unset twice": ([UNSET, AGAIN], [Transaction((UnsetProperty("m"), UNSET, OTHER))], SET),
}


@pytest.mark.parametrize("catalog", ["java-api", "rest"])
@pytest.mark.parametrize("name", RACES)
def test_model_and_java_agree_on_every_interleaving(java, name, catalog):
    """In steps, outcomes, places of main, refs, properties, rows and files."""
    first, second, table = RACES[name]
    failures_of_all(
        java, scenario_of({"w1": first, "w2": second}, catalog=catalog, properties=SEEN, retries=1, **table)
    )


def makes(kind):
    """Whether somebody makes such a call, alone or among others."""
    return lambda work: (
        isinstance(work, IcebergWorkload)
        and any(isinstance(one, kind) for one in [*done_in(work), *steps_of(*done_in(work))])
    )


@pytest.mark.parametrize(("kind", "configuration"), [
    (AppendOnce, "Java API"), (UnsetProperty, "Java API"), (RenameColumn | AddField, "Java API"),
    (RenameBranch | ManageSnapshots, "Java API, snapshots managed"),
    (RenameBranch | ManageSnapshots, "Java API, REST catalog"),
])  # fmt: skip
def test_drawn_races_agree(java, kind, configuration):
    """Step by step, and in what is left."""
    for _, found in drawn(configuration, makes(kind), EACH):
        agree(java, found)
