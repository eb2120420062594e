"""Findings that others have the anomaly of are told by what has happened, and repairs mend what they say they mend."""

from dataclasses import replace
from typing import Any

import pytest

from lakeproof.protocols import scenarios
from sim.iceberg.draw.writers import Writers
from sim.iceberg.managing import CreateRef, MoveBranch, Publish
from sim.iceberg.scenarios import race
from sim.iceberg.workload import Insert, Select
from sim.search.explore import exhaustive
from sim.search.run import Runner
from sim.search.strategies import walk_of
from tests.search.iceberg.java_repairs import JAVA_REPAIRS
from tests.search.iceberg.planted_findings import (
    lasted_longer,
    left_statistics,
    nobody_beside,
    published_alone,
    struck_a_rewrite,
    was_created,
)
from tests.search.planted_agreement import FAULT_RATES

BY_NAME = scenarios("iceberg")
WALKS, STEPS = 100, 40


def failing(scenario):
    """Runs that fail, of some random ones."""
    runner = Runner(scenario)
    runs = (runner.run(walk_of(seed, STEPS, FAULT_RATES[seed % len(FAULT_RATES)])) for seed in range(WALKS))
    return [run for run in runs if run.failure]


pytestmark = pytest.mark.search


@pytest.mark.parametrize(("happened", "finding", "others"), [
    (nobody_beside, "merge-missing-cached", "merge-missing-serializable"),
    (struck_a_rewrite, "cluster-manifests-reply-faults", "update-reply-faults"),
    (was_created, "create-or-replace-create", "create-or-replace-append"),
    (lasted_longer, "hadoop-drop-create-append", "hadoop-drop-append"),
    (left_statistics, "statistics-expire", "clock-ahead-append"),
])  # fmt: skip
def test_what_has_happened_tells_a_finding_from_others_of_its_anomaly(happened, finding, others):
    """It is so in some run in which that one shows, and in none in which the other one does."""
    assert any(happened(run) for run in failing(BY_NAME[f"iceberg/{finding}"]))
    told = [happened(run) for run in failing(BY_NAME[f"iceberg/{others}"])]
    assert told
    assert not any(told)


def test_a_branch_that_was_moved_before_it_is_published_is_told_by_who_was_under_way():
    """A session that caches the table publishes where the branch was; one that does not loses nothing by it."""
    writers: Writers = {"w1": [Select(), Publish("b")], "w2": [Insert(((5, "x"),)), MoveBranch("b", "main")]}
    given: dict[str, Any] = {"history": (CreateRef("b"),), "properties": ("acknowledged-writes-survive",)}
    assert any(published_alone(run) for run in failing(race("published", "", writers, cached=("w1",), **given)))
    assert not any(published_alone(run) for run in failing(race("published", "", writers, **given)))


@pytest.mark.parametrize("name", JAVA_REPAIRS)
def test_a_repair_mends_the_scenario_of_its_finding(name):
    """What is broken there holds in all its schedules then."""
    scenario = BY_NAME[name]
    assert scenario.broken
    scenario = replace(scenario, properties=(scenario.broken,))
    assert exhaustive(scenario).failures
    with JAVA_REPAIRS[name].alive():
        assert exhaustive(scenario).failures == {}
