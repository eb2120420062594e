"""The cells of Iceberg's matrix on PyIceberg: the same race, as far as the library has its operations.

Choices: isolation levels are table properties of PyIceberg, and there is none without validation. Merging appends are a
table property, too.
"""

from __future__ import annotations

from dataclasses import replace

from model.iceberg.formats import FORMAT
from sim.iceberg.java_matrix import OPERATIONS, TABLES, Side, has_no_deletes
from sim.iceberg.layout_matrix import can_be_laid
from sim.iceberg.managed_matrix import ABSENT, can_be
from sim.iceberg.pyiceberg import race
from sim.iceberg.python.catalogs import OURS, REST
from sim.iceberg.python.matrix_calls import CALLS, NOT_OFFERED, OF_CATALOGS
from sim.iceberg.python.matrix_reasons import why
from sim.iceberg.python.matrix_tables import MADE, NOT_OPENED
from sim.search.matrix import COLUMN, ROW, Beside, Place
from sim.world.scenario import Scenario

SOUND = ("readable", "no-aborted-reads", "acknowledged-writes-survive", "no-lost-update", "snapshot-isolation")
PROPERTIES = {"snapshot": SOUND, "serializable": (*SOUND, "no-write-skew", "serializable")}
UNVALIDATED = "it has no writes without validation"
LEVEL_PROPERTIES = ("write.delete.isolation-level", "write.update.isolation-level")
MERGING = "one table property says which of them an append is"
NOT_SERVED = "whole tables are asked of its REST catalog, whose service here writes no metadata of format 3"
OF_ROWS = "its delete of a file is one of rows where the file has others"


def lacks(place: Place) -> str:
    """Why PyIceberg has no race at a place where Java has one; "" if it has one."""
    asked = (place.row, place.column)
    if place.level not in PROPERTIES:
        return UNVALIDATED
    if has_no_deletes(place):
        return ""
    if place.table in NOT_OPENED:
        return NOT_OPENED[place.table]
    for name in asked:
        if name in NOT_OFFERED:
            return NOT_OFFERED[name]
    if place.format == "3" and is_of_catalogs(place):
        return NOT_SERVED
    if "append" in asked and "fast-append" in asked:
        return MERGING
    if not TABLES[place.table].content:
        return ""
    if "delete-file" in asked and not Side(TABLES[place.table], place.level, "A", 11).is_alone(1):
        return OF_ROWS
    return ""


def is_of_catalogs(place: Place) -> bool:
    """Whether a catalog is asked to make a table, or to take it away."""
    return place.table == ABSENT or place.row in OF_CATALOGS or place.column in OF_CATALOGS


def cell(place: Place) -> Scenario | None:
    """The race of a place by PyIceberg; None if it has no such operation, level or table."""
    asked = (place.row, place.column)
    if lacks(place) or has_no_deletes(place) or not (can_be(place.table, *asked) and can_be_laid(place.table, *asked)):
        return None
    table, made = TABLES[place.table], MADE[place.table]
    sides = (Side(table, place.level, "A", 11), Side(table, place.level, "B", 12))
    row, column = (CALLS[name](side) for name, side in zip(asked, sides, strict=True))
    properties = [(name, place.level) for name in LEVEL_PROPERTIES]
    properties += [(FORMAT, "1")] if place.format == "1" else []
    properties += [("commit.manifest-merge.enabled", "true")] if "append" in asked else []
    return race(
        f"matrix/{'/'.join(place)}",
        f"{OPERATIONS[place.row][0]}; {OPERATIONS[place.column][0]}: by PyIceberg.",
        {ROW: [row], COLUMN: [column]},
        properties=PROPERTIES[place.level],
        rows=table.rows,
        history=made.history,
        table_properties=tuple(properties),
        loaded=True,
        catalog=REST if is_of_catalogs(place) else OURS,
        partitioned=made.partitioned,
        hand=replace(made.hand, format_version=3 if place.format == "3" else 0),
    )


BESIDE = Beside("PyIceberg 0.12.0", "pyiceberg", cell, why, lacks)
