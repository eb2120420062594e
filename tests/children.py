"""Child processes of tests: with the default signal handlers, whatever we were started with, and ended with the test.

A shell that runs us in the background without job control, `nohup` and many CI runners start us with SIGINT or SIGHUP
ignored, and who is started by us would inherit that.
"""

import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

_EXEC = """
import os, signal, sys
for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"):
    signal.signal(getattr(signal, name), signal.SIG_IGN if name in sys.argv[1].split() else signal.SIG_DFL)
os.execvp(sys.argv[2], sys.argv[2:])
"""


def with_signals(command: Sequence[object], *, ignored: str = "") -> list[str]:
    """The command with the default handlers of all signals that end a process, but for those that are to be ignored."""
    # Not `preexec_fn`: it runs between fork and exec, which is unsafe beside threads, and Python 3.12 says so.
    return [sys.executable, "-S", "-E", "-c", _EXEC, ignored, *map(str, command)]


@contextmanager
def child(command: Sequence[object], **options: Any) -> Iterator["subprocess.Popen[Any]"]:
    """The running command with the default handlers, as `subprocess.Popen`; killed on the way out, its pipes closed."""
    with subprocess.Popen(with_signals(command), **options) as process:
        try:
            yield process
        finally:
            process.kill()


def await_state(pid: int, states: str, within_s: float = 120.0) -> None:
    """Wait until a process is in one of these states, by the letters of `ps`: R or S goes on, T stands still."""
    deadline = time.monotonic() + within_s
    while (state := _state_of(pid)) not in states and time.monotonic() < deadline:
        time.sleep(0.01)
    assert state in states


def _state_of(pid: int) -> str:
    found = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return found.stdout[:1] or "gone"
