"""What the default search finds in the built-in metastore scenarios: minimal, printable, and the same when replayed."""

import pytest

from sim.hive.scenarios import HIVE
from sim.search.explore import default_plan, same_twice
from sim.search.run import Runner
from sim.search.script import schedule_of
from sim.search.shrink import shrink
from sim.world.scenario import Scenario
from tests.search.found import shown

pytestmark = pytest.mark.search

BY_NAME = {scenario.name: scenario for scenario in HIVE}
BROKEN = [scenario for scenario in HIVE if scenario.expect == "violated"]


def _id(scenario: Scenario) -> str:
    return scenario.name


@pytest.mark.parametrize("scenario", BROKEN, ids=_id)
def test_counterexamples_are_minimal_and_replay_from_their_schedule(scenario: Scenario) -> None:
    """At most four deviations, proven (six where two stand still, each at its moment); the printed schedule alone
    brings the run back, payloads included."""
    found = shown(default_plan(scenario))
    small = shrink(Runner(scenario), found)
    assert small.proven
    assert len(small.deviations) <= (6 if scenario.name == "hive/late-open-as-shipped" else 4)
    steps = schedule_of(small.run, scenario.yield_points).steps
    assert Runner(scenario).play(steps).digest() == small.run.digest()


@pytest.mark.parametrize("name", ["hive/read-after-commit", "hive/replica-restart", "hive/shipped-replay-writes-back"])
def test_runs_repeat(name: str) -> None:
    """Two runs of one seed and a replay of its tape have one digest; other seeds have others."""
    digests = {same_twice(BY_NAME[name], seed) for seed in range(20)}
    assert len(digests) > 1


def test_every_pair_is_there() -> None:
    """What breaks and what holds stand side by side."""
    assert {scenario.pair for scenario in HIVE if scenario.pair} <= set(BY_NAME)


def test_the_replay_of_an_old_alter_sets_the_database_back() -> None:
    """R1: h2 polls the first of two alters, and the second one is gone from the database."""
    found = shown(default_plan(BY_NAME["hive/shipped-replay-writes-back"]))
    final = next(event for event in found.events if event.process == "r-final" and event.type == "ok")
    assert [read.value for read in final.reads] == ["e1"]
    assert [event.type for event in found.events if event.f == "alter" and event.type != "invoke"] == ["ok", "ok"]
