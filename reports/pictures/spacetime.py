"""A run as a space-time diagram: a lane per actor and per service, time to the right, every step a dot.

The table's lane shows its versions; a line from an actor's dot to it is a load or a commit. Refusals are crosses,
faults are flashes. The numbers along the top are those of the sentences.

Choices: order, not duration, is drawn, since a simulated run has steps and no durations worth a scale. Steps that touch
files only are narrow. Plain SVG by string, the same bytes every time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import zip_longest

from reports.pictures import svg
from reports.pictures.final_read import final_read, width_of
from reports.record import Explanation, Row, Span, Step

ACTOR_INK = ("#1f4e9e", "#8a4b08", "#5b2a86", "#0f6b62", "#8c1d40", "#445566")
REFUSED, FAULT = "#b3261e", "#c77700"
NARROW, WIDE, LANE, TOP, LEFT = 16.0, 60.0, 52.0, 46.0, 104.0
MAX_DRAWN, MAX_LABEL = 160, 14
NUMBER_PX = 18.0  # numbers that would lie closer are left out; the next one is enough to count from
SERVICES = ("table", "timeline", "metastore", "heartbeats", "locks", "files", "services", "clock")
VERSIONED = ("table", "timeline", "metastore")
NAMES = {"files": "object store", "locks": "lock service"}


@dataclass(slots=True)
class _Canvas:
    """Where everything stands."""

    x: dict[int, float]
    actors: dict[str, float]
    services: dict[str, float]
    inks: dict[str, str]
    end: float
    bottom: float
    parts: list[str]

    def actor_of(self, name: str) -> str:
        """The actor whose lane a task is drawn on: its own, or that of its process."""
        while name not in self.actors and "-" in name:
            name = name.rpartition("-")[0]
        return name


def spacetime(explanation: Explanation, rows: Sequence[Row] = (), title: str = "the run") -> str:
    """The explanation's steps as a self-contained SVG. `rows` adds what the final read saw."""
    steps, before = _window(_without_waiting(explanation.steps))
    if not steps:
        return ""
    canvas = _canvas(explanation, steps, bool(rows))
    _lanes(canvas, steps)
    for span in explanation.spans:
        _span(canvas, span)
    _sentences(canvas, steps)
    for step in steps:
        _step(canvas, step)
    _versions(canvas, steps)
    if rows:
        canvas.parts += final_read(rows, canvas.end, TOP, canvas.bottom)
    if before:
        words = f"{before} earlier steps left out"
        canvas.parts.append(svg.text(LEFT, canvas.bottom + 4, words, anchor="start", ink=svg.FAINT))
    return svg.document(canvas.end + width_of(rows), canvas.bottom + 16, title, canvas.parts)


def actors_of(explanation: Explanation) -> dict[str, str]:
    """The actors that have a lane, in order, each with its colour. Helper tasks are drawn on their process's lane."""
    names = list(dict.fromkeys(step.actor for step in explanation.steps))
    actors = sorted(name for name in names if name.rpartition("-")[0] not in names)
    return {actor: ACTOR_INK[number % len(ACTOR_INK)] for number, actor in enumerate(actors)}


def _without_waiting(steps: Sequence[Step]) -> list[Step]:
    """The steps without sleeps, and with only the first and the last of many checks in a row."""
    awake = [step for step in steps if step.kind != "wait" or step.fault]
    key = [(step.actor, step.operation, step.fault) for step in awake]
    return [
        step
        for at, step in enumerate(awake)
        if step.operation != "check_lock" or not (0 < at < len(awake) - 1 and key[at - 1] == key[at] == key[at + 1])
    ]


def _window(steps: Sequence[Step]) -> tuple[Sequence[Step], int]:
    """The steps to draw, and how many stand before them: the end of a run is where it went wrong."""
    return steps[-MAX_DRAWN:], max(0, len(steps) - MAX_DRAWN)


def _is_wide(step: Step) -> bool:
    return step.kind in ("load", "commit") or bool(step.fault) or step.outcome != "ok"


def _canvas(explanation: Explanation, steps: Sequence[Step], with_rows: bool) -> _Canvas:
    inks = actors_of(explanation)
    used = [lane for lane in SERVICES if lane != "clock" and any(step.lane == lane for step in steps)]
    y, places, services = TOP + 30, {}, {}
    for actor in inks:
        places[actor], y = y, y + LANE
    y += 10
    for lane in used:
        services[lane], y = y, y + LANE
    x, at = LEFT + 20.0, {}
    previous: Step | None = None
    for step in steps:
        gap = 10.0 if previous is not None and previous.actor != step.actor else 0.0
        width = WIDE if _is_wide(step) else NARROW
        at[step.number] = x + gap + width / 2
        x += gap + width
        previous = step
    return _Canvas(at, places, services, inks, x + 16, y - LANE / 2 + 14, [])


def _lanes(canvas: _Canvas, steps: Sequence[Step]) -> None:
    for actor, y in canvas.actors.items():
        canvas.parts.append(svg.line(LEFT, y, canvas.end, y, dashed=True))
        canvas.parts.append(svg.text(LEFT - 10, y + 4, actor, anchor="end", bold=True, ink=canvas.inks[actor]))
    for lane, y in canvas.services.items():
        canvas.parts.append(svg.line(LEFT, y, canvas.end, y, ink="#c9cdd5", width=1.5))
        named = list(dict.fromkeys(step.resource for step in steps if step.lane == lane))
        canvas.parts.append(svg.text(LEFT - 10, y + 4, _lane_label(lane, named), anchor="end"))


def _lane_label(lane: str, resources: Sequence[str]) -> str:
    """A lane of one thing is called as that, unless this is too long or taken for another lane."""
    name = resources[0] if len(resources) == 1 else ""
    if lane == "locks" and name in SERVICES:
        return f"{name} lock"
    return name if 0 < len(name) <= MAX_LABEL else NAMES.get(lane, lane)


def _span(canvas: _Canvas, span: Span) -> None:
    """An operation: a pale bar with its label above."""
    actor = canvas.actor_of(span.actor)
    drawn = [number for number in canvas.x if span.first <= number <= span.last]
    if not drawn or actor not in canvas.actors:
        return
    left, right = canvas.x[drawn[0]] - 10, canvas.x[drawn[-1]] + 10
    y, ink = canvas.actors[actor], canvas.inks[actor]
    size = f"x='{svg.number(left)}' y='{svg.number(y - 7)}' width='{svg.number(right - left)}' height='14'"
    canvas.parts.append(f"<rect {size} rx='7' fill='{ink}' fill-opacity='0.16'/>")
    mark = {"ok": "acknowledged", "fail": "refused", "info": "outcome unknown"}[span.outcome]
    label_ink = ink if span.outcome == "ok" else REFUSED if span.outcome == "fail" else FAULT
    label = svg.text(left + 2, y - 12, f"{span.label}: {mark}", size=11, anchor="start", ink=label_ink, halo=True)
    canvas.parts.append(label)


def _sentences(canvas: _Canvas, steps: Sequence[Step]) -> None:
    """The numbers of the sentences, each over its steps."""
    groups: dict[int, list[Step]] = {}
    for step in steps:
        if step.sentence:
            groups.setdefault(step.sentence, []).append(step)
    drawn = -NUMBER_PX
    for number, group in groups.items():
        left, right = canvas.x[group[0].number], canvas.x[group[-1].number]
        ink = canvas.inks.get(canvas.actor_of(group[0].actor), svg.INK)
        canvas.parts.append(svg.line(left - 6, TOP - 16, right + 6, TOP - 16, ink=ink, width=2))
        middle = (left + right) / 2
        if middle - drawn >= NUMBER_PX:
            canvas.parts.append(svg.text(middle, TOP - 22, str(number), size=11, ink=ink, bold=True))
            drawn = middle


def _step(canvas: _Canvas, step: Step) -> None:
    actor = canvas.actor_of(step.actor)
    x, y, ink = canvas.x[step.number], canvas.actors[actor], canvas.inks[actor]
    far = canvas.services.get(step.lane)
    parts = [f"<g><title>{escape(_tooltip(step))}</title>"]
    if far is not None:
        line_ink = REFUSED if step.outcome == "refused" else FAULT if step.fault else ink
        parts.append(
            svg.line(x, y, x, far, ink=line_ink, width=1.6 if _is_wide(step) else 0.7, dashed=_is_dashed(step))
        )
        parts.append(_far_mark(step, x, far, ink))
    parts.append(_dot(x, y, 5 if _is_wide(step) else 3, ink))
    if step.fault:
        parts.append(svg.text(x, y + 20, f"ϟ {step.fault}", size=11, ink=FAULT, bold=True, halo=True))
    elif step.kind == "load" and step.version:
        parts.append(
            svg.text(x + 6, y + 19, f"sees {_short(step.version)}", size=11, anchor="start", ink=ink, halo=True)
        )
    elif step.kind == "commit" and step.outcome == "ok":
        parts.append(svg.text(x + 6, y + 19, "commit", size=11, anchor="start", ink=ink, halo=True))
    elif step.outcome == "refused":
        parts.append(svg.text(x + 6, y + 19, "refused", size=11, anchor="start", ink=REFUSED, halo=True))
    canvas.parts.append("".join([*parts, "</g>"]))


def _short(version: str) -> str:
    return version.removeprefix("snapshot ")


def _tooltip(step: Step) -> str:
    what = f"{step.number}. {step.actor}.{step.operation}({step.resource})"
    return f"{what}: {step.outcome}" + (f", fault {step.fault}" if step.fault else "") + f"; at {step.time_ms} ms"


def _is_dashed(step: Step) -> bool:
    return step.kind == "read"


def _far_mark(step: Step, x: float, y: float, ink: str) -> str:
    if step.outcome == "refused" or step.outcome == "not applied":
        arm = 6.0
        return svg.line(x - arm, y - arm, x + arm, y + arm, ink=REFUSED, width=2.4) + svg.line(
            x - arm, y + arm, x + arm, y - arm, ink=REFUSED, width=2.4
        )
    if step.kind == "delete":
        return svg.line(x - 4, y - 4, x + 4, y + 4, ink=REFUSED, width=1.6) + svg.line(
            x - 4, y + 4, x + 4, y - 4, ink=REFUSED, width=1.6
        )
    if step.kind == "commit":
        corners = " ".join(
            f"{svg.number(a)},{svg.number(b)}" for a, b in ((x, y - 8), (x + 8, y), (x, y + 8), (x - 8, y))
        )
        return f"<polygon points='{corners}' fill='{ink}'/>"
    return _dot(x, y, 3, ink if step.kind == "write" else svg.PAPER, ink)


def _dot(x: float, y: float, radius: float, fill: str, edge: str | None = None) -> str:
    at = f"cx='{svg.number(x)}' cy='{svg.number(y)}' r='{svg.number(radius)}'"
    return f"<circle {at} fill='{fill}'" + (f" stroke='{edge}'/>" if edge else "/>")


def _versions(canvas: _Canvas, steps: Sequence[Step]) -> None:
    """The names of the table's versions, each from the commit that made it onwards."""
    y = next((canvas.services[lane] for lane in VERSIONED if lane in canvas.services), None)
    if y is None:
        return
    made = [s for s in steps if s.kind == "commit" and s.outcome == "ok" and s.version]
    seen = next((s.version for s in steps if s.kind == "load" and s.version and s.outcome == "ok"), "")
    if seen and (not made or seen != made[0].version):
        canvas.parts.append(svg.text(LEFT + 6, y - 8, seen, anchor="start", bold=True, halo=True))
    for step, following in zip_longest(made, made[1:]):
        ink, at = canvas.inks[canvas.actor_of(step.actor)], canvas.x[step.number]
        until = canvas.x[following.number] - 8 if following else canvas.end
        canvas.parts.append(svg.line(at, y, until, y, ink=ink, width=3))
        canvas.parts.append(
            svg.text(at + 12, y + 18, _short(step.version), anchor="start", bold=True, ink=ink, halo=True)
        )
