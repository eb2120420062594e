"""A lock file that is too old, and two that see it: as shipped both take the lock (F-3), repaired one of them does."""

from dataclasses import replace
from typing import Any

from model.hudi.locks import FileSystemLockProvider
from model.hudi.names import LOCK
from model.hudi.rules import SHIPPED, Rules
from model.hudi.variants import FIXED
from tests.unit.hudi.worlds import Lab

MINUTE_MS = 60_000


class Interrupted:
    """A file system that lets somebody else go first, once, before it takes a file away."""

    def __init__(self, files: Any, other: Any) -> None:
        self._files = files
        self._other = other

    def __getattr__(self, name: str) -> Any:
        if name in ("delete", "rename") and self._other is not None:
            other, self._other = self._other, None
            assert other()
        return getattr(self._files, name)


def _second_gets_it(rules: Rules) -> bool:
    """The first one gets the lock while the second is about to break it. Returns: whether the second does, too."""
    lab = Lab("file-system")
    config = replace(lab.config, lock_expire_minutes=1)
    lab.files.create(LOCK, "dead")
    lab.sleep_ms(MINUTE_MS + 1)
    first = FileSystemLockProvider(lab.world("w1"), config, rules, "w1")
    world = lab.world("w2", files=Interrupted(lab.files, first.try_lock))
    got = FileSystemLockProvider(world, config, rules, "w2").try_lock()
    assert lab.files.read(LOCK) == ("w2" if got else "w1")
    return got


def test_two_that_see_an_expired_lock_both_take_it() -> None:
    """`FileSystemBasedLockProvider.tryLock` deletes the file that is there by now."""
    assert _second_gets_it(SHIPPED)


def test_repaired_one_of_them_takes_it() -> None:
    """Nobody moves a second file to the name of the first one's time."""
    assert not _second_gets_it(FIXED)


def test_a_lock_is_broken_after_its_time_alone() -> None:
    """A minute is not enough, a millisecond more is; without an expiry no time is."""
    for rules in (SHIPPED, FIXED):
        for minutes, waits, got in ((1, MINUTE_MS, False), (1, MINUTE_MS + 1, True), (0, 9 * MINUTE_MS, False)):
            lab = Lab("file-system")
            lab.files.create(LOCK, "dead")
            lab.sleep_ms(waits)
            config = replace(lab.config, lock_expire_minutes=minutes)
            assert FileSystemLockProvider(lab.world("w1"), config, rules, "w1").try_lock() is got


def test_repaired_it_is_taken_from_who_got_it_when_it_was_released() -> None:
    """The repair is none where the old file is deleted by its holder: then the name that it would have had is free."""

    def released_and_taken() -> bool:
        lab.files.delete(LOCK)
        return first.try_lock()

    lab = Lab("file-system")
    config = replace(lab.config, lock_expire_minutes=1)
    lab.files.create(LOCK, "slow")
    lab.sleep_ms(MINUTE_MS + 1)
    first = FileSystemLockProvider(lab.world("w1"), config, FIXED, "w1")
    world = lab.world("w2", files=Interrupted(lab.files, released_and_taken))
    assert FileSystemLockProvider(world, config, FIXED, "w2").try_lock()
    assert lab.files.read(LOCK) == "w2"
