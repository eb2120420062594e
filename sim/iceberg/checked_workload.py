"""What is wrong with the statements and the table properties of a workload, and why they are refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from model.iceberg.formats import FORMAT
from model.iceberg.tables import IN_FOLDERS
from sim.iceberg.by_hand import DeleteAndRemove
from sim.iceberg.checked_fields import check_fields
from sim.iceberg.checked_set import FORMATS, check_set
from sim.iceberg.creating import DropTable, DropWithFiles, InSql, OfNames, OfTables, PutTable, RenameTable
from sim.iceberg.equality import ByEquality
from sim.iceberg.incremental import OfPast, ReadAt, ReadSince, names_inside
from sim.iceberg.layout import UnsetProperty
from sim.iceberg.managing import (
    AppendTo,
    ManageSnapshots,
    MoveBranch,
    OfRefs,
    Procedures,
    RemoveRef,
    ReplaceTable,
    Stage,
    Together,
)
from sim.iceberg.manifest_merging import MERGED_BY, expected_of, merges_unusually, merging_of
from sim.iceberg.sql_branches import BesideMain
from sim.iceberg.sql_statements import InsertOverwrite, Merge, Sql
from sim.iceberg.statements import Append, DeleteRow, Operation, Scan, SetProperty, Statement, Transaction, steps_of
from sim.world.checks import ACTOR, is_actor

IN_JAVA = (ReadSince("appends"), ReadSince("changes"))
TABLE_PROPERTIES: Mapping[str, str] = {
    "commit.retry.min-wait-ms": "commit_retry_min_wait_ms",
    "commit.retry.max-wait-ms": "commit_retry_max_wait_ms",
    "commit.retry.total-timeout-ms": "commit_retry_total_timeout_ms",
}
"""Table properties that a workload may set, and the model's names of them; beside them, `format-version` may be 1,
2 or 3, manifests may be merged, and on a Hadoop catalog old metadata files may be deleted."""
PRUNES, KEEPS = "write.metadata.delete-after-commit.enabled", "write.metadata.previous-versions-max"


SETTINGS = (
    "cached", "catalog", "isolation", "keys", "mode", "partition_transform", "partition_width", "retries",
    "table_properties", "target", "tries", "unlocked", "update_isolation", "update_mode",
)  # fmt: skip
"""Fields of a workload that say how its table, its catalog and its clients are set up."""


class SettingError(ValueError):
    """A table, a catalog or a client cannot be set up like this. Correct the field of the workload that is named."""


def wrong(argument: str, expected: str, got: object) -> ValueError:
    """What is wrong with a workload."""
    kind = SettingError if argument.partition(":")[0] in SETTINGS else ValueError
    return kind(f"workload: {argument}: expected {expected}, got {got!r}")


def check_writers(writers: tuple[tuple[str, tuple[Statement, ...]], ...]) -> None:
    """Raise `ValueError` unless writers have names of their own, and statements, all of SQL or all of the Java API."""
    if not writers:
        raise ValueError("workload: writers: expected at least one, got none")
    names = [name for name, _ in writers]
    for name in names:
        if not isinstance(name, str) or not is_actor(name):
            raise wrong("writers", ACTOR, name)
    if len(set(names)) < len(names):
        raise ValueError(f"workload: writers: expected names that differ, got {', '.join(names)}")
    for name, statements in writers:
        given: object = statements
        if isinstance(given, str) or not statements:
            raise wrong(f"writers: {name}", "statements such as Delete(1)", statements)
        for one in statements:
            if not isinstance(one, Statement):
                raise wrong(f"writers: {name}", "a statement such as Delete(1)", one)
            check_statement(f"writers: {name}", one)
    refuse_mixed([one for _, statements in writers for one in statements])


def check_statement(where: str, statement: Statement) -> None:
    """Raise `ValueError` for what no transaction can have, and for a statement that says what none can say."""
    if isinstance(statement, Transaction):
        for step in statement.steps:
            if not isinstance(step, Operation):
                raise wrong(f"{where}: transaction", "operations such as Append", step)
    if isinstance(statement, ManageSnapshots):
        for change in statement.changes:
            if not isinstance(change, Together):
                raise wrong(f"{where}: ManageSnapshots", "changes such as CreateRef or RollBack", change)
        if not any(isinstance(change, OfRefs) for change in statement.changes):
            raise wrong(f"{where}: ManageSnapshots", "at least one change of a branch or a tag", statement.changes)
    if isinstance(statement, Stage) and statement.overwrites and statement.replaces:
        raise wrong(where, "Stage that overwrites, or replaces partitions", statement)
    check_fields(where, statement)
    if isinstance(statement, Scan) and statement.times not in (1, 2):
        raise wrong(f"{where}: read", "1 or 2 times", statement.times)
    if isinstance(statement, Merge) and statement.inserts_only and not statement.inserts:
        raise wrong(where, "MERGE that updates, deletes or inserts", statement)


Streamed = Append | ByEquality | AppendTo | SetProperty
"""What engines that stream send by the Java API, or who alters the table."""
BesideSql = InSql | OfPast | Streamed | BesideMain


def refuse_mixed(statements: Sequence[Statement]) -> None:
    """Raise `ValueError` for SQL beside the Java API, but for what engines that stream send (`beside_sql`)."""
    first = next((one for one in statements if isinstance(one, Sql)), statements[0])
    if len({one.dynamic for one in statements if isinstance(one, InsertOverwrite)}) > 1:
        raise ValueError("workload: writers: expected INSERT OVERWRITE all static or all dynamic, got both")
    for other in statements:
        if isinstance(first, Sql) and (is_procedure(other) or isinstance(other, BesideSql)):
            continue
        if isinstance(other, Sql) != isinstance(first, Sql):
            raise ValueError(
                "workload: writers: expected statements of Spark SQL only, or of the Java API only,"
                f" got {type(first).__name__} and {type(other).__name__}"
            )


def check_catalog(catalog: str, sent: Sequence[Statement]) -> None:
    """Raise `ValueError` for what is not followed on this catalog."""
    if catalog in IN_FOLDERS and any(isinstance(one, Sql) for one in sent):
        raise wrong("catalog", "another one than hadoop for Spark SQL", catalog)
    check_renames(catalog, sent)
    check_past(catalog, sent)


def check_past(catalog: str, sent: Sequence[Statement]) -> None:
    """Raise `ValueError` for a reader of what was who reads in a way that is not followed."""
    in_sql, drops = any(isinstance(one, Sql) for one in sent), any(isinstance(one, RemoveRef) for one in sent)
    for one in [each for each in sent if isinstance(each, OfPast)]:
        is_java = one.by == "version" if isinstance(one, ReadAt) else one in IN_JAVA
        if not in_sql and not is_java:
            raise wrong("writers", "ReadSince of appends or changes since the race began, and ReadAt, in Java", one)
        if isinstance(one, ReadSince) and one.until == "before" and not one.back:
            raise wrong("writers", "ReadSince from before it ends", one)
        if in_sql and drops and isinstance(one, ReadAt) and one.by == "name":
            raise wrong("writers", "ReadAt by version or option beside RemoveRef", one)
        if in_sql and names_inside(one) and catalog != "rest":
            raise wrong("catalog", "rest for changes, and for reads by a name inside the table, in SQL", catalog)


def check_renames(catalog: str, sent: Sequence[Statement]) -> None:
    """Raise `ValueError` for tables that are renamed, or dropped with their files, in a way that is not followed."""
    if catalog in IN_FOLDERS and any(isinstance(one, OfNames) for one in sent):
        raise wrong("catalog", "another one than hadoop for tables that are renamed", catalog)
    if catalog in IN_FOLDERS and any(isinstance(one, DropWithFiles) for one in sent):
        raise wrong("catalog", "another one than hadoop for DropWithFiles", catalog)
    made = [one for one in sent if isinstance(one, OfTables | ReplaceTable)]
    others = [one for one in made if not isinstance(one, RenameTable)]
    known = DropTable | ReplaceTable | PutTable if catalog == "java-api" else PutTable | DropWithFiles
    swaps = all(isinstance(one, known) for one in others)
    often = catalog != "java-api" and len(made) - len(others) > 1
    if often or (len(others) < len(made) and others and not swaps):
        raise wrong("writers", "RenameTable once, and nothing else that makes tables", made)


def is_procedure(statement: object) -> bool:
    """Whether Spark has a procedure for a statement that manages snapshots."""
    return isinstance(statement, Procedures) and (not isinstance(statement, MoveBranch) or statement.forward)


def has_deletes(statements: Sequence[Statement]) -> bool:
    """Whether somebody deletes rows by delete files, by position or by equality."""
    return any(isinstance(one, DeleteRow | DeleteAndRemove | ByEquality) for one in steps_of(*statements))


def check_format(version: int, sent: Sequence[Statement], history: Sequence[Statement], on_read: bool) -> None:
    """Raise `ValueError` for a format that these statements cannot have, or for one that there is not; for a property
    that they set and that is not followed.

    Args: `on_read`: they are SQL, and some of it is merge-on-read.
    """
    if version == 1 and on_read:
        raise wrong(f"table_properties: {FORMAT}", "2 or 3 for merge-on-read", "1")
    for step in steps_of(*sent, *history):
        if isinstance(step, SetProperty | UnsetProperty):
            check_set(step)
    if version == 1 and has_deletes(history):
        raise wrong(f"table_properties: {FORMAT}", "2 or 3 for DeleteRow, DeleteWhere and Upsert", "1")


def check_properties(properties: tuple[tuple[str, str], ...]) -> None:
    """Raise `ValueError` for a table property that the simulation does not follow, or for another value of it."""
    if not all(isinstance(pair, tuple) and len(pair) == 2 for pair in properties):
        raise wrong("table_properties", "pairs of a name and a value", properties)
    if len(dict(properties)) < len(properties):
        raise wrong("table_properties", "each name once", properties)
    for name, value in properties:
        if name == FORMAT and value not in FORMATS:
            raise wrong(f"table_properties: {name}", " or ".join(FORMATS), value)
        if name == PRUNES and value == "true":
            continue
        if name in MERGED_BY:
            if expected := expected_of(name, value):
                raise wrong(f"table_properties: {name}", expected, value)
            continue
        if name not in (FORMAT, KEEPS, *TABLE_PROPERTIES):
            known = ", ".join((*TABLE_PROPERTIES, *MERGED_BY))
            raise SettingError(f"workload: table_properties: expected those that are simulated ({known}), got {name}")
        if not str(value).isdecimal():
            raise wrong(f"table_properties: {name}", "a number from 0", value)


def properties_of(given: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    """A workload's table properties by the model's names, but for the format."""
    known = dict(given)
    found: dict[str, Any] = {name: int(known[key]) for key, name in TABLE_PROPERTIES.items() if key in known}
    if merges_unusually(known):
        found["merging"] = merging_of(known)
    if PRUNES in known:
        found |= {"delete_after_commit": True, "previous_versions_max": int(known.get(KEEPS, "100"))}
    return found
