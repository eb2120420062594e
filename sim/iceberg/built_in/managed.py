"""Scenarios of what manages snapshots, branches and tags by Iceberg's Java API.

Source: `sim.iceberg.managing`; each row is in a data file of its own.

Choices: what lies beside main is no part of the history; branches are compared in live runs, and looked over at last.
"""

from __future__ import annotations

from model.iceberg import coverage
from model.iceberg.rules import ROLL_BACK_NEEDS_HEAD
from sim.iceberg.built_in.transactions import Writers, transacted
from sim.iceberg.managing import AppendTo, CherryPick, CreateRef, Expire, MoveBranch, RollBack, Stage
from sim.iceberg.workload import Append, JavaApi
from sim.world.scenario import Scenario

ADDED = Append(((3, "x"),))
STAGED, BRANCHED = Stage(((5, "s"),), 7), AppendTo("b", ((4, "y"),))
ROLLED_BACK: Writers = {"w1": [RollBack(1)], "w2": [ADDED]}
KEPT = ("readable", "table-invariants", "no-aborted-reads", "acknowledged-writes-survive")
ENDS = ("readable", "table-invariants")
RING = "a misreported commit loses rows anyway, see iceberg/insert-insert-misreported: here, whether history ends"
LEAVES = "a cherry-pick of what has expired leaves its manifest, and asks for nothing else"


def _managed(name: str, summary: str, writers: Writers, *before: JavaApi, counters: tuple[str, ...] = ()) -> Scenario:
    return transacted(name, summary, writers, before=before, counters=counters)


MANAGED: tuple[Scenario, ...] = (
    transacted(
        "roll-back-append",
        "A roll-back to the snapshot below the head, and an append that is committed after it was begun: it vanishes.",
        ROLLED_BACK,
        properties=KEPT,
        because="a roll-back validates nothing",
        broken="acknowledged-writes-survive",
    ),
    transacted(
        "roll-back-append-head",
        "The same, with a roll-back that is refused if main is not where it was.",
        ROLLED_BACK,
        rules=ROLL_BACK_NEEDS_HEAD,
        counters=(coverage.ROLL_BACK_REFUSED,),
    ),
    _managed(
        "cherry-pick-append",
        "A staged append is cherry-picked beside an append: it becomes the head, or is appended anew.",
        {"w1": [CherryPick()], "w2": [ADDED]},
        STAGED,
        counters=(coverage.FAST_FORWARDED, coverage.PICKED),
    ),
    transacted(
        "cherry-pick-twice",
        "Two cherry-pick one staged append: the second is refused, whenever it comes.",
        {"w1": [CherryPick()], "w2": [CherryPick()]},
        before=(STAGED,),
        properties=(*KEPT, "no-leaks"),
        because="a second cherry-pick is refused alone, too",
        counters=(coverage.PICKED_TWICE,),
    ),
    transacted(
        "cherry-pick-expire",
        "A staged append is cherry-picked, main having moved, while it expires: its files are not committed.",
        {"w1": [CherryPick()], "w2": [Expire(1)]},
        before=(STAGED, Append(((6, "z"),))),
        properties=KEPT,
        because=LEAVES,
        counters=(coverage.SNAPSHOT_GONE, coverage.CLEANED_BY_REACH),
    ),
    transacted(
        "cherry-pick-expired-between",
        "A tagged snapshot that main has is cherry-picked; what came behind it has expired: its rows are there twice.",
        {"w1": [CherryPick()], "w2": [Append(((4, "y"),)), Append(((5, "z"),)), Expire(1)]},
        before=(ADDED, CreateRef("t", tag=True)),
        properties=KEPT,
        because=LEAVES,
        broken="acknowledged-writes-survive",
    ),
    transacted(
        "cherry-pick-kept-between",
        "The same with an expiry that keeps what came behind it: whoever cherry-picks it is refused.",
        {"w1": [CherryPick()], "w2": [Append(((4, "y"),)), Append(((5, "z"),)), Expire(3)]},
        before=(ADDED, CreateRef("t", tag=True)),
        properties=KEPT,
        because=LEAVES,
        counters=(coverage.PICKED_TWICE,),
    ),
    _managed(
        "expire-branch",
        "An expiry beside an append to a branch that has files which main has not.",
        {"w1": [Expire(1)], "w2": [AppendTo("b", ((7, "w"),))]},
        BRANCHED,
        CreateRef("t", tag=True),
        ADDED,
        counters=(coverage.CLEANED_BY_REACH,),
    ),
    _managed(
        "fast-forward-append",
        "Main goes forward to a branch beside an append: it is forward no more, and refused.",
        {"w1": [MoveBranch("main", "b")], "w2": [ADDED]},
        BRANCHED,
        counters=(coverage.NOT_FAST_FORWARD, coverage.UPDATE_FAILED_AGAIN),
    ),
)
