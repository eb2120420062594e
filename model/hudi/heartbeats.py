"""Heartbeats: a file per writing instant, written again and again while its writer lives.

Others judge by the file's modification time, which is the storage's clock; a missing file counts as time 0. The writer
judges itself by the time that it remembers. One beat that cannot be written is the last: its exception ends the timer's
thread, and nobody is told. A beat that comes too late is the last one as well, and yet it is written and remembered:
the writer, and everybody else, take it for a sign of life once more.

Source: hudi/4; `HoodieHeartbeatClient.updateHeartbeat` up to 1.2.0, whose `HoodieHeartbeatException` leaves
`TimerTask.run`.

Choices: the first beat is part of `start`, and remembered when it is written, as others judge it; Hudi remembers when
it began, so that one which takes longer than is tolerated is expired at once (counted, as no live run does the same).
After a late beat Hudi interrupts the timer's own thread, which `Timer` itself survives; on local files the timer has
ended all the same two beats later (seen on 1.2.0, not traced; an interrupted write fails). Here it ends at once; on a
storage that ignores interrupts it may go on.
"""

from model.hudi import coverage
from model.hudi.config import HudiConfig
from model.hudi.errors import StorageFailed
from model.hudi.keys import LAZY
from model.hudi.meanings import Beats, DeletesHeartbeat, EndsTimer, Judges, LooksAtHeartbeat, StartsHeartbeat
from model.hudi.names import heartbeat_path
from model.hudi.rules import Rules
from model.hudi.storage import TableStorage
from model.ports import TaskHandle, World


def heartbeats_of(world: World, storage: TableStorage, config: HudiConfig, rules: Rules) -> "Heartbeats":
    """The heartbeats of a client: none, where failed writes are not told from others by them."""
    return (Heartbeats if config.clean_policy == LAZY else NoHeartbeats)(world, storage, config, rules)


class Heartbeats:
    """One client's heartbeats, and its view of others'."""

    def __init__(self, world: World, storage: TableStorage, config: HudiConfig, rules: Rules) -> None:
        self._world = world
        self._storage = storage
        self._interval_ms = config.heartbeat_interval_ms
        self._tolerance_ms = config.tolerance_ms
        self._rules = rules
        self._last_ms: dict[int, int] = {}
        self._tasks: dict[int, TaskHandle] = {}

    def start(self, instant: int, begun_ms: int | None = None) -> None:
        """Beat once and go on beating. Args: `begun_ms`: when it began, if not at the instant.

        Raises: StorageFailed.
        """
        self._world.notes.intend(StartsHeartbeat(instant))
        self._storage.write(heartbeat_path(instant), instant)
        self._last_ms[instant] = self._world.clock.now_ms()
        if self._last_ms[instant] - (instant if begun_ms is None else begun_ms) > self._tolerance_ms:
            self._world.coverage.hit(coverage.FIRST_BEAT_SLOW)
        self._go_on(instant)

    def _go_on(self, instant: int) -> None:
        """Let a helper beat once an interval (hudi/4)."""
        self._tasks[instant] = self._world.tasks.spawn("heartbeat", lambda: self._beat(instant))

    def _beat(self, instant: int) -> None:
        clock, due_ms = self._world.clock, self._last_ms[instant]
        while True:
            due_ms += self._interval_ms  # at a fixed rate: what a beat itself takes does not add up
            clock.sleep_ms(max(0, due_ms - clock.now_ms()))
            now_ms = clock.now_ms()
            try:
                self._world.notes.intend(Beats(instant))
                self._storage.write(heartbeat_path(instant), instant)
            except StorageFailed:
                if self._ends_after_failure(instant):
                    return
                continue
            lapsed = self.own_is_expired(instant)
            self._remember(instant, now_ms, lapsed)
            self._world.coverage.hit(coverage.HEARTBEAT_SENT)
            if lapsed:
                self._world.coverage.hit(coverage.HEARTBEAT_SILENT)
                return

    def _ends_after_failure(self, instant: int) -> bool:
        """Whether a beat that could not be written ends the timer (hudi/4)."""
        if self._rules.failed_beat_ends_timer:
            self._world.notes.learn(EndsTimer(instant))
            self._world.coverage.hit(coverage.HEARTBEAT_ENDED)
        return self._rules.failed_beat_ends_timer

    def _remember(self, instant: int, now_ms: int, lapsed: bool) -> None:
        """Take a beat for a sign of life; one after a lapse is one up to 1.2.0 (#18904)."""
        if not lapsed or self._rules.remembers_late_beat:
            self._last_ms[instant] = now_ms

    def stop(self, instant: int, *, delete: bool) -> None:
        """Beat no more; `delete` the file, so that the instant counts as dead at once. Raises: StorageFailed."""
        task = self._tasks.pop(instant, None)
        if task is not None:
            task.cancel()
        if delete:
            self.delete(instant)

    def stop_timers(self) -> None:
        """What closing a client does: no more beats, the files stay (HUDI-6501)."""
        for instant in list(self._tasks):
            self.stop(instant, delete=False)

    def own_is_expired(self, instant: int) -> bool:
        """Whether this client's own heartbeat is too old, by its own memory."""
        return self._world.clock.now_ms() - self._last_ms.get(instant, 0) > self._tolerance_ms

    def is_expired(self, instant: int) -> bool:
        """Whether somebody's heartbeat is too old, by the file. Raises: StorageFailed."""
        self._world.notes.intend(LooksAtHeartbeat(instant))
        written_ms = self._storage.mtime_ms(heartbeat_path(instant))
        expired = written_ms is None or self._world.clock.now_ms() - written_ms > self._tolerance_ms
        self._world.notes.learn(Judges(instant, expired))
        return expired

    def delete(self, instant: int) -> None:
        """Delete somebody's heartbeat file. Raises: StorageFailed."""
        self._world.notes.intend(DeletesHeartbeat(instant))
        self._storage.delete(heartbeat_path(instant))


class NoHeartbeats(Heartbeats):
    """A client that has none, and knows nobody's (`BaseHoodieWriteClient.startCommit`: `isLazy`)."""

    def start(self, instant: int, begun_ms: int | None = None) -> None:
        """Begin none."""

    def own_is_expired(self, instant: int) -> bool:
        """It is not asked for any."""
        return False

    def is_expired(self, instant: int) -> bool:
        """There is none."""
        return True

    def delete(self, instant: int) -> None:
        """There is none."""
