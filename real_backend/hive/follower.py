"""The update thread of one cached metastore under a watermark: closed, moved on event by event or by batches, or open.

A step lets the thread see one more event and waits until it has applied it. Events of transactions are events, too; the
shipped cache skips them, so there is nothing to wait for then. A batch is what the log had when it was read: nothing of
it is shown to the thread before it is to be applied. What the thread cannot apply it tries again and again while the
position stands still: the step is over then, its outcome says so, and of a batch nothing is shown any more.

Choices: the pull at the end of a write is not held back (it would hold every new connection, too). What it has brought
is behind the watermark from then on, unless pulls are to bring nothing: then they see no more than the update thread.
"""

from real_backend.errors import BackendTimeout
from real_backend.hive.backing import Backing
from real_backend.hive.control import ANSWER_S, OPEN
from real_backend.hive.metastore import Metastore

STUCK_POLLS = 3
APPLIED, SKIPPED, STUCK, READ = "applied", "skipped", "stuck", "read"


class Follower:
    """Moves one metastore's watermark. `seen` is the newest event that its cache may have."""

    def __init__(self, metastore: Metastore, backing: Backing) -> None:
        self._metastore = metastore
        self._backing = backing
        self._mark = 0
        self._batch = self._looked_at = 0
        self._pulls = True

    @property
    def seen(self) -> int:
        """The last event that the cache has applied or could have."""
        return max(self._mark, self._metastore.control.ask().position) if self._pulls else self._mark

    def close(self, *, pulls: bool = True) -> None:
        """From now on the update thread sees nothing new, nor, without `pulls`, the pull at the end of a write."""
        self._pulls = pulls
        self._move(self._backing.last_event())

    def has_next(self) -> bool:
        """Whether there is an event that the cache has not seen.

        A pull says how far it came when the log is asked next: so the first time that there seems to be one, that is
        waited for. Raises: `BackendTimeout`.
        """
        last = self._backing.last_event()
        if last <= self.seen:
            return False
        if self._pulls and last != self._looked_at:
            self._looked_at = last
            self._metastore.control.await_poll(self._metastore.control.ask().polls, ANSWER_S)
        return last > self.seen

    def step(self) -> str:
        """Let the update thread see the next event, and wait until it has dealt with it. Returns the outcome.

        Raises: `BackendTimeout` if it does not come round.
        """
        events = self._backing.events_after(self.seen)
        assert events, f"{self._metastore.name}: stepped without an event"
        self._move(events[0].id)
        awaited = self._backing.last_applicable(events[0].id)
        return (APPLIED if awaited == events[0].id else SKIPPED) if self._is_at(awaited) else STUCK

    def read(self) -> str:
        """Let the next batch be what the log has now. Returns the outcome."""
        self._batch = self._backing.last_event()
        return READ

    def apply(self) -> str:
        """Let the update thread see the batch, and wait until it has dealt with it. Returns the outcome.

        Raises: `BackendTimeout` if it does not come round.
        """
        before = self.seen
        self._move(max(self._batch, before))
        awaited = self._backing.last_applicable(self._batch)
        if self._is_at(awaited):
            return APPLIED if awaited > before else SKIPPED
        self._move(self._metastore.control.ask().position)  # else it would be tried again between two steps
        return STUCK

    def open(self) -> bool:
        """Let the update thread see everything; whether it could apply all that there is."""
        awaited = self._backing.last_applicable(OPEN)
        self._move(OPEN)
        settled = self._is_at(awaited)
        self._mark = 0
        return settled

    def try_open(self) -> bool:
        """As `open`; also False if the thread does not come round at all."""
        try:
            return self.open()
        except BackendTimeout:
            return False

    def _move(self, mark: int) -> None:
        self._mark = mark
        self._metastore.control.ask(f"pull {OPEN if self._pulls else mark}")
        self._metastore.control.ask(f"poller {mark}")

    def _is_at(self, awaited: int) -> bool:
        """Wait for the position; False if the thread has come round often enough and is not there."""
        control = self._metastore.control
        where = control.ask()
        for _ in range(STUCK_POLLS):
            if where.position >= awaited:
                return True
            where = control.await_poll(where.polls, ANSWER_S)
        return where.position >= awaited
