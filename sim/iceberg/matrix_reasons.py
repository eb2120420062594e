"""Why two operations of Iceberg's matrix have no race at a place, but that another table has what they name."""

from __future__ import annotations

from sim.iceberg.java_matrix import OPERATIONS, TABLES, Side, has_no_deletes
from sim.iceberg.managed_matrix import CREATE_TABLES
from sim.search.matrix import Place

NO_DELETES = "format 1 has no delete files, which this table has"
CREATED = "what is created after the rename is no more the table of the race"
DROPPED = "what a column was called when it was dropped is not followed"
NOT_ALONE = "the file of row 1 has other rows"


def why(place: Place) -> str:
    """Why there is no race at a place; "" if another table has what the operations name."""
    pair = {place.row, place.column}
    if "rename-table" in pair and pair & set(CREATE_TABLES):
        return CREATED
    if pair == {"drop-column", "rename-column"}:
        return DROPPED
    if has_no_deletes(place):
        return NO_DELETES
    side = Side(TABLES[place.table], place.level, "A", 11)
    if TABLES[place.table].content and any(OPERATIONS[name][1](side) is None for name in pair):
        return NOT_ALONE
    return ""
