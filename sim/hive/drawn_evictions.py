"""Evictions in a drawn race: a last draw and a rare one, so that the other races stay as they were.

One or two tables are taken out of caches at any moment, each out of one. Where somebody locks nothing is evicted.
"""

from __future__ import annotations

from dataclasses import replace

from sim.generation.draws import Draws
from sim.hive.evictions import Evict
from sim.hive.workload import HiveSession, HiveWorkload

SELDOM = ("no",) * 9 + ("one", "two")
KEEPER = "m"


def with_evictions(draws: Draws, workload: HiveWorkload) -> HiveWorkload:
    """The workload, with tables that are evicted if that is drawn. A workload that is returned as it was has none."""
    which = draws.one_of("evictions", SELDOM)
    if which == "no":
        return workload
    tables = tuple([table.name for table in workload.tables])
    evicting = [
        HiveSession(
            f"{KEEPER}{number}",
            draws.one_of("full", workload.pollers or workload.replicas),
            (Evict(draws.one_of("evicted", tables)),),
        )
        for number in range(1, 2 + (which == "two"))
    ]
    return replace(workload, sessions=(*workload.sessions, *evicting))
