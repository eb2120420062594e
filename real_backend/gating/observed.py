"""Does the live system do what the simulation said? Outcomes, what each read saw, lineage, rows read back, steps.

Both sides are reduced to one plain form, `Observed`; the comparison knows nothing of where it came from. Ids differ by
nature, so a lineage is compared by ordinals: parents, Iceberg's operation, and who made each version. What only one
side knows (an operation, a maker) is not compared.

Choices: an unreadable table agrees with an unreadable table, whatever each side says about the file that is missing.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from checkers.histories.history import FAIL, FINAL, INVOKE, OK, VERSION, Event

READS = ("read", "read appends", "read changes", "read at", "read as of", "read news")
Kinds = tuple[tuple[str, str], ...]


class Ancestor(NamedTuple):
    """One version of a lineage, without ids. None = not known on this side."""

    ordinal: int
    parent: int | None
    operation: str | None
    actor: str | None


@dataclass(frozen=True, slots=True)
class Observed:
    """What one side saw.

    Args: `outcomes`: actor and "ok", "failed", "unknown" or a protocol's kind of error, per statement in order; `rows`:
    key and value, None if the table is unreadable; `steps`: `w1.load`, ... (None = not to be compared); `left`:
    what else there is at the end, in a protocol's own words (None = not known); `answers`: actor and what was there,
    per read of the whole table in order.
    """

    outcomes: Kinds
    lineage: tuple[Ancestor, ...]
    rows: Kinds | None
    unreadable: str | None = None
    steps: tuple[str, ...] | None = None
    left: tuple[str, ...] | None = None
    answers: tuple[tuple[str, Kinds], ...] = field(default=(), repr=False)  # most histories have none


class Difference(NamedTuple):
    """One thing on which the sides differ."""

    what: str
    simulated: str
    live: str

    def __str__(self) -> str:
        return f"{self.what}: simulated {self.simulated}, live {self.live}"


@dataclass(frozen=True, slots=True)
class Conformance:
    """The result. `compared` counts what was held against each other, by kind."""

    differences: tuple[Difference, ...]
    compared: tuple[tuple[str, int], ...]

    @property
    def agrees(self) -> bool:
        """Whether nothing differs and something was compared."""
        return not self.differences and any(count for _, count in self.compared)

    def __str__(self) -> str:
        what = ", ".join(f"{count} {name}" for name, count in self.compared if count)
        if self.agrees:
            return f"simulation and live system agree in {what}"
        first = self.differences[0] if self.differences else "nothing was compared"
        return f"simulation and live system differ, {first} ({len(self.differences)} differences in {what})"


def observed(
    events: Sequence[Event],
    actors: Collection[str],
    steps: tuple[str, ...] | None = None,
    kind_of: Callable[[str], str] | None = None,
    left: tuple[str, ...] | None = None,
) -> Observed:
    """What a history says was seen: the outcomes of these actors, the lineage, the final read.

    Args: `kind_of`: the kind of an error that a client was told, the same for both sides' names of it (None: whether
    its outcome is known is all that counts).
    """
    process = {event.op: event.process for event in events if event.type != VERSION}
    final = [event for event in events if event.process == FINAL and event.type != INVOKE]
    completions = [event for event in events if event.type not in (VERSION, INVOKE) and event.process in actors]
    versions = [event for event in events if event.type == VERSION]
    ordinals = {event.snapshot: event.commit for event in versions if event.snapshot is not None}
    rows = None
    if final and final[-1].type == OK:
        rows = _there(final[-1])
    return Observed(
        outcomes=tuple(
            (event.process, _kind(event, kind_of)) for event in sorted(completions, key=lambda event: event.op)
        ),
        lineage=tuple(
            Ancestor(event.commit or 0, ordinals.get(event.parent or ""), event.arg, process.get(event.op))
            for event in versions
        ),
        rows=rows,
        unreadable=final[-1].error if final else None,
        steps=steps,
        left=left,
        answers=tuple(
            (event.process, _there(event)) for event in sorted(completions, key=lambda event: event.op)
            if event.type == OK and event.f in READS
        ),
    )  # fmt: skip


def _there(event: Event) -> Kinds:
    """What a read has found, at any of its times, in the order of the keys; what is absent is left out."""
    if event.arg:  # what has come since, in words
        return (("since", event.arg),)
    return tuple(sorted({(key, value): None for key, value, _ in event.reads if value is not None}))


def in_words(answers: Sequence[tuple[str, Kinds]]) -> list[tuple[str, str]]:
    """Who read, and what was there: ("r1", "row:1=a row:2=b")."""
    return [(actor, " ".join([f"{key}={value}" for key, value in found])) for actor, found in answers]


def _kind(event: Event, kind_of: Callable[[str], str] | None) -> str:
    if event.type == OK:
        return "ok"
    if kind_of is not None and event.error is not None:
        return kind_of(event.error)
    return "failed" if event.type == FAIL else "unknown"


def compare(simulated: Observed, live: Observed) -> Conformance:
    """Every difference between the two, in the order: steps, outcomes, answers, lineage, rows, what else is left."""
    found: list[Difference] = []
    compared: list[tuple[str, int]] = []
    if simulated.steps is not None and live.steps is not None:
        found += _unequal("step", simulated.steps, live.steps)
        compared.append(("steps", len(live.steps)))
    found += _unequal("outcome", _words(simulated.outcomes), _words(live.outcomes))
    compared.append(("outcomes", len(live.outcomes)))
    found += _unequal("answer", _words(in_words(simulated.answers)), _words(in_words(live.answers)))
    compared.append(("answers", len(live.answers)))
    found += _lineage(simulated.lineage, live.lineage)
    compared.append(("versions", len(live.lineage)))
    if (simulated.rows is None) != (live.rows is None):
        found.append(Difference("the table read back", _readable(simulated), _readable(live)))
    elif simulated.rows is not None and live.rows is not None:
        found += _unequal("row", _words(simulated.rows), _words(live.rows))
    compared.append(("rows", len(live.rows or ())))
    if simulated.left is not None and live.left is not None:
        found += _unequal("left", simulated.left, live.left)
        compared.append(("things left", len(live.left)))
    return Conformance(tuple(found), tuple(compared))


def _words(pairs: Sequence[tuple[str, str]]) -> list[str]:
    return [f"{name} {value}" for name, value in pairs]


def _readable(side: Observed) -> str:
    return f"is unreadable ({side.unreadable})" if side.rows is None else f"has {len(side.rows)} rows"


def _unequal(what: str, simulated: Sequence[str], live: Sequence[str]) -> list[Difference]:
    found = []
    for index in range(max(len(simulated), len(live))):
        left = simulated[index] if index < len(simulated) else "none"
        right = live[index] if index < len(live) else "none"
        if left != right:
            found.append(Difference(f"{what} {index + 1}", left, right))
    return found


def _lineage(simulated: Sequence[Ancestor], live: Sequence[Ancestor]) -> list[Difference]:
    if len(simulated) != len(live):
        return [Difference("the lineage", f"has {len(simulated)} versions", f"has {len(live)}")]
    found = []
    for left, right in zip(simulated, live, strict=True):
        for name in ("parent", "operation", "actor"):
            one, other = getattr(left, name), getattr(right, name)
            if one is not None and other is not None and one != other:
                found.append(Difference(f"version {right.ordinal}, {name}", str(one), str(other)))
    return found
