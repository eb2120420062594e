"""CPU time of this process and of all that it has started: JVMs, servers."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

PROC = Path("/proc")
UTIME, STIME, PARENT = 11, 12, 1
"""Fields of `/proc/PID/stat`, counted from the one after the command's name."""


def spent_since() -> Iterator[float]:
    """Each time: the CPU-seconds since the last time; without `/proc`, those of this process alone."""
    before = _now()
    while True:
        now = _now()
        yield max(0.0, now - before)
        before = now


def _now() -> float:
    if not PROC.is_dir():
        return time.process_time()
    stats = {int(path.name): found for path in PROC.iterdir() if path.name.isdigit() and (found := _fields(path))}
    mine = {os.getpid()}
    grew = True
    while grew:
        more = {pid for pid, fields in stats.items() if int(fields[PARENT]) in mine} - mine
        mine |= more
        grew = bool(more)
    ticks = sum(int(stats[pid][UTIME]) + int(stats[pid][STIME]) for pid in mine if pid in stats)
    return ticks / os.sysconf("SC_CLK_TCK")


def _fields(path: Path) -> list[str]:
    try:
        return (path / "stat").read_text().rpartition(")")[2].split()
    except OSError:  # it has ended
        return []
