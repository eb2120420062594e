"""Lists of what caches may hold, in a drawn race: a last draw and a rare one, so that other races stay as they were.

One name of the race is denied, or is the only one that is allowed: of a table that there is, or of one that is made or
gets the name.
"""

from __future__ import annotations

from dataclasses import replace

from model.hive.cached_objects import CachedObjects
from sim.generation.draws import Draws
from sim.hive.statements import names_of
from sim.hive.workload import HiveWorkload

SELDOM = ("no",) * 10 + ("denied", "allowed")


def with_lists(draws: Draws, workload: HiveWorkload) -> HiveWorkload:
    """The workload, with a list if one is drawn. A workload that is returned as it was has none."""
    which = draws.one_of("lists", SELDOM)
    if which == "no":
        return workload
    return replace(workload, cached=CachedObjects(**{which: rf"hive\.{draws.one_of('listed', names_of(workload))}"}))
