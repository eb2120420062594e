"""Rollbacks by listing of overwrites and deletions that are inflight, on the real Hudi 1.2.0, step by step."""

import pytest

from model.hudi import SHIPPED
from model.hudi.keys import USING_MARKERS
from sim.hudi.build import EVERYTHING, PREFERRING, race
from sim.hudi.built_in.merge_on_read import MERGED
from sim.hudi.statements import Clean, DeletePartition, Overwrite, Restore, Savepoint, Upsert
from sim.kernel.schedule import steps_of
from sim.search.run import Runner
from tests.live.hudi.agreement import agreed

pytestmark = pytest.mark.live
ANNOUNCED = "w1:try_lock w1.try_lock w1:try_lock"
"""Up to the commit: it is inflight, and its files are written."""
WRITES = [Overwrite(((1, "A"),)), Overwrite(((1, "A"),), whole_table=True), DeletePartition()]


def played(hudi, writers, steps, *options):
    """What each actor was told in this order, live as simulated."""
    scenario = race("x", "", writers, rules=SHIPPED, options=(*PREFERRING, *options), properties=EVERYTHING)
    assert scenario.live is not None
    run = Runner(scenario, yield_points=scenario.live.yield_points[-1]).play(steps_of(steps))
    return dict(agreed(hudi, scenario, run).outcomes)


@pytest.mark.parametrize("table", [(), MERGED], ids=["copy-on-write", "merge-on-read"])
@pytest.mark.parametrize("write", WRITES, ids=["overwrite", "overwrite-table", "delete-partition"])
def test_restore_fails_at_what_is_inflight(hudi, write, table):
    """Nothing of it is taken back; the restore stays pending."""
    writers = {"w1": [write], "w2": [Savepoint(), Restore()]}
    live = played(hudi, writers, f"{ANNOUNCED} w2:end w1:end", *table)
    assert live["w1"] == "ok"
    assert "Generating rollback requests failed" in live["w2"]


@pytest.mark.parametrize("lists", [True, False], ids=["listed", "marked"])
def test_clean_fails_at_what_is_inflight_if_it_lists(hudi, lists):
    """An overwrite that was refused stays inflight: what goes by its markers takes it back."""
    writers = {"w1": [Overwrite(((1, "A"),))], "w2": [Upsert(((1, "B"),))], "w3": [Clean()]}
    options = ((USING_MARKERS, "false"),) if lists else ()
    live = played(hudi, writers, f"{ANNOUNCED} w2:end w1:end w3:end", *options)
    assert "HoodieWriteConflictException" in live["w1"]
    assert ("Generating rollback requests failed" in live["w3"]) == lists
    assert (live["w3"] == "ok") != lists
