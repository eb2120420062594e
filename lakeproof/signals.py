"""SIGTERM and SIGHUP as an ordinary end: what runs is unwound, so that JVMs end and their folders go.

SIGINT does that by itself, but what it raises any code can raise: `Interrupted` comes from the user's keys alone.

Choices: a signal that somebody had ignored (`nohup`) or handled stays so; outside the main thread nothing is changed.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

from lakeproof.errors import HUNG_UP, TERMINATED

SIGNALS = {signal.SIGTERM: TERMINATED, signal.SIGHUP: HUNG_UP}


class Ended(BaseException):
    """A signal asks this process to end. `code` is the exit code, as a shell counts."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.code = SIGNALS[signal.Signals(number)]


class Interrupted(KeyboardInterrupt):
    """The user has pressed Ctrl-C."""


def by_user(error: KeyboardInterrupt) -> bool:
    """Whether the user interrupted, and no code that raised the same; nobody can where SIGINT is ignored."""
    return isinstance(error, Interrupted) or signal.getsignal(signal.SIGINT) not in (_interrupt, signal.SIG_IGN)


@contextmanager
def ending_in_order() -> Iterator[None]:
    """Raise `Ended` in the block where these signals would kill, and `Interrupted` where SIGINT comes."""
    ours = threading.current_thread() is threading.main_thread()
    replaced = [number for number in SIGNALS if ours and signal.getsignal(number) is signal.SIG_DFL]
    if ours and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)
    for number in replaced:
        signal.signal(number, _end)
    try:
        yield
    finally:
        for number in replaced:
            signal.signal(number, signal.SIG_DFL)
        if ours and signal.getsignal(signal.SIGINT) is _interrupt:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def _interrupt(_: int, __: FrameType | None) -> NoReturn:
    raise Interrupted


def _end(number: int, _: FrameType | None) -> NoReturn:
    for each in SIGNALS:
        if signal.getsignal(each) is _end:
            signal.signal(each, signal.SIG_IGN)  # a second one must not interrupt the cleaning
    raise Ended(number)
