"""Readers of a table by the Java API that do not read what is current: what came since the race began, or what was."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class ReadSince:
    """Java API: load the table, and read what came since the snapshot that main was at before the race.

    `appends`: the rows that appends have added (`newIncrementalAppendScan`); `changes`: rows that were added, +, and
    that went with their files, -, oldest first (`newIncrementalChangelogScan`). Where main has not moved, nothing is
    planned.
    """

    what: Literal["appends", "changes"] = "appends"


@dataclass(frozen=True, slots=True)
class ReadAt:
    """Java API: load the table, and read all rows of a branch or a tag (`useRef`); or of what main was at `age_h` hours
    before the race, from above 0 (`asOfTime`); or, with neither, of the snapshot that was `back` commits below main's
    head before the race (`useSnapshot`)."""

    ref: str = ""
    back: int = 0
    age_h: float | None = None


OfPast = ReadSince | ReadAt


def told(rows: Iterable[tuple[int, str | None]]) -> str:
    """What was read, in words: "3 = x, 4 = y", or "1 = -a, 1 = +A"."""
    return ", ".join([f"{key} = {value}" for key, value in rows]) or "nothing"
