"""Code of a user's file that never comes back: `while True: pass` in a body, or when the file is loaded.

The search bounds the steps of a run, but it does not see what takes no step. Here a timer looks at the stack now and
then: if the file's code, or a task, has gone on all the while without a switch between tasks, it is stopped.

Choices: the time that counts is the CPU's (a debugger's prompt may wait); who imports a large library is not stopped;
a loop inside one call of a C function is not seen, nor is anything outside the main thread.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import greenlet

from lakeproof.errors import BAD_INPUT
from lakeproof.talk import say

PATIENCE_S = 5.0
LOOKS = 5
_IMPORTING = "<frozen importlib._bootstrap>"


class Hung(BaseException):
    """Code of the file did not come back; `line` is where it stood. No `except Exception` of that code may hold it."""

    def __init__(self, line: int | None) -> None:
        place = f"line {line}: " if line else ""
        super().__init__(f"{place}expected to come back, at its ports or for good, within {PATIENCE_S:g} s, got no end")
        self.line = line


@contextmanager
def watching(path: Path | None) -> Iterator[None]:
    """Raise `Hung` in the block if code of the file at `path` (None: nobody's) does not come back."""
    ours = threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer")
    if path is None or not ours or signal.getsignal(signal.SIGVTALRM) is not signal.SIG_DFL:
        yield
        return
    watch = _Watch(path)
    signal.signal(signal.SIGVTALRM, watch.look)
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE_S / LOOKS, PATIENCE_S / LOOKS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
        watch.forget()


class _Watch:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._files = (str(path), os.path.abspath(path))
        self._looks = 0
        self._raised = 0

    def look(self, _: int, frame: FrameType | None) -> None:
        """Called by the timer: once more at the same place, or somewhere else by now."""
        line = self._line(frame)
        if line is None:
            self.forget()
            return
        self._looks += 1
        if self._looks == 1:
            greenlet.settrace(self._moved)  # one switch is enough: it takes itself away
        if self._looks > LOOKS:
            hung = Hung(line or None)
            self._looks = 0
            self._raised += 1
            if self._raised > 2:  # it is caught in there, again and again
                say(f"lakeproof: scenario file {self._path}: {hung}")
                sys.stdout.flush()
                os._exit(BAD_INPUT)
            raise hung

    def forget(self) -> None:
        """It has moved."""
        self._looks = self._raised = 0
        greenlet.settrace(None)

    def _moved(self, *_: object) -> None:
        self.forget()

    def _line(self, frame: FrameType | None) -> int | None:
        """Where the file's code stands; 0: in a task, but not in the file; None: in nothing of the user's."""
        while frame is not None and frame.f_code.co_filename != _IMPORTING:
            if frame.f_code.co_filename in self._files:
                return frame.f_lineno
            frame = frame.f_back
        return 0 if frame is None and greenlet.getcurrent().parent is not None else None
