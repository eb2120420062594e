"""A database that is to get another name where sessions lock, in a drawn race: the very last draw, and a rare one.

Who updates rows has his write id before he locks, and goes on by the name that his table had; where tables go to the
new name, only if he says which table he means (R8, `hive/shipped-update-by-old-name`). Where names change hands else,
or history is cleaned, no database is renamed.
"""

from __future__ import annotations

from dataclasses import replace

from model.hive.rules import Rules
from sim.generation.draws import Draws
from sim.hive.drawn_write_ids import RENAME, RENAMER
from sim.hive.live import RENAME_DATABASE
from sim.hive.promises import LOCKS, NAMES
from sim.hive.update_statements import CleanHistory, LockedUpdate
from sim.hive.workload import HiveSession, HiveWorkload

SELDOM = ("no",) * 4 + ("renames",)


def with_renamed_under_locks(
    draws: Draws, rules: Rules, workload: HiveWorkload, settings: dict[str, str], steps: tuple[str, ...] | None
) -> tuple[HiveWorkload, tuple[str, ...] | None]:
    """The workload, with a session that renames a database if that is drawn, and its steps; else as they were."""
    locked = settings[LOCKS] == "yes" and settings[NAMES] == "no" and not workload.has(CleanHistory)
    loses = rules.renames_databases and not rules.writes_name_table and workload.has(LockedUpdate)
    if not locked or loses or rules.catalogd is not None or draws.one_of("database under locks", SELDOM) == "no":
        return workload, steps
    settings[NAMES] = "yes"
    session = HiveSession(RENAMER, draws.one_of("renames it at", workload.replicas), (RENAME,))
    workload = replace(workload, sessions=(*workload.sessions, session))
    return workload, steps if steps is None else (*steps, RENAME_DATABASE)
