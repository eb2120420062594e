"""Scenarios of the Hive catalog: tables that are made and dropped on it, and answers of the metastore that are lost.

Source: `model.iceberg.metastore_tables`.
"""

from __future__ import annotations

from typing import Any

from model.iceberg import coverage
from model.iceberg.rules import CREATION_LOOKS_AGAIN, RENAME_COMPARES
from sim.iceberg.built_in.creating import ABSENT, LEFT, NEW, OTHER, PUT, of_tables
from sim.iceberg.built_in.lock import ASKED, LOCKS
from sim.iceberg.built_in.managed import ADDED
from sim.iceberg.creating import DropTable, DropWithFiles, PutTable, RenameTable
from sim.iceberg.in_hive import MAKING, in_hive
from sim.iceberg.metastore_cells import WAITED
from sim.world.fault_spaces import calls, wide
from sim.world.scenario import Scenario

LOCKED, UNLOCKED = "hive-lock", "hive-no-lock"
ONCE_MORE = {"resend": "the client sends again by itself", "late": "who makes a table late is told nothing of it"}
BREAKS = wide(calls("metastore's making and dropping", *MAKING), without=ONCE_MORE)
DROP_BREAKS = wide(calls("metastore's dropping", "drop_table"), without=ONCE_MORE)
NOT_TOLD = "a creation whose answer is lost is left open"


def on_hive(name: str, summary: str, writers: Any, *before: Any, catalog: str = LOCKED, **further: Any) -> Scenario:
    """A race on a table of a Hive catalog, or on none."""
    return in_hive(of_tables(f"hive-{name}", summary, writers, *before, catalog=catalog, **further))


HIVE: tuple[Scenario, ...] = (
    *LOCKS,
    on_hive(
        "create-create",
        "Two create a table of one name on a Hive catalog: one is told that it exists.",
        {"w1": [NEW], "w2": [OTHER]},
        *ABSENT,
        counters=(coverage.TABLE_EXISTS,),
    ),
    on_hive(
        "no-lock-create-create",
        "The same without its lock: the metastore refuses the second creation.",
        {"w1": [NEW], "w2": [OTHER]},
        *ABSENT,
        catalog=UNLOCKED,
        counters=(coverage.TABLE_EXISTS,),
    ),
    on_hive(
        "drop-append",
        "A table is dropped beside an append on a Hive catalog: it is refused, or does not know, or goes with the"
        " table.",
        {"w1": [DropTable()], "w2": [ADDED]},
        counters=(coverage.LOCATION_CHANGED, coverage.STATUS_UNKNOWN),
    ),
    on_hive(
        "no-lock-drop-append",
        "The same without its lock.",
        {"w1": [DropTable()], "w2": [ADDED]},
        catalog=UNLOCKED,
        counters=(coverage.LOCATION_CHANGED, coverage.STATUS_UNKNOWN),
    ),
    on_hive(
        "drop-create-append",
        "A table is dropped and created anew beside an append: who creates waits for the lock of who appends.",
        {"w1": [DropTable(), NEW], "w2": [ADDED]},
        counters=(coverage.ANOTHER_TABLE, WAITED),
    ),
    on_hive(
        "no-lock-drop-create-append",
        "The same without its lock: the location that the metastore compares is another one.",
        {"w1": [DropTable(), NEW], "w2": [ADDED]},
        catalog=UNLOCKED,
        counters=(coverage.ANOTHER_TABLE,),
    ),
    on_hive(
        "create-or-replace-drop",
        "A table is created or replaced beside a drop on a Hive catalog.",
        {"w1": [PUT], "w2": [DropTable()]},
        counters=(coverage.LOCATION_CHANGED,),
    ),
    on_hive(
        "create-resent",
        "A table is created on a Hive catalog; the answer is lost, and the client sends it again: it is told that the"
        " table exists, and deletes the metadata file that the table names.",
        {"w1": [NEW]},
        *ABSENT,
        faults=BREAKS,
        properties=LEFT,
        because=NOT_TOLD,
        broken="readable",
    ),
    on_hive(
        "create-resent-looks-again",
        "The same, with a client that looks whether the table that exists is its own.",
        {"w1": [NEW]},
        *ABSENT,
        rules=CREATION_LOOKS_AGAIN,
        faults=BREAKS,
        properties=LEFT,
        because=NOT_TOLD,
        counters=(coverage.SENT_AGAIN, coverage.STATUS_SUCCESS),
    ),
    on_hive(
        "drop-resent",
        "A table is dropped on a Hive catalog; the answer is lost, and the client sends it again: it drops a table that"
        " was created since.",
        {"w1": [DropTable()], "w2": [NEW]},
        catalog=UNLOCKED,
        faults=DROP_BREAKS,
        properties=LEFT,
        because=NOT_TOLD,
        broken="acknowledged-writes-survive",
    ),
    on_hive(
        "rename-append",
        "A table is renamed on a Hive catalog beside an append: the rename puts the location back that it has read, and"
        " the append is gone.",
        {"w1": [RenameTable()], "w2": [ADDED]},
        broken="acknowledged-writes-survive",
    ),
    on_hive(
        "no-lock-rename-append",
        "The same without its lock: who renames does not compare the location.",
        {"w1": [RenameTable()], "w2": [ADDED]},
        catalog=UNLOCKED,
        broken="acknowledged-writes-survive",
    ),
    on_hive(
        "rename-append-compared",
        "The same, with a rename whose location the metastore compares.",
        {"w1": [RenameTable()], "w2": [ADDED]},
        catalog=UNLOCKED,
        rules=RENAME_COMPARES,
        counters=(coverage.RENAME_REFUSED,),
    ),
    on_hive(
        "purge-append",
        "A table is dropped with its files on a Hive catalog beside an append: it goes with the table, or is refused.",
        {"w1": [DropWithFiles()], "w2": [ADDED]},
        counters=(coverage.PURGED,),
    ),
    on_hive(
        "purge-put",
        "A table is dropped with its files on a Hive catalog, beside a rename of it and one of another table to its"
        " name: the other one is dropped, and the files go of the one that was renamed.",
        {"w1": [DropWithFiles()], "w2": [RenameTable(), PutTable(((8, "m"),))]},
        broken="readable",
    ),
    on_hive(
        "put-append",
        "A table is dropped and another one renamed to its name, beside an append under the lock: the old table is put"
        " in the place of the new one.",
        {"w1": [DropTable(), PutTable(((7, "n"),))], "w2": [ADDED]},
        broken="acknowledged-writes-survive",
    ),
    on_hive(
        "no-lock-put-append",
        "The same without its lock: the location that the metastore compares is another one.",
        {"w1": [DropTable(), PutTable(((7, "n"),))], "w2": [ADDED]},
        catalog=UNLOCKED,
        counters=(coverage.ANOTHER_TABLE,),
    ),
    *ASKED,
)
