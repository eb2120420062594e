"""Commits to a Hive catalog under a lock that their writer knew to be lost, as the trace of a run shows them.

* Who has been told by a heartbeat that his lock is gone, and then alters the table, does so unprotected.
* Who is told so before his alter is answered may not say that it is done: another commit may have come in between.

Source: `hive-metastore/.../hive/HiveTableOperations.java` (`doCommit`, `HiveLock.ensureActive` before and after
`persistTable`) of 1.11.0.

Choices: a lease that has run out unnoticed is not asked for: nobody can know (`iceberg/hive-lock-pause`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from model.ports import NotLocked
from sim.kernel.trace import Row

LOCK, ALTER, HEARTBEAT = "lock", "alter_table", "heartbeat"
LOST = NotLocked.__name__


def unlocked(rows: Sequence[Row], actor: str, *, done: bool) -> list[str]:
    """What was done without the lock, as sentences. Args: `rows`: those of one statement; `done`: it was told so."""
    begins = [place for place, row in enumerate(rows) if row[1:3] == (actor, LOCK)]
    attempts = [rows[first:last] for first, last in pairwise([*begins, len(rows)])]
    found = [text for number, one in enumerate(attempts, 1) for text in _of(one, actor, done and number == len(begins))]
    return found[:1]


def _of(rows: Sequence[Row], actor: str, done: bool) -> list[str]:
    """The same of one attempt."""
    beats = [place for place, row in enumerate(rows) if row[1] == f"{actor}-{HEARTBEAT}" and HEARTBEAT in row[2]]
    own = [place for place, row in enumerate(rows) if row[1] == actor]
    alters = [place for place in own if rows[place][2].startswith(ALTER)]
    if not alters or all(rows[place][5] != LOST for place in beats):
        return []
    told, sent = beats[-1], max([place for place in own if place < alters[0]], default=-1)
    if told < sent:
        return [f"unlocked: expected no alter by {actor}, whose heartbeat has said that the lock is gone"]
    if done and told < alters[-1]:
        return [f"unlocked: expected {actor} not to be told that it is done, the lock was gone before the answer"]
    return []
