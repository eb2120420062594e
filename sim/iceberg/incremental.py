"""Readers of a table that do not read what is current: what came since the race began, or what was.

By the Java API or, where the others speak it, in Spark SQL: a snapshot is named by its id then, of the table as it was
when the race began.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from model.iceberg.spark_reads import By, Since


@dataclass(frozen=True, slots=True)
class ReadSince:
    """Java API: load the table, and read what came since the snapshot that main was at before the race.

    `appends`: the rows that appends have added (`newIncrementalAppendScan`); `changes`: rows that were added, +, and
    that went with their files, -, oldest first (`newIncrementalChangelogScan`). Where main has not moved, nothing is
    planned.

    Spark SQL: SELECT from t, or of changes from `t.changes`, with the option `start-snapshot-id`, which names the
    snapshot `back` commits below main's head of before the race, and, `until` "before", `end-snapshot-id`, which names
    this head. `view`: `CALL system.create_changelog_view`, and SELECT from it; `net changes`: with `net_changes`;
    `updates`: with `identifier_columns => array('id')`, rows as they were, "from x", and as they are, "to x".
    """

    what: Since = "appends"
    back: int = 0
    until: Literal["now", "before"] = "now"


@dataclass(frozen=True, slots=True)
class ReadAt:
    """Java API: load the table, and read all rows of a branch or a tag (`useRef`); or of what main was at `age_h` hours
    before the race, from above 0 (`asOfTime`); or, with neither, of the snapshot that was `back` commits below main's
    head before the race (`useSnapshot`).

    Spark SQL: `SELECT id, v FROM t VERSION AS OF` it; `by` "name": from `t.branch_b`, `t.tag_t` or `t.snapshot_id_1`;
    by "option": with the option `branch`, `tag` or `snapshot-id`. Of a time: `TIMESTAMP AS OF` it, `t.at_timestamp_1`,
    the option `as-of-timestamp`.
    """

    ref: str = ""
    back: int = 0
    by: By = "version"
    age_h: float | None = None


OfPast = ReadSince | ReadAt


def names_inside(reads: OfPast) -> bool:
    """Whether it names something inside the table, for which Spark looks for another table first."""
    return reads.what != "appends" if isinstance(reads, ReadSince) else reads.by == "name"


def in_words(reads: OfPast) -> tuple[str, str]:
    """The history's name of a read, and its argument in words."""
    if isinstance(reads, ReadAt):
        by = "" if reads.by == "version" else f", by {reads.by}"
        past = f"{reads.back} back" if reads.age_h is None else f"{reads.age_h:g} h ago"
        return "read at", (reads.ref or past) + by
    since = f"since {reads.back} back" if reads.back else "since the race began"
    return f"read {reads.what}", since + (", until it began" if reads.until == "before" else "")


def told(rows: Iterable[tuple[int, str | None]]) -> str:
    """What was read, in words: "3 = x, 4 = y", or "1 = -a, 1 = +A"."""
    return ", ".join([f"{key} = {value}" for key, value in rows]) or "nothing"
