"""Seconds per gated live run: set-up of the table, the schedule, and everything read back. `make bench` prints them."""

import pytest

from lakeproof.scenarios import built_in
from sim.iceberg.matrix import MATRIX
from sim.kernel.schedule import steps_of
from sim.search.matrix import Place
from tests.live.hive import agreement as hive_agreement
from tests.live.hudi import agreement as hudi_agreement

pytestmark = pytest.mark.live
ROUNDS = {"rounds": 3, "warmup_rounds": 1, "iterations": 1}
WARM = {"rounds": 20, "warmup_rounds": 10, "iterations": 1}


def test_gated_run_of_spark_sql_on_iceberg(benchmark, sql):
    """DELETE and UPDATE of one row, 8 steps."""
    live = built_in()["iceberg/delete-update-snapshot"].live
    assert live is not None
    run = benchmark.pedantic(lambda: sql.run(live.workload, steps_of("w1:commit w2:end w1:end")), **ROUNDS)
    assert run.rows == ((1, "A"), (2, "b"))


@pytest.mark.parametrize("operation", ["append", "overwrite-filter", "delete-row"])
def test_gated_run_of_two_java_clients(benchmark, java, operation):
    """An operation against itself, without Spark: loads and commits are steps."""
    scenario = MATRIX.scenario(Place("2", "file-a-row", "none", operation, operation))
    assert scenario is not None
    assert scenario.live is not None
    run = benchmark.pedantic(lambda: java.run(scenario.live.workload, ()), **WARM)
    assert run.rows


def test_gated_run_of_hudi(benchmark, hudi):
    """Two upserts of one file group, the second refused at its commit."""
    scenario, schedule, _ = hudi_agreement.found("conflict")
    run = benchmark.pedantic(lambda: hudi.run(scenario.live.workload, schedule), **ROUNDS)
    assert sorted(outcome == "ok" for _, outcome in run.outcomes) == [False, True]


def test_gated_run_of_two_metastores(benchmark, hive):
    """A change at one replica, a stale read at the other."""
    scenario = hive_agreement.scenario_of("shipped-stale-read")
    schedule, _ = hive_agreement.found("shipped-stale-read")
    run = benchmark.pedantic(lambda: hive_agreement.run_live(hive, scenario, schedule), **ROUNDS)
    assert run.trace
