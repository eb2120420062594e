"""Scenarios of transactions that replace a table while others write to it. Source: `model.iceberg.replace_table`."""

from __future__ import annotations

from model.iceberg import coverage
from sim.iceberg.built_in.managed import ADDED, KEPT
from sim.iceberg.built_in.rest import over_rest
from sim.iceberg.built_in.transactions import transacted
from sim.iceberg.managing import ReplaceTable
from sim.iceberg.statements import AddColumn
from sim.iceberg.workload import FORMAT, Append
from sim.world.scenario import Scenario

NEW, OTHER = ReplaceTable(((7, "n"),)), ReplaceTable(((8, "m"),))
VALIDATES_NOTHING = "a replacement validates nothing"

REPLACING: tuple[Scenario, ...] = (
    transacted(
        "replace-table-append",
        "A table is replaced beside an append that is committed after the replacement was begun: it vanishes.",
        {"w1": [NEW], "w2": [ADDED]},
        properties=KEPT,
        because=VALIDATES_NOTHING,
        broken="acknowledged-writes-survive",
    ),
    transacted(
        "replace-table-column",
        "A table is replaced beside a column that is added: the column goes, or is refused.",
        {"w1": [NEW], "w2": [AddColumn("c")]},
        counters=(coverage.REPLACED_UNSEEN,),
    ),
    over_rest(
        "replace-table-append",
        "A table is replaced over REST beside an append: two of its snapshots have one sequence number.",
        {"w1": [NEW], "w2": [ADDED]},
        properties=KEPT,
        because=VALIDATES_NOTHING,
        broken="table-invariants",
    ),
    over_rest(
        "replace-table-append-rows",
        "The same in format 3: the append has been given row ids, so the replacement is refused.",
        {"w1": [NEW], "w2": [ADDED]},
        properties=KEPT,
        because=VALIDATES_NOTHING,
        table_properties=((FORMAT, "3"),),
    ),
    over_rest(
        "replace-table-appends",
        "The same beside two appends: the replacement is refused, or takes none or both of them with it.",
        {"w1": [NEW], "w2": [ADDED, Append(((4, "y"),))]},
        properties=("readable", "no-aborted-reads"),
        because=VALIDATES_NOTHING,
    ),
)
