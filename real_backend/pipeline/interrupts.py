"""Ctrl-C that waits for the end of a call into the JVM.

pyspark answers SIGINT with a call of its own. Within another call on the same connection that ends in a `Py4JError`
instead of `KeyboardInterrupt`, and whatever is asked of the JVM afterwards may get the wrong answer.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def interrupted_later() -> Iterator[None]:
    """A SIGINT that comes in the block is delivered at its end. In other threads than the main one, none comes."""
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGINT) is None:
        yield
        return
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if came:
            signal.raise_signal(signal.SIGINT)
