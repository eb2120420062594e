"""Seconds per gated live run: set-up of the table, the schedule, and everything read back. `make bench` prints them."""

import pytest

from lakeproof.scenarios import built_in
from real_backend.hive.conformance import twin_of
from sim.kernel.schedule import steps_of
from tests.live.hive import agreement as hive_agreement
from tests.live.hudi import agreement as hudi_agreement

pytestmark = pytest.mark.live
ROUNDS = {"rounds": 3, "warmup_rounds": 1, "iterations": 1}


def test_gated_run_of_spark_sql_on_iceberg(benchmark, sql):
    """DELETE and UPDATE of one row, 8 steps."""
    workload = built_in()["iceberg/delete-update-snapshot"].workload
    run = benchmark.pedantic(lambda: sql.run(workload, steps_of("w1:commit w2:end w1:end")), **ROUNDS)
    assert run.rows == ((1, "A"), (2, "b"))


def test_gated_run_of_hudi(benchmark, hudi):
    """Two upserts of one file group, the second refused at its commit."""
    scenario, schedule, _ = hudi_agreement.found("conflict")
    run = benchmark.pedantic(lambda: hudi.run(scenario.workload, schedule), **ROUNDS)
    assert sorted(outcome == "ok" for _, outcome in run.outcomes) == [False, True]


def test_gated_run_of_two_metastores(benchmark, hive):
    """A change at one replica, a stale read at the other."""
    scenario = hive_agreement.scenario_of("shipped-stale-read")
    schedule, _ = hive_agreement.found("shipped-stale-read")
    twin = twin_of(scenario)
    run = benchmark.pedantic(
        lambda: hive.run(twin.workload, schedule, twin.variant, twin.rules, drains=twin.drains), **ROUNDS
    )
    assert run.trace
