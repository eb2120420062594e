"""How often and how long a client waits before it tries again.

Source: iceberg/2.2; `core/util/Tasks.java` (`runTaskWithRetry`): attempts = retries + 1; the total timeout counts
only after a failed attempt and only if at least two were made; delay(n) = min(min_wait * scale^(n-1), max_wait) plus a
whole number of milliseconds in [0, max(1, delay / 10)).

Choices: a wait of nothing is no sleep, and a draw among one value is no draw.
"""

from model.iceberg import coverage
from model.iceberg.table_properties import TableProperties
from model.ports import World

MOST_DOUBLINGS = 100
"""Far beyond every longest wait, and below what a float can hold: a poller whose clock stands still never gives up."""


class Backoff:
    """Counts failed attempts of one task and sleeps between them."""

    __slots__ = ("_max_wait_ms", "_min_wait_ms", "_retries", "_scale", "_start_ms", "_timeout_ms", "_world", "failed")

    def __init__(
        self, world: World, retries: int, min_wait_ms: int, max_wait_ms: int, timeout_ms: int, scale: float = 2.0
    ) -> None:
        self._world = world
        self._retries = retries
        self._min_wait_ms = min_wait_ms
        self._max_wait_ms = max_wait_ms
        self._timeout_ms = timeout_ms
        self._scale = scale
        self._start_ms = world.clock.now_ms()
        self.failed = 0

    @classmethod
    def of(cls, world: World, properties: TableProperties) -> "Backoff":
        """That of a commit to a table with these properties."""
        return cls(
            world,
            properties.commit_retry_num_retries,
            properties.commit_retry_min_wait_ms,
            properties.commit_retry_max_wait_ms,
            properties.commit_retry_total_timeout_ms,
        )

    @property
    def elapsed_ms(self) -> int:
        """Since the task began."""
        return self._world.clock.now_ms() - self._start_ms

    def may_retry(self) -> bool:
        """Count a failed attempt; say whether another one is allowed."""
        self.failed += 1
        if self.failed > self._retries:
            self._world.coverage.hit(coverage.RETRIES_EXHAUSTED)
            return False
        if self.failed > 1 and self.elapsed_ms > self._timeout_ms:
            self._world.coverage.hit(coverage.RETRY_TIMEOUT)
            return False
        return True

    def wait(self) -> None:
        """Sleep before the next attempt."""
        doublings = min(self.failed - 1, MOST_DOUBLINGS)
        sleep(self._world, int(min(self._min_wait_ms * self._scale**doublings, self._max_wait_ms)))


def sleep(world: World, delay_ms: int) -> None:
    """Sleep `delay_ms` and a jitter of up to a tenth of it."""
    bound = int(delay_ms * 0.1)
    if bound > 1:
        delay_ms += world.chance.below("jitter", bound)
    if delay_ms > 0:
        world.clock.sleep_ms(delay_ms)
