"""Hours that pass on the real Hudi at once: its JVM moves to another time zone, in which instants are written.

`HoodieInstantTimeGenerator` writes an instant in the local time of its JVM, the default (LOCAL, the table's
`hoodie.table.timeline.timezone`), and keeps the last one: that is forgotten when the hours begin, for it would wait
until it is past.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

GENERATOR = "org.apache.hudi.common.table.timeline.HoodieInstantTimeGenerator"
FIRST = "00000000000001"
HOUR_MS = 3_600_000


class Hours:
    """Hours that a JVM is behind its own time; each that passes brings it an hour nearer."""

    def __init__(self, zones: Any, behind: int) -> None:
        self._zones = zones
        self._behind = behind
        self._own = zones.getDefault()
        self._move()

    def passes(self) -> None:
        """Let an hour pass."""
        assert self._behind, "more hours than were left behind"
        self._behind -= 1
        self._move()

    def end(self) -> None:
        """Come back to the JVM's own time."""
        self._zones.setDefault(self._own)

    def _move(self) -> None:
        hours = self._own.getRawOffset() // HOUR_MS - self._behind
        self._zones.setDefault(self._zones.getTimeZone(f"GMT{hours:+d}") if self._behind else self._own)


@contextmanager
def hours_behind(session: Any, hours: int) -> Iterator[Hours]:
    """So many hours ago, by the instants that Hudi writes, until it has been left."""
    if hours:
        last = session.jvm.java_class(GENERATOR).getDeclaredField("LAST_INSTANT_TIME")
        last.setAccessible(True)
        last.get(None).set(FIRST)
    there = Hours(session.jvm.java.java.util.TimeZone, hours)
    try:
        yield there
    finally:
        there.end()
