"""One point of the study of caches, for a few seconds: every call is answered, and what is counted adds up."""

from typing import Any

import pytest

from real_backend.hive.metastore import POLL_MS
from real_backend.hive.study import COLUMNS, LIVE, SIMULATED, Plan, live_table
from sim.hive import study_cache
from sim.hive.study_run import Setting

pytestmark = pytest.mark.live
PLAN = Plan(Setting("shipped 4.0", POLL_MS, 10), windows=2, window_s=1.0, seeds=1)


def test_a_shipped_cache_answers_every_read_and_is_behind(metastores):
    """Both rows have every figure; nothing falls through, as in the simulation."""
    counted: list[int] = []
    table = live_table(metastores, PLAN, counted.append)
    rows: list[dict[str, Any]] = [
        {name: getattr(cell, "mean", cell) for name, cell in zip(COLUMNS, row, strict=True)} for row in table.rows
    ]
    simulated, live = rows
    assert (simulated["measured"], live["measured"], len(counted)) == (SIMULATED, LIVE, PLAN.windows)
    assert (table.simulated, live[study_cache.FELL], simulated[study_cache.FELL]) == (False, 0.0, 0.0)
    assert min(live[name] for name in ("reads", study_cache.RATE, study_cache.READ_TIME)) > 0
    assert all(live[name] is not None for name in (study_cache.STALE, study_cache.MISSED, study_cache.OWN))
