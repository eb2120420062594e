"""The scenarios of PyIceberg 0.12.0 in the catalogs that it ships."""

from __future__ import annotations

from sim.iceberg.managing import CreateRef, Expire, RollBack
from sim.iceberg.pyiceberg import OF_ROWS, race
from sim.iceberg.pyiceberg_catalogs import PORTS, SQL
from sim.iceberg.workload import Append, Delete
from sim.services.sql_database import NO_ROW, WAITED
from sim.world.fault_spaces import wide
from sim.world.scenario import Scenario

IN_SQL: tuple[Scenario, ...] = (
    race(
        "sql-append-append",
        "Two appends in PyIceberg's own SQL catalog: the UPDATE of the second finds no row, and it retries.",
        {"w1": [Append(((3, "x"),))], "w2": [Append(((4, "y"),))]},
        counters=(NO_ROW, WAITED),
        catalog=SQL,
    ),
    race(
        "sql-append-faults",
        "An append of which any statement or the commit may be lost: an error is told, and nothing is cleaned up.",
        {"w1": [Append(((3, "x"),))]},
        faults=wide(PORTS[SQL]),
        counters=("fault drop-before", "fault drop-after"),
        catalog=SQL,
    ),
    race(
        "sql-delete-faults",
        "The same with a delete of a row beside others: of a conflict that is none it would not find its own snapshot.",
        {"w1": [Delete(1)]},
        faults=wide(PORTS[SQL]),
        counters=("fault drop-after",),
        catalog=SQL,
    ),
    race(
        "sql-roll-back-expire",
        "A roll-back beside an expiry in PyIceberg's own SQL catalog: main is removed, and the table is empty.",
        {"w1": [RollBack(1)], "w2": [Expire(1)]},
        history=(Append(((3, "c"),)), Append(((4, "d"),))),
        but=OF_ROWS,
        broken="acknowledged-writes-survive",
        catalog=SQL,
    ),
    race(
        "sql-roll-back-expire-tagged",
        "The same where a tag keeps the snapshot that is rolled back to.",
        {"w1": [RollBack(1)], "w2": [Expire(1)]},
        history=(Append(((3, "c"),)), CreateRef("good", tag=True), Append(((4, "d"),))),
        but=OF_ROWS,
        counters=(NO_ROW,),
        catalog=SQL,
    ),
)
OWN_CATALOGS: tuple[Scenario, ...] = IN_SQL
