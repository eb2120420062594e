"""What a key that comes again is answered: by Iceberg's own store of answers, and by catalogs that release keys."""

import pytest
from py4j.protocol import Py4JJavaError

from model.iceberg.rules import IDEMPOTENT
from real_backend.iceberg.bare_jvm import bare_jvm
from real_backend.iceberg.idempotency import drawn_key, keep_for, once
from sim.iceberg.workload import Update
from tests.live.iceberg.agreement import both, kinds, scenario_of

pytestmark = pytest.mark.live
UPDATE = {"w1": [Update(1, "A")]}


@pytest.fixture(scope="module")
def jvm():
    """A bare JVM."""
    with bare_jvm() as made:
        yield made


class Counted:
    """What is done once: it counts how often, and may throw a Java exception."""

    def __init__(self, raised=None) -> None:
        self.times = 0
        self._raised = raised

    def __call__(self) -> str:
        self.times += 1
        if self._raised is not None:
            self._raised()
        return f"answer {self.times}"


def test_a_key_is_answered_once(jvm):
    """TestRESTCatalog.testIdempotentDuplicateCreateReturnsCached, testIdempotentDropDuplicateNoop."""
    act, key = Counted(), drawn_key(jvm)
    assert [once(jvm, key, act) for _ in range(2)] == ["answer 1", "answer 1"]
    assert once(jvm, drawn_key(jvm), act) == "answer 2"


def test_a_key_whose_time_is_over_is_a_new_one(jvm):
    """TestRESTCatalog.testIdempotencyKeyLifetimeExpiredTreatsAsNew: also while its client goes on sending it."""
    act, key = Counted(), drawn_key(jvm)
    once(jvm, key, act)
    keep_for(jvm, "PT0S")
    try:
        assert once(jvm, key, act) == "answer 2"
    finally:
        keep_for(jvm, "PT30M")


def test_any_error_is_stored(jvm):
    """The specification says that no 5xx is: Iceberg's own handlers repeat one for half an hour."""
    act, key = Counted(lambda: jvm.java.java.util.Collections.emptyList().iterator().next()), drawn_key(jvm)
    for _ in range(2):
        with pytest.raises(Py4JJavaError):
            once(jvm, key, act)
    assert act.times == 1


def test_a_key_that_is_released_after_503_lets_the_commit_be_sent_anew(sql):
    """A catalog as the specification has it: the second sending meets the first, and the client deletes its files."""
    simulated, run = both(
        sql, scenario_of(UPDATE, rules=IDEMPOTENT, keys="released"), "w1:commit w1.commit!503-after-retry w1:end"
    )
    assert "w1.commit!503-after-retry=applied w1.commit=refused" in " ".join(run.trace)
    assert run.rows is None
    assert "NotFoundException" in (run.unreadable or "")
    assert simulated.failure is not None


def test_a_key_in_progress_that_is_answered_409_is_taken_for_a_lost_race(sql):
    """The client tries again by a key of its own, meets its own commit, and deletes its files."""
    simulated, run = both(
        sql, scenario_of(UPDATE, rules=IDEMPOTENT, keys="busy"), "w1:commit w1.commit!503-after-retry w1:end"
    )
    assert run.rows is None
    assert simulated.failure is not None


@pytest.mark.parametrize("keys", ["kept", "released"])
def test_a_key_is_no_new_one_after_429(sql, keys):
    """Only what the catalog answered 5xx is carried out anew."""
    _, run = both(sql, scenario_of(UPDATE, rules=IDEMPOTENT, keys=keys), "w1:commit w1.commit!429-after w1:end")
    assert kinds(run) == {"w1": "ok"}
    assert run.rows == ((1, "A"), (2, "b"))
