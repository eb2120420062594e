"""An Iceberg run in sentences: planned on which snapshot, wrote which rows and deletes, committed or was refused, why.

Phases of a command: plan, write, prepare (load again, validate, write manifests), commit, then after (look for
left-overs), or retry (the same as prepare after a lost or unclear commit), clean (delete own files).
"""

from collections.abc import Sequence

from checkers.histories.history import Event, History
from checkers.isolation.resolve import Facts
from model.iceberg.metadata import TableMetadata
from reports.explanation.judging import final_rows
from reports.explanation.phrases import fault_text, listed, rows_text
from reports.explanation.renderer import LOCKING, Line, Plain, Traced
from reports.iceberg.over_metastores import as_register
from reports.iceberg.state import DATA_ROWS, POSITIONS, TableState, content_of, metadata_in
from reports.iceberg.why import why

PLAN, WRITE, PREPARE, COMMIT, LOST, UNCLEAR, AFTER, RETRY, CLEAN = (
    "plan write prepare commit lost unclear after retry clean".split()
)


def is_iceberg(rows: Sequence[Traced]) -> bool:
    """Whether the steps are those of an Iceberg table in a register."""
    return any(row.kind == "load" and metadata_in(row.value) is not None for row in rows)


class Iceberg(Plain):
    """Explains commands on one Iceberg table."""

    def __init__(self, rows: Sequence[Traced], events: Sequence[Event]) -> None:
        self._events = tuple(events)
        named = {int(e.snapshot): f"s{e.commit}" for e in events if e.type == "version" and e.snapshot}
        self.state = TableState(named)
        self._planned: dict[str, int | None] = {}
        self._answers: dict[str, int] = {}
        self._initial = _initial(rows)
        self._succeeded: dict[str, bool] = {}
        self._seen: dict[str, int | None] = {}
        for row in rows:  # the content before the race is known from whoever read it first
            if row.point == "get" and row.outcome == "ok":
                self.state.bodies.setdefault(row.resource, row.value)

    def phase(self, row: Traced, doing: str) -> str:
        if row.is_reply or row.lane in ("locks", "services") or (row.point == "sleep" and doing == LOCKING):
            return super().phase(row, doing)
        phase = self._phase(row, doing)
        if phase in (COMMIT, LOST, UNCLEAR, WRITE):
            self._succeeded[row.actor] = phase == COMMIT
        return phase

    def _phase(self, row: Traced, doing: str) -> str:
        if row.point == "commit":
            return UNCLEAR if row.fault else LOST if row.outcome == "refused" else COMMIT
        if row.point == "delete":
            return CLEAN
        if row.point in ("put", "create"):
            if content_of(row.args[1]) in (DATA_ROWS, POSITIONS):
                return WRITE
            return RETRY if doing == RETRY else PREPARE
        if doing in (LOST, UNCLEAR, RETRY):
            return RETRY
        if doing in (COMMIT, AFTER, CLEAN) or (doing == LOCKING and self._succeeded.get(row.actor)):
            return AFTER
        if row.point == "load":
            return PREPARE if doing in (WRITE, PREPARE, LOCKING) else PLAN
        return doing or PLAN

    def title(self, label: str) -> str:
        verb, _, rest = label.partition(" ")
        return f"{verb.upper()} {rest}".strip()

    def version(self, row: Traced) -> str:
        metadata = metadata_in(row.value) if row.kind == "load" else None
        if row.point == "commit" and row.outcome == "ok":
            metadata = metadata_in(row.args[2])
        return self.state.name(metadata.current_snapshot_id) if metadata else ""

    def render(self, phase: str, rows: Sequence[Traced], label: str) -> list[Line]:
        teller = {
            PLAN: self._plan, WRITE: self._write, PREPARE: self._prepare, RETRY: self._prepare, AFTER: self._after,
            CLEAN: self._clean, COMMIT: self._commit, LOST: self._lost, UNCLEAR: self._unclear,
        }.get(phase)  # fmt: skip
        told = teller(rows, label) if teller else super().render(phase, rows, label)
        for row in rows:
            self.state.learn(row)
        return told

    def closing(self) -> tuple[str, ...]:
        return why(self.state, self._events, final_rows(Facts(History(self._events))))

    # Each of the following tells one phase; the state is as it was before the phase.

    def _plan(self, rows: Sequence[Traced], label: str) -> list[Line]:
        actor, seen, parts = rows[0].actor, _loaded(rows), []
        if seen is not None:
            self._planned[actor] = seen.current_snapshot_id
        snapshot = self.state.name(self._planned.get(actor))
        reads = self._reads(rows)
        if seen is None:
            return [Line(f"{actor} goes on with its plan on {snapshot}{f': it reads {reads}' if reads else ''}.")]
        parts.append(
            f"{actor} plans {self.title(label)} on snapshot {snapshot}" if label else f"{actor} sees {snapshot}"
        )
        return [Line(": it loads the table and reads ".join([*parts, reads]) + "." if reads else f"{parts[0]}.")]

    def _reads(self, rows: Sequence[Traced]) -> str:
        texts = []
        for path, body in {row.resource: row.value for row in rows if row.point == "get"}.items():
            if content_of(body) == DATA_ROWS:
                texts.append(f"{self.state.file(path)} ({rows_text(body)})")
            elif content_of(body) == POSITIONS:
                texts.append(f"{self.state.file(path)} (deletes {self.state.rows_at(body)})")
        return listed(texts) if texts else ""

    def _write(self, rows: Sequence[Traced], label: str) -> list[Line]:
        texts = []
        for row in rows:
            if row.point in ("put", "create"):
                self.state.learn(row)
                name, body = self.state.file(row.resource), row.args[1]
                if content_of(body) == POSITIONS:
                    texts.append(f"position delete {name}: {self.state.rows_at(body)}")
                else:
                    texts.append(f"new data file {name}: {rows_text(body)}")
        return [Line(f"{rows[0].actor} writes {listed(texts)}.")] if texts else []

    def _prepare(self, rows: Sequence[Traced], label: str) -> list[Line]:
        actor, seen = rows[0].actor, _loaded(rows)
        writes = any(row.point in ("put", "create") for row in rows)
        waits = any(row.point == "sleep" for row in rows)
        if seen is None:
            done = "writes the metadata of its snapshot" if writes else "tries again" if waits else "reads metadata"
            return [Line(f"{actor} {'waits and ' if waits else ''}{done}.")]
        base = self._planned.setdefault(actor, self._initial)
        head, old = self.state.name(seen.current_snapshot_id), self.state.name(base)
        found = f"{actor} {'waits, ' if waits else ''}loads the table again and "
        before = self._seen.get(actor, base)
        self._seen[actor] = seen.current_snapshot_id
        if seen.current_snapshot_id in (base, before):
            return [Line(f"{found}finds {head} still current{_and_writes(writes)}.")]
        if self.state.makers.get(seen.current_snapshot_id or -1) == actor:
            return [Line(f"{found}finds {head}, its own commit, instead of {old}{_and_writes(writes)}.")]
        if not writes:
            return [Line(f"{found}finds {head} instead of {old}.")]
        passed = f"its rules do not refuse what was committed since, so it writes its metadata on top of {head}"
        return [Line(f"{found}finds {head} instead of {old}; {passed}.")]

    def _after(self, rows: Sequence[Traced], label: str) -> list[Line]:
        return []  # it looks for left-overs; what it deletes is told

    def _commit(self, rows: Sequence[Traced], label: str) -> list[Line]:
        told = []
        for place, row in enumerate(rows):
            told.append(Line(self._accepted(row), "commit", place))
            self.state.learn(row)
        return told

    def _accepted(self, row: Traced) -> str:
        updated, key = metadata_in(row.args[2]), row.args[3] if len(row.args) > 3 else None
        if key is not None and self._answers.setdefault(key, row.value) == row.value and self._repeats(updated):
            return f"{row.actor} sends its commit again under the same idempotency key; the stored answer is repeated."
        before = self.state.head
        if updated is None or updated.current is None:
            return f"{row.actor} commits."
        head = updated.current
        name = self.state.name(head.snapshot_id)
        if before is not None and before.snapshot(head.snapshot_id) is not None:
            lost = self.state.name(before.current_snapshot_id)
            return f"{row.actor} moves main back to {name}: {lost} is no longer in the table's history."
        fresh = "" if name.startswith("snapshot") else f" (snapshot {head.snapshot_id})"
        text = (
            f"{row.actor} commits {name}{fresh}, labelled {head.operation}, on top of {self.state.name(head.parent_id)}"
        )
        over = before.current_snapshot_id if before else None
        if before is None or updated.snapshot(over) is not None:
            return f"{text}."
        return f"{text}, over {self.state.name(over)}, which it does not know of and which is gone by that."

    def _repeats(self, updated: TableMetadata | None) -> bool:
        current = self.state.head.current_snapshot_id if self.state.head else None
        return updated is not None and current == updated.current_snapshot_id

    def _lost(self, rows: Sequence[Traced], label: str) -> list[Line]:
        row = rows[0]
        updated = metadata_in(row.args[2])
        mine = updated.current_snapshot_id if updated else None
        now = self.state.head.current_snapshot_id if self.state.head else None
        base = updated.current.parent_id if updated and updated.current else None
        reason = f"the table is at {self.state.name(now)} by now"
        if self.state.head is not None and mine is not None and self.state.head.snapshot(mine) is not None:
            reason = f"the table already has {self.state.name(mine)}, its own commit, whose answer was misleading"
        return [
            Line(f"{row.actor} tries to commit on {self.state.name(base)} and is refused (409): {reason}.", "refused")
        ]

    def _unclear(self, rows: Sequence[Traced], label: str) -> list[Line]:
        row = rows[0]
        updated = metadata_in(row.args[2])
        name = self.state.name(updated.current_snapshot_id) if updated else "its snapshot"
        if row.fault == "pause":
            return [Line(f"{row.actor} is about to commit {name}, and stands still.", "fault")]
        if row.fault and row.outcome == "refused":
            return [Line(f"{row.actor} sends its commit of {name}: refused, and {fault_text(row.fault)}.", "fault")]
        if row.fault in ("409-after",):
            return [
                Line(f"{row.actor} sends its commit of {name}: it is applied, but reported as a conflict.", "fault")
            ]
        return [Line(f"{row.actor} sends its commit of {name}: {fault_text(row.fault)}.", "fault")]

    def _clean(self, rows: Sequence[Traced], label: str) -> list[Line]:
        paths = [row.resource for row in rows if row.point == "delete"]
        needed = [self.state.file(path) for path in self.state.needed_by_head() if path in paths]
        text = f"{rows[0].actor} deletes what it takes for left-overs: {listed(map(self.state.file, paths))}"
        if not needed:
            return [Line(f"{text}.")]
        head = self.state.name(self.state.head.current_snapshot_id if self.state.head else None)
        return [Line(f"{text}. But the current snapshot {head} needs {listed(needed)}.", "broken")]


def _loaded(rows: Sequence[Traced]) -> TableMetadata | None:
    """The metadata that the last load among the steps returned."""
    found = [metadata_in(row.value) for row in rows if row.kind == "load"]
    return next((metadata for metadata in reversed(found) if metadata is not None), None)


def _and_writes(writes: bool) -> str:
    return ", and writes the metadata of its snapshot" if writes else ""


def _initial(rows: Sequence[Traced]) -> int | None:
    """The snapshot that the run began with: a command that loaded its table before the run knows that one."""
    for row in rows:
        metadata = metadata_in(row.value) if row.kind == "load" else None
        if metadata is not None:
            return metadata.current_snapshot_id
        if row.point == "commit" and row.outcome == "ok":
            updated = metadata_in(row.args[2])
            return updated.current.parent_id if updated and updated.current else None
    return None


def renderer(rows: list[Traced], events: Sequence[Event]) -> tuple[list[Traced], Plain]:
    """Explain a run of Iceberg, in a register or a metastore; one without any table, step by step."""
    told = as_register(rows)
    return told, Iceberg(told, events) if is_iceberg(told) else Plain()
