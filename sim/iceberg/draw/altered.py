"""What is altered beside statements of Spark SQL, for a race that has been drawn already: the table comes to format 3
by the Java API, as by an ALTER TABLE of another engine, beside who rewrites position deletes; or a branch is dropped
beside an INSERT into it.

Choices: drawn where it is asked for; the first of tables of format 2 alone, the second of those without partitions;
refused statements are sent once.
"""

from __future__ import annotations

from sim.generation.draws import Draws
from sim.generation.generator import Settings
from sim.iceberg.draw.managing import BRANCH
from sim.iceberg.draw.statements import Table
from sim.iceberg.draw.writers import Writers, with_more
from sim.iceberg.managing import CreateRef, RemoveRef
from sim.iceberg.options import DELETE_MODE, FORMAT, MOR, UPDATE_MODE
from sim.iceberg.sql_branches import InsertTo
from sim.iceberg.sql_statements import Delete, Insert, RewritePositionDeletes, Update
from sim.iceberg.statements import SetProperty, Statement

UPGRADED, DROPPED = "upgraded", "branch dropped"


def with_altered(draws: Draws, table: Table, writers: Writers, settings: Settings, *, parted: bool) -> Writers:
    """The writers and those; what they need is put into the history. Args: `parted`: the table has partitions."""
    merges = MOR in (settings[DELETE_MODE.key], settings[UPDATE_MODE.key])
    upgraded = (UPGRADED,) if merges and settings[FORMAT.key] == "2" else ()
    kinds = upgraded if parted else (*upgraded, DROPPED)
    if not kinds:
        return writers
    more: list[list[Statement]]
    if draws.one_of("altered", kinds) == DROPPED:
        table.history.append(CreateRef(BRANCH))
        more = [[InsertTo(BRANCH, table.new_row())], [RemoveRef(BRANCH), Insert(table.new_row())]]
    else:
        more = _upgraded(draws, table, settings)
    return with_more(writers, more)


def _upgraded(draws: Draws, table: Table, settings: Settings) -> list[list[Statement]]:
    """Who rewrites deletes of a row beside which another one stays, and who alters the format."""
    rows = (*table.new_row(), *table.new_row())
    table.history.append(Insert(rows))
    deletes = settings[DELETE_MODE.key] == MOR
    table.history.append(Delete(rows[0][0]) if deletes else Update(rows[0][0], f"{rows[0][1]}'"))
    again: list[Statement] = [RewritePositionDeletes()] if draws.flag("rewritten again") else []
    return [[RewritePositionDeletes(), *again], [SetProperty(FORMAT.key, "3")]]
