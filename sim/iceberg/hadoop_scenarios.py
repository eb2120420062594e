"""Scenarios of the Hadoop catalog: tables that are made and dropped on it. Source: `model.iceberg.hadoop`."""

from __future__ import annotations

from model.iceberg import coverage
from sim.iceberg.creating import DropTable
from sim.iceberg.creating_scenarios import ABSENT, NEW, OTHER, PUT, of_tables
from sim.iceberg.managed_scenarios import ADDED
from sim.iceberg.scenarios import APPENDS, race
from sim.world.scenario import Scenario

HADOOP: tuple[Scenario, ...] = (
    race(
        "hadoop-append-append",
        "Two appends on a Hadoop catalog: the one whose number is taken tries again, and both files stay.",
        APPENDS,
        catalog="hadoop",
        counters=(coverage.NUMBER_TAKEN, coverage.RETRY),
    ),
    of_tables(
        "hadoop-create-create",
        "Two create a table of one name on a Hadoop catalog: one is told that its number is taken, and cleans up.",
        {"w1": [NEW], "w2": [OTHER]},
        *ABSENT,
        catalog="hadoop",
        counters=(coverage.NUMBER_TAKEN, coverage.CLEANED_AFTER_FAILURE),
    ),
    of_tables(
        "hadoop-drop-append",
        "A table is dropped beside an append: it commits into the folder that is gone, and the table is back without"
        " its files.",
        {"w1": [DropTable()], "w2": [ADDED]},
        catalog="hadoop",
        broken="readable",
    ),
    of_tables(
        "hadoop-drop-create-append",
        "A table is dropped and created anew beside an append: the old table is put in the place of the new one.",
        {"w1": [DropTable(), NEW], "w2": [ADDED]},
        catalog="hadoop",
        broken="readable",
    ),
    of_tables(
        "hadoop-create-or-replace-drop",
        "A table is created or replaced beside a drop: it is refused, or the table comes back without its files.",
        {"w1": [PUT], "w2": [DropTable()]},
        catalog="hadoop",
        broken="readable",
    ),
)
