"""A cache's watermark, moved on event by event: what a step waits for, and when it gives up."""

from typing import Any

import pytest

from real_backend.errors import BackendTimeout
from real_backend.hive.backing import NOT_APPLIED
from real_backend.hive.control import OPEN, Where
from real_backend.hive.follower import Follower
from real_backend.hive.logged import LoggedEvent


class Cache:
    """Stands in for a metastore's cache and its log: every look at the watermark is followed by one poll."""

    def __init__(self, *kinds: str, bad: int = 0, spins: bool = False) -> None:
        self.log = [LoggedEvent(number, kind, "run1", "t") for number, kind in enumerate(kinds, 1)]
        self.name, self.control = "h2", self
        self.mark, self.pull, self.position, self.polls = 0, OPEN, 0, 0
        self._bad, self._spins = bad, spins

    def ask(self, line: str = "where") -> Where:
        if line.startswith("poller "):
            self.mark = int(line.split()[1])
        elif line.startswith("pull "):
            self.pull = int(line.split()[1])
        return Where(self.position, self.polls, 0, 0)

    def await_poll(self, polls: int, timeout_s: float) -> Where:
        if self._spins:
            raise BackendTimeout("update thread: expected a poll")
        visible = [event.id for event in self.log if self.position < event.id <= self.mark and self._applies(event)]
        if self._bad not in visible:
            self.position = max([self.position, *visible])
        self.polls += 1
        return self.ask()

    def _applies(self, event: LoggedEvent) -> bool:
        return event.kind not in NOT_APPLIED

    def last_event(self) -> int:
        return len(self.log)

    def last_applicable(self, limit: int) -> int:
        return max([event.id for event in self.log if event.id <= limit and self._applies(event)], default=0)

    def events_after(self, position: int) -> list[LoggedEvent]:
        return [event for event in self.log if event.id > position]


def follower_of(cache: Cache) -> Follower:
    both: Any = cache
    return Follower(both, both)


def test_steps_take_one_event_each_and_say_what_came_of_it():
    """Events of transactions are steps, too, though the shipped cache skips them."""
    cache = Cache("OPEN_TXN", "ALTER_TABLE", "COMMIT_TXN", "ALTER_TABLE")
    follower = follower_of(cache)
    assert [follower.step() for _ in range(4)] == ["skipped", "applied", "skipped", "applied"]
    assert (follower.has_next(), cache.position) == (False, 4)


def test_event_that_cannot_be_applied_ends_the_step_and_stays():
    """The position stands still, whatever comes after."""
    cache = Cache("ALTER_TABLE", "ALTER_TABLE", "ALTER_TABLE", bad=2)
    follower = follower_of(cache)
    assert [follower.step() for _ in range(3)] == ["applied", "stuck", "stuck"]
    assert cache.position == 1
    assert not follower.open()


def test_batch_is_what_the_log_had_when_it_was_read():
    """What comes later is of the next one; a pull may have brought it all meanwhile."""
    cache = Cache("ALTER_TABLE", "ALTER_TABLE")
    follower = follower_of(cache)
    assert follower.read() == "read"
    cache.log.append(LoggedEvent(3, "ALTER_TABLE", "run1", "t"))
    assert (follower.apply(), cache.position, follower.has_next()) == ("applied", 2, True)
    follower.read()
    cache.position = 3
    assert (follower.apply(), follower.has_next()) == ("skipped", False)


def test_batch_that_cannot_be_applied_is_hidden_again():
    """Else the thread would try it between two steps."""
    cache = Cache("ALTER_TABLE", "ALTER_TABLE", bad=2)
    follower = follower_of(cache)
    follower.read()
    assert (follower.apply(), cache.position, cache.mark) == ("stuck", 0, 0)


def test_closed_watermark_shows_nothing_new_and_an_open_one_everything():
    """`close` is at the newest event there is."""
    cache = Cache("ALTER_TABLE")
    follower = follower_of(cache)
    assert follower.open()
    assert cache.mark == OPEN
    follower.close()
    cache.log.append(LoggedEvent(2, "ALTER_TABLE", "run1", "t"))
    cache.await_poll(0, 1)
    assert (cache.mark, cache.position, follower.has_next()) == (1, 1, True)


@pytest.mark.parametrize(("pulls", "has_next"), [(True, False), (False, True)])
def test_what_a_pull_has_brought_is_seen_unless_pulls_do_not_count(pulls, has_next):
    """A write through this replica has moved the position beyond the watermark."""
    cache = Cache("ALTER_TABLE", "ALTER_TABLE")
    follower = follower_of(cache)
    follower.close(pulls=pulls)
    cache.log.append(LoggedEvent(3, "ALTER_TABLE", "run1", "t"))
    cache.position = 3
    assert follower.has_next() is has_next


def test_pulls_that_are_to_bring_nothing_see_what_the_update_thread_sees():
    """Until the next run: then they bring what there is again."""
    cache = Cache("ALTER_TABLE", "ALTER_TABLE")
    follower = follower_of(cache)
    follower.close(pulls=False)
    cache.log.append(LoggedEvent(3, "ALTER_TABLE", "run1", "t"))
    seen = [cache.pull]
    follower.step()
    seen.append(cache.pull)
    follower.close()
    assert [*seen, cache.pull] == [2, 3, OPEN]


def test_thread_that_never_comes_round_is_a_timeout_or_a_no():
    """A step must say so; whoever only wants to know gets False."""
    cache = Cache("ALTER_TABLE", spins=True)
    follower = follower_of(cache)
    with pytest.raises(BackendTimeout, match="expected a poll"):
        follower.step()
    assert not follower.try_open()
