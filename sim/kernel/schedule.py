"""The schedule language: a plain text list of named steps, read by the simulator and by every live gate.

    # lakeproof schedule 1
    # scenario: iceberg/delete-update-snapshot
    # yield-points: load commit
    w1:commit        run w1 up to (not through) its next `commit`
    w2:end           run w2 to its end
    w1.commit        let w1 make exactly this step, which must be its next one
    w1.commit!503-after-retry   the same, and the step is answered by this fault

Yield points name the operations that are steps; all other port calls of an actor happen, unseen, between two steps.
The yield points `*` makes every port call a step. Exactly one actor runs between two steps. What the listed steps leave
open (actors that have not finished) is run to the end in the actors' order. A step may carry its resource in
parentheses, `w1.put(data/1)`, and `/reply` when the reply is a step of its own; both are checked when given.

Choices: actions are named, draws are not, so a schedule survives edits of the code; a step that is not there is a
divergence and says what was wanted and what was ready.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from sim.kernel.errors import ScheduleError as ScheduleError
from sim.kernel.fault_kinds import KINDS, OTHERS

HEADER = "# lakeproof schedule 1"
_STEP = re.compile(
    r"(?P<actor>[A-Za-z_][\w-]*)(?P<sep>[.:])(?P<operation>[a-z_][\w-]*)"
    r"(?:\((?P<resource>[^()#\s]*)\))?(?P<reply>/reply)?(?:!(?P<fault>[\w-]+))?"
)
WRITABLE = re.compile(r"[^()#\s]*")
_META = re.compile(r"#\s*(scenario|yield-points|property|max-steps|faults|origin):\s*(.*)")


class Divergence(RuntimeError):
    """A schedule asks for a step that the system does not offer. Says what was wanted and what was ready."""


@dataclass(frozen=True, slots=True)
class Step:
    """One instruction: the next `operation` of `actor` on `resource` (None: any), or its `reply`, with a `fault` or
    none.

    `exact`: make this step; else run up to it. `operation` may be "end" (never exact)."""

    actor: str
    operation: str
    exact: bool = True
    resource: str | None = None
    reply: bool = False
    fault: str | None = None

    def __str__(self) -> str:
        resource = f"({self.resource})" if self.resource is not None else ""
        fault = f"!{self.fault}" if self.fault else ""
        return (
            f"{self.actor}{'.' if self.exact else ':'}{self.operation}{resource}{'/reply' if self.reply else ''}{fault}"
        )


@dataclass(frozen=True, slots=True)
class Schedule:
    """A list of steps and where it came from.

    Args: `scenario` is the name of the scenario that it is of; `steps` are in the order of time; `yield_points` is
    ("*",) or the operations that are steps; `meta` are further lines of its header, as (key, value).
    """

    scenario: str
    steps: tuple[Step, ...]
    yield_points: tuple[str, ...] = ("*",)
    meta: tuple[tuple[str, str], ...] = field(default=())

    def __str__(self) -> str:
        lines = [HEADER, f"# scenario: {self.scenario}", f"# yield-points: {' '.join(self.yield_points)}"]
        lines += [f"# {key}: {value}" for key, value in self.meta]
        return "\n".join([*lines, *map(str, self.steps)]) + "\n"


def parse_step(text: str, where: str = "step") -> Step:
    """Read one step; raises `ScheduleError` naming `where`."""
    match = _STEP.fullmatch(text)
    if match is None:
        raise ScheduleError(f"{where}: expected a step like w1.commit, w1:commit or w1:end, got {text!r}")
    step = Step(
        match["actor"],
        match["operation"],
        match["sep"] == ".",
        match["resource"],
        match["reply"] is not None,
        match["fault"],
    )
    if step.operation == "end" and step.exact:
        raise ScheduleError(f"{where}: expected {step.actor}:end (an end is run up to, it is no step), got {text!r}")
    if step.fault and step.fault not in KINDS:
        known = ", ".join(sorted(OTHERS))
        raise ScheduleError(f"{where}: expected a fault like 503-after-retry or one of {known}, got {step.fault!r}")
    if step.fault and not step.exact:
        raise ScheduleError(f"{where}: expected an exact step (a dot) before a fault, got {text!r}")
    if step.fault and step.reply:
        raise ScheduleError(f"{where}: expected the fault at the call itself, not at its reply, got {text!r}")
    return step


def parse(text: str, source: str = "schedule") -> Schedule:
    """Read a schedule file's text; several steps may share a line. Raises `ScheduleError` with source and line."""
    lines = text.splitlines()
    if not lines or lines[0].strip() != HEADER:
        raise ScheduleError(
            f"{source}: line 1: expected {HEADER!r}, got {lines[0].strip()[:60]!r}"
            if lines
            else f"{source}: expected {HEADER!r}, got an empty file"
        )
    meta: dict[str, str] = {}
    steps: list[Step] = []
    for number, line in enumerate(lines[1:], 2):
        found = _META.match(line.strip())
        if found:
            meta[found[1]] = found[2].strip()
        body = line.split("#", 1)[0]
        steps.extend(parse_step(word, f"{source}: line {number}") for word in body.split())
    if "scenario" not in meta:
        raise ScheduleError(f"{source}: expected a line '# scenario: NAME', got none")
    rest = tuple((key, value) for key, value in meta.items() if key not in ("scenario", "yield-points"))
    return Schedule(meta["scenario"], tuple(steps), tuple(meta.get("yield-points", "*").split()) or ("*",), rest)


def steps_of(text: str | Iterable[Step]) -> tuple[Step, ...]:
    """Steps from a short text without header ("w1:commit w2:end"), or from steps."""
    return tuple(parse_step(word) for word in text.split()) if isinstance(text, str) else tuple(text)
