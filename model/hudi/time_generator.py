"""Where instants and completion times come from: a host's clock, read under a lock that is then held for the skew.

Whoever takes the lock next reads a later time, if clocks differ by less than the wait and the lock excludes. One
process also keeps the last time that it has given out, and never gives out one that is not larger.

Source: hudi/1.3, hudi/1.4, F-2; `SkewAdjustingTimeGenerator`, `HoodieInstantTimeGenerator`.

Choices: Hudi keeps the last value for instants only and lets time pass for completion times; here one counter serves
both, so that two events of one process never have one time. That the counter runs ahead of the clock stands for waiting
until the clock has caught up.
"""

from collections.abc import Callable
from typing import TypeVar

from model.hudi.config import HudiConfig
from model.hudi.errors import LockFailed
from model.hudi.rules import Rules
from model.hudi.transactions import LockManager
from model.ports import World

LAST_TIME = "last time"
SALTS = 1_000
"""How many salts there are: three more digits of an instant."""
Kind = TypeVar("Kind")


class TimeGenerator:
    """One client's source of times, with the client's `locks`, for callers that do not have the lock."""

    __slots__ = ("_locks", "_rules", "_wait_ms", "_world")

    def __init__(self, world: World, config: HudiConfig, rules: Rules, locks: LockManager) -> None:
        self._world = world
        self._rules = rules
        self._locks = locks
        self._wait_ms = config.skew_wait_ms if rules.instants_from_locked_clock else 0

    def time_ms(self) -> int:
        """A time, for a caller inside the critical section."""
        time_ms = self._world.statics.advance(LAST_TIME, self._world.clock.now_ms())
        if self._rules.salted_instants:
            time_ms = time_ms * SALTS + self._world.chance.fresh("salt of an instant") % SALTS
        self._wait_out_skew()
        return time_ms

    def _wait_out_skew(self) -> None:
        """Let time pass until no other clock is behind the time that was drawn (hudi/1.4)."""
        if self._wait_ms:
            self._world.clock.sleep_ms(self._wait_ms)

    def with_own_lock(self, body: Callable[[], Kind]) -> Kind:
        """What `body` returns, which draws a time, and may make a file of it, under a lock of its own.

        Source: `SkewAdjustingTimeGenerator.consumeTime`; F-2: the release is in a `finally`, so it also runs when the
        lock was not had. Raises: LockFailed; as `body`.
        """
        try:
            self._locks.lock()
        except LockFailed:
            if self._rules.unlocks_after_failed_time_lock:
                self._locks.unlock()
            raise
        try:
            return body()
        finally:
            self._locks.unlock()
