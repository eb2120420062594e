"""A release of the file-system lock that gets no answer: what the client deletes when it tries again."""

from typing import Any

import pytest

from model.hudi import SHIPPED, VARIANTS
from model.hudi.errors import LockFailed, StorageFailed
from model.hudi.names import LOCK
from model.hudi.observer import UNOBSERVED
from model.hudi.rules import Rules
from model.hudi.transactions import LockManager
from model.ports import ConnectionLost
from tests.unit.hudi.worlds import Lab

REPAIRED = [VARIANTS["owned-lock"], VARIANTS["fixed"]]


class Losing:
    """A file system that gives no answer to one call of the named operation, which is applied or not."""

    def __init__(self, files: Any, operation: str, *, applied: bool) -> None:
        self._files = files
        self._operation = operation
        self._applied = applied

    def __getattr__(self, name: str) -> Any:
        if name != self._operation:
            return getattr(self._files, name)
        self._operation = ""
        return lambda *given: self._lose(name, given)

    def _lose(self, name: str, given: tuple[Any, ...]) -> None:
        if self._applied:
            getattr(self._files, name)(*given)
        raise ConnectionLost(f"{name}: no answer")


def locks(lab: Lab, name: str, rules: Rules, lost: str = "", *, applied: bool = True) -> LockManager:
    """A client's locks; one call of the operation `lost` gets no answer."""
    files = Losing(lab.files, lost, applied=applied)
    return LockManager(lab.world(name, files=files), lab.config, rules, UNOBSERVED, name)


@pytest.mark.parametrize("rules", [SHIPPED, *REPAIRED])
def test_a_release_without_an_answer_is_not_repeated_on_anothers_lock(rules):
    """It was applied, and somebody else has the lock by now: as shipped (F-1) the second one deletes theirs."""
    lab = Lab("file-system")
    first = locks(lab, "a", rules, "delete")
    first.lock()
    with pytest.raises(StorageFailed):
        first.unlock()
    locks(lab, "b", rules).lock()
    first.close()
    assert lab.files.exists(LOCK) is (rules is not SHIPPED)


@pytest.mark.parametrize("rules", REPAIRED)
def test_a_release_that_was_not_applied_is_repeated(rules):
    """Else nobody would get the lock any more."""
    lab = Lab("file-system")
    first = locks(lab, "a", rules, "delete", applied=False)
    first.lock()
    with pytest.raises(StorageFailed):
        first.unlock()
    assert lab.files.exists(LOCK)
    first.close()
    assert not lab.files.exists(LOCK)


@pytest.mark.parametrize("rules", REPAIRED)
def test_a_lock_file_that_was_made_without_an_answer_is_deleted_in_the_end(rules):
    """Its client does not know that it has the lock, and waits for itself in vain."""
    lab = Lab("file-system")
    first = locks(lab, "a", rules, "create")
    with pytest.raises(LockFailed):
        first.lock()
    assert lab.files.exists(LOCK)
    first.close()
    assert not lab.files.exists(LOCK)


@pytest.mark.parametrize("rules", REPAIRED)
def test_a_look_at_the_lock_file_that_fails_is_a_release_that_failed(rules):
    """Nothing is deleted; closing looks again."""
    lab = Lab("file-system")
    first = locks(lab, "a", rules, "read", applied=False)
    first.lock()
    with pytest.raises(StorageFailed, match=r"unlock \.hoodie/lock: expected an acknowledgement, got read: no answer"):
        first.unlock()
    assert lab.files.exists(LOCK)
    first.close()
    assert not lab.files.exists(LOCK)
