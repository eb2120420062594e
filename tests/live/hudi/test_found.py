"""What the simulator found in Hudi's protocol happens in the real Hudi 1.2.0, step by step, and only in that order.

Each case is a fact about a live run. It must hold under the schedule that the simulator found, and must not hold when
the actors run one after the other: so each of these tests fails if the gate is ignored.
"""

import pytest

from tests.live.hudi.agreement import both, found, in_the_order_of, refused_by_the_finished, walked, written

pytestmark = pytest.mark.live


def refused_at_commit(run):
    """One writer is refused when it has written its file for nothing."""
    losers = [actor for actor, _ in run.outcomes if run.error(actor) == "HoodieWriteConflictException"]
    return len(losers) == 1 and written(run, losers[0]) == 1 and len(run.instants) == 2


def refused_early(run):
    """One writer is refused before it has written anything."""
    losers = [actor for actor, _ in run.outcomes if run.error(actor) == "HoodieEarlyConflictDetectionException"]
    return len(losers) == 1 and written(run, losers[0]) == 0


def both_marked(run):
    """Two writers pass the check and make their markers; one is refused late, and the table is as the other left it."""
    coverage = [step for step in run.steps if step.endswith(".create(marker)")]
    return len(coverage) == 2 and refused_at_commit(run) and run.rows is not None and not run.missing


def update_lost(run):
    """Two writers of row 1 are acknowledged; one value is gone, and the other's writer had never seen it."""
    winners = [command for command in run.commands if command.outcome == "ok" and command.statement.rows[0][0] == 1]
    values = [dict(command.statement.rows)[1] for command in winners]
    seen = [dict(command.seen.rows)["1"] for command in winners]
    return len(winners) == 2 and not set(values) <= {*seen, run.value(1)}


def acknowledged_but_absent(run):
    """Somebody's acknowledged value of row 1 is not there, though nobody has overwritten it knowingly."""
    return any(
        run.value(1) != dict(command.statement.rows)[1]
        for command in run.commands
        if command.outcome == "ok" and run.makers[-1] == command.actor
    )


def committed_file_gone(run):
    """The writer's commit is acknowledged and completed, its file is deleted, and the old value is back."""
    return run.outcome("w1") == "ok" and run.makers == (None, "w1") and len(run.missing) == 1 and run.value(1) == "a"


def completed_and_rolled_back(run):
    """A completed instant is the target of a completed rollback."""
    return run.outcome("w1") == "ok" and run.instants[-1].requested in run.rolled_back


def refused_by_the_dead(run):
    """A writer is refused early although the only other writer of its row gave up, and its winner has committed."""
    refused = [actor for actor, _ in run.outcomes if run.error(actor) == "HoodieEarlyConflictDetectionException"]
    return len(run.instants) == 2 and len([c for c in run.commands if "Early" in c.outcome]) == 2 and bool(refused)


def key_is_there_twice(run):
    """Two rows with one key."""
    return [key for key, _ in run.rows].count("3") == 2


def leaves_file_for_good(run):
    """An instant whose rollback has completed is inflight, and no marker is left that tells of its data file."""
    return bool(run.left.pending) and not run.left.markers


CASES = [
    ("conflict", refused_at_commit),
    ("older-instant", acknowledged_but_absent),
    ("no-control", update_lost),
    ("same-new-key", key_is_there_twice),
    ("early-abort", refused_early),
    ("early-direct-race", both_marked),
    ("early-transactional-shipped", both_marked),
    ("figure-4", refused_at_commit),
    ("dead-marker", refused_by_the_dead),
    ("dead-marker-retry", refused_by_the_dead),
    ("finished-marker", refused_by_the_finished),
    ("check-commit-older", refused_at_commit),
    ("file-lock", update_lost),
    ("file-lock-failed-client", update_lost),
    ("zombie", committed_file_gone),
    ("zombie-prefer-writer", committed_file_gone),
    ("zombie-completed", completed_and_rolled_back),
    ("zombie-leaves-files", leaves_file_for_good),
]


@pytest.mark.parametrize(("name", "fact"), CASES, ids=[name for name, _ in CASES])
def test_found_schedule_does_the_same_to_the_real_hudi(hudi, name, fact):
    """Steps, outcomes, completed instants and rows agree, and the fact holds; one after the other it does not."""
    scenario, schedule, run = found(name)
    assert fact(both(hudi, scenario, schedule, run))
    assert not fact(hudi.run(scenario.live.workload))


def test_check_commit_finds_figure_4_early(hudi):
    """RFC-56 figure 4 with check-commit: the same order, refused before the data file is written."""
    live = both(hudi, *in_the_order_of("figure-4-check-commit", "figure-4"))
    assert refused_early(live)
    assert not refused_at_commit(live)


def test_the_strategy_that_prefers_writers_refuses_the_older_instant(hudi):
    """The order in which the default strategy loses w1's acknowledged row: now w1 is told."""
    live = both(hudi, *in_the_order_of("prefer-writer", "older-instant"))
    assert live.error("w1") == "HoodieWriteConflictException"
    assert live.outcome("w2") == "ok"
    assert live.value(1) == "B"


def test_disjoint_writers_both_commit(hudi):
    """The order of the conflict, on two file groups: both commit, nothing is wasted or left."""
    live = both(hudi, *in_the_order_of("disjoint", "conflict"))
    assert live.rows == (("1", "A"), ("2", "B"))
    assert live.makers == (None, "w2", "w1")
    assert [each.wasted_files for each in live.written] == [0, 0]
    assert (live.left.markers, live.left.heartbeats, live.left.pending) == ((), (), ())


def test_the_in_process_lock_keeps_nobody_out_in_another_process(hudi):
    """Two JVMs lose an acknowledged update, as the first walk that does so; in one of them, one writer is refused."""
    live = both(hudi, *walked("two-processes"))
    assert update_lost(live)
    live = both(hudi, *in_the_order_of("one-process", "conflict"))
    assert refused_at_commit(live)
    assert not update_lost(live)
