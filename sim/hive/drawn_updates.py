"""Updates under locks and cleaned history in a drawn race: the last draws and rare ones, so that other races stay.

Two sessions update rows of one table, which has partitions for both or for neither, and read it before or after; a
house keeper cleans what is known of ended transactions, whenever that is. Before that a transaction may end that
has changed a table, and another one may look at it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from sim.generation.draws import Draws
from sim.hive.drawn_sessions import ENDINGS, PARTITIONS
from sim.hive.update_statements import CleanHistory, LockedUpdate
from sim.hive.workload import Alter, Begin, Commit, Get, HiveSession, HiveWorkload, Statement

Kind = Literal["excl-write", "shared-write"]
SELDOM = ("no",) * 9 + ("updates", "updates of partitions", "updates")
CLEANS = ("no",) * 9 + ("cleans", "cleans twice")
ENDED = ("no", "abort", "commit")
UPDATERS, CLEANER, ENDING = ("u1", "u2"), "k2", ("a1", "a2")


def with_updates(draws: Draws, workload: HiveWorkload, *, exclusive: bool) -> HiveWorkload:
    """The workload, with two sessions that update rows if that is drawn; else as it was.

    Args: `exclusive`: their locks keep others out (`hive.txn.xlock.write`).
    """
    managed = [table.name for table in workload.tables if table.managed]
    which = draws.one_of("locked updates", SELDOM) if managed else "no"
    if which == "no":
        return workload
    table = draws.one_of("updated", managed)
    kind: Kind = "excl-write" if exclusive else "shared-write"
    sessions = [_updater(draws, workload, name, table, kind, parts=which != "updates") for name in UPDATERS]
    return replace(workload, sessions=(*workload.sessions, *sessions))


def _updater(
    draws: Draws, workload: HiveWorkload, name: str, table: str, kind: Kind, *, parts: bool
) -> HiveSession:  # fmt: skip
    partitions = draws.some("partitions updated", PARTITIONS) if parts else ()
    statements: list[Statement] = [Begin((table,)), LockedUpdate(table, kind, partitions)]
    reads = draws.one_of("reads what it updates", ("no", "before", "after"))
    if reads != "no":
        statements.insert(1 if reads == "before" else 2, Get(table))
    end = ENDINGS[draws.one_of("end of the update", ("commit", "commit", "commit", "commit", "abort", "none"))]
    return HiveSession(name, draws.one_of("updates at", workload.replicas), (*statements, *end))


def with_cleaning(draws: Draws, workload: HiveWorkload) -> HiveWorkload:
    """The workload, with a house keeper that cleans history if that is drawn; else as it was."""
    which = draws.one_of("cleaning", CLEANS)
    if which == "no":
        return workload
    cleaning = (CleanHistory(),) * (1 if which == "cleans" else 2)
    return replace(workload, sessions=(*workload.sessions, HiveSession(CLEANER, workload.replicas[0], cleaning)))


def with_ended(draws: Draws, workload: HiveWorkload) -> HiveWorkload:
    """The workload, whose history is cleaned, with a change whose transaction ends before that if it is drawn; else as
    it was.

    Where it commits and a replica can begin meanwhile, nobody else does anything: what others have open is not cleaned.
    """
    managed = [table.name for table in workload.tables if table.managed]
    end = draws.one_of("change that ends", ENDED) if managed else "no"
    if end == "no":
        return workload
    table = draws.one_of("ended change of", managed)
    looks: tuple[Statement, ...] = (Begin((table,), read_only=True), Get(table), Commit())
    change = (Begin(), Alter(table, ENDING[0]), *ENDINGS[end])
    home = draws.one_of("ends at", workload.replicas)
    place = workload.actors.index(CLEANER)
    before, after = workload.sessions[:place], workload.sessions[place + 1 :]
    warm = [name for name in workload.pollers if name not in (*workload.cold, *workload.lagging)]
    cold = workload.cold or ((draws.one_of("cold meanwhile", warm),) if warm else ())
    if end == "commit" and cold:
        return replace(
            workload,
            sessions=(HiveSession(ENDING[0], home, change), workload.sessions[place]),
            cold=cold,
            earlier=(),
            lagging=(),
        )
    ending = HiveSession(ENDING[0], home, (*change, *looks))  # goes on: the last transaction is not cleaned
    looking = HiveSession(ENDING[1], draws.one_of("looks at", workload.replicas[::-1]), looks)
    return replace(workload, sessions=(*before, ending, workload.sessions[place], looking, *after))
