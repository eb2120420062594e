"""What is wrong with a workload whose table is not there when the race begins, is swept, or deletes its old metadata
files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sim.iceberg.checked_workload import KEEPS, PRUNES, wrong
from sim.iceberg.creating import DropTable, InSql, OfTables, is_absent
from sim.iceberg.sql_statements import RemoveOrphanFiles, Select
from sim.iceberg.statements import Append, Statement

SWEPT_ON = ("java-api", "rest", "jdbc")


def check_absence(history: Sequence[Statement], writers: Sequence[tuple[str, tuple[Statement, ...]]]) -> None:
    """Raise `ValueError` if somebody does what he cannot on a table that is not there when the race begins."""
    if any(isinstance(one, DropTable) for one in history[:-1]):
        raise wrong("history", "DropTable at last", history[-1])
    for name, statements in writers if is_absent(history) else ():
        for one in statements:
            if not isinstance(one, Append | OfTables):
                raise wrong(f"writers: {name}", "CreateTable, DropTable or Append where no table is", one)


def check_swept(catalog: str, sent: Sequence[Statement]) -> None:
    """Raise `ValueError` if somebody removes orphan files on a catalog where that is not simulated."""
    if catalog not in SWEPT_ON and any(isinstance(one, RemoveOrphanFiles) for one in sent):
        raise wrong("catalog", f"{' or '.join(SWEPT_ON)} for RemoveOrphanFiles", catalog)


def check_alone(catalog: str, sent: Sequence[Statement], writers: object) -> None:
    """Raise `ValueError` for what drops or renames a table in SQL beside others than readers, or not over REST."""
    in_sql = any(isinstance(one, InSql) for one in sent)
    if in_sql and not (catalog == "rest" and all(isinstance(one, InSql | Select) for one in sent)):
        raise wrong("writers", "PurgeTable and MoveAside beside Select alone, on catalog rest", writers)


def check_unlocked(unlocked: Sequence[str], catalog: str, actors: Sequence[str]) -> None:
    """Raise `ValueError` for writers without a lock where no others have one."""
    if unlocked and not (catalog == "hive-lock" and set(unlocked) <= set(actors)):
        raise wrong("unlocked", "writers on catalog hive-lock", tuple(unlocked))


def check_pruned(properties: Mapping[str, str], catalog: str, sent: Sequence[Statement]) -> None:
    """Raise `ValueError` for a table whose old metadata files are deleted where that is not simulated."""
    if PRUNES not in properties:
        if KEEPS in properties:
            raise wrong(f"table_properties: {KEEPS}", f"{PRUNES} beside it", properties[KEEPS])
        return
    if catalog != "hadoop":
        raise wrong(f"table_properties: {PRUNES}", "catalog hadoop", catalog)
    for one in sent:
        if not isinstance(one, Append):
            raise wrong("writers", f"Append alone where {PRUNES} is set", one)
