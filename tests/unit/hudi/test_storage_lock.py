"""The storage-based lock beyond Hudi's own tests of it (`tests/vectors/hudi.txt`): what a lost answer makes of it."""

from typing import Any

import pytest

from model.hudi import SHIPPED, coverage
from model.hudi.errors import LockFailed, StorageFailed
from model.hudi.options import parse_options
from model.hudi.storage_lock import DRIFT_MS
from model.hudi.variants import SILENT_LOCK
from model.ports import ConnectionLost, Status
from sim.hudi.built_in.storage_locks import STORAGE_LOCK
from tests.unit.hudi.lock_vectors import VALID_MS, Case, others


@pytest.mark.parametrize(("late_ms", "free"), [(0, False), (DRIFT_MS, False), (DRIFT_MS + 1, True)])
def test_try_lock_succeeds_when_existing_lock_expired_by_time(late_ms: int, free: bool) -> None:
    """`testTryLockSucceedsWhenExistingLockExpiredByTime`: by half a second more, for clocks differ."""
    case = Case()
    case.lab.wait(10_000)
    case.objects.becomes(others(case, for_ms=-late_ms))
    assert case.lock._attempt() is free
    assert case.hits(coverage.LOCK_OUTLIVED) == free


def test_try_lock_takes_what_was_given_back() -> None:
    """Whatever its time says."""
    case = Case()
    case.objects.becomes(others(case, expired=True))
    assert case.lock.try_lock()
    assert case.hits(coverage.LOCK_OUTLIVED) == 0


def test_try_lock_heartbeat_still_active() -> None:
    """`testTryLockHeartbeatStillActive`: an own lock that has expired, and is still renewed."""
    case = Case()
    assert case.lock.try_lock()
    case.lock._held = None
    with pytest.raises(LockFailed, match="no renewal without a lock"):
        case.lock.try_lock()


def test_try_lock_without_time_does_not_look() -> None:
    """`testTryLockForTimeUnit...`: the loop is over before it begins."""
    case = Case(config=parse_options({**dict(STORAGE_LOCK), "hoodie.write.lock.wait_time_ms": "0"}))
    assert not case.lock.try_lock()
    assert case.objects.value is None


@pytest.mark.parametrize(("rules", "tells"), [(SHIPPED, True), (SILENT_LOCK, False)])
def test_unlock_when_acquired_by_others(rules: Any, tells: bool) -> None:
    """From 1.2.0 on it fails (#17871); before, nobody was told. The other's lock stays."""
    case = Case(rules)
    assert case.lock.try_lock()
    case.objects.becomes(others(case))
    if tells:
        with pytest.raises(StorageFailed, match="expected it to be ours"):
            case.lock.unlock()
    else:
        case.lock.unlock()
    assert case.object.owner == "w2-1"
    case.lock.unlock()  # nothing is left to give back


def test_unlock_is_made_again_when_throttled() -> None:
    """Three times, after one, two and four seconds (#18439); other failures are told at once."""
    case = Case()
    assert case.lock.try_lock()
    case.objects.failing = [Status(429)] * 3
    case.lock.unlock()
    assert (case.object.expired, case.lab.now_ms()) == (True, 7_000)
    case = Case()
    assert case.lock.try_lock()
    case.objects.failing = [Status(429)] * 4
    with pytest.raises(StorageFailed, match="got status 429"):
        case.lock.unlock()
    case.objects.failing = [Status(503)]
    with pytest.raises(StorageFailed, match="got status 503"):
        case.lock.unlock()
    case.objects.failing = [ConnectionLost("x")]
    case.lock.close()
    assert not case.object.expired


def test_renew_lock_puts_off_the_end() -> None:
    """By the whole validity, also when it had run out and nobody has come."""
    case = Case()
    assert case.lock.try_lock()
    case.lab.wait(2 * VALID_MS)
    assert case.lock._renew_once()
    assert case.object.valid_until_ms == 3 * VALID_MS
    assert case.hits(coverage.LOCK_RENEWED) >= 1


def test_a_renewal_whose_answer_is_lost_makes_the_holder_its_own_stranger() -> None:
    """The object is of a version that the holder does not know: its next renewal is refused, by its own one."""
    case = Case()
    assert case.lock.try_lock()
    case.objects.after = [ConnectionLost("x")]
    assert case.lock._renew_once()
    assert not case.lock._renew_once()
    assert case.object.owner == case.lock._owner
    with pytest.raises(StorageFailed, match="expected it to be ours"):
        case.lock.unlock()
    assert not case.object.expired


def test_a_lock_whose_answer_is_lost_is_waited_for_by_who_has_it() -> None:
    """Its object is valid, and nobody knows that it is the own one."""
    case = Case()
    case.objects.after = [ConnectionLost("x")]
    assert not case.lock._attempt()
    assert case.object.owner == case.lock._owner
    assert not case.lock._attempt()
    case.lab.wait(VALID_MS + DRIFT_MS + 1)
    assert case.lock._attempt()


@pytest.mark.parametrize(("rules", "times"), [(SHIPPED, 1), (SILENT_LOCK, 0)])
def test_who_has_lost_its_lock_is_interrupted(rules: Any, times: int) -> None:
    """From 1.2.0 on (#17870), once."""
    case = Case(rules)
    case.lock._tell_holder()
    assert case.interrupted == times
