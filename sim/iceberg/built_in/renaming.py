"""Scenarios of tables that get another name on catalogs of one pointer: in memory, over REST, and on JDBC.

A rename takes the pointer with it, wherever it is, and nobody's commit is put back, as it is on the Hive catalog. Who
commits to the old name is told that there is no table, and deletes what he wrote; if his commit was applied before,
and its answer lost, that is what the table under its new name needs.

Source: `model.iceberg.register`, `model.iceberg.jdbc`, `model.iceberg.rest` (`rename`).

Choices: as those of `built_in.creating` and `built_in.jdbc`. That a rename is told wrongly is seen where a table with
rows of its own is put in the place of another one.
"""

from __future__ import annotations

from typing import Any

from model.iceberg import coverage
from model.iceberg.rules import GONE_KEEPS_FILES, IDEMPOTENT, PURGE_COMPARES
from sim.iceberg.built_in.creating import ANY_ANSWER, LEFT, NEW, of_tables
from sim.iceberg.built_in.jdbc import BREAKS_IN_TIME
from sim.iceberg.built_in.managed import ADDED
from sim.iceberg.built_in.transactions import Writers
from sim.iceberg.creating import DropTable, DropWithFiles, PutTable, RenameTable
from sim.world.scenario import Scenario

RENAMED: Writers = {"w1": [RenameTable()], "w2": [ADDED]}
PUT_THERE: Writers = {"w1": [DropTable(), PutTable(((8, "m"),))]}
PURGED: Writers = {"w1": [DropWithFiles()], "w2": [RenameTable(), PutTable(((8, "m"),))]}
PURGED_AGAIN: Writers = {"w1": [DropWithFiles()], "w2": [NEW]}
SWAPPED: Writers = {**PUT_THERE, "w2": [ADDED]}
TOLD = ("readable", "no-aborted-reads")
OPEN = "what was not answered is left open"
WHERE = {"java-api": ("", "in memory"), "rest": ("rest-", "over REST"), "jdbc": ("jdbc-", "on a JDBC catalog")}


def _on_each(name: str, summary: str, writers: Writers, **further: Any) -> tuple[Scenario, ...]:
    """The race on each of the catalogs. Args: `summary` says where by "{}"."""
    return tuple([
        of_tables(f"{begins}{name}", summary.format(words), writers, catalog=catalog, **further)
        for catalog, (begins, words) in WHERE.items()
    ])  # fmt: skip


def _answered(name: str, summary: str, writers: Writers, catalog: str, **further: Any) -> Scenario:
    """A race in which one call may fail."""
    faults = ANY_ANSWER if catalog == "rest" else BREAKS_IN_TIME
    given: dict[str, Any] = {"properties": LEFT, "because": OPEN, **further}
    return of_tables(f"{catalog}-{name}", summary, writers, catalog=catalog, faults=faults, **given)


RENAMING: tuple[Scenario, ...] = (
    *_on_each(
        "rename-append",
        "A table is renamed {} beside an append: it is appended to before, or there is no table of that name.",
        RENAMED,
        counters=(coverage.CLEANED_AFTER_FAILURE,),
    ),
    *_on_each(
        "put-append",
        "A table is dropped and another one renamed to its name {}, beside an append: it is refused by the uuid.",
        SWAPPED,
        counters=(coverage.ANOTHER_TABLE,),
    ),
    *_on_each(
        "put-create",
        "A table is dropped and another one renamed to its name {}, beside a creation: one of them is told that there"
        " is a table.",
        {**PUT_THERE, "w2": [NEW]},
        counters=(coverage.TABLE_EXISTS,),
    ),
    _answered(
        "rename-append-resent",
        "A table is renamed over REST beside an append; any call may fail: the append is applied and sent again, to a"
        " name that is gone, and files of the current snapshot are deleted.",
        RENAMED,
        "rest",
        broken="readable",
    ),
    _answered(
        "rename-append-resent-idempotent",
        "The same with the catalog's stored reply under an idempotency key.",
        RENAMED,
        "rest",
        rules=IDEMPOTENT,
        counters=("stored reply repeated",),
    ),
    _answered(
        "rename-append-resent-kept",
        "The same, with a client that deletes nothing where the table is gone.",
        RENAMED,
        "rest",
        rules=GONE_KEEPS_FILES,
        counters=(coverage.RESENT, coverage.KEPT_AFTER_FAILURE),
    ),
    _answered(
        "rename-append-broken",
        "A table is renamed on a JDBC catalog beside an append, whose connection breaks when it is committed: it looks"
        " for a name that is gone, and files of the current snapshot are deleted.",
        RENAMED,
        "jdbc",
        broken="readable",
    ),
    _answered(
        "rename-append-broken-kept",
        "The same, with a client that deletes nothing where the table is gone.",
        RENAMED,
        "jdbc",
        rules=GONE_KEEPS_FILES,
        counters=(coverage.RUN_AGAIN, coverage.KEPT_AFTER_FAILURE),
    ),
    _answered(
        "put-resent",
        "A table is renamed over REST; any call may fail: what is applied and sent again is told that there is no"
        " table.",
        PUT_THERE,
        "rest",
        properties=TOLD,
        broken="no-aborted-reads",
    ),
    _answered(
        "put-resent-idempotent",
        "The same with the catalog's stored reply under an idempotency key.",
        PUT_THERE,
        "rest",
        properties=TOLD,
        rules=IDEMPOTENT,
        counters=("stored reply repeated",),
    ),
    _answered(
        "put-broken",
        "A table is renamed on a JDBC catalog, and the connection breaks: the statement is run again, and who renames"
        " is told that there is no table.",
        PUT_THERE,
        "jdbc",
        properties=TOLD,
        broken="no-aborted-reads",
    ),
    *_on_each(
        "purge-append",
        "A table is dropped with its files {} beside an append: it goes with the table, or is refused.",
        {"w1": [DropWithFiles()], "w2": [ADDED]},
        counters=(coverage.CLEANED_AFTER_FAILURE,),
    ),
    of_tables(
        "purge-put",
        "A table is dropped with its files in memory, beside a rename of it and one of another table to its name: the"
        " other one is dropped, and the files go of the one that was renamed.",
        PURGED,
        broken="readable",
    ),
    of_tables(
        "rest-purge-put",
        "The same over REST, where the server loads, drops and deletes at once.",
        PURGED,
        catalog="rest",
    ),
    _answered(
        "purge-resent",
        "A drop with purge over REST; any call may fail: it is sent again, and a table that was created since is"
        " dropped, and its files are deleted.",
        PURGED_AGAIN,
        "rest",
        broken="acknowledged-writes-survive",
    ),
    _answered(
        "purge-resent-idempotent",
        "The same with idempotency keys: the first answer is repeated.",
        PURGED_AGAIN,
        "rest",
        rules=IDEMPOTENT,
        counters=("stored reply repeated",),
    ),
    of_tables(
        "jdbc-purge-put",
        "A table is dropped with its files on a JDBC catalog, beside a rename of it and one of another table to its"
        " name: the other one is dropped, and the files go of the one that was renamed.",
        PURGED,
        catalog="jdbc",
        broken="readable",
    ),
    of_tables(
        "jdbc-purge-put-compared",
        "The same, with a drop that compares which table it is.",
        PURGED,
        catalog="jdbc",
        rules=PURGE_COMPARES,
        counters=(coverage.ANOTHER_TABLE, coverage.PURGED),
    ),
)
