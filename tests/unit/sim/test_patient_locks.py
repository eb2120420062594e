"""Locks that are waited for without a step: also by who was not told of the one that he has asked for."""

from sim.kernel.task import CAS
from sim.services.patient_locks import PatientLocks
from tests.unit.sim.worlds import Small


def test_who_finds_his_lock_waits_for_it_like_who_was_told():
    """The one in front gives it back when he has worked; the other one looks for his, and asks once."""
    small = Small()
    kernel = small.kernel
    locks = PatientLocks(kernel)
    told: list[object] = []

    def works() -> None:
        lock_id, _ = locks.lock("t", "w1")
        while not told:
            kernel.sleep(10)
        told.append("gives back")
        locks.unlock(lock_id)

    def looks() -> None:
        kernel.call("lock", "t", CAS, locks._ask, "t", "w2")  # as one whose answer is lost
        found = [one for one in locks.show_locks("t") if one[1] == "w2"]
        told.append(found[0][2])
        told.append(locks.check_lock(found[0][0]))
        locks.unlock(found[0][0])

    small.task("w1", works)
    small.task("w2", looks)
    kernel.drive()
    assert told == [False, "gives back", True]
    assert locks.show_locks("t") == ()
