"""What seeds of drawn Hudi races may be about: features that need each other, told together.

Options are named by their draws (`generate`, `draw.faults`, `draw.services`, ...). A focus is of tables that
can have its features; where a list names one option several times, another one stands there as often, or is drawn more
often without that ("as drawn", of services).
"""

from __future__ import annotations

from collections.abc import Mapping

from model.hudi.keys import (
    EARLY,
    FILE_SYSTEM,
    INTERVAL,
    KEEP_MAX,
    LOCK_PROVIDER,
    LOG_COMPACT_AFTER,
    MERGE_ON_READ,
    METADATA,
    METADATA_COMPACT_AFTER,
    MODE,
    OCC,
    TABLE_TYPE,
    ZOOKEEPER,
)
from sim.generation.focus import Focus
from sim.hudi.build import EXPIRE
from sim.hudi.setting_names import UNSET

Texts = Mapping[str, tuple[str, ...]]
YES, NO, NONE, VANISHED = ("yes",), ("no",), ("none",), ("vanished",)
SELDOM_MORE, NO_MORE, MORE = ("0", "0", "1"), ("0",), ("1",)
EXPIRIES = ("180000", "3000")
"""When a heartbeat has expired, of a minute's beats or of a second's."""
FEW: Texts = {
    "another of actors": NO_MORE, "another of statements": SELDOM_MORE, "another of ids": NO_MORE, "habits": (),
    "another of earlier writes": NO_MORE, "file groups": ("1",), "rows in each": ("1", "2"), "partitions": ("()",),
    "ids that no file holds": NO, "every call": NO, "a marker file is damaged": NONE,
}  # fmt: skip
"""Two actors of one statement, or of little more, who meet in one file group: each step is a change."""
CALM: Texts = {**FEW, "faults": ("0",), "hosts of their own": NO}


def _struck(*kinds: str, at: tuple[str, ...]) -> Texts:
    """As few, and one fault of these kinds, there."""
    return {**FEW, "faults": ("1",), "kinds of faults": kinds, "where faults strike": at, "hosts of their own": NO}


UNANSWERED, DEATHS, PAUSES, LATE = "requests without an answer", "deaths", "pauses", "late requests"
CHANGES, READS, LOCKS, WAITS = "changes of files", "reads of files", "locks", "waits"
OFTEN: Texts = {INTERVAL: ("1000",)}
BLOCKED: Texts = {MODE: (OCC,), EARLY: ("false",)}
MERGED: Texts = {**BLOCKED, TABLE_TYPE: (MERGE_ON_READ,), LOG_COMPACT_AFTER: (UNSET,)}
BEATING: Texts = {
    **BLOCKED, **OFTEN, TABLE_TYPE: (UNSET,), KEEP_MAX: (UNSET,), METADATA: (UNSET,), LOCK_PROVIDER: (ZOOKEEPER,),
}  # fmt: skip
ARCHIVED: Texts = {**BLOCKED, TABLE_TYPE: (UNSET,), KEEP_MAX: ("2", "3")}
ALONE: Texts = {"cleaning": NO, "clustering": NO}
"""Nobody more who cleans, or clusters."""
LATER: Texts = {
    "rows in each": ("1",), "who else is there": ("as drawn",), "before somebody archives": ("a clean, and writes",),
}  # fmt: skip
"""Who archives has cleaned and written before."""
TAKING_OVER: Texts = {
    "statements": ("read",), "kind": ("read", "read", "upsert"), "another of compactions": MORE,
    "another of earlier writes": ("0", "1", "1"), "how it ended": ("committed",),
    "whose plan": ("its own", "anybody's"), "overwrites and deletions of log files": NO, "rollbacks list files": NO,
}  # fmt: skip
"""Two compact, of whom the one may carry out what the other has planned."""
OF_LOGS: tuple[Focus, ...] = (
    Focus("services beside one writer", {
        **CALM, "statements": (), "another of ids": SELDOM_MORE, "whose plan": ("its own",),
        "who is beside who compacts": ("who overwrites", "who clusters", "who restores"),
    }, MERGED),
    Focus("log files that are taken back", {
        **CALM, "statements": ("read",), "kind": (*3 * ("read",), "upsert"), "every call": ("no", "yes", "yes"),
        "another of statements": ("0", *3 * ("1",)), "another of compactions": NO_MORE,
        "overwrites and deletions of log files": NO, "clustering of log files": NO,
        "restores of log files": ("one more",), "changed before it is restored": YES,
        "how it ended": ("committed", "written"), "a thing taken back": (*3 * ("an upsert",), "a compaction"),
        "who is beside who compacts": ("as drawn", *3 * ("nobody, who restores alone",)),
    }, MERGED),
    Focus("executors fail, and their markers vanish", {
        **_struck(UNANSWERED, at=(LOCKS,)), **TAKING_OVER, "another of statements": NO_MORE,
        "wait before it": ("0", *EXPIRIES), "a marker file is damaged": VANISHED,
    }, MERGED),
    Focus("executors who are taken for dead", {
        **_struck(UNANSWERED, PAUSES, at=(CHANGES, WAITS)), **TAKING_OVER, "wait before it": ("0", *EXPIRIES),
    }, {**MERGED, **OFTEN}),
)  # fmt: skip
OF_BEATS: tuple[Focus, ...] = (
    Focus("writers who are taken for dead", {
        **_struck(UNANSWERED, PAUSES, at=(CHANGES, WAITS)), "statements": ("clean",), "kind": ("upsert", "clean"),
        "wait before it": EXPIRIES, "overwrites and deletions": (*NO, *9 * YES),
    }, BEATING),
    Focus("requests that arrive late", {**_struck(LATE, at=(CHANGES,)), "statements": ()}, BEATING),
)  # fmt: skip
OF_ARCHIVES: tuple[Focus, ...] = (
    Focus("archiving after rollbacks", {
        **_struck(UNANSWERED, at=(READS,)), **LATER, **ALONE, "every call": YES, "another of statements": NO_MORE,
        "statements": ("read",), "kind": ("read", "upsert"), "file groups": ("2",), "id": ("1",),
        "written before": ("2",), "overwrites and deletions": NO,
        "another of earlier writes": ("0", "1"), "how it ended": ("written",), "just now": NO,
    }, {**ARCHIVED, INTERVAL: ("60000",)}),
    Focus("archiving after who was taken for dead", {
        **_struck(UNANSWERED, PAUSES, at=(CHANGES, WAITS)), **LATER, "statements": (), "file groups": ("1", "2"),
        "wait before it": EXPIRIES,
    }, {**ARCHIVED, **OFTEN, METADATA: (UNSET,)}),
    Focus("archiving by a metadata table after who was taken for dead", {
        **_struck(PAUSES, at=(CHANGES,)), **LATER, "statements": (), "another of statements": NO_MORE,
        "file groups": ("2",), "id": ("1",), "written before": ("2",), "writes before": ("2",),
        "wait before it": EXPIRIES,
    }, {**ARCHIVED, **OFTEN, METADATA: ("true",), METADATA_COMPACT_AFTER: ("1",)}),
    Focus("archiving beside a slow writer", {
        **CALM, "file groups": ("2",), "rows in each": ("1",), "statements": (),
        "who else is there": ("a slow writer",),
    }, ARCHIVED),
)  # fmt: skip
OF_LOCKS: tuple[Focus, ...] = (
    Focus("holders of locks die", {
        **_struck(DEATHS, at=(CHANGES,)), **ALONE, "another of actors": ("0", "1", "1"), "statements": (),
        "storage": ("atomic",),
    }, {LOCK_PROVIDER: (FILE_SYSTEM,), EXPIRE: ("1",)}),
)  # fmt: skip
FOCUSES = (*OF_LOGS, *OF_BEATS, *OF_ARCHIVES, *OF_LOCKS)
