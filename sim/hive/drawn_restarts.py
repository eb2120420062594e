"""Restarts in a drawn race: a last draw and a rare one, so that other races stay as they were.

One replica, whose update thread runs, is restarted. Its position in the log is kept in half of these races, but only
where what a cache is filled with is guarded from events that it has already: else a change is taken back, which is
known (`hive/restarted-position-kept-as-designed`).
"""

from __future__ import annotations

from dataclasses import replace

from model.hive.rules import Rules
from sim.generation.draws import Draws
from sim.hive.restarts import Restart
from sim.hive.workload import HiveSession, HiveWorkload

SELDOM = ("no",) * 10 + ("lost", "kept")
OPERATOR = "o1"


def with_restarts(draws: Draws, workload: HiveWorkload, rules: Rules) -> tuple[HiveWorkload, Rules]:
    """The workload and the rules, with a restart if one is drawn. A workload that is returned as it was has none."""
    which = draws.one_of("restarts", SELDOM)
    if which == "no" or not workload.pollers:
        return workload, rules
    restarting = HiveSession(OPERATOR, draws.one_of("restarted", workload.pollers), (Restart(),))
    kept = which == "kept" and rules.prewarm == "guarded"
    return replace(workload, sessions=(*workload.sessions, restarting)), replace(rules, keeps_position=kept)
