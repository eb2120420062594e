"""Why PyIceberg 0.12.0 comes to something else in a cell of Iceberg's matrix than Java.

Source: `pyiceberg/table/__init__.py`, `pyiceberg/table/update/snapshot.py`, `pyiceberg/table/metadata.py`.
"""

from __future__ import annotations

from sim.iceberg.layout_matrix import LAID_OUT
from sim.iceberg.managed_matrix import ABSENT, FULL, MANAGED
from sim.iceberg.python.matrix_calls import OF_CATALOGS
from sim.search.matrix import Place

FORMAT_3 = "it opens and reads tables of format 3, and writes neither manifests nor metadata of it: its own error"
NO_SNAPSHOT = (
    "PyIceberg sends a commit again only if it adds a snapshot (`Transaction.commit_transaction`); Java's "
    "`updateProperties`, roll-backs, expiries, and what is beside them, are sent again, or assert nothing"
)
ANOTHER_SPEC = (
    "what changes rows and is tried again under another spec cannot write its manifest (IndexError), or lists its "
    "files in one of the new spec: PyIceberg takes that for files of the old one; a change of spec it never sends again"
)
TAKES_FILES = (
    "PyIceberg deletes, upserts and rewrites by taking files away and writing them anew, and refuses if they are gone; "
    "Java's row delta and `newDelete` let a row be deleted twice, an equality delete asks for no file, a rewrite is no "
    "overwrite, and `newDelete` where some rows match refuses by itself"
)
AT_COMMIT = (
    "Java's overwrite by filter takes away what matches when it commits; PyIceberg's those files that matched when it "
    "began (`_DeleteFiles`, `_planned_delete_files`)"
)
NOT_READ = (
    "what a program has read is no part of a commit of PyIceberg: there is no conflict filter to give; "
    "`newOverwrite` is given one here"
)
BEGINS = (
    "a transaction of Java loads the table when it begins, and may find the other commit; PyIceberg's is on the table "
    "that was loaded before the race"
)
SEQUENCE = (
    "commits to different branches, or staged ones, assert nothing of each other: whoever is late has an old sequence "
    "number, which PyIceberg's catalogs refuse by a ValueError, and that is not tried again"
)
OLD_DELETES = (
    "Java drops an old delete file in passing, and who is tried again requires it; PyIceberg leaves it where it is"
)
NOT_PARTITIONED = "its dynamic overwrite refuses a table without partitions (ValueError)"
NOT_MOVED = "its call that moves a table does nothing yet (NotImplementedError)"
NO_STATISTICS = "it refuses to remove statistics that are not there (ValueError)"
ALL_COLUMNS = "its upsert wants every column of the table, and is given two (ValueError)"
NO_PROPERTY = "it refuses to remove a property that is not there (KeyError)"
TAGS_FIRST = (
    "a transaction of PyIceberg keeps one requirement of a kind: a roll-back behind a tag asserts that there is no "
    "such tag yet, and not where main is; Java's asserts both"
)
NOT_FOUND = (
    "a commit to a table that is gone is answered with 404, for which its REST catalog has no error of its own: a "
    "RESTError, as of what is not known (`RestCatalog.commit_table`); Java's is a NoSuchTableException"
)
DROPS_ONCE = "its drop of a table that is not there is an error (NoSuchTableError), and Java's is none"
LOADED_AT_LAST = (
    "its rename loads the table when it has its name: where somebody has dropped it by then, it is told that there is "
    "no such table, as a drop is of one that is not there"
)
DELETES = ("delete-file", "delete-row", "delete-another", "delete-where", "remove-where", "upsert", "rewrite")
REPLACES = ("change", "change-another", "copy")
DROPPED = ("old-delete", "worked-on")
ADDS = ("fast-append", "append")
BESIDE_MAIN = ("append-branch", "overwrite-branch", "stage")
UNSENT = {
    "property", "spec", "roll-back", "expire", "branch", "tag-below", "expire-below", "publish", "replace-branch",
    "remove-branch", "remove-tag", "roll-back-time", "expire-age", "sort", "drop-column", "statistics", "no-statistics",
    "rename-column", "widen-column", "move-column", "struct", "field",
}  # fmt: skip
"""What adds no snapshot, and is sent once."""
PARTITIONED = ("partitioned", LAID_OUT)
WIDER = ("worked-on", MANAGED, LAID_OUT, FULL)
"""Tables with a column more."""


def why(place: Place) -> str:
    """Why PyIceberg comes to something else at a place than Java, if it does; "" if nobody knows."""
    pair = {place.row, place.column}
    if place.format == "3":
        return FORMAT_3
    if reason := _refuses(place, pair):
        return reason
    if reason := _of_whole_tables(place, pair):
        return reason
    if "tag-and-roll-back" in pair:
        return TAGS_FIRST
    if "spec" in pair and not pair <= {*UNSENT, "column", "read-twice"}:
        return ANOTHER_SPEC
    if pair & UNSENT:
        return NO_SNAPSHOT
    if pair & set(BESIDE_MAIN):
        return SEQUENCE
    if "copy" in pair and place.level == "serializable":
        return NOT_READ
    if pair & set(DELETES):
        return TAKES_FILES
    if "overwrite-filter" in pair and pair & set(ADDS) and place.level == "snapshot":
        return AT_COMMIT
    if "transaction" in pair:
        return BEGINS
    return OLD_DELETES if place.table in DROPPED and pair & set(REPLACES) else ""


def _of_whole_tables(place: Place, pair: set[str]) -> str:
    """Why what makes a table, takes it away or renames it comes to something else; "" if it does not."""
    if place.table == ABSENT and {"drop-table", "put-table"} <= pair:
        return LOADED_AT_LAST
    if "drop-table" in pair and (place.table == ABSENT or pair <= set(OF_CATALOGS)):
        return DROPS_ONCE
    return NOT_FOUND if pair & {"drop-table", "rename-table"} else ""


def _refuses(place: Place, pair: set[str]) -> str:
    """Why an operation of a pair is refused whatever is beside it; "" if none is."""
    if "move" in pair:
        return NOT_MOVED
    if "no-statistics" in pair and place.table != LAID_OUT:
        return NO_STATISTICS
    if "no-property" in pair:
        return NO_PROPERTY
    if "replace-partition" in pair and place.table not in PARTITIONED:
        return NOT_PARTITIONED
    return ALL_COLUMNS if "upsert" in pair and place.table in WIDER else ""
