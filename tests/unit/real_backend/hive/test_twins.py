"""Which metastore scenarios have a live twin, what it is, and how its history is held against the simulated one."""

from dataclasses import replace
from typing import Any

import pytest

from model.hive import FIXED
from real_backend.errors import BackendError
from real_backend.hive.conformance import conform, iceberg_twin_of, simulated, twin_of
from real_backend.hive.live import STEPS, YIELD_POINTS, yield_points_of
from real_backend.hive.live_run import (
    NO_CACHE,
    SHIPPED,
    SHIPPED_CAS,
    SHIPPED_CAS_NO_REPLAY,
    SYNCHRONIZED,
    HiveLiveRun,
)
from sim.hive.scenarios import HIVE
from sim.iceberg.over_metastores import COMPOSITE
from sim.kernel.schedule import Schedule, steps_of
from sim.search.run import Runner

BY_NAME = {scenario.name.removeprefix("hive/"): scenario for scenario in HIVE}
SIMULATED_ONLY = {
    "rename": "shipped caches do not survive one",
    "prewarm": "got cold h2",
    "cold-start-two-tables": "got cold h2",
    "replica-restart": "rules that live metastores can have",
    "log-gap": "expected calls of a client, got CleanLog",
    "write-conflict": "as 4.0.1 has it",
    "design-prewarm": "rules that live metastores can have",
    "design-unless": "rules that live metastores can have",
    "shipped-rename-in-two-transactions": "rules that live metastores can have",
}
ON_SHIPPED = (
    "shipped-stale-read", "shipped-failover", "shipped-own-write", "shipped-wrong-table", "shipped-replay-writes-back",
    "shipped-rename-freezes", "shipped-miss-hides-partitions",
)  # fmt: skip
RULE_IN_CLIENT = (
    "read-after-commit", "own-writes", "two-replicas-one-transaction", "external", "abort", "old-client",
    "failover-by-design", "design-own-write", "shipped-conflict-abort",
)  # fmt: skip


@pytest.mark.parametrize("name", SIMULATED_ONLY)
def test_scenario_without_a_live_twin_says_why(name):
    """What live metastores cannot do, or do otherwise."""
    with pytest.raises(BackendError, match=SIMULATED_ONLY[name]):
        twin_of(BY_NAME[name])


@pytest.mark.parametrize("name", [*ON_SHIPPED, *RULE_IN_CLIENT])
def test_twin_of_sessions(name):
    """Shipped scenarios on shipped metastores; the reference with its reading side in the client."""
    twin = twin_of(BY_NAME[name])
    assert twin.variant == (SHIPPED if name in ON_SHIPPED else SYNCHRONIZED)
    assert twin.workload is BY_NAME[name].workload
    assert (twin.rules.read_rule == "none") == (name in ON_SHIPPED)


@pytest.mark.parametrize("scenario", COMPOSITE, ids=lambda scenario: scenario.name)
def test_every_cell_of_the_composite_has_a_live_twin(scenario):
    """The cell's cache is a variant, its writers' replicas are the routes."""
    twin = iceberg_twin_of(scenario)
    cache = scenario.name.removeprefix("hive/iceberg-").rsplit("-lock", 1)[0].removesuffix("-no")
    variants = {"off": NO_CACHE, "shipped": SHIPPED, "cas": SHIPPED_CAS, "cas-no-replay": SHIPPED_CAS_NO_REPLAY}
    assert twin.variant == variants[cache]
    assert twin.routes == {"w1": "h1", "w2": "h2" if scenario.name.endswith("two") else "h1"}


def test_neither_kind_is_taken_for_the_other():
    """Each says what it expected."""
    with pytest.raises(BackendError, match="expected sessions on metastores"):
        twin_of(COMPOSITE[0])
    with pytest.raises(BackendError, match="expected Iceberg over metastores"):
        iceberg_twin_of(BY_NAME["external"])


def test_steps_are_those_of_the_schedules_yield_points_that_the_gates_have():
    """A schedule without yield points means the calls whose order matters to a cache."""
    steps = steps_of("w1:end")
    assert yield_points_of("w1:end") == yield_points_of(steps) == yield_points_of(Schedule("x", steps)) == STEPS
    assert yield_points_of(Schedule("x", steps, ("poll", "clean_log", "get_table"))) == ("get_table", "poll")
    assert set(STEPS) < set(YIELD_POINTS)
    assert {"open_txn", "lock"} & set(STEPS) == set()


def live_run(events, steps):
    """A live run that did what these events say."""
    workload = BY_NAME["shipped-stale-read"].workload
    return HiveLiveRun(workload, SHIPPED, tuple(events), tuple(f"{step}=applied" for step in steps), ())


@pytest.fixture(scope="module")
def run():
    return Runner(BY_NAME["shipped-stale-read"]).play(steps_of("w1:end r1:end"))


@pytest.fixture(scope="module")
def steps(run):
    return simulated(run, run.scenario.workload).steps


def test_same_run_agrees_with_itself(run, steps):
    """A tag is the model's alone and does not count."""
    bare = [
        event._replace(arg=" ".join(w for w in (event.arg or "").split() if "tag=" not in w)) for event in run.events
    ]
    assert any("tag=" in (event.arg or "") for event in run.events)
    assert str(conform(run, live_run(bare, steps))).startswith("simulation and live system agree in 6 steps")


@pytest.mark.parametrize(
    ("before", "after"),
    [("source=cache", "source=database"), ("seen=1", "seen=2"), ("writes=default.t:1", "writes=default.t:0")],
)
def test_where_an_answer_came_from_and_what_was_asked_is_compared(run, steps, before, after):
    """A run that differs in nothing else."""
    changed = [event._replace(arg=(event.arg or "").replace(before, after)) for event in run.events]
    result = conform(run, live_run(changed, steps))
    assert len(result.differences) == 1
    assert before in result.differences[0].simulated
    assert after in result.differences[0].live


def test_values_errors_steps_and_the_database_are_compared(run, steps):
    """Each alone is a difference."""
    other = [event._replace(reads=tuple(read._replace(value="v9") for read in event.reads)) for event in run.events]
    assert len(conform(run, live_run(other, steps)).differences) == 2
    failed = [
        event._replace(type="fail", error="NullList: x") if event.f == "get-table" and event.type == "ok" else event
        for event in run.events
    ]
    assert "NullList" in str(conform(run, live_run(failed, steps)))
    assert "step 1" in str(conform(run, live_run(run.events, steps[1:])))


def test_rules_that_no_live_metastore_follows_have_no_twin():
    """A mutant of the server's side."""
    race: Any = BY_NAME["external"].start
    race = race.__self__
    mutant = replace(race, rules=replace(FIXED, checks_gaps=False))
    with pytest.raises(BackendError, match="rules that live metastores can have"):
        twin_of(replace(BY_NAME["external"], start=mutant.start))
