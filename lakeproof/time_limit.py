"""A time limit for one piece of work: what takes longer is unknown, and nothing hangs.

Choices: wall-clock time, as whoever waits counts it. A call of a library in C ends first. Where there are no timers (no
main thread, Windows) there is no limit.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn


class TimeUp(BaseException):
    """The time is over. No `except Exception` on the way may hold it."""


@contextmanager
def limited(seconds: float | None) -> Iterator[None]:
    """Raise `TimeUp` in the block when it has taken `seconds` (more than 0; None: it may take what it takes)."""
    ours = threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer")
    if seconds is None or not ours:
        yield
        return
    before = signal.signal(signal.SIGALRM, _up)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _up(_: int, __: FrameType | None) -> NoReturn:
    raise TimeUp
