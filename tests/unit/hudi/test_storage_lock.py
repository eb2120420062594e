"""The storage-based lock: what Hudi's own tests ask of it, by their names, and what a lost answer makes of it."""

from typing import Any

import pytest

from model.hudi import SHIPPED, coverage
from model.hudi.errors import LockFailed, StorageFailed
from model.hudi.names import LOCK_OBJECT
from model.hudi.options import parse_options
from model.hudi.storage_lock import DRIFT_MS, LockObject, StorageLockProvider
from model.hudi.variants import SILENT_LOCK
from model.ports import CasLost, ConnectionLost, NotFound, PortError, Status, Versioned
from sim.hudi.storage_locks import STORAGE_LOCK
from tests.unit.hudi.worlds import Lab

CONFIG = parse_options(dict(STORAGE_LOCK))
VALID_MS = 1_000 * CONFIG.lock_validity_s


class Objects:
    """Registers of which calls fail as told: before they are applied, or (`after`) afterwards."""

    def __init__(self) -> None:
        self.value: Versioned | None = None
        self.failing: list[PortError] = []
        self.after: list[PortError] = []

    def load(self, name: str) -> Versioned:
        assert name == LOCK_OBJECT
        if self.failing:
            raise self.failing.pop(0)
        if self.value is None:
            raise NotFound(name)
        return self.value

    def commit(self, name: str, expected: int, value: Any, key: str | None = None) -> int:
        if self.failing:
            raise self.failing.pop(0)
        version = self.value.version if self.value is not None else 0
        if version != expected:
            raise CasLost(f"expected version {expected}, got {version}")
        self.value = Versioned(version + 1, value)
        if self.after:
            raise self.after.pop(0)
        return version + 1

    def becomes(self, value: LockObject) -> None:
        """Let somebody else have written it."""
        self.value = Versioned(1 + (self.value.version if self.value else 0), value)


class Case:
    """One provider, or more of the same client, at the table of a `Lab`."""

    def __init__(self, rules: Any = SHIPPED, config: Any = CONFIG) -> None:
        self.lab, self.objects, self.interrupted = Lab(), Objects(), 0
        world = self.lab.world("w1", register=self.objects)
        self.world = world
        self.lock = StorageLockProvider(world, config, rules, "w1", self._interrupt)

    def _interrupt(self) -> None:
        self.interrupted += 1

    @property
    def object(self) -> LockObject:
        assert self.objects.value is not None
        value: LockObject = self.objects.value.value
        return value

    def hits(self, name: str) -> int:
        return int(self.lab.simulation.kernel.coverage.get(name, 0))


def others(case: Case, *, expired: bool = False, for_ms: int = VALID_MS) -> LockObject:
    """A lock of somebody else's, valid for so long from now on."""
    return LockObject(expired, case.lab.now_ms() + for_ms, "w2-1")


def test_try_lock_success() -> None:
    """`testTryLockSuccess`: without an object; it says until when, and whose it is."""
    case = Case()
    assert case.lock.try_lock()
    assert (case.object.expired, case.object.valid_until_ms) == (False, VALID_MS)
    assert case.object.owner.startswith("w1-")


def test_try_lock_fails_due_to_existing_lock() -> None:
    """`testTryLockFailsDueToExistingLock`: who waits looks again in the last second of its time."""
    case = Case()
    case.objects.becomes(others(case))
    assert not case.lock.try_lock()
    assert case.object.owner == "w2-1"


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


@pytest.mark.parametrize("error", [ConnectionLost("x"), Status(429), Status(503)])
def test_try_lock_fails_due_to_unknown_state(error: PortError) -> None:
    """`testTryLockFailsDueToUnknownState`: who cannot read it has not got it."""
    case = Case()
    case.objects.failing = [error]
    assert not case.lock._attempt()


def test_try_lock_fails_to_update_file() -> None:
    """`testTryLockFailsToUpdateFile`: somebody was faster between the look and the write."""
    case = Case()
    case.objects.becomes(others(case, expired=True))
    load = case.objects.load

    def overtaken(name: str) -> Versioned:
        seen = load(name)
        case.objects.becomes(others(case))
        return seen

    case.objects.load = overtaken  # type: ignore[method-assign]
    assert not case.lock.try_lock()
    assert case.object.owner == "w2-1"


def test_try_lock_reentrancy_succeeds() -> None:
    """`testTryLockReentrancySucceeds`: who has it has it."""
    case = Case()
    assert case.lock.try_lock()
    assert case.lock.try_lock()
    assert case.objects.value is not None
    assert case.objects.value.version == 1


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


def test_unlock_succeeds_and_reentrancy() -> None:
    """`testUnlockSucceedsAndReentrancy`: the object says that it has expired; again, nothing happens."""
    case = Case()
    assert case.lock.try_lock()
    case.lock.unlock()
    assert case.object.expired
    version = case.objects.value
    case.lock.unlock()
    case.lock.close()
    assert case.objects.value is version


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


def test_renew_lock_without_holding_lock() -> None:
    """`testRenewLockWithoutHoldingLock`."""
    assert not Case().lock._renew_once()


def test_renew_lock_puts_off_the_end() -> None:
    """By the whole validity, also when it had run out and nobody has come."""
    case = Case()
    assert case.lock.try_lock()
    case.lab.wait(2 * VALID_MS)
    assert case.lock._renew_once()
    assert case.object.valid_until_ms == 3 * VALID_MS
    assert case.hits(coverage.LOCK_RENEWED) >= 1


def test_renew_lock_with_fully_expired_lock() -> None:
    """`testRenewLockWithFullyExpiredLock`: it is another's by now."""
    case = Case()
    assert case.lock.try_lock()
    case.objects.becomes(others(case))
    assert not case.lock._renew_once()
    assert case.hits(coverage.LOCK_LOST) == 1


@pytest.mark.parametrize("error", [ConnectionLost("x"), Status(429), Status(500)])
def test_renew_lock_unable_to_upsert_lock_file_but_not_fatal(error: PortError) -> None:
    """`testRenewLockUnableToUpsertLockFileButNotFatal`: the next one is tried."""
    case = Case()
    assert case.lock.try_lock()
    case.objects.failing = [error]
    assert case.lock._renew_once()
    assert case.lock._renew_once()


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
