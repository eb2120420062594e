"""A commit whose answer is false, late or missing, on real Spark SQL: what the client concludes, what the table holds.

The faults assume a server, or a proxy before it, that answers something else than what happened.
"""

import pytest

from model.iceberg.rules import IDEMPOTENT
from sim.iceberg.workload import Delete, Insert, Update
from tests.live.iceberg.agreement import both, kinds, scenario_of

pytestmark = pytest.mark.live
UPDATE = {"w1": [Update(1, "A")]}
INSERT = {"w1": [Insert(((3, "x"),))]}
BEFORE, UPDATED, INSERTED = ((1, "a"), (2, "b")), ((1, "A"), (2, "b")), ((1, "a"), (2, "b"), (3, "x"))


def injected(live, scenario, fault):
    return both(live, scenario, f"w1:commit w1.commit!{fault} w1:end")


@pytest.mark.parametrize("isolation", ["snapshot", "serializable"])
def test_busy_answer_after_apply_leaves_the_table_unreadable(sql, isolation):
    """503 with Retry-After: the resend is refused, the UPDATE meets itself and deletes what it committed."""
    simulated, run = injected(sql, scenario_of(UPDATE, isolation=isolation), "503-after-retry")
    assert run.outcome("w1").startswith("ValidationException: ")
    assert run.rows is None
    assert "NotFoundException" in (run.unreadable or "")
    assert [version.actor for version in run.lineage] == ["setup", "w1"]
    assert "w1.commit!503-after-retry=applied w1.commit=refused" in " ".join(run.trace)
    assert simulated.failure is not None


def test_same_answer_before_apply_does_no_harm(sql):
    """The opposite: the same status, the same client, but the answer is true."""
    _, run = injected(sql, scenario_of(UPDATE), "503-before-retry")
    assert kinds(run) == {"w1": "ok"}
    assert run.rows == UPDATED


def test_stored_reply_under_an_idempotency_key_makes_it_harmless(sql):
    """The fix: the resend gets the first reply."""
    simulated, run = injected(sql, scenario_of(UPDATE, rules=IDEMPOTENT), "503-after-retry")
    assert kinds(run) == {"w1": "ok"}
    assert run.rows == UPDATED
    assert "w1.commit=replayed" in run.trace
    assert simulated.failure is None


@pytest.mark.parametrize(
    ("fault", "kind", "rows"),
    [
        ("500-after", "ok", INSERTED),
        ("503-after-retry", "ok", INSERTED),
        ("429-after", "ok", INSERTED),
        ("409-after", "ok", INSERTED),
        ("409-before", "ok", INSERTED),
        ("503-before-retry", "ok", INSERTED),
        ("500-before", "state unknown", BEFORE),
        ("drop-after", "no answer", INSERTED),
        ("drop-before", "no answer", BEFORE),
    ],
)
def test_answer_lost_or_false_for_an_insert(sql, fault, kind, rows):
    """An append recognises its own snapshot; what stays unknown to the client may be there or not."""
    _, run = injected(sql, scenario_of(INSERT), fault)
    assert kinds(run) == {"w1": kind}
    assert run.rows == rows


def test_misreported_insert_takes_another_writers_commit_out_of_the_table(sql):
    """Applied and called busy; w2 commits on top; the resend finds its snapshot known and makes it current again."""
    writers = {"w1": [Insert(((3, "x"),))], "w2": [Insert(((4, "y"),))]}
    simulated, run = both(sql, scenario_of(writers), "w1:commit w1.commit!503-after-retry w2:end w1:end")
    assert kinds(run) == {"w1": "ok", "w2": "ok"}
    assert run.rows == INSERTED
    assert [version.actor for version in run.lineage] == ["setup", "w1"]
    assert simulated.failure == "acknowledged-writes-survive/commit-not-in-lineage"


def test_misreported_insert_with_nobody_in_between_loses_nothing(sql):
    """The opposite: the same fault, but w2 commits after w1 has its answer."""
    writers = {"w1": [Insert(((3, "x"),))], "w2": [Insert(((4, "y"),))]}
    simulated, run = both(sql, scenario_of(writers), "w1:commit w1.commit!503-after-retry w1:end w2:end")
    assert run.rows == (*INSERTED, (4, "y"))
    assert simulated.failure is None


@pytest.mark.parametrize(
    ("fault", "kind", "rows"),
    [("500-after", "ok", UPDATED), ("drop-after", "no answer", UPDATED), ("409-after", "refused", None)],
)
def test_answer_lost_or_false_for_an_update(sql, fault, kind, rows):
    """A plain server error is reconciled; a false conflict corrupts as the busy answer does."""
    _, run = injected(sql, scenario_of(UPDATE), fault)
    assert kinds(run) == {"w1": kind}
    assert run.rows == rows


def test_a_lost_delete_whose_row_was_gone_by_then_is_no_loss(sql):
    """Planned where the row was there, committed where it was not: a misreported commit takes out nothing with it."""
    writers = {"w1": INSERT["w1"], "w2": [Delete(1)], "w3": [Delete(1)]}
    scenario = scenario_of(writers, rows=BEFORE[:1], history=(Insert(BEFORE[1:]),))
    schedule = "w2.load w3:end w1.load w1.load w1.commit!409-after w2:end w1:end"
    simulated, run = both(sql, scenario, schedule)
    assert set(kinds(run).values()) == {"ok"}
    assert "w2" not in [version.actor for version in run.lineage]
    assert simulated.failure is None
