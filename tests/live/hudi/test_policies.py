"""What becomes of failed writes by `hoodie.clean.failed.writes.policy`, on the real Hudi 1.2.0."""

from itertools import islice

import pytest

from model.hudi.keys import CLEAN_POLICY, LOCK_PROVIDER
from real_backend.hudi.client import SplitClient
from real_backend.hudi.exceptions import root_cause
from real_backend.hudi.options import FIXED, LOCKS
from real_backend.hudi.table import LiveTable
from sim.hudi.build import OPTIMISTIC
from sim.search.at_gates import runs_at_gates
from tests.live.hudi.agreement import BY_NAME, agreed, both, both_at_random, found

pytestmark = pytest.mark.live
SHARED = {**FIXED, **dict(OPTIMISTIC), LOCK_PROVIDER: f"{LOCKS}.InProcessLockProvider"}
ROW, OTHER = (("1", "p", "A"),), (("1", "p", "B"),)


def _made(spark, tmp_path, options, count):
    """A table, and clients of it."""
    table = LiveTable(spark[0], tmp_path / "t")
    table.create()
    return table, [SplitClient(spark[0], str(table.path), options) for _ in range(count)]


@pytest.mark.parametrize("policy", ["EAGER", "LAZY", "NEVER"])
def test_several_writers_clean_lazily_whatever_is_set(spark, tmp_path, policy):
    """Hudi sets it itself: who begins takes nobody back."""
    table, (one, other) = _made(spark, tmp_path, {**SHARED, CLEAN_POLICY: policy}, 2)
    one.start()
    one.upsert(ROW, 0)
    other.start()
    assert table.rollbacks() == ()
    one.commit()
    other.upsert(OTHER, 1)
    other.commit()
    assert table.rows() == ((("1", "B"),), None)
    one.close()
    other.close()


@pytest.mark.parametrize(
    ("policy", "taken_back", "said", "rows"),
    [
        ("EAGER", 1, "IllegalArgumentException", (("1", "B"),)),
        ("NEVER", 0, "ok", (("1", "A"), ("1", "B"))),
    ],
)
def test_one_writer_takes_back_whoever_is_at_work_when_it_begins(spark, tmp_path, policy, taken_back, said, rows):
    """By the default of one writer a second one rolls the first one back, alive as it is, which cannot commit then;
    where nobody is taken back both commit, and the key is there twice."""
    table, (one, other) = _made(spark, tmp_path, {**FIXED, CLEAN_POLICY: policy}, 2)
    one.start()
    one.upsert(ROW, 0)
    other.start()
    assert len(table.rollbacks()) == taken_back
    other.upsert(OTHER, 1)
    other.commit()
    try:
        one.commit()
        outcome = "ok"
    except Exception as error:
        outcome = root_cause(error).partition(":")[0]
    assert (outcome, table.rows()) == (said, (rows, None))
    one.close()
    other.close()


def test_who_begins_takes_the_files_of_what_commits_meanwhile(hudi):
    """Step by step as simulated."""
    both(hudi, *found("eager-two-writers"))


def test_two_who_take_each_other_back_agree_at_random(hudi):
    """Orders drawn at random."""
    both_at_random(hudi, "eager-two-writers", 3)


def test_one_writer_and_a_cleaner_agree_whatever_fails(hudi):
    """Steps, outcomes, completed instants and rows."""
    scenario = BY_NAME["hudi/eager-cleaner"]
    for played in islice(runs_at_gates(scenario, 5), 3):
        agreed(hudi, scenario, played.run)
