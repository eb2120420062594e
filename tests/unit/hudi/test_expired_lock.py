"""A lock file that is too old, and two that see it: as shipped both take the lock (F-3), repaired one of them does."""

from dataclasses import replace
from typing import Any

import pytest

from model.hudi.locks import FileSystemLockProvider
from model.hudi.names import LOCK
from model.hudi.rules import SHIPPED, Rules
from model.hudi.variants import FIXED, OWNED_LOCK
from tests.mutants.hudi_vectors import DELETES_ON_RELEASE
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


def _second_gets_it(rules: Rules, *, released: bool = False) -> bool:
    """The first one gets the lock while the second is about to break it. Returns: whether the second does, too.

    Args: `released`: who had it for too long gives it back, and the first one need not break it.
    """
    lab = Lab("file-system")
    config = replace(lab.config, lock_expire_minutes=1)
    slow, first = (FileSystemLockProvider(lab.world(name), config, rules, name) for name in ("slow", "w1"))
    assert slow.try_lock()
    lab.sleep_ms(MINUTE_MS + 1)

    def goes_first() -> bool:
        if released:
            slow.unlock()
        return first.try_lock()

    world = lab.world("w2", files=Interrupted(lab.files, goes_first))
    got = FileSystemLockProvider(world, config, rules, "w2").try_lock()
    assert str(lab.files.read(LOCK)).startswith("w2" if got else "w1")
    return got


def test_two_that_see_an_expired_lock_both_take_it() -> None:
    """`FileSystemBasedLockProvider.tryLock` deletes the file that is there by now."""
    assert _second_gets_it(SHIPPED)


def test_repaired_one_of_them_takes_it() -> None:
    """Nobody moves a second file to the path with the first one's name."""
    assert not _second_gets_it(FIXED)


@pytest.mark.parametrize("rules", [SHIPPED, OWNED_LOCK, FIXED])
def test_repaired_nobody_takes_the_lock_from_who_got_it_when_it_was_released(rules: Rules) -> None:
    """Who gives the lock back leaves a file with its name, too: the second one finds it."""
    assert _second_gets_it(rules, released=True) is rules.breaks_any_lock


def test_the_mutant_whose_holder_deletes_the_file_gives_the_lock_to_two() -> None:
    """The path with its name is free then."""
    with DELETES_ON_RELEASE.alive():
        assert _second_gets_it(FIXED, released=True)
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
