"""An Iceberg run in sentences: planned on which snapshot, wrote which rows and deletes, committed or was refused, why.

The model says what its port calls mean (`model.iceberg.meanings`); a step that means nothing by itself goes on with
what its actor was at.
"""

from collections.abc import Sequence
from typing import Any, TypeVar

from checkers.histories.history import Event, History
from checkers.isolation.resolve import Facts
from model.iceberg import meanings
from model.iceberg.metadata import TableMetadata
from reports.explanation.judging import final_rows
from reports.explanation.phrases import fault_text, listed, rows_text
from reports.explanation.renderer import LOCKING, Line, Plain, Traced
from reports.iceberg.applied import as_applied, as_renamed, below, brought, changed, left_nowhere, of_versions
from reports.iceberg.several import SeveralTables, is_of_several
from reports.iceberg.state import TableState, contents
from reports.iceberg.why import why

PLAN, SCAN, WRITE, PREPARE, COMPARE, COMMIT, LOST, UNCLEAR, OUTCOME, AFTER, RETRY, CLEAN, HINT = (
    "plan scan write prepare compare commit lost unclear outcome after retry clean hint".split()
)
REWRITING_NOTHING = ("read", "merge missing")
"""The statements of which a second load is no scan for files to rewrite."""
LOADING = {
    "plan": PLAN, "scan again": SCAN, "attempt": PREPARE, "retry": RETRY, "leftovers": AFTER, "outcome": OUTCOME,
}  # fmt: skip
Kind = TypeVar("Kind")


def is_iceberg(rows: Sequence[Traced]) -> bool:
    """Whether somebody loads or commits an Iceberg table, and says so."""
    return any(isinstance(meaning, meanings.Sees | meanings.Commits) for row in rows for meaning in row.meanings)


class Iceberg(Plain):
    """Explains commands on one Iceberg table. `services` explains what else its actors call."""

    def __init__(self, rows: Sequence[Traced], events: Sequence[Event], services: Plain | None = None) -> None:
        self._events = tuple(events)
        self._plain = Plain()
        self._services = services or self._plain
        named = {int(e.snapshot): f"s{e.commit}" for e in events if e.type == "version" and e.snapshot}
        self.state = TableState(named)
        self._planned: dict[str, int | None] = {}
        self._initial = _initial(rows)
        self._seen: dict[str, int | None] = {}
        for row in rows:  # the content before the race is known from whoever read it first
            if row.kind == "read":
                self.state.read(row)

    def phase(self, row: Traced, doing: str) -> str:
        if row.is_reply or row.lane == "locks" or (row.call == "sleep" and doing == LOCKING):
            return super().phase(row, doing)
        for meaning in row.meanings:
            found = _phase(row, meaning, doing)
            if found:
                return found
        if row.lane == "services" and doing not in (*LOADING.values(), COMPARE):
            return self._services.phase(row, doing)
        if row.call == "sleep" and doing in (LOST, UNCLEAR, CLEAN):
            return RETRY
        return doing or super().phase(row, doing)

    def title(self, label: str) -> str:
        verb, _, rest = label.partition(" ")
        return f"{verb.upper()} {rest}".strip()

    def version(self, row: Traced) -> str:
        commits = _all(meanings.Commits, [row]) if row.kind == "commit" and row.outcome == "ok" else []
        metadata = commits[0].updated if commits else _loaded([row])
        return self.state.named(metadata) if metadata else ""

    def render(self, phase: str, rows: Sequence[Traced], label: str) -> list[Line]:
        teller = {
            PLAN: self._plan, SCAN: self._scan, WRITE: self._write, PREPARE: self._prepare, RETRY: self._prepare,
            COMPARE: self._compare, COMMIT: self._commit, LOST: self._lost, UNCLEAR: self._unclear,
            OUTCOME: self._outcome, AFTER: self._after, CLEAN: self._clean, HINT: of_versions,
        }.get(phase)  # fmt: skip
        if teller:
            told = teller(rows, label)
        else:
            told = (self._services if rows[0].lane == "services" else self._plain).render(phase, rows, label)
        for row in rows if phase != COMMIT else ():  # these are taken in one by one
            self.state.learn(row)
        return told

    def closing(self) -> tuple[str, ...]:
        return why(self.state, self._events, final_rows(Facts(History(self._events))))

    # Each of the following tells one phase; the state is as it was before the phase.
    def _plan(self, rows: Sequence[Traced], label: str) -> list[Line]:
        actor, seen = rows[0].actor, _loaded(rows)
        if seen is None:
            return self._goes_on(rows, f"plan on {self.state.name(self._planned.get(actor))}")
        self._planned[actor] = seen.current_snapshot_id
        reads, snapshot = self._reads(rows), self.state.named(seen)
        text = f"{actor} plans {self.title(label)} on snapshot {snapshot}" if label else f"{actor} sees {snapshot}"
        return [Line(f"{text}: it loads the table and reads {reads}." if reads else f"{text}.")]

    def _scan(self, rows: Sequence[Traced], label: str) -> list[Line]:
        actor, seen = rows[0].actor, _loaded(rows)
        if seen is None:
            return self._goes_on(rows, "scan")
        why = "read it" if label.startswith(REWRITING_NOTHING) else "scan it for files to rewrite"
        text = f"{actor} loads the table again to {why}, and finds {self.state.named(seen)}"
        if seen.current_snapshot_id != self._planned.get(actor):
            return [Line(f"{text} instead of {self.state.name(self._planned.get(actor))}, of which its plan is.")]
        reads = self._reads(rows)
        return [Line(f"{text} still current{f': it reads {reads}' if reads else ''}.")]

    def _goes_on(self, rows: Sequence[Traced], what: str) -> list[Line]:
        reads = self._reads(rows)
        return [Line(f"{rows[0].actor} goes on with its {what}{f': it reads {reads}' if reads else ''}.")]

    def _reads(self, rows: Sequence[Traced]) -> str:
        texts = {}
        for kind, path, body in (content for row in rows for content in contents(row)):
            if kind == "rows":
                texts[path] = f"{self.state.file(path)} ({rows_text(body)})"
            elif kind == "positions":
                texts[path] = f"{self.state.file(path)} (deletes {self.state.rows_at(body)})"
            elif kind == "ids":
                texts[path] = f"{self.state.file(path)} (deletes older rows {listed(map(str, body))})"
        return listed(texts.values()) if texts else ""

    def _write(self, rows: Sequence[Traced], label: str) -> list[Line]:
        texts = []
        for kind, path, body in (content for row in rows for content in contents(row)):
            if kind == "rows":
                texts.append(f"new data file {self.state.file(path)}: {rows_text(body)}")
            elif kind == "ids":
                texts.append(f"equality delete {self.state.file(path)}: older rows {listed(map(str, body))}")
            elif kind == "statistics":
                texts.append(f"statistics file {body}")
            else:
                texts.append(f"position delete {self.state.file(path)}: {self.state.rows_at(body)}")
        return [Line(f"{rows[0].actor} writes {listed(texts)}.")]

    def _prepare(self, rows: Sequence[Traced], label: str) -> list[Line]:
        actor, seen = rows[0].actor, _loaded(rows)
        writes = any(row.kind == "write" for row in rows)
        waits = any(row.call == "sleep" for row in rows)
        ends = ", and recognises that it has committed" if _all(meanings.FindsOwnCommit, rows) else ""
        if seen is None:
            asks = "asks for the table again" if _all(meanings.Loads, rows) else "reads metadata"
            done = "writes the metadata of its snapshot" if writes else "tries again" if waits else asks
            return [Line(f"{actor} {'waits and ' if waits else ''}{done}{ends}.")]
        base, now = self._planned.setdefault(actor, self._initial), seen.current_snapshot_id
        head, old = self.state.name(now), self.state.name(base)
        found = f"{actor} {'waits, ' if waits else ''}loads the table again and finds {head}"
        before = self._seen.get(actor, base)
        self._seen[actor] = now
        then = (", and writes the metadata of its snapshot" if writes else "") + ends
        if now in (base, before):
            return [Line(f"{found} still current{then}.")]
        if self.state.makers.get(now or -1) == actor:
            return [Line(f"{found}, its own commit, instead of {old}{then}.")]
        if not writes:
            return [Line(f"{found} instead of {old}{ends}.")]
        passed = f"its rules do not refuse what was committed since, so it writes its metadata on top of {head}"
        return [Line(f"{found} instead of {old}; {passed}{ends}.")]

    def _compare(self, rows: Sequence[Traced], label: str) -> list[Line]:
        text = f"{rows[0].actor} asks which metadata file is current"
        expected = [meaning.expected for meaning in _all(meanings.ComparesLocation, rows)]
        for found in _all(meanings.FindsLocation, rows):
            if found.location in expected:
                return [Line(f"{text}: it is still that of {self._at(found.location)}.")]
            base = f", not of {self._at(expected[0])}" if expected else ""
            return [Line(f"{text}: it is that of {self._at(found.location)}{base}.", "refused")]
        return [Line(f"{text}.")]

    def _at(self, location: str) -> str:
        """The snapshot that a metadata file is of; one that nobody opened in the run was there before it."""
        known = self.state.metadata.get(location)
        return self.state.named(known) if known else self.state.name(self._initial)

    def _outcome(self, rows: Sequence[Traced], label: str) -> list[Line]:
        text = f"{rows[0].actor} looks what became of its commit"
        for own in _all(meanings.FindsOwnCommit, rows):
            has = "has it" if own.found else "does not have it"
            return [Line(f"{text}: the table is at {self.state.named(_loaded(rows))}, and {has}.")]
        return [Line(f"{text}.")]

    def _after(self, rows: Sequence[Traced], label: str) -> list[Line]:
        return []  # it looks for left-overs; what it deletes is told

    def _commit(self, rows: Sequence[Traced], label: str) -> list[Line]:
        told = []
        for place, row in enumerate(rows):
            commits = [as_applied(row, commit) for commit in _all(meanings.Commits, [row])]
            told += [Line(self._accepted(row, commit), "commit", place) for commit in commits]
            told += [Line(as_renamed(row.actor, one), "commit", place) for one in _all(meanings.Renames, [row])]
            self.state.learn(row)
        return told

    def _accepted(self, row: Traced, commit: meanings.Commits) -> str:
        head, before, state = commit.updated.current, self.state.before(commit), self.state
        if state.repeats(row, commit):
            return f"{row.actor} sends its commit again under the same idempotency key; the stored answer is repeated."
        if head is None:
            return left_nowhere(row.actor, commit.updated)
        name, over = state.name(head.snapshot_id), before.current_snapshot_id
        if head.snapshot_id == over:
            what = changed(before, commit.updated)
            return f"{row.actor} commits a change of the table's {what}, and leaves it at {name}."
        if before.snapshot(head.snapshot_id) is not None:
            return f"{row.actor} moves main back to {name}: {state.name(over)} is no longer in the table's history."
        fresh = "" if name.startswith("snapshot") else f" (snapshot {head.snapshot_id})"
        under, inside = below(head, commit.updated, before)
        text = f"{row.actor} commits {name}{fresh}, labelled {head.operation}, on top of {state.name(under)}"
        text += brought(inside, commit.base, state.name)
        if over is not None and commit.updated.snapshot(over) is None:
            return f"{text}, over {state.name(over)}, which it does not know of and which is gone by that."
        if state.head is not None and state.head.current_snapshot_id != over:
            return f"{text}, to which the table had been set back from {state.named(state.head)}."
        return f"{text}."

    def _lost(self, rows: Sequence[Traced], label: str) -> list[Line]:
        row, state, commit = rows[0], self.state, _all(meanings.Commits, rows)[0]
        mine, base = commit.updated.current_snapshot_id, commit.base.current_snapshot_id
        if not _all(meanings.LostRace, rows):
            reason = str(row.value)
        elif state.head is not None and commit.base.snapshot(mine) is None and state.head.snapshot(mine) is not None:
            reason = f"the table already has {state.name(mine)}, its own commit, whose answer was misleading"
        elif state.head is not None and state.head.current_snapshot_id == base:
            reason = f"the table has changed, and is at {state.named(state.head)} still"
        else:
            reason = f"the table is at {state.named(state.head)} by now"
        refused = f"is refused ({400 if row.value == 'BadRequest' else 409})" if row.call == "commit" else "is refused"
        return [Line(f"{row.actor} tries to commit on {state.named(commit.base)} and {refused}: {reason}.", "refused")]

    def _unclear(self, rows: Sequence[Traced], label: str) -> list[Line]:
        row, name = rows[0], self.state.named(_all(meanings.Commits, rows)[0].updated)
        if row.fault == "pause":
            return [Line(f"{row.actor} is about to commit {name}, and stands still.", "fault")]
        what = "it is applied, but reported as a conflict" if row.fault == "409-after" else fault_text(row.fault)
        refused = "refused, and " if row.outcome == "refused" else ""
        return [Line(f"{row.actor} sends its commit of {name}: {refused}{what}.", "fault")]

    def _clean(self, rows: Sequence[Traced], label: str) -> list[Line]:
        paths = [row.resource for row in rows if _all(meanings.DeletesLeftover, [row])]
        needed = [self.state.file(path) for path in self.state.needed_by_head() if path in paths]
        text = f"{rows[0].actor} deletes what it takes for left-overs: {listed(map(self.state.file, paths))}"
        if not needed:
            return [Line(f"{text}.")]
        return [Line(f"{text}. But the current snapshot {self.state.named(self.state.head)} needs {listed(needed)}.",
                     "broken")]  # fmt: skip


def _phase(row: Traced, meaning: Any, doing: str) -> str:
    """What begins with a step that means this; "" if nothing does."""
    match meaning:
        case meanings.Loads(purpose):
            return LOADING[purpose]
        case meanings.ComparesLocation():
            return COMPARE
        case meanings.Commits() if row.kind == "commit":
            return UNCLEAR if row.fault else LOST if row.outcome == "refused" else COMMIT
        case meanings.Renames() if row.outcome == "ok":
            return COMMIT
        case meanings.DeletesLeftover():
            return CLEAN
        case meanings.LooksForVersion() | meanings.HintsAt() | meanings.Prunes():
            return HINT
        case meanings.Content(kind) if row.kind == "write":
            return WRITE if kind in ("rows", "positions", "ids", "statistics") else RETRY if doing == RETRY else PREPARE
    return ""


def _all(kind: type[Kind], rows: Sequence[Traced]) -> list[Kind]:
    """The meanings of one kind, in order."""
    return [meaning for row in rows for meaning in row.meanings if isinstance(meaning, kind)]


def _loaded(rows: Sequence[Traced]) -> TableMetadata | None:
    """The metadata that the last load among the steps returned."""
    return next((meaning.metadata for meaning in reversed(_all(meanings.Sees, rows))), None)


def _initial(rows: Sequence[Traced]) -> int | None:
    """The snapshot that the run began with: a command that loaded its table before the run knows that one."""
    for meaning in (meaning for row in rows for meaning in row.meanings):
        if isinstance(meaning, meanings.Sees | meanings.Commits):
            return (meaning.metadata if isinstance(meaning, meanings.Sees) else meaning.base).current_snapshot_id
    return None


def renderer(rows: Sequence[Traced], events: Sequence[Event]) -> Plain:
    """Explain a run of Iceberg, in a register or over metastores; one without any table, step by step."""
    if not is_iceberg(rows) or is_of_several(rows):
        return SeveralTables() if is_of_several(rows) else Plain()
    if all(row.lane != "services" for row in rows):
        return Iceberg(rows, events)
    from reports.hive.renderer import Hive  # only where a table's metastores have caches

    return Iceberg(rows, events, Hive(rows))
