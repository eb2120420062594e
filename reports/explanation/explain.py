"""From a run to its explanation: who did what, in sentences, each over the steps that it tells.

Consecutive steps of one actor in one phase (planning, writing, committing, ...) make one sentence; a switch to another
actor always starts a new one, because the switches are the schedule. What each operation was told at its end, and what
the final read saw, are sentences of their own.

Choices: the renderer goes by what the protocol says that the steps mean, and by what they carried, never by the
scenario's name.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from checkers.histories.history import FINAL, INVOKE, OK, SETUP, VERSION, Event, History, Op
from checkers.text import LINE_CHARACTERS, plain
from reports.explanation.phrases import listed, seen_text
from reports.explanation.renderer import Line, Plain, Renderer, Traced, plainly, traced
from reports.record import Explanation, Sentence, Span, Step
from sim.search.run import Run

MAX_STEPS = 400


@dataclass(slots=True)
class _Rendering:
    """The explanation as far as it has been told."""

    renderer: Plain
    wrong: Mapping[int, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    sentences: list[Sentence] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    doing: dict[str, str] = field(default_factory=dict)
    waiting: list[Traced] = field(default_factory=list)
    phase: str = ""

    def step(self, row: Traced) -> None:
        """One more step; tells what waits if this one is of another actor or phase."""
        phase = self.renderer.phase(row, self.doing.get(row.actor, ""))
        self.doing[row.actor] = phase
        if self.waiting and (self.waiting[-1].actor != row.actor or self.phase != phase):
            self.flush()
        self.waiting.append(row)
        self.phase = phase

    def flush(self) -> None:
        """Tell the steps that wait."""
        rows, self.waiting = self.waiting, []
        if not rows:
            return
        actor = rows[0].actor
        told = self.renderer.render(self.phase, rows, self.labels.get(_process(actor, self.labels), ""))
        starts = [one.first for one in told]
        first = len(self.sentences) + 1
        for one in told:
            self.say(actor, one)
        for place, row in enumerate(rows):
            within = max((i for i, start in enumerate(starts) if start <= place), default=-1)
            number = first + within if told else self._last_of(actor)
            self.steps.append(_step(len(self.steps) + 1, row, self.renderer, number))

    def _last_of(self, actor: str) -> int:
        """Steps without a sentence of their own belong to the actor's last one."""
        return next((one.number for one in reversed(self.sentences) if one.actor == actor), 0)

    def say(self, actor: str, told: Line) -> None:
        text = plain(told.text, LINE_CHARACTERS)
        self.sentences.append(Sentence(len(self.sentences) + 1, plain(actor), text, told.tone))

    def event(self, event: Event) -> None:
        """An operation begins, or is told its outcome."""
        if event.type == INVOKE:
            self.labels[event.process] = label_of(event)
            self.doing[event.process] = ""
        elif event.type != VERSION and event.process != SETUP:
            told = self._ending(event)
            if told is not None:
                self.flush()
                self.say(event.process, told)

    def _ending(self, event: Event) -> Line | None:
        if event.process == FINAL:
            return _final(event)
        if "/" in event.process:
            return None  # a part of an operation, recorded for a check; the operation itself is told
        found = self.renderer.inspected(event)
        if found is not None:
            return Line(f"An inspection at the end finds {found}.", "broken") if found else None
        what = f"{event.process} is told: {self.renderer.title(label_of(event))}"
        if event.op in self.wrong:
            return Line(f"{what} succeeded. This answer breaks {self.wrong[event.op]}.", "broken")
        if event.type == "ok":
            return Line(f"{what} succeeded.", "end")
        error = (event.error or "").strip().rstrip(".")
        if event.type == "fail":
            return Line(f"{what} failed ({error}).", "refused")
        return Line(f"{what} has an unknown outcome ({error}).", "fault")


def explain(run: Run, renderer: Renderer = plainly) -> Explanation:
    """The explanation of a run. `renderer` is its protocol's; without one, every step is told by itself."""
    rows, events = traced(run.trace, run.notes), run.events
    places = run.places or (len(rows),) * len(events)
    rendering = _Rendering(renderer(rows, events), wrong_reads(run))
    by_place: dict[int, list[Event]] = {}
    for event, place in zip(events, places, strict=True):
        by_place.setdefault(place, []).append(event)
    for place in range(len(rows) + 1):
        for event in by_place.get(place, ()):
            rendering.event(event)
        if place < len(rows):
            rendering.step(rows[place])
    rendering.flush()
    steps = tuple(rendering.steps[-MAX_STEPS:])
    closing = tuple(plain(one, LINE_CHARACTERS) for one in rendering.renderer.closing())
    return Explanation(tuple(rendering.sentences), steps, _spans(events, places, rendering), closing)


def wrong_reads(run: Run) -> dict[int, str]:
    """The operations of clients that were answered what they must not be, each with the weakest property it breaks.

    Of each violation it is the last witness that read and wrote nothing; one without such a witness has none.
    """
    wrong: dict[int, str] = {}
    ops = {op.id: op for op in History(run.events).ops}
    for violation in run.verdict().violations:
        reads = [ops[number] for number in violation.ops if _only_reads(ops[number])]
        if reads:
            wrong.setdefault(max(reads, key=lambda op: op.invoked).id, violation.property)
    return wrong


def _only_reads(op: Op) -> bool:
    return bool(op.reads) and not op.writes and op.type == OK and op.process != FINAL and "/" not in op.process


def label_of(event: Event) -> str:
    """An operation in a few words: "delete row 1"."""
    return f"{event.f} {event.arg or ''}".strip()


def _process(actor: str, labels: dict[str, str]) -> str:
    """The process of a task: its helper tasks are named after it."""
    while actor not in labels and "-" in actor:
        actor = actor.rpartition("-")[0]
    return actor


def _step(number: int, row: Traced, renderer: Plain, sentence: int) -> Step:
    drawn = renderer.drawn(row)
    return Step(
        number, row.time_ms, row.actor, row.operation, row.resource, drawn.lane, drawn.kind, drawn.outcome, row.fault,
        renderer.version(row), sentence,
    )  # fmt: skip


def _final(event: Event) -> Line:
    if event.type == "fail":
        return Line(f"The final read fails: {event.error}.", "broken")
    mentioned = [seen_text(read.key, read.value) for read in event.reads]
    return Line(f"The final read sees {listed(mentioned, 8)}.", "end")


def _spans(events: Sequence[Event], places: Sequence[int], rendering: _Rendering) -> tuple[Span, ...]:
    """Each operation from its first step after the invocation to its last one before the completion."""
    steps, title = rendering.steps, rendering.renderer.title
    begun: dict[int, tuple[Event, int]] = {}
    spans = []
    for event, place in zip(events, places, strict=True):
        if event.type == INVOKE:
            begun[event.op] = (event, place)
        elif event.op in begun and event.type != VERSION:
            invoke, start = begun.pop(event.op)
            own = [step.number for step in steps[start:place] if step.actor == event.process]
            if own:
                label, breaks = plain(title(label_of(invoke))), rendering.wrong.get(event.op, "")
                spans.append(Span(event.process, label, own[0], own[-1], event.type, breaks))
    return tuple(spans)
