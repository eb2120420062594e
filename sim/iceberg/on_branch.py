"""A race of Spark SQL on a branch: each statement names it, or each session has it (`spark.wap.branch`). Its lineage is
the history's, and its rows are those that a reader finds at the end; main stays as it is.

Choices: over REST, with no cache of tables; statements that read or write rows, alone. A branch that statements name is
made before the race, at last; a session's may be there or not.
"""

from __future__ import annotations

from collections.abc import Sequence

from model.iceberg.metadata import MAIN
from model.iceberg.spark_target import MAIN_ALONE, Target
from sim.iceberg.checked_workload import wrong
from sim.iceberg.managing import CreateRef
from sim.iceberg.sql_statements import Delete, Insert, InsertOverwrite, Merge, Select, Truncate, Update
from sim.iceberg.statements import Statement

OfRows = Delete | Insert | InsertOverwrite | Merge | Select | Truncate | Update


def check_target(
    target: Target, catalog: str, cached: Sequence[str], sent: Sequence[Statement], history: Sequence[Statement]
) -> None:
    """Raise `ValueError` for a race on a branch that is not followed."""
    if target == MAIN_ALONE:
        return
    if not isinstance(target, Target) or not target.branch or target.branch == MAIN:
        raise wrong("target", "Target of a branch other than main", target)
    if catalog != "rest" or cached:
        raise wrong("target", "main, unless on catalog rest without a cache", target.branch)
    for one in sent:
        if not isinstance(one, OfRows):
            raise wrong("writers", "statements of SQL that read or write rows, alone, on a branch", one)
    made = [one for one in history if isinstance(one, CreateRef)]
    if any(one not in history[-1:] or one != CreateRef(str(target.branch)) for one in made):
        raise wrong("history", f"CreateRef({target.branch!r}) at last, or none", tuple(history))
    if not made and not target.by_session:
        raise wrong("history", f"CreateRef({target.branch!r}) at last where statements name it", tuple(history))


def target_in_words(target: Target) -> str:
    """The branch, as words to add. Example: ", branch b"."""
    if target == MAIN_ALONE:
        return ""
    return f", spark.wap.branch={target.branch}" if target.by_session else f", branch {target.branch}"
