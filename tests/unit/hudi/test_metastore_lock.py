"""The metastore's lock: what the provider does with each answer, and that its service grants as Hive's own does."""

from typing import Any

import pytest

from model.hive.errors import NoSuchLock
from model.hive.lock_queue import EXCLUSIVE, Component
from model.hudi import SHIPPED, coverage
from model.hudi.errors import ConfigError, LockFailed, StorageFailed
from model.hudi.keys import LOCK_BEAT, METASTORE_TIMEOUT
from model.hudi.locks import TABLE
from model.hudi.metastore_lock import MetastoreLockProvider
from model.hudi.options import parse_options
from model.hudi.variants import FIXED
from model.ports import ConnectionLost, NotLocked, PortError
from sim.hudi.build import race
from sim.hudi.built_in.locks import ALONE
from sim.hudi.built_in.metastore_locks import LONG_HELD, METASTORE_LOCK
from sim.hudi.lock_service import MetastoreLocks
from sim.search.run import Runner
from sim.search.strategies import FirstCome
from tests.mutants.hudi_metastore_lock import NEVER_BEATS
from tests.unit.hive.lock_calls import ModelLocks
from tests.unit.hudi.worlds import Lab

CONFIG = parse_options(dict(METASTORE_LOCK))
LOST = ConnectionLost("x")


class Locks:
    """A metastore's answers, as told: to each call whether it fails, and to `lock` whether it is granted."""

    def __init__(self, *, held: bool = True) -> None:
        self.held = held
        self.failing: dict[str, PortError] = {}
        self.calls: list[str] = []
        self._number = 0

    def _called(self, call: str) -> None:
        self.calls.append(call)
        if call in self.failing:
            raise self.failing[call]

    def lock(self, name: str, owner: str) -> tuple[int, bool]:
        assert (name, owner) == (TABLE, "w1")
        self._called("lock")
        self._number += 1
        return self._number, self.held

    def check_lock(self, lock_id: int) -> bool:
        raise AssertionError("nobody asks")

    def heartbeat(self, lock_id: int) -> None:
        self._called("heartbeat")

    def unlock(self, lock_id: int) -> None:
        assert lock_id == self._number
        self._called("unlock")


class Case:
    """One provider at a metastore that answers as told."""

    def __init__(self, rules: Any = SHIPPED, *, held: bool = True) -> None:
        self.locks, self.lab = Locks(held=held), Lab()
        world = self.lab.world("w1", locks=self.locks)
        self.lock = MetastoreLockProvider(world, CONFIG, rules, "w1", TABLE)


def test_a_lock_that_is_granted_is_released_once():
    """`testAcquireLock`, `testUnlock`: what is closed afterwards releases nothing."""
    case = Case()
    assert case.lock.try_lock()
    case.lock.unlock()
    case.lock.unlock()
    case.lock.close()
    assert case.locks.calls == ["lock", "unlock"]


def test_who_has_to_wait_withdraws_the_request():
    """Or it would be in line for good."""
    case = Case(held=False)
    assert not case.lock.try_lock()
    assert not case.lock.try_lock()
    assert case.locks.calls == ["lock", "unlock", "lock", "unlock"]


def test_a_request_that_is_not_answered_is_nobodys():
    """Its number is not known: nothing is withdrawn, and the next try is another request."""
    case = Case()
    case.locks.failing["lock"] = LOST
    assert not case.lock.try_lock()
    case.lock.close()
    assert case.locks.calls == ["lock"]
    case.locks.failing.clear()
    assert case.lock.try_lock()


def test_a_request_that_cannot_be_withdrawn_is_in_the_way_until_the_client_is_closed():
    """`checkArgument(lock == null)` fails, which is not tried again."""
    case = Case(held=False)
    case.locks.failing["unlock"] = LOST
    assert not case.lock.try_lock()
    with pytest.raises(LockFailed, match="none of its own, got request 1"):
        case.lock.try_lock()
    case.locks.failing.clear()
    case.lock.close()
    assert case.locks.calls == ["lock", "unlock", "unlock"]
    assert not case.lock.try_lock()


@pytest.mark.parametrize("error", [LOST, NotLocked("gone")])
def test_a_release_that_fails_is_told_and_not_made_again(error):
    """Also of a lock that was taken away: then it is the first that its holder hears of it."""
    case = Case()
    assert case.lock.try_lock()
    case.locks.failing["unlock"] = error
    with pytest.raises(StorageFailed, match="unlock table: expected an acknowledgement"):
        case.lock.unlock()
    case.lock.close()
    assert case.locks.calls == ["lock", "unlock"]
    lost = case.lab.simulation.kernel.coverage.get(coverage.LOCK_LOST, 0)
    assert lost == isinstance(error, NotLocked)


@pytest.mark.parametrize(
    ("rules", "error", "goes_on"),
    [(SHIPPED, LOST, False), (FIXED, LOST, True), (SHIPPED, NotLocked("gone"), False), (FIXED, NotLocked("g"), False)],
)
def test_a_beat_that_fails_is_the_last_one_up_to_1_2_0(rules, error, goes_on):
    """`Heartbeat.run` throws, which ends its schedule; from #19334 on only a lock that is gone does."""
    case = Case(rules)
    case.locks.failing["heartbeat"] = error
    assert case.lock._beat_once(1) is goes_on


def test_beats_come_while_the_lock_is_held():
    """The first one after half of the interval, and none when it was given back."""
    scenario = race("x", "", ALONE, rules=SHIPPED, options=LONG_HELD, properties=("readable",), one_process=False)
    assert Runner(scenario).run(FirstCome()).coverage[coverage.LOCK_RENEWED] == 2 * 6
    with NEVER_BEATS.alive():
        assert coverage.LOCK_RENEWED not in Runner(scenario).run(FirstCome()).coverage


@pytest.mark.parametrize(("key", "value"), [(LOCK_BEAT, "0"), (METASTORE_TIMEOUT, "0")])
def test_impossible_settings_are_refused(key, value):
    """`scheduleAtFixedRate` takes no period of nothing, and no lock lives for no time."""
    with pytest.raises(ConfigError, match="at least 1"):
        parse_options({**dict(METASTORE_LOCK), key: value})


CALLS = (
    (("ask",), ("ask",), ("ask",), ("give", 1), ("ask",), ("look", 2), ("look", 3), ("give", 2), ("look", 3)),
    (("ask",), ("ask",), ("give", 2), ("give", 2), ("ask",), ("give", 1), ("look", 3), ("give", 1)),
    (("ask",), ("give", 1), ("ask",), ("ask",), ("give", 3), ("look", 2), ("beat", 2), ("beat", 3)),
)


@pytest.mark.parametrize("calls", CALLS)
def test_the_service_answers_as_the_lock_manager_of_hive(calls):
    """An exclusive lock of one table: who has it, who waits, what is gone; a release of nothing is told here alone."""
    hive, ours = ModelLocks(), MetastoreLocks(Lab().simulation.kernel)
    numbers: list[tuple[int, int]] = []
    for name, *rest in calls:
        mine, theirs = numbers[rest[0] - 1] if rest else (0, 0)
        if name == "ask":
            number, held = ours.lock(TABLE, "w1")
            asked = hive.lock(0, (Component(EXCLUSIVE, "default.t"),))
            numbers.append((number, asked.number))
            assert asked.held == held
        elif name == "look":
            assert ours.check_lock(mine) == hive.check_lock(theirs).held
        elif name == "beat":
            assert _is_gone(ours.heartbeat, mine) == _is_gone(hive.heartbeat, 0, theirs)
        else:
            _is_gone(ours.unlock, mine)
            hive.unlock(theirs)


def _is_gone(call: Any, *arguments: int) -> bool:
    try:
        call(*arguments)
    except (NotLocked, NoSuchLock):
        return True
    return False
