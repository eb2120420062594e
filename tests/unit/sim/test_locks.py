"""The lock table: order, leases, heartbeats, expiry."""

from typing import Any

import pytest

from model.ports import NotLocked
from sim.search.strategies import Deviations, RandomWalk
from tests.unit.sim.test_processes import Once
from tests.unit.sim.worlds import Small

LEASE = 100


def at(small, time_ms):
    """Set the clock, as the harness."""
    small.kernel.run(until=time_ms)


@pytest.fixture
def small():
    return Small(lease_ms=LEASE)


def test_first_request_is_granted_and_the_next_one_waits(small):
    """Per name, in the order of requests; another name is free."""
    assert small.locks.lock("t", "w1") == (1, True)
    assert small.locks.lock("t", "w2") == (2, False)
    assert small.locks.lock("u", "w3") == (3, True)
    assert [small.locks.check_lock(n) for n in (1, 2, 3)] == [True, False, True]


def test_unlock_grants_the_lock_to_the_next_in_the_queue(small):
    """Not to the one that asks first."""
    ids = [small.locks.lock("t", name)[0] for name in ("w1", "w2", "w3")]
    small.locks.unlock(ids[0])
    assert [small.locks.check_lock(n) for n in ids[:0:-1]] == [False, True]


def test_waiting_request_can_be_withdrawn(small):
    """The one behind it moves up."""
    one, two, three = (small.locks.lock("t", name)[0] for name in ("w1", "w2", "w3"))
    small.locks.unlock(two)
    small.locks.unlock(one)
    assert small.locks.check_lock(three) is True


def test_locks_are_shown_as_somebody_was_told_of_them(small):
    """Of one name, in order; who is the first by now waits until he asks."""
    one, _, two = (small.locks.lock(name, owner)[0] for name, owner in (("t", "w1"), ("u", "w3"), ("t", "w2")))
    assert small.locks.show_locks("t") == ((one, "w1", True), (two, "w2", False))
    small.locks.unlock(one)
    assert small.locks.show_locks("t") == ((two, "w2", False),)
    small.locks.heartbeat(two)
    assert small.locks.check_lock(two) is True
    assert small.locks.show_locks("t") == ((two, "w2", True),)
    at(small, LEASE)
    assert small.locks.show_locks("t") == ()


@pytest.mark.parametrize("call", ["check_lock", "heartbeat", "unlock"])
@pytest.mark.parametrize("why", ["unknown", "released", "expired"])
def test_call_for_a_lock_that_is_gone_is_refused(small, call, why):
    """Its holder learns it at the next call, not before."""
    lock_id, _ = small.locks.lock("t", "w1")
    if why == "unknown":
        lock_id = 99
    elif why == "released":
        small.locks.unlock(lock_id)
    else:
        at(small, LEASE)
    with pytest.raises(NotLocked, match=f"lock {lock_id}: expected a live lease, got none"):
        getattr(small.locks, call)(lock_id)


@pytest.mark.parametrize("call", ["check_lock", "heartbeat"])
def test_lease_is_extended_by_heartbeat_and_check(small, call):
    """Alive at 1 ms before its end, and for a whole lease from there; not one ms longer."""
    lock_id, _ = small.locks.lock("t", "w1")
    at(small, LEASE - 1)
    getattr(small.locks, call)(lock_id)
    at(small, 2 * LEASE - 2)
    small.locks.heartbeat(lock_id)
    at(small, 3 * LEASE - 2)
    with pytest.raises(NotLocked):
        small.locks.heartbeat(lock_id)


def test_expired_lock_goes_to_the_next_in_the_queue(small):
    """Marked, so that a search can say that it happened."""
    small.locks.lock("t", "w1")
    at(small, 60)
    waiting, _ = small.locks.lock("t", "w2")
    at(small, LEASE)
    assert small.locks.check_lock(waiting) is True
    assert small.kernel.coverage == {"lease expired": 1}


def test_waiting_request_has_a_lease_too(small):
    """A client that stopped asking does not block the queue for ever."""
    one, _ = small.locks.lock("t", "w1")
    small.locks.lock("t", "w2")
    three = 0
    for time_ms in (50, 99, 140):
        at(small, time_ms)
        small.locks.heartbeat(one)
        three = three or small.locks.lock("t", "w3")[0]
        small.locks.heartbeat(three)
    small.locks.unlock(one)
    assert small.locks.check_lock(three) is True


def holder(small, beats):
    world = small.world("w1")

    def beat(lock_id):
        while True:
            world.clock.sleep_ms(LEASE // 2)
            world.locks.heartbeat(lock_id)

    def body():
        lock_id, _ = world.locks.lock("t", "w1")
        if beats:
            world.tasks.spawn("heartbeat", lambda: beat(lock_id))
        world.store.put("work", 1)
        world.clock.sleep_ms(5 * LEASE)
        small.log.append(world.locks.check_lock(lock_id))

    return body


def test_heartbeat_keeps_a_slow_holders_lock():
    """Five leases long, in the default order."""
    small = Small(Deviations(), lease_ms=LEASE)
    small.task("w1", holder(small, beats=True))
    small.kernel.drive()
    assert (small.log, small.kernel.coverage) == ([True], {})


def test_lock_without_heartbeat_is_lost_by_a_slow_holder():
    """One sleep past the lease is enough."""
    small = Small(Deviations(), lease_ms=LEASE)
    small.task("w1", holder(small, beats=False))
    with pytest.raises(NotLocked):
        small.kernel.drive()


def test_pause_past_the_lease_stops_the_heartbeat_and_loses_the_lock():
    """The zombie: it goes on as if it had the lock, and hears otherwise at its next lock call."""
    small = Small(lease_ms=LEASE, faults=Once("pause", "put", pause_ms=3 * LEASE))
    small.task("w1", holder(small, beats=True))
    small.task("w2", lambda: small.kernel.sleep(10))
    with pytest.raises(NotLocked):
        small.kernel.drive()


def test_state_key_has_leases_by_what_is_left_of_them():
    """Owner, order and remaining time."""
    small = Small(lease_ms=LEASE)
    before = small.locks.state_key()
    small.locks.lock("t", "w1")
    granted = small.locks.state_key()
    at(small, 30)
    assert len({before, granted, small.locks.state_key()}) == 3
    key: Any = small.locks.state_key()
    assert key[0] == ((1, "t", "w1", 70, True),)


@pytest.mark.parametrize("seed", range(10))
def test_one_holder_at_a_time(seed):
    """Two clients that ask, wait and work: never both inside, as long as no lease runs out."""
    small = Small(RandomWalk(seed), lease_ms=10**9)
    inside: list[str] = []

    def client(name):
        world = small.world(name)

        def body():
            lock_id, granted = world.locks.lock("t", name)
            while not granted:
                world.clock.sleep_ms(10)
                granted = world.locks.check_lock(lock_id)
            inside.append(name)
            assert inside == [name]
            world.store.put(name, 1)
            inside.remove(name)
            world.locks.unlock(lock_id)

        return body

    small.task("w1", client("w1"))
    small.task("w2", client("w2"))
    small.kernel.drive()
    assert set(small.store.objects) == {"w1", "w2"}
