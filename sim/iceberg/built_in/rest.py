"""Scenarios of the REST catalog as it is: what a commit requires of the table, and what it does not.

Source: `model.iceberg.requirements`. Each row is in a data file of its own.
"""

from __future__ import annotations

from typing import Any

from model.iceberg import coverage
from model.iceberg.rules import EXPIRY_ASSERTS_REFS, IDEMPOTENT, SCHEMAS_STAY_KNOWN
from sim.iceberg.built_in.managed import KEPT, LEAVES, STAGED
from sim.iceberg.built_in.transactions import Writers
from sim.iceberg.incremental import ReadAt
from sim.iceberg.managing import AppendTo, CherryPick, CreateRef, Expire, RollBack, Stage
from sim.iceberg.scenarios import CATALOG_STEPS, race
from sim.iceberg.statements import AddColumn
from sim.iceberg.workload import Append, Statement, Transaction
from sim.world.scenario import FaultSpace, Scenario

ADDED = Append(((3, "x"),))
ROLLED_BACK: Writers = {"w1": [RollBack(1)], "w2": [Expire(1)]}
BRANCHED_OFF: Writers = {"w1": [ADDED], "w2": [AppendTo("b", ((4, "y"),)), RollBack(0)]}
PICKED: Writers = {"w1": [CherryPick()], "w2": [Expire(1)]}
CLEANED: list[Statement] = [AddColumn("y"), Expire(1, cleans_metadata=True)]
SCHEMA_GONE: Writers = {"w1": [ADDED], "w2": CLEANED}
SENT_AGAIN = FaultSpace(
    {"commit": ("429-after", "503-after-retry")}, 1,
    words="429-after and 503-after-retry at commit (the answers after which the HTTP client sends it again)",
)  # fmt: skip
MANAGED = "nothing else is asked of what manages snapshots"
TOLD = "the server tells that it cannot be"


def over_rest(name: str, summary: str, writers: Writers, *before: Statement, **further: Any) -> Scenario:
    """A race over REST on a table of two rows. Args: `before`: what was done since; as `race`."""
    history = (Append(((2, "b"),)), *before)
    return race(f"rest-{name}", summary, writers, catalog="rest", rows=((1, "a"),), history=history, **further)


REST: tuple[Scenario, ...] = (
    over_rest(
        "roll-back-expire",
        "Main is rolled back to the snapshot below it while that expires: main goes with it, and the table is empty.",
        ROLLED_BACK,
        properties=KEPT,
        because=MANAGED,
        broken="acknowledged-writes-survive",
    ),
    over_rest(
        "roll-back-expire-refs",
        "The same, with an expiry that requires all refs to be where they were.",
        ROLLED_BACK,
        rules=EXPIRY_ASSERTS_REFS,
        properties=KEPT,
        because=TOLD,
        counters=(coverage.EXPIRED_ID_REFERENCED,),
    ),
    over_rest(
        "cherry-pick-expire",
        "A staged append is cherry-picked, main having moved, while it expires: what is committed has no file.",
        PICKED,
        STAGED,
        Append(((6, "z"),)),
        properties=KEPT,
        because=LEAVES,
        broken="readable",
    ),
    over_rest(
        "expire-schema-append",
        "A column is added, and an expiry removes the schema that no snapshot has, between an append's load and its"
        " commit: the new snapshot is of that schema, and nobody reads it by its id.",
        SCHEMA_GONE,
        AddColumn("x"),
        properties=KEPT,
        because=MANAGED,
        broken="table-invariants",
    ),
    over_rest(
        "expire-schema-append-known",
        "The same where the append requires the current schema that it has loaded, and the expiry that main is where"
        " it was.",
        SCHEMA_GONE,
        AddColumn("x"),
        rules=SCHEMAS_STAY_KNOWN,
        properties=KEPT,
        because=MANAGED,
        counters=(coverage.SCHEMAS_REMOVED, coverage.RETRY),
    ),
    over_rest(
        "expire-schema-append-branch",
        "The same as shipped, with an append to a branch: that is read by the table's schema, whatever its head is of.",
        {"w1": [AppendTo("b", ((3, "x"),))], "w2": CLEANED, "w3": [ReadAt("b")]},
        AddColumn("x"),
        CreateRef("b"),
        properties=("past-stays", "consumers-keep-up", "no-aborted-reads", "acknowledged-writes-survive"),
        because=MANAGED,
        yield_points=CATALOG_STEPS,
        counters=(coverage.SCHEMAS_REMOVED,),
    ),
    over_rest(
        "column-append",
        "A column is added beside an append: what each requires holds, and both are committed at once.",
        {"w1": [AddColumn("c")], "w2": [ADDED]},
        counters=(coverage.APPLIED_TO_NEWER,),
    ),
    over_rest(
        "column-column",
        "Two add a column: both would give away one field id, so the second is refused.",
        {"w1": [AddColumn("c")], "w2": [AddColumn("d")]},
        properties=KEPT,
        because="a change of the schema is not tried again",
    ),
    over_rest(
        "branch-append",
        "A branch is made beside an append: nothing is required of main, and both are committed at once.",
        {"w1": [CreateRef("b")], "w2": [ADDED]},
        counters=(coverage.APPLIED_TO_NEWER,),
        properties=KEPT,
        because="a change of refs is not tried again",
    ),
    over_rest(
        "transaction-append",
        "A transaction of two appends beside an append: main is required to be where it was, once.",
        {"w1": [Transaction((ADDED, Append(((4, "y"),))))], "w2": [Append(((5, "z"),))]},
        counters=(coverage.UPDATES_APPLIED_AGAIN,),
    ),
    over_rest(
        "branch-append-resent",
        "An append is applied, a branch begins at it, and main is rolled back to where it was; the append is sent again"
        " and refused, since its snapshot is there: its files are deleted, and the branch cannot be read.",
        BRANCHED_OFF,
        faults=SENT_AGAIN,
        properties=("readable", "table-invariants"),
        because="what was not answered is left open, and a roll-back validates nothing",
        broken="table-invariants",
    ),
    over_rest(
        "branch-append-resent-idempotent",
        "The same with the catalog's stored reply under an idempotency key.",
        BRANCHED_OFF,
        faults=SENT_AGAIN,
        rules=IDEMPOTENT,
        properties=("readable", "table-invariants"),
        because="what was not answered is left open, and a roll-back validates nothing",
        counters=("stored reply repeated",),
    ),
    over_rest(
        "stage-resent",
        "A staged append is applied and sent again: the server refuses it, since its snapshot is there, and its files"
        " are deleted; main needs none of them.",
        {"w1": [Stage(((3, "x"),))], "w2": [Append(((4, "y"),))]},
        faults=SENT_AGAIN,
        properties=("readable", "acknowledged-writes-survive"),
        because="what was not answered is left open",
        counters=(coverage.NOT_APPLICABLE, coverage.CLEANED_AFTER_FAILURE),
    ),
)
