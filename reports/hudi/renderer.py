"""A Hudi run in sentences: instants, heartbeats and their age, markers, file groups, lock files, rollbacks.

What an actor does between two switches is told in a sentence for each stage of its work; a commit, a look at somebody's
heartbeat, a wait, a refusal and a fault have one of their own. A look that found what it had to is not told.

Choices: a delete that found nothing is no deletion, in words and in pictures. A creation of an instant's completed file
is the commit; the timeline is the lane of the table's versions.
"""

from collections.abc import Sequence
from typing import Any

from checkers.histories.history import Event
from checkers.hudi.properties import KEPT, LEFTOVER, LISTED
from model.hudi import meanings as means
from model.hudi.file_groups import CommitMetadata
from model.hudi.metadata_slices import OfMetadata
from model.hudi.names import CLEANING, COMPLETED, ROLLBACK, SAVEPOINT, text
from reports.explanation.phrases import fault_text, listed
from reports.explanation.renderer import NOT_APPLIED, Drawn, Line, Plain, Traced
from reports.hudi.state import LOOKS, HudiState, is_applied
from reports.hudi.words import AGE, COMMIT, GIVE, STEAL, TAKE, WAIT, Clause, attempt, clause

LANES: tuple[tuple[str, Any], ...] = (
    ("files", means.HandlesTemporary),
    ("timeline", means.TimelineMeaning),
    ("heartbeats", means.HeartbeatMeaning),
    ("locks", means.LockMeaning),
    ("files", means.HudiMeaning),
    ("metadata table", OfMetadata),
)
WHY = {
    "AlreadyExists": "there is one already",
    "Refused": "somebody is writing it",
    "CasLost": "it was written meanwhile",
}
ALONE = (COMMIT, AGE, STEAL, WAIT)
STEP = "step"


def is_hudi(rows: Sequence[Traced]) -> bool:
    """Whether the steps are those of a Hudi table's clients."""
    return any(isinstance(meaning, means.HudiMeaning) for row in rows for meaning in row.meanings)


class Hudi(Plain):
    """Explains clients and cleaners of one Hudi table."""

    def __init__(self, rows: Sequence[Traced]) -> None:
        self._state = HudiState(rows)

    def phase(self, row: Traced, doing: str) -> str:
        return STEP  # an actor's steps up to a switch are told together: `render` knows their stages

    def version(self, row: Traced) -> str:
        match self._state.meaning(row):
            case means.SeesTimeline(timeline):
                return text(timeline.newest.requested) if timeline.newest else ""
            case means.Enters(instant) if self._commits(row):
                return text(instant)
        return ""

    def inspected(self, event: Event) -> str | None:
        if event.f != LEFTOVER:
            return (event.arg or "").partition(": ")[2] if event.f in (KEPT, LISTED) else super().inspected(event)
        kind, _, path = (event.arg or "").partition(": ")
        return f"a leftover {kind} file: {path}" if path else ""

    def drawn(self, row: Traced) -> Drawn:
        meaning = self._state.meaning(row)
        if meaning is None:
            return super().drawn(row)
        lane = next(lane for lane, meanings in LANES if isinstance(meaning, meanings))
        if row.value == "NotFound":
            return Drawn(lane, "read", "ok")
        if row.call == "rename" and row.value is False:
            return Drawn(lane, row.kind, NOT_APPLIED)
        if isinstance(meaning, means.SeesTimeline):
            return Drawn(lane, "load", row.outcome)
        looks = row.call in LOOKS or row.value is False or (row.call == "create" and not self._state.creates(row))
        return Drawn(lane, "commit" if self._commits(row) else "read" if looks else row.kind, row.outcome)

    def _commits(self, row: Traced) -> bool:
        match self._state.meaning(row):
            case means.Enters(_, action, state) if state == COMPLETED and action not in (CLEANING, ROLLBACK, SAVEPOINT):
                return self._state.creates(row) and is_applied(row)
        return False

    def render(self, phase: str, rows: Sequence[Traced], label: str) -> list[Line]:
        told: list[Line] = []
        sentence = _Sentence()
        for place, row in enumerate(rows):
            single = self._single(row, place)
            found = None if single or _is_half(rows, place) else clause(row, self._state)
            if single or (found and not sentence.takes(found)):
                told += sentence.told(rows[0].actor)
                sentence = _Sentence()
            if single:
                told.append(single)
            elif found:
                sentence.add(found, place)
            self._state.learn(row)
        told += sentence.told(rows[0].actor)
        return [told[0]._replace(first=0), *told[1:]] if told else []

    def _single(self, row: Traced, place: int) -> Line | None:
        """A step with a sentence of its own."""
        what = f"{row.actor} {attempt(row, self._state)}"
        if row.fault:
            return Line(f"{what}: {fault_text(row.fault)}{self._for_good(row)}.", "fault", place)
        if row.is_reply:
            return Line(f"{what}.", "plain", place)
        if row.outcome == "refused" and row.value != "NotFound":
            why = WHY.get(str(row.value), str(row.value))
            return Line(f"{what}: refused ({why}){self._for_good(row)}.", "refused", place)
        if row.call == "rename" and row.value is False:
            return Line(f"{what}: there is one already, and {row.actor} is not told.", "refused", place)
        match self._state.meaning(row):
            case means.Beats():
                return Line(f"{self._state.process(row.actor)}'s heartbeat timer beats.", "plain", place)
            case means.Enters(instant, body=body) if self._commits(row) and (done := clause(row, self._state)):
                what = f"{row.actor} {done.verb} {done.what}"
                return Line(f"{what}: its commit is visible{self._although(instant, body)}.", "commit", place)
        return None

    def _for_good(self, row: Traced) -> str:
        """What a failure was the last step of."""
        match self._state.meaning(row):
            case means.EndsTimer():
                return ", and its timer ends for good"
            case means.EndsChecker():
                return ", and the checker ends for good"
        return ""

    def _although(self, instant: int, body: object) -> str:
        hidden = self._state.hidden_by(instant, body) if isinstance(body, CommitMetadata) else ()
        if hidden:
            seen = listed(f"{one.group[1]}'s slice of {text(one.instant)}" for one in hidden)
            return f", but what readers see is {seen}"
        if instant in self._state.completed:
            return ", for the second time"
        return ", though its rollback is scheduled" if self._state.is_rolled_back(instant) else ""


def _is_half(rows: Sequence[Traced], place: int) -> bool:
    """Whether the step is the first of a create in two steps (look, write; or write, rename), and both are here."""
    row, following = rows[place], rows[place + 1] if place + 1 < len(rows) else None
    if following is None:
        return False
    if row.call == "create":
        return following.operation == "open-w" and following.resource == row.resource
    return following.operation == "rename" and following.args[0] == row.resource


class _Sentence:
    """Clauses of one actor and one stage. Giving back a lock ends the sentence that took it."""

    def __init__(self) -> None:
        self._clauses: list[Clause] = []
        self._first = 0

    def takes(self, one: Clause) -> bool:
        """Whether the clause goes on with this sentence."""
        stages = [clause.stage for clause in self._clauses]
        if not stages:
            return True
        if stages[-1] in ALONE or one.stage in ALONE:
            return one.stage == stages[-1] == WAIT
        if GIVE in stages[1:] and TAKE in stages:
            return False
        if one.stage == TAKE:
            return all(stage in (TAKE, GIVE) for stage in stages)
        done = [stage for stage in stages if stage not in (TAKE, GIVE)]
        return one.stage == GIVE or not done or done[-1] == one.stage

    def add(self, one: Clause, place: int) -> None:
        if not self._clauses:
            self._first = place
        if one.stage == WAIT:
            self._clauses = []  # only the end of a wait counts
        self._clauses.append(one)

    def told(self, actor: str) -> list[Line]:
        """The sentence, with the objects of one verb together."""
        parts: list[tuple[str, list[str]]] = []
        for _, verb, what in self._clauses:
            if parts and parts[-1][0] == verb:
                parts[-1][1].append(what)
            else:
                parts.append((verb, [what]))
        words = [f"{verb} {_objects(objects)}" for verb, objects in parts]
        return [Line(f"{actor} {listed(words, 8)}.", "plain", self._first)] if words else []


def _objects(objects: Sequence[str]) -> str:
    """The objects of one verb: "no markers and no heartbeat file to delete"."""
    *before, last = dict.fromkeys(objects)
    ending = " to delete"
    if last.endswith(ending):
        before = [one.removesuffix(ending) for one in before]
    return listed([*before, last], 8)


def renderer(rows: Sequence[Traced], events: Sequence[Event]) -> Plain:
    """Explain a run of this protocol; one without any of its steps, step by step."""
    return Hudi(rows) if is_hudi(rows) else Plain()
