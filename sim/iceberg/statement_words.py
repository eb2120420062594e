"""What the statements of writers on one Iceberg table are called."""

from __future__ import annotations

from sim.iceberg import by_hand, layout, managing, manifests, python_statements, sql_statements
from sim.iceberg.by_hand import ByHand
from sim.iceberg.equality import ByEquality, DeleteWhere, Upsert
from sim.iceberg.incremental import OfPast, in_words
from sim.iceberg.layout import Layout
from sim.iceberg.managing import AppendTo, Managing
from sim.iceberg.manifests import OfManifests
from sim.iceberg.python_statements import OnBranch, PythonAlone
from sim.iceberg.sql_statements import Sql
from sim.iceberg.statements import (
    AddColumn,
    Append,
    ChangeRow,
    Compact,
    Copy,
    DeleteRow,
    Overwrite,
    RemoveFile,
    RemoveWhere,
    Replace,
    ReplacePartitions,
    Rows,
    Scan,
    SetProperty,
    Statement,
    Transaction,
    UpdateSpec,
)


def describe(statement: Statement) -> tuple[str, str]:
    """The history's name of a statement, and its argument in words: ("update", "row 1 = x")."""
    match statement:
        case _ if isinstance(statement, Sql):
            return sql_statements.describe(statement)
        case Append(rows):
            return "append", _words(rows)
        case DeleteRow():
            return "delete apart" if statement.apart else "delete", ", ".join([f"row {key}" for key in statement.ids])
        case DeleteWhere(key):
            return "delete where", f"id = {key}"
        case Upsert(key, value):
            return "upsert", _words(((key, value),))
        case RemoveFile(key):
            return "remove", f"the file of row {key}"
        case RemoveWhere(ids):
            return "remove where", " or ".join([f"id = {key}" for key in ids])
        case Replace(key, rows):
            return "replace", f"the file of row {key} by {_words(rows) or 'nothing'}"
        case ChangeRow(key, value):
            return "change", _words(((key, value),))
        case Copy(source, target):
            return "copy", f"row {source} to row {target}"
        case _ if isinstance(statement, ByHand):
            return by_hand.describe(statement)
        case Transaction(steps, _, left_open):
            by = " by equality" if any(isinstance(step, ByEquality) for step in steps) else ""
            by = " of branches" if any(isinstance(step, AppendTo | OnBranch) for step in steps) else by
            by = " with a spec" if any(isinstance(step, UpdateSpec) for step in steps) else by
            done = "; ".join(" ".join(describe(step)).strip() for step in steps)
            return f"transaction{by}", f"{done}, left open" if left_open else done
        case ReplacePartitions(rows):
            return "replace partitions", f"by {_words(rows)}"
        case Overwrite(rows, validate, _, only_deletes):
            validated = " validated" if validate else ""
            return "overwrite", _words(rows) + (f"{validated} for deletes" if only_deletes else validated)
        case _ if isinstance(statement, Managing):
            return managing.describe(statement)
        case OnBranch(branch, step):
            verb, argument = describe(step)
            return f"{verb} in branch", f"{branch}: {argument}"
        case _ if isinstance(statement, PythonAlone):
            return python_statements.describe(statement)
        case _ if isinstance(statement, Layout):
            return layout.describe(statement)
        case _ if isinstance(statement, OfManifests):
            return manifests.describe(statement)
        case _ if isinstance(statement, OfPast):
            return in_words(statement)
        case _:
            return _described(statement)


def _described(statement: Statement) -> tuple[str, str]:
    """What says nothing of rows."""
    match statement:
        case Compact("own"):
            return "compact", "all files"
        case Compact():
            return "compact", "all files at the starting number"
        case SetProperty(name, value):
            return "set", f"{name} = {value}"
        case AddColumn(name):
            return "add column", name
        case UpdateSpec(width, by):
            return "update spec", f"partitioned by {by}[{width}](id)" if width else "not partitioned"
        case Scan(2, "current"):
            return "read", "twice, refreshed between"
        case Scan(2):
            return "read", "twice"
        case _:
            return "read", ""


def _words(rows: Rows) -> str:
    return ", ".join(f"row {key} = {value}" for key, value in rows)


def tried_again(statement: Statement, tries: int) -> Statement:
    """The statement as a writer sends it after it was refused `tries` times: with values that are unique again."""
    return sql_statements.tried_again(statement, tries) if isinstance(statement, Sql) else statement
