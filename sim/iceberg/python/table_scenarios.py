"""The scenarios of PyIceberg on tables that are not new ones of format 2: empty, of format 1, changed to format 2
beside its writers, or with rows that another hand deletes by positions.

What another hand deletes PyIceberg has to validate twice: against the filter of what it writes, and against the files
that it replaces. The second one begins at the head's sequence number, and sees of several commits the last one alone;
the first one sees them all, and is asked before.

Source: `pyiceberg/table/update/validate.py` (`_validate_no_new_deletes_for_data_files`), V104.
"""

from __future__ import annotations

from sim.iceberg.pyiceberg import race
from sim.iceberg.python.counters import REQUIREMENT_FAILED, SWAP_LOST
from sim.iceberg.python_statements import OverwriteFiles, Upgrade
from sim.iceberg.workload import Append, ChangeRow, Compact, Delete, DeleteRow, Overwrite
from sim.world.scenario import Scenario

FORMAT_1 = (("format-version", "1"),)
NO_SNAPSHOT = {"no-spurious-refusal": "who changes the format makes no snapshot, and does not try again"}
ONE, APART = ((1, "a"),), (Append(((2, "b"),)),)
X, Y = Append(((5, "x"),)), Append(((6, "y"),))

PYTHON_TABLES: tuple[Scenario, ...] = (
    race(
        "empty-append-append",
        "Two appends to a table that never had a row: the loser finds a parent, and both stay.",
        {"w1": [X], "w2": [Y]}, rows=(), counters=(REQUIREMENT_FAILED, SWAP_LOST),
    ),
    race(
        "empty-overwrite-overwrite",
        "Two overwrites of a table that never had a row: whoever is late is validated by all that came since.",
        {"w1": [Overwrite(((1, "x"),))], "w2": [Overwrite(((1, "y"),))]}, rows=(), counters=(REQUIREMENT_FAILED,),
    ),
    race(
        "format-1-change-change",
        "Two changes of rows in files of their own, in a table of format 1, which has no sequence numbers.",
        {"w1": [ChangeRow(1, "x")], "w2": [ChangeRow(2, "y")]}, rows=ONE, history=APART, table_properties=FORMAT_1,
        counters=(REQUIREMENT_FAILED,),
    ),
    race(
        "format-1-delete-delete",
        "Two deletes of rows in one file of a table of format 1: the second is refused.",
        {"w1": [Delete(1)], "w2": [Delete(2)]}, table_properties=FORMAT_1, counters=(REQUIREMENT_FAILED,),
    ),
    race(
        "append-upgrade",
        "An append to a table of format 1 that becomes one of format 2 meanwhile: its snapshot has no sequence number,"
        " and it is refused by a ValueError, which is not tried again; or its retry writes format 2.",
        {"w1": [X], "w2": [Y, Upgrade(2)]}, table_properties=FORMAT_1, but=NO_SNAPSHOT, counters=(SWAP_LOST,),
    ),
    race(
        "upgraded-change-change",
        "Two changes of rows in files of their own that are older than the table's sequence numbers.",
        {"w1": [ChangeRow(1, "x")], "w2": [ChangeRow(2, "y")]}, rows=ONE, history=(*APART, Upgrade(2)),
        table_properties=FORMAT_1, counters=(REQUIREMENT_FAILED,),
    ),
    race(
        "change-beside-row-deltas",
        "A change of a row beside another hand, which deletes another row of its file by position, and appends: one of"
        " the two is refused, and no row comes back.",
        {"w1": [ChangeRow(1, "x")], "w2": [DeleteRow(2), Y]}, counters=(REQUIREMENT_FAILED, SWAP_LOST),
    ),
    race(
        "compact-beside-row-deltas",
        "An overwrite of the table by what it holds, beside a delete by position: one of the two is refused.",
        {"w1": [Compact()], "w2": [DeleteRow(2), Y]}, counters=(REQUIREMENT_FAILED, SWAP_LOST),
    ),
    race(
        "overwrite-files-beside-row-deltas",
        "An overwrite of all files by their names, which has no filter of its own, beside a delete by position.",
        {"w1": [OverwriteFiles(((1, "x"), (2, "y")))], "w2": [DeleteRow(2), Y]},
        counters=(REQUIREMENT_FAILED, SWAP_LOST),
    ),
    race(
        "deleted-change-delete",
        "A change and a delete of rows in one file, from which another hand has deleted one before: it does not come"
        " back, and the second is refused.",
        {"w1": [ChangeRow(1, "x")], "w2": [Delete(2)]}, rows=((0, "z"), (1, "a"), (2, "b")), history=(DeleteRow(0),),
        counters=(REQUIREMENT_FAILED,),
    ),
)  # fmt: skip
