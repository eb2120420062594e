"""Tables that get another name by the Java API, drawn for a race that has been drawn already.

It is the last draw of such races on catalogs of one pointer, and a rare one: without it a race is what it was. A writer
more renames the table; or drops it, and puts another one in its place. Where tables are made and dropped already, who
has dropped one may put another one there. Somebody may drop the table with its files, alone or beside one who renames
it, and may put another one in its place. On Hive, where every commit beside a rename may be lost
(`iceberg/hive-rename-append`), nothing fails then.
"""

from __future__ import annotations

from sim.generation.draws import Draws
from sim.generation.generator import Settings
from sim.iceberg.ages import OfTimes
from sim.iceberg.creating import DropTable, DropWithFiles, OfTables, PutTable, RenameTable, is_absent
from sim.iceberg.draw.calls import asked, unless
from sim.iceberg.draw.statements import Table
from sim.iceberg.draw.tables import beside_tables
from sim.iceberg.draw.writers import Writers
from sim.iceberg.managing import Managing, ReplaceTable
from sim.iceberg.options import CATALOG, CLIENT, OF_LOCKS, OF_NAMES, is_cached
from sim.iceberg.workload import Statement
from sim.world.scenario import FaultSpace

KINDS = ("rename table", "put table")
WITH_FILES = "drop table and files"
RENAMES_IN = ("in-memory", "rest", "jdbc")
RARELY, OFTEN = (False, False, False, False, False, False, False, True), (False, True)


def with_renaming(
    draws: Draws, table: Table, writers: Writers, settings: Settings, faults: FaultSpace, width: int
) -> tuple[Writers, FaultSpace]:
    """Draw who renames a table, and what fails then; mostly nobody does. Args: `width`: a partition's (0: none)."""
    done = [one for todo in writers.values() for one in todo]
    drops = any(isinstance(one, DropTable) for one in done)
    if width or not _may_rename(settings, table, done):
        return writers, faults
    if not draws.one_of("renames", OFTEN if drops else RARELY, asked(draws, OF_NAMES)):
        return writers, faults
    if drops:
        return {name: _put(todo, table) for name, todo in writers.items()}, faults
    return _renamed(draws, table, writers), beside_tables(draws, faults)


def renamed_in_hive(
    draws: Draws, table: Table, writers: Writers, settings: Settings
) -> tuple[Writers, FaultSpace] | None:  # fmt: skip
    """Draw who renames a table of a Hive catalog without caches, by the Java API, behind all else; nothing fails then.

    Args: `writers`: those who make no table. Returns: None if nobody does.
    """
    if (settings[CLIENT.key], settings[CATALOG.key]) != ("java-api", "hive") or is_cached(settings):
        return None
    renames = draws.one_of("renames in Hive", RARELY, unless(draws, OF_LOCKS))
    return (_renamed(draws, table, writers), FaultSpace()) if renames else None


def _renamed(draws: Draws, table: Table, writers: Writers) -> Writers:
    """The writers, and who renames the table, or drops it with its files."""
    if draws.one_of("drops with files", OFTEN):
        return _with_files(draws, table, writers)
    return _beside(draws, table, writers)


def _beside(draws: Draws, table: Table, writers: Writers) -> Writers:
    """The writers, and one more who renames the table, or another one to its name."""
    todo: list[Statement] = [RenameTable()]
    if draws.one_of("renaming", KINDS) == KINDS[1]:
        todo = [DropTable(), PutTable(table.new_row())]
    return {**writers, f"w{len(writers) + 1}": todo}


def _with_files(draws: Draws, table: Table, writers: Writers) -> Writers:
    """Who drops the table with its files, and who renames it."""
    number = len(writers) + 1
    found: Writers = {**writers, f"w{number}": [DropWithFiles()]}
    if not draws.flag("renames beside"):
        return found
    renames: list[Statement] = [RenameTable()]
    if draws.flag("puts another one there"):
        renames.append(PutTable(table.new_row()))
    return {**found, f"w{number + 1}": renames}


def _may_rename(settings: Settings, table: Table, done: list[Statement]) -> bool:
    reached = settings[CLIENT.key] == "java-api" and settings[CATALOG.key] in RENAMES_IN
    drops = any(isinstance(one, DropTable) for one in done)
    managed = any(isinstance(one, Managing | OfTimes) and not isinstance(one, OfTables | ReplaceTable) for one in done)
    return reached and not managed and not is_absent(table.history) and (drops or not _makes(done))


def _makes(done: list[Statement]) -> bool:
    return any(isinstance(one, OfTables | ReplaceTable) for one in done)


def _put(todo: list[Statement], table: Table) -> list[Statement]:
    """What a writer does, who puts another table where he has dropped one last."""
    return [*todo, PutTable(table.new_row())] if todo and isinstance(todo[-1], DropTable) else todo
