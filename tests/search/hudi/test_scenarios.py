"""What the default search finds in the built-in Hudi scenarios: small, printable, and the same when replayed."""

from dataclasses import replace

import pytest

from model.hudi.variants import NEWER_BASE_REFUSED
from sim.hudi.build import Writers, race
from sim.hudi.race import HudiRace, hudi_race
from sim.hudi.scenarios import HUDI
from sim.hudi.statements import Upsert
from sim.search.explore import default_plan, portfolio, same_twice
from sim.search.result import Result
from sim.search.run import Run, Runner
from sim.search.script import schedule_of
from sim.search.shrink import shrink
from sim.world.scenario import Scenario
from tests.mutants.hudi import CLOSES_ONCE
from tests.search.found import shown

pytestmark = pytest.mark.search
BY_NAME = {scenario.name: scenario for scenario in HUDI}
BROKEN = [scenario for scenario in HUDI if scenario.expect == "violated"]
FOUND: dict[str, Result] = {}


def _id(scenario: Scenario) -> str:
    return scenario.name


def search(scenario: Scenario) -> Result:
    """The default search, once for all tests of this file."""
    if scenario.name not in FOUND:
        FOUND[scenario.name] = default_plan(scenario)
    return FOUND[scenario.name]


def smallest(name: str) -> Run:
    """The shrunk counterexample of a scenario that breaks."""
    scenario = BY_NAME[f"hudi/{name}"]
    return shrink(Runner(scenario), shown(search(scenario))).run


def outcomes(run: Run) -> dict[str, list[str]]:
    """What each actor was told, in order: "ok" or the error's name."""
    told: dict[str, list[str]] = {}
    for event in run.events:
        if event.f in ("upsert", "insert", "clean") and event.type in ("ok", "fail") and event.process != "setup":
            told.setdefault(event.process, []).append("ok" if event.type == "ok" else (event.error or "").split(":")[0])
    return told


@pytest.mark.parametrize("scenario", BROKEN, ids=_id)
def test_counterexample_shrinks_and_its_schedule_replays(scenario: Scenario) -> None:
    """At most five deviations, none to spare, and the schedule file alone brings the whole run back."""
    found = shown(search(scenario))
    small = shrink(Runner(scenario), found)
    assert small.proven
    assert len(small.deviations) <= 5
    assert Runner(scenario).play(schedule_of(small.run).steps).digest() == small.run.digest()


def test_an_older_instant_is_acknowledged_and_never_seen() -> None:
    """One deviation, no fault, no error: both writers are told that they committed."""
    run = smallest("older-instant")
    assert outcomes(run) == {"w1": ["ok"], "w2": ["ok"]}
    assert run.failure == "acknowledged-writes-survive/lost-write"
    assert not run.injected


def test_figure_4_is_late_without_and_early_with_check_commit_conflict() -> None:
    """The same steps: w1 has its slice when w2 begins and ends, and then makes its marker."""
    late = smallest("figure-4")
    assert outcomes(late) == {"w2": ["ok"], "w1": ["WriteConflict"]}
    early = Runner(BY_NAME["hudi/figure-4-check-commit"]).play(schedule_of(late).steps)
    assert outcomes(early) == {"w2": ["ok"], "w1": ["EarlyConflict"]}


def test_both_writers_past_the_simple_check_is_late_and_does_no_damage() -> None:
    """Two markers of one file group, one refusal at the commit, and every property is kept."""
    told = outcomes(smallest("early-direct-race"))
    assert sorted([*told["w1"], *told["w2"]]) == ["WriteConflict", "ok"]
    assert search(BY_NAME["hudi/early-direct-safe"]).verdict == "holds"


def test_a_dead_marker_refuses_after_the_winner_has_committed() -> None:
    """F-12: w1 has won, w2 has given up, and w3 is refused because of w2."""
    run = smallest("dead-marker")
    assert outcomes(run) == {"w2": ["EarlyConflict"], "w1": ["ok"], "w3": ["EarlyConflict"]}


def test_a_client_that_never_had_the_lock_costs_an_acknowledged_update() -> None:
    """F-1: w2 fails to take the lock, both others are told that they committed, and one update is gone."""
    run = smallest("file-lock-failed-client")
    assert outcomes(run) == {"w2": ["LockFailed"], "w1": ["ok"], "w3": ["ok"]}
    assert run.coverage["hudi: lock file deleted by a client that did not hold it"] == 1


@pytest.mark.parametrize("name", ["zombie", "zombie-prefer-writer"])
def test_a_zombie_is_told_that_it_committed_and_its_file_is_deleted(name: str) -> None:
    """G-6: the writer and the cleaner both succeed; all that went wrong is one beat."""
    run = smallest(name)
    assert run.injected == (("drop-before", "w1-heartbeat", "write"),)
    assert outcomes(run) == {"w1": ["ok"], "cleaner": ["ok"]}
    deleted = [row[3] for row in run.trace if row[1] == "cleaner" and row[2] == "delete" and row[3].startswith("p1/")]
    assert deleted == ["p1/fg1_0-0-0_000001.parquet"]


def test_a_pause_is_enough_for_a_zombie_too() -> None:
    """A process that stands still for longer than its heartbeats allow; the beat after it is a sign of life."""
    assert [fault for fault, _, _ in smallest("zombie-paused").injected] == ["pause"]


def test_no_lock_fences_a_completed_file_that_arrives_late() -> None:
    """w1 does not know the outcome, w2 is told that it committed, and read what was there before w1."""
    run = smallest("late-completion")
    assert run.injected == (("late", "w1", "create"),)
    assert outcomes(run) == {"w2": ["ok"]}


@pytest.mark.parametrize("name", ["file-lock", "file-lock-failed-client", "late-requested"])
def test_losses_do_not_rest_on_the_older_instant(name: str) -> None:
    """The same search finds them where a slice that is not older than the instant is refused."""
    scenario = BY_NAME[f"hudi/{name}"]
    race = scenario.program
    assert isinstance(race, HudiRace)
    repaired = hudi_race(race.workload, replace(race.rules, refuses_newer_merge_base=True), scenario.properties)
    again = replace(scenario, program=repaired)
    assert shown(default_plan(again)).failure == "no-lost-update/lost-update"


def test_a_failed_client_does_it_alone() -> None:
    """F-1 without the second deletion by whoever had the lock: the client that never had it is enough."""
    shipped = BY_NAME["hudi/file-lock-failed-client"]
    assert isinstance(shipped.program, HudiRace)
    scenario = replace(shipped, program=hudi_race(shipped.program.workload, CLOSES_ONCE.base, shipped.properties))
    with CLOSES_ONCE.alive():
        assert shown(default_plan(scenario)).failure == "no-lost-update/lost-update"


def test_runs_repeat() -> None:
    """Equal seeds give equal digests, different seeds differ."""
    scenario = BY_NAME["hudi/older-instant-refused"]
    assert len({same_twice(scenario, seed) for seed in range(20)}) == 20


def test_three_writers_of_one_group_leave_one_winner_at_least() -> None:
    """Random and prioritised schedules of three writers keep the properties of two."""
    three: Writers = {f"w{n}": [Upsert(((1, f"v{n}"),))] for n in (1, 2, 3)}
    assert not portfolio(race("three", "", three, rules=NEWER_BASE_REFUSED), seeds=range(400)).failures
