"""What differs between table versions beside the names of files."""

import pytest

from model.hudi import SHIPPED
from model.hudi.keys import LOCK_PROVIDER, MODE, OCC, TABLE_VERSION, ZOOKEEPER
from sim.hudi.build import race
from sim.hudi.statements import Upsert
from sim.search.run import Runner


@pytest.mark.parametrize(("version", "times"), [("9", 2), ("8", 2), ("6", 1)])
def test_a_write_waits_for_the_skew_once_for_each_time_that_it_draws(version, times):
    """Version 6 has no completion times: its instants are completed without one (`ActiveTimelineV1`)."""
    options = ((MODE, OCC), (LOCK_PROVIDER, ZOOKEEPER), (TABLE_VERSION, version))
    scenario = race("x", "", {"w1": [Upsert(((1, "A"),))]}, rules=SHIPPED, options=options, one_process=False)
    run = Runner(scenario).play([])
    assert [row[2] for row in run.trace if row[1] == "w1"].count("sleep") == times
    assert run.failure is None
