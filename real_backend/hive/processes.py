"""Child processes and folders that do not survive this process, however it ends.

A child begins as a shell that waits for a line from us. The line is sent when the guard knows of the child, so there
is no moment at which a kill of this process would leave one behind. See `guard.py` for the rest.
"""

import atexit
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from real_backend.errors import BackendError
from real_backend.hive import guard

STOP_S = 20.0
_GUARD_END_S = 15.0
_HOLD = 'read go && exec "$@"'


class _Guard:
    """Our end of the guard's input."""

    def __init__(self) -> None:
        command = [sys.executable, "-S", "-E", guard.__file__]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True, cwd="/")
        self.owner = os.getpid()
        atexit.register(self.close)

    def tell(self, **order: Any) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(order).encode() + b"\n")
            self._process.stdin.flush()
        except OSError as error:
            raise BackendError(f"guard of child processes: expected it to live, got {error}; start again") from None

    def close(self) -> None:
        if self.owner != os.getpid():
            return  # a fork of ours: the guard is its parent's
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(_GUARD_END_S)


_guard: _Guard | None = None


def _the_guard() -> _Guard:
    global _guard
    if _guard is None or _guard.owner != os.getpid():
        _guard = _Guard()
    return _guard


class Owner(NamedTuple):
    """Whom a child runs as, if it is not us: user and group id."""

    user: int
    group: int


class Child:
    """A running child process in a session of its own; its output goes to `log`.

    Args: `stop_signal` asks it to end; only root can give it another `owner`.
    """

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        log: Path,
        *,
        stop_signal: signal.Signals = signal.SIGTERM,
        environment: Mapping[str, str] | None = None,
        owner: Owner | None = None,
    ) -> None:
        self.log = log
        self._signal = stop_signal
        keeper = _the_guard()
        with log.open("ab") as output:
            self._process = subprocess.Popen(
                ["/bin/sh", "-c", _HOLD, "sh", *command], stdin=subprocess.PIPE, stdout=output, stderr=output,
                cwd=folder, env=environment, start_new_session=True, **as_owner(owner),
            )  # fmt: skip
        keeper.tell(process=self.pid, signal=int(stop_signal))
        assert self._process.stdin is not None
        self._process.stdin.write(b"go\n")
        self._process.stdin.close()

    @property
    def pid(self) -> int:
        """The process id, which is also its group's."""
        return self._process.pid

    @property
    def code(self) -> int | None:
        """Its exit code; None while it runs."""
        return self._process.poll()

    def rest(self) -> None:
        """Let it stand still, and take no time of the processor, until it is woken."""
        self._process.send_signal(signal.SIGSTOP)

    def wake(self) -> None:
        """Let it go on."""
        self._process.send_signal(signal.SIGCONT)

    def stop(self, timeout_s: float = STOP_S) -> int:
        """Ask it to end, kill its group if it does not in time; returns the exit code. May be called again."""
        if self._process.poll() is None:
            self._process.send_signal(self._signal)
            self.wake()
            try:
                self._process.wait(timeout_s)
            except subprocess.TimeoutExpired:
                self.kill()
        _the_guard().tell(forget=self.pid)
        return self._process.returncode

    def kill(self) -> None:
        """End it as a crash would."""
        if self._process.poll() is None:
            os.killpg(self.pid, signal.SIGKILL)
            self._process.wait(STOP_S)

    def last_words(self) -> str:
        """The last line of its log that names an error, or else the last one."""
        lines = [line.strip() for line in self.log.read_text(errors="replace").splitlines() if line.strip()]
        rendering = [line for line in lines if "Exception" in line or "rror" in line or "FATAL" in line]
        return (rendering or lines or ["nothing in its log"])[-1][:300]


def as_owner(owner: Owner | None) -> dict[str, Any]:
    """The arguments of `subprocess` that run a command as somebody else."""
    return {} if owner is None else {**owner._asdict(), "extra_groups": ()}


def temporary_folder(prefix: str) -> Path:
    """A new folder that is removed when this process is over, at the latest. Others may pass through it."""
    folder = Path(tempfile.mkdtemp(prefix=prefix))
    _the_guard().tell(folder=str(folder))
    folder.chmod(0o711)
    return folder


def remove_folder(folder: Path) -> None:
    """Remove such a folder now."""
    guard.remove(str(folder))
    _the_guard().tell(forget=str(folder))
