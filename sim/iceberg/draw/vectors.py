"""Deletes of several rows at once, whose deletion vectors share a file, and tables of Spark SQL of another format.

Choices: drawn last, and rarely, so that other races are what they were. In format 1 there are no delete files: whoever
asks for it in SQL gets the modes that need none.
"""

from __future__ import annotations

from dataclasses import replace

from sim.generation.draws import Draws, PinError
from sim.generation.generator import Settings
from sim.iceberg.draw.statements import Table
from sim.iceberg.draw.writers import Writers
from sim.iceberg.managing import Managing
from sim.iceberg.options import CATALOG, DELETE_MODE, FORMAT, MODES, UPDATE_MODE
from sim.iceberg.workload import DeleteRow, Statement

RARELY = (False, False, False, True)
USUAL, WITHOUT_DELETES = ("2", "2", "2", "2", "3", "3"), ("2", "2", "2", "2", "3", "1")
NEVER = ("2",)


def copying(draws: Draws) -> dict[str, str | None]:
    """What the modes of SQL are drawn as where format 1 is pinned and they are not: copy-on-write.

    Raises: `PinError` if they are merge-on-read.
    """
    if draws.pinned(FORMAT.key) != "1":
        return {}
    for mode in (DELETE_MODE, UPDATE_MODE):
        if draws.pinned(mode.key) == MODES[1]:
            raise PinError(f"{FORMAT.key}: expected 2 or 3 with {mode.key}={MODES[1]}, got 1")
    return {mode.key: MODES[0] for mode in (DELETE_MODE, UPDATE_MODE)}


def with_sql_format(draws: Draws, settings: Settings) -> Settings:
    """The settings with the format of a table of Spark SQL. Raises: `PinError` if it is to be 1 or 3, and cannot be."""
    if settings[CATALOG.key] == "hive":
        return {**settings, FORMAT.key: draws.one_of(FORMAT.key, NEVER)}
    copies = MODES[1] not in (settings[DELETE_MODE.key], settings[UPDATE_MODE.key])
    return {**settings, FORMAT.key: draws.one_of(FORMAT.key, WITHOUT_DELETES if copies else USUAL)}


def with_shared_vectors(draws: Draws, table: Table, writers: Writers) -> Writers:
    """Draw which deletes of format 3 are of several rows; what is drawn for before is put into the history.

    Now and then nothing is beside main before: an expiry then cleans up by what commits have removed.
    """
    if not draws.one_of("deletes several", RARELY):
        return writers
    if draws.flag("main alone"):
        table.history[:] = [one for one in table.history if not isinstance(one, Managing)]
    ids = [key for key, _ in table.content]
    if len(ids) > 1 and draws.flag("several before"):
        first = draws.one_of("deleted before", ids)
        table.history.append(DeleteRow(first, also=_others(draws, first, ids)))
    return {name: [_several(draws, one, ids) for one in todo] for name, todo in writers.items()}


def _several(draws: Draws, one: Statement, ids: list[int]) -> Statement:
    if not isinstance(one, DeleteRow) or not set(ids) - {one.id}:
        return one
    return replace(one, also=_others(draws, one.id, ids)) if draws.flag("and others") else one


def _others(draws: Draws, key: int, ids: list[int]) -> tuple[int, ...]:
    return draws.some("also", [one for one in ids if one != key])
