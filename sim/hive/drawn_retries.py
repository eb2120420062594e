"""Hive's own client in a drawn race, which makes a call again that got no answer: the last draw of all, and a rare one.

All sessions of such a race are Hive's own; what they do does not change.
"""

from __future__ import annotations

from dataclasses import replace

from sim.generation.draws import Draws
from sim.hive.promises import RETRIES
from sim.hive.workload import HiveWorkload

NONE, ONE = RETRIES.values
SELDOM = (NONE,) * 7 + (ONE,)


def with_retries(draws: Draws, workload: HiveWorkload, settings: dict[str, str]) -> HiveWorkload:
    """The workload, by clients that make calls again if that is drawn; noted in `settings`."""
    settings[RETRIES.key] = draws.one_of(RETRIES.key, SELDOM)
    if settings[RETRIES.key] == NONE:
        return workload
    return replace(workload, sessions=tuple([replace(each, asks_again=True) for each in workload.sessions]))
