"""What a renderer is: it turns the traced steps of one actor, between two switches, into sentences.

`Plain` tells any scenario, step by step. That of one protocol knows more and says it shorter.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from checkers.histories.history import Event
from checkers.isolation.invariants import INSPECT
from checkers.scope import INSPECTOR
from checkers.text import plain, quoted
from model.ports import Meaning, Versioned
from reports.explanation.phrases import fault_text, is_refusal, listed
from sim.kernel.trace import Note, Row
from sim.world.words import counted

LANES = {
    "load": "table", "commit": "table", "get_table": "metastore", "alter_table": "metastore", "lock": "locks",
    "try_lock": "locks", "check_lock": "locks", "heartbeat": "locks", "unlock": "locks", "sleep": "clock",
    "show_locks": "locks", "create_table": "metastore", "drop_table": "metastore", "rename_table": "metastore",
}  # fmt: skip
KINDS = {
    "load": "load", "commit": "commit", "get": "read", "exists": "read", "list": "read", "get_table": "load",
    "alter_table": "commit", "put": "write", "create": "write", "delete": "delete", "sleep": "wait",
    "read": "read", "write": "write", "open-w": "write", "rename": "write", "mtime": "read",
    "select": "read", "update": "write", "create_table": "commit", "drop_table": "commit", "rename_table": "commit",
}  # fmt: skip
VERBS = {
    "load": "loads", "get": "reads", "put": "writes", "create": "creates", "delete": "deletes", "list": "lists",
    "read": "reads", "write": "writes", "open-w": "writes", "rename": "renames a file to", "exists": "looks for",
    "mtime": "looks at the time of", "get_table": "reads table", "alter_table": "alters table",
    "select": "reads", "update": "changes", "create_table": "creates table", "drop_table": "drops table",
    "rename_table": "renames table",
}  # fmt: skip
NOT_APPLIED, LOCKING = "not applied", "locking"
MAX_VALUE = 100
FIRST_STATEMENTS = ("next_value", "select", "select_for_update")
STATEMENTS = (*FIRST_STATEMENTS, "update", "delete")
"""What a transaction's steps are called where each statement is one; the commit has the name of the whole call."""
_UUID = re.compile(r"([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


class Traced(NamedTuple):
    """A trace row with names instead of places. `meanings`: the protocol's annotations of this port call, intended ones
    and learned ones, in order."""

    time_ms: int
    actor: str
    operation: str
    resource: str
    args: tuple[Any, ...]
    value: Any
    fault: str
    meanings: tuple[Meaning, ...] = ()

    @property
    def call(self) -> str:
        """The operation without `/reply`."""
        return self.operation.removesuffix("/reply")

    @property
    def is_reply(self) -> bool:
        return self.operation.endswith("/reply")

    @property
    def outcome(self) -> str:
        """ok, refused or not applied: what the service did."""
        if self.fault and self.value == NOT_APPLIED:
            return NOT_APPLIED
        return "refused" if is_refusal(self.value) else "ok"

    @property
    def lane(self) -> str:
        return LANES.get(self.call, "files" if self.call in KINDS else "services")

    @property
    def kind(self) -> str:
        return KINDS.get(self.call, "call")


class Drawn(NamedTuple):
    """How a step is drawn: the lane of its far side, the kind of its mark, and its outcome."""

    lane: str
    kind: str
    outcome: str


class Line(NamedTuple):
    """A sentence about some steps (their places in the group)."""

    text: str
    tone: str = "plain"
    first: int = 0


def traced(trace: Sequence[Row], notes: Sequence[Note] = ()) -> list[Traced]:
    """The rows of a kernel's trace, each with what its protocol said that it means."""
    meant: dict[int, list[Meaning]] = {}
    intended: dict[int, Meaning] = {}
    places: dict[str, list[int]] = {}
    for index, row in enumerate(trace):
        if not row[2].endswith("/reply"):  # a call is annotated where the service acts
            places.setdefault(row[1], []).append(index)
    for place, task, learned, meaning in notes:
        own = places.get(task, [])
        at = bisect_left(own, place) - (1 if learned else 0)
        if not learned:
            at = _end_of_transaction(trace, own, at)
        if 0 <= at < len(own):
            meant.setdefault(own[at], []).append(meaning)
            if not learned:
                intended.setdefault(own[at], meaning)
    rows = [Traced(*row, meanings=tuple(meant.get(index, ()))) for index, row in enumerate(trace)]
    return list(_continued(rows, intended))


def _end_of_transaction(trace: Sequence[Row], own: Sequence[int], at: int) -> int:
    """The commit of the transaction whose first statement is this step of a process; the step itself if it is none."""
    if at < len(own) and trace[own[at]][2] in FIRST_STATEMENTS:
        while at < len(own) and trace[own[at]][2] in STATEMENTS:
            at += 1
    return at


def _continued(rows: Sequence[Traced], intended: Mapping[int, Meaning]) -> Iterator[Traced]:
    """A call that takes several steps (paused, sent twice, in two halves, answered later) is for the same in each."""
    last: dict[str, tuple[Traced, Meaning | None]] = {}
    for index, row in enumerate(rows):
        before, wanted = last.get(row.actor, (None, None))
        own = intended.get(index)
        if own is None and before is not None and wanted is not None and _call(before) == _call(row):
            row, own = row._replace(meanings=(wanted, *row.meanings)), wanted
        last[row.actor] = row, own
        if row.fault == "late":
            last[f"{row.actor}-late"] = row, own
        yield row


def _call(row: Traced) -> tuple[str, str]:
    return "create" if row.call == "open-w" else row.call, row.resource


class Plain:
    """Tells every step by itself, in the words of the ports."""

    def phase(self, row: Traced, doing: str) -> str:
        """What the actor is at with this step; consecutive steps of one phase are told together."""
        if row.lane == "locks" or (row.call == "sleep" and doing == LOCKING):
            return LOCKING
        return row.kind if _is_file_step(row) else f"{row.operation} {row.resource}"

    def title(self, label: str) -> str:
        """An operation's label as the sentences write it."""
        return label

    def version(self, row: Traced) -> str:
        """The short name of the version that the step saw or made; "" if it has none."""
        if row.kind == "load" and isinstance(row.value, Versioned):
            return f"v{row.value.version}"
        if row.kind == "commit" and row.outcome == "ok" and isinstance(row.value, int):
            return f"v{row.value}"
        return ""

    def drawn(self, row: Traced) -> Drawn:
        """How pictures show the step."""
        return Drawn(row.lane, row.kind, row.outcome)

    def render(self, phase: str, rows: Sequence[Traced], label: str) -> list[Line]:
        """The sentences for consecutive steps of one actor in one phase. `label` names its operation."""
        if phase == LOCKING and not any(row.fault for row in rows):
            return [locking(rows)]
        if len(rows) > 1 and all(_is_file_step(row) for row in rows):
            verb = {"read": "reads", "write": "writes", "delete": "deletes"}[rows[0].kind]
            return [Line(f"{rows[0].actor} {verb} {listed(dict.fromkeys(file_name(row.resource) for row in rows))}.")]
        return [Line(_step_text(row), tone_of(row), place) for place, row in enumerate(rows)]

    def inspected(self, event: Event) -> str | None:
        """What an inspection at the end found: "" for nothing, None if the event is no inspection."""
        return event.arg or "" if event.f == INSPECT or event.process == INSPECTOR else None

    def closing(self) -> tuple[str, ...]:
        """Why the run ended as it did, as far as the steps tell."""
        return ()


Renderer = Callable[[Sequence[Traced], Sequence[Event]], Plain]
"""Makes what explains a run, from its rows and its history."""


def plainly(rows: Sequence[Traced], events: Sequence[Event]) -> Plain:
    """The renderer of no protocol."""
    return Plain()


def locking(rows: Sequence[Traced]) -> Line:
    """Everything that an actor does about a lock in one go: asking, waiting, checking, giving back."""
    parts: list[str] = []
    checks: list[Traced] = []
    for row in rows:
        if row.call == "sleep":
            continue
        if row.call == "check_lock" and row.outcome == "ok":
            checks.append(row)
            if not row.value:
                continue
        parts += _checked(checks)
        checks = []
        if row.call != "check_lock" or row.outcome != "ok":
            parts.append(_lock_text(row))
    refused = any(row.outcome == "refused" for row in rows)
    told = listed([*parts, *_checked(checks)] or ["waits"])
    return Line(f"{rows[0].actor} {told}.", "refused" if refused else "plain")


def _checked(checks: Sequence[Traced]) -> list[str]:
    if not checks:
        return []
    at = f"{checks[-1].time_ms:,} ms"
    if checks[-1].value:
        return [f"gets the lock after {counted(len(checks), 'check')}, at {at}"]
    return [f"checks {counted(len(checks), 'time')} in vain, until {at}"]


def _lock_text(row: Traced) -> str:
    if row.outcome == "refused":
        return f"finds that it no longer holds the lock ({row.call}: {row.value})"
    if row.call in ("lock", "try_lock"):
        granted = row.value is True or (isinstance(row.value, tuple) and row.value[-1] is True)
        return f"takes the lock on {row.resource}" if granted else f"asks for the lock on {row.resource}"
    done = {"heartbeat": "renews its lease", "unlock": "gives the lock back", "show_locks": "looks for its lock"}
    return done.get(row.call, row.call)


def _is_file_step(row: Traced) -> bool:
    return row.lane == "files" and row.kind in ("read", "write", "delete") and not row.fault and row.outcome == "ok"


def file_name(path: str) -> str:
    """The last part of a path, with its UUIDs cut short."""
    return _UUID.sub(r"\1…", path.rsplit("/", 1)[-1])


def tone_of(row: Traced) -> str:
    """How a step is marked: fault, refused, commit or plain."""
    if row.fault:
        return "fault"
    if row.outcome == "refused":
        return "refused"
    return "commit" if row.kind == "commit" else "plain"


def _step_text(row: Traced) -> str:
    what = f"{row.actor} {_verb(row)}"
    if row.fault:
        return f"{what}: {fault_text(row.fault)}."
    if row.outcome == "refused":
        return f"{what}: refused ({row.value})."
    return f"{what}{_result(row)}."


def _verb(row: Traced) -> str:
    if row.is_reply:
        return f"gets the answer to {row.call} of {row.resource}"
    if row.call == "commit" and len(row.args) >= 3:
        return f"commits {row.resource} = {short(row.args[2])} on version {row.args[1]}"
    if row.call == "sleep":
        return "waits"
    resource = file_name(row.resource) if row.lane == "files" else row.resource
    return f"{VERBS.get(row.call, row.call.replace('_', ' '))} {resource}"


def _result(row: Traced) -> str:
    if isinstance(row.value, Versioned):
        return f": {short(row.value.value)}, version {row.value.version}"
    if row.call == "commit":
        return f": accepted as version {row.value}"
    if row.call == "sleep":
        return f" until {row.time_ms} ms"
    return "" if row.value is None or row.is_reply else f": {short(row.value)}"


def short(value: Any) -> str:
    """A value in a sentence: whole, unless it is long; then its beginning, and how long it is."""
    if isinstance(value, bytes):
        return f"{len(value):,} bytes"
    return quoted(value, MAX_VALUE) if isinstance(value, str) else plain(repr(value), MAX_VALUE)
