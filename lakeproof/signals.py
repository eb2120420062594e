"""SIGINT, SIGTERM and SIGHUP as an ordinary end: what runs is unwound, so that JVMs end and their folders go.

Choices: a signal that somebody had ignored (`nohup`) or handled stays so; outside the main thread nothing is changed. A
`KeyboardInterrupt` is then nobody's Ctrl-C, but raised by the code under test.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

from lakeproof.errors import HUNG_UP, INTERRUPTED, TERMINATED

SIGNALS = {signal.SIGINT: INTERRUPTED, signal.SIGTERM: TERMINATED, signal.SIGHUP: HUNG_UP}
UNHANDLED = (signal.SIG_DFL, signal.default_int_handler)


class Ended(BaseException):
    """A signal asks this process to end. `code` is the exit code, as a shell counts."""

    def __init__(self, number: int) -> None:
        name = signal.Signals(number).name
        super().__init__("interrupted" if number == signal.SIGINT else f"ended by {name}")
        self.code = SIGNALS[signal.Signals(number)]


@contextmanager
def ending_in_order() -> Iterator[None]:
    """Raise `Ended` in the block where these signals would kill."""
    ours = threading.current_thread() is threading.main_thread()
    before = {number: signal.getsignal(number) for number in SIGNALS if ours}
    replaced = {number: handler for number, handler in before.items() if handler in UNHANDLED}
    for number in replaced:
        signal.signal(number, _end)
    try:
        yield
    finally:
        for number, handler in replaced.items():
            signal.signal(number, handler)


def _end(number: int, _: FrameType | None) -> NoReturn:
    for each in SIGNALS:
        if signal.getsignal(each) is _end:
            signal.signal(each, signal.SIG_IGN)  # a second one must not interrupt the cleaning
    raise Ended(number)
