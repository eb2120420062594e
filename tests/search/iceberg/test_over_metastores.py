"""Iceberg over cached metastores: the table of cells, the steps that were played live, and why each loss happens."""

import pytest

from lakeproof.protocols import studies, study_at
from sim.iceberg.metastore_cells import CELLS, LOST, REFRESHED_CELLS, Cell
from sim.iceberg.over_metastores import ANY_FAULT, COMPOSITE, SENT_TWICE, STEP_LISTS, StepList, composite
from sim.iceberg.study_over_metastores import judge
from sim.kernel.schedule import steps_of
from sim.search.run import Run, Runner

pytestmark = pytest.mark.search


def played(steps: StepList) -> Run:
    """The run of a step list."""
    return Runner(steps.scenario()).play(steps_of(steps.steps))


def told(run: Run, actor: str) -> list[str]:
    """What a writer was told of its inserts: ok, or the error's name."""
    done = [event for event in run.events if event.process == actor and event.type != "invoke"]
    return [event.type if event.error is None else event.error.split(":")[0] for event in done]


@pytest.mark.parametrize("steps", STEP_LISTS, ids=lambda steps: steps.name)
def test_the_steps_that_were_played_live_end_as_they_did_there(steps: StepList) -> None:
    """Lost: w2 is told that its commit, or w1's, is there, and one is not. Refused: nothing acknowledged is missing."""
    run = played(steps)
    assert told(run, "w1") == ["ok"] * steps.first
    if steps.outcome == "lost":
        assert (told(run, "w2"), run.failure) == (["ok"], "acknowledged-writes-survive/commit-not-in-lineage")
    else:
        assert (told(run, "w2"), run.failure) == (["CommitFailed"], None)


def test_the_lock_does_not_help_because_the_check_behind_it_reads_the_cache() -> None:
    """w2 takes the lock, finds the old location at h2, and alters the table over w1's commit."""
    run = played(STEP_LISTS[0])
    rows = [(task, operation) for _, task, operation, *_ in run.trace if operation in ("lock", "alter_table", "unlock")]
    assert rows == [(task, step) for task in ("w1", "w2") for step in ("lock", "alter_table", "unlock")]
    assert run.coverage["hive: external table served as cached"] > 0
    assert "iceberg: metadata location changed" not in run.coverage


def test_a_replica_that_has_pulled_its_own_writers_commit_still_follows_the_log() -> None:
    """It was woken for an event that the pull had applied; it goes on to wait, and takes the other's commit."""
    run = played(STEP_LISTS[0])
    assert [row[1] for row in run.trace if row[2] == "apply"] == ["h1"]


def test_a_replayed_alter_makes_the_comparison_true_again() -> None:
    """With the replay's write back, the database holds what the stale writer expects; without it, it does not."""
    lost, refused = played(STEP_LISTS[2]), played(STEP_LISTS[3])
    assert lost.coverage["hive: replay wrote the database"] > 0
    assert "hive: replay wrote the database" not in refused.coverage
    assert refused.coverage["iceberg: strict status check found no commit"] > 1


def test_without_the_expected_location_no_commit_is_ever_acknowledged() -> None:
    """CachedStore 4.0 with locks off (R9): safe, and of no use."""
    run = Runner(composite(Cell("shipped", False, 2))).play(steps_of("w1:end w2:end"))
    assert told(run, "w1") + told(run, "w2") == ["CommitStateUnknown"] * 3


def test_an_alter_that_is_sent_twice_costs_the_table_where_a_cache_answers_the_status_check() -> None:
    """The second is refused, the cache has not seen the first, and the metadata that was committed is deleted."""
    scenario = next(each for each in COMPOSITE if each.name == SENT_TWICE)
    steps = "w1:alter_table w1.alter_table!resend w1:end w2:end"
    run = Runner(scenario).play(steps_of(steps))
    assert run.failure == "readable/unreadable-table"
    cell = Runner(composite(Cell("off", False, 2), faults=ANY_FAULT))
    assert cell.play(steps_of(steps)).failure is None


def test_a_replica_that_dies_starts_with_an_empty_cache_and_follows_the_log() -> None:
    """Whoever had a call there is told that it is gone."""
    run = Runner(composite(Cell("cas-no-replay", False, 2), faults=ANY_FAULT)).play(
        steps_of("w1:end h2.poll!crash w2:end")
    )
    assert [row[1] for row in run.trace if row[2] == "prewarm"] == ["h2-restarted"]
    assert (told(run, "w1"), told(run, "w2"), run.failure) == (["ok", "ok"], ["ServiceFailure"], None)


def test_a_refresh_between_the_cache_and_the_commit_loses_a_commit_on_one_metastore() -> None:
    """w1's change is in the cache, the timer puts the old table back, w1 commits, and inserts from the old table."""
    steps = "w2:end w1:alter_table h1.poll h1:poll h1.poll h1:poll w1:end h1:end"
    run = Runner(composite(Cell("refresh", True, 1))).play(steps_of(steps))
    assert (told(run, "w1"), told(run, "w2")) == (["ok"] * 2, ["ok"])
    assert run.failure == "acknowledged-writes-survive/commit-not-in-lineage"


def test_the_cells_that_lose_commits() -> None:
    """Two replicas with caches and the lock; a timer, and even one; or comparing, and a replay that writes."""
    assert len(CELLS) == 14
    assert len(REFRESHED_CELLS) == 4
    assert set(LOST) == {
        Cell("refresh", True, 1),
        Cell("refresh", True, 2),
        Cell("shipped", True, 2),
        Cell("cas", True, 2),
        Cell("cas", False, 2),
        Cell("cas-no-replay", True, 2),
    }


def test_the_table_has_a_verdict_and_a_smallest_schedule_per_cell() -> None:
    """Kept, lost, and the one that acknowledges nothing."""
    study = study_at(studies()["hive-iceberg"])
    assert study.steps == len(CELLS) + len(REFRESHED_CELLS)
    answers = {
        cell: judge(cell)[3:6] for cell in (Cell("off", False, 2), Cell("cas", True, 2), Cell("shipped", False, 2))
    }
    assert list(answers.values()) == [
        ("kept", "3 of 3", ""),
        ("can be lost", "3 of 3", "w1:end w2:end h2:end h1:end"),
        ("none is given", "0 of 3", ""),
    ]
