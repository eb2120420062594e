"""What the writers of one live run did and were told, and the whole run with its table as it is read back."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from real_backend.gating import journal
from real_backend.gating.gate import Gate, Passed
from real_backend.gating.journal import OK
from real_backend.iceberg.live_run import Command, LiveRun, Version, sorted_rows
from real_backend.iceberg.refusals import DEFINITE, kind_of
from real_backend.jvm.java_errors import describe
from sim.iceberg.ages import RollBackToTime
from sim.iceberg.incremental import OfPast
from sim.iceberg.managing import Alters, CherryPick, MoveBranch, Publish, RollBack
from sim.iceberg.sql_statements import RewriteInCommits
from sim.iceberg.workload import (
    IcebergWorkload,
    Merge,
    RewriteDataFiles,
    Rows,
    Scan,
    Select,
    Statement,
    tried_again,
)

LOAD, COMMIT = "load", "commit"
LOADS_WITHOUT_SCAN = 2
"""A statement that does not scan for files to rewrite loads the table to plan, and to commit."""
IN_TRANSACTION = RollBack | RollBackToTime | CherryPick | MoveBranch | Publish | Alters
"""Procedures, and statements on refs, whose operation loads the table anew before it begins."""


class Sending(NamedTuple):
    """A statement ready to be sent.

    `start`: the snapshot that it plans on, if known before its first load; `versions`: as those of `Command`.
    """

    send: Callable[[], object]
    start: int | None = None
    versions: tuple[Rows, ...] = ()


class Journal(journal.Journal[Command]):
    """The commands of a workload's writers.

    Args: `load` and `commit` are the gate's names of the steps that read and that replace the table's metadata.
    """

    def __init__(self, workload: IcebergWorkload, load: str = LOAD, commit: str = COMMIT) -> None:
        super().__init__()
        self._workload, self._load, self._commit = workload, load, commit

    def act(self, gate: Gate, actor: str, prepare: Callable[[int, Statement], Sending]) -> None:
        """Send the writer's statements, one after the other. Args: `prepare` takes a statement's number, from 0."""
        for number, statement in enumerate(dict(self._workload.writers)[actor]):
            for tries in range(self._workload.tries + 1):
                told = self._send(gate, actor, tried_again(statement, tries), partial(prepare, number))
                if kind_of(told) not in DEFINITE:
                    break

    def _send(self, gate: Gate, actor: str, statement: Statement, prepare: Callable[[Statement], Sending]) -> str:
        sending = prepare(statement)
        first, invoked, invoked_ms = len(gate.trace), self.next(), self.now_ms
        seen: tuple[Rows, ...] = ()
        try:
            seen = _found(statement, sending.send())
            outcome: str = OK
        except Exception as error:
            outcome = describe(error)
        own = [passed for passed in gate.trace[first:] if passed.at.actor == actor]
        commit, also = _version(own, self._commit, -1), tuple[int, ...]()
        if isinstance(statement, RewriteInCommits):
            landed = _landed(own, self._commit)
            commit, also = landed[-1] if landed else None, tuple(landed[:-1])
        asked = next((place for place, passed in enumerate(own) if passed.at.operation == self._commit), len(own))
        loads = sum(passed.at.operation == self._load and passed.version is not None for passed in own[:asked])
        committed = asked < len(own) and kind_of(outcome) not in DEFINITE
        scans_again = self._workload.target.by_session and committed and loads > LOADS_WITHOUT_SCAN
        start = self._start(sending, gate, actor, first, statement, at=1 if scans_again else _planned_on(statement))
        done, now_ms = self.next(), self.now_ms
        self.note(
            Command(
                actor, statement, outcome, invoked, done, invoked_ms, now_ms, start, commit, loads, seen,
                sending.versions, also,
            )
        )  # fmt: skip
        return outcome

    def _start(self, sending: Sending, gate: Gate, actor: str, first: int, statement: Statement, at: int) -> int | None:
        """The snapshot that a statement works on.

        Args: `first`: the first place of its steps in the gate's trace; `at`: which load it is that it works on.
        """
        own = [passed for passed in gate.trace[first:] if passed.at.actor == actor]
        cached = self._cached(gate, actor, first)
        if self._workload.in_sql and isinstance(statement, IN_TRANSACTION):
            return _version(own, self._load, 1 if cached is None else 0)
        start = sending.start if sending.start is not None else cached
        return start if start is not None else _version(own, self._load, at)

    def _cached(self, gate: Gate, actor: str, first: int) -> int | None:
        """The snapshot of the table that a session has cached before it sends a statement: what it has loaded last."""
        if actor not in self._workload.cached:
            return None
        before = [passed for passed in gate.trace[:first] if passed.at.actor == actor]
        return _version(before, self._load, len(before))

    def read_back(self, gate: Gate, lineage: tuple[Version, ...], rows_at: Callable[[int | None], Rows]) -> LiveRun:
        """The run. Args: `rows_at` reads the table as it is now, or at a snapshot; it may raise."""
        seconds = self.seconds
        rows, unreadable = _read(rows_at, None)
        earlier = (_read(rows_at, version.snapshot)[0] for version in lineage[:-1])
        return LiveRun(
            self._workload, self.outcomes(self._workload.actors), tuple(map(str, gate.trace)), lineage, rows,
            unreadable, seconds, self.commands, (*earlier, rows),
        )  # fmt: skip


def _found(statement: Statement, answer: Any) -> tuple[Rows, ...]:
    """The rows that a read has found, each time that it has read; or what has come since."""
    if isinstance(statement, Select):
        return (sorted_rows((row.id, row.v) for row in answer),)
    return answer if isinstance(statement, Scan | OfPast) and isinstance(answer, tuple) else ()


def _read(rows_at: Callable[[int | None], Rows], snapshot: int | None) -> tuple[Rows | None, str | None]:
    try:
        return rows_at(snapshot), None
    except Exception as error:
        return None, describe(error)


def _planned_on(statement: Statement) -> int:
    """Which load it is whose snapshot a statement of SQL works on: the first one, unless its scan loads anew."""
    if isinstance(statement, Select | OfPast):
        return -1
    anew = isinstance(statement, RewriteDataFiles | RewriteInCommits) or (
        isinstance(statement, Merge) and statement.inserts_only
    )
    return 1 if anew else 0


def _landed(own: list[Passed], commit: str) -> list[int]:
    """The snapshots of the commits that were applied, in order."""
    return [int(one.version) for one in own if one.at.operation == commit and one.outcome == "applied" and one.version]


def _version(own: list[Passed], operation: str, place: int) -> int | None:
    seen = [passed.version for passed in own if passed.at.operation == operation and passed.version is not None]
    return int(seen[min(place, len(seen) - 1)]) if seen else None
