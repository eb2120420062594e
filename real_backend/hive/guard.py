"""A process that outlives a killed run just long enough to end what the run had started. Standard library only.

`real_backend.hive.processes` runs it. It reads one JSON line per process and folder from its
standard input. The end of that input means that the run is over, however it ended: then what is still on the list is
ended and removed.

Choices: a pipe and not PR_SET_PDEATHSIG, which is bound to the thread that made the child, does not reach what the
child has made, exists on Linux only, and removes no folder.
"""

import json
import os
import shutil
import signal
import sys
import time

GRACE_S = 5.0
_POLL_S = 0.02
_IGNORED = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")


def main() -> None:
    """Keep the list until the input ends, then end what is on it."""
    for name in _IGNORED:  # what is sent to everybody, to end the run, must not end this first
        signal.signal(getattr(signal, name), signal.SIG_IGN)
    processes: dict[int, int] = {}
    folders: dict[str, None] = {}
    for line in sys.stdin:
        order = json.loads(line)
        if "process" in order:
            processes[order["process"]] = order["signal"]
        elif "folder" in order:
            folders[order["folder"]] = None
        else:
            processes.pop(order["forget"], None)
            folders.pop(order["forget"], None)
    end(processes)
    for folder in reversed(folders):
        remove(folder)


def end(processes: dict[int, int]) -> None:
    """Ask each process to end with its own signal, also who rests; kill the groups of those that do not in time."""
    for pid, number in processes.items():
        _send(pid, number)
        _send(pid, signal.SIGCONT)
    deadline = time.monotonic() + GRACE_S
    while any(map(alive, processes)) and time.monotonic() < deadline:
        time.sleep(_POLL_S)
    for pid in processes:
        _send(-pid, signal.SIGKILL)


def remove(folder: str) -> None:
    """Remove a folder, in which a process that is just ending may still be writing."""
    deadline = time.monotonic() + GRACE_S
    while os.path.exists(folder) and time.monotonic() < deadline:
        shutil.rmtree(folder, ignore_errors=True)
        time.sleep(_POLL_S)


def alive(pid: int) -> bool:
    """Whether there is such a process, and it is more than an entry that nobody has collected yet."""
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return True  # no /proc on this system


def _send(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except OSError:
        return  # it has ended


if __name__ == "__main__":
    main()
