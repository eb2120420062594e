"""Where everything of a space-time diagram stands: a lane per actor and per far side, a place in time per step.

Choices:
* Order, not duration, is drawn, since a simulated run has steps and no durations worth a scale. Steps that touch files
  only are narrow.
* A step waits to the right until there is room for its label, so that no two labels of one lane lie on each other.
* An actor that only works on itself (a metastore that polls) has no lane beside the one that others call it on.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from reports.pictures import svg
from reports.record import Explanation, Span, Step

ACTOR_INK = (svg.BLUE, svg.BROWN, svg.VIOLET, svg.TEAL, svg.WINE, svg.SLATE)
NARROW, WIDE, LANE, TOP, LEFT = 16.0, 60.0, 52.0, 46.0, 104.0
SPAN_PX, CAPTION_PX, LABEL_SIZE, GAP_PX = 250.0, 190.0, 11, 12.0
MAX_LABEL, MAX_OWN_LANES = 14, 6
SERVICES = ("table", "timeline", "metastore", "heartbeats", "locks", "files", "services")
MANY = ("metastore", "services")
"""Kinds of far sides of which there may be several, each with a lane of its own."""
VERSIONED = ("table", "timeline", "metastore")
NAMES = {"files": "object store", "locks": "lock service"}
ENDS = {"ok": "ok", "fail": "refused", "info": "outcome unknown"}


@dataclass(slots=True)
class Canvas:
    """Where everything stands, and what is drawn there: lines below marks below words."""

    x: dict[int, float]
    actors: dict[str, float]
    services: dict[str, float]
    inks: dict[str, str]
    owners: dict[int, str]
    far: dict[int, str]
    end: float
    bottom: float
    lines: list[str] = field(default_factory=list)
    marks: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)

    def ink_of(self, step: Step) -> str:
        """The colour of the step's actor."""
        return self.inks.get(self.owners[step.number], svg.INK)

    def y_of(self, step: Step) -> float:
        """The lane of the step's actor."""
        return self.actors[self.owners[step.number]]


def actors_of(explanation: Explanation) -> dict[str, str]:
    """The actors, in order, each with its colour. Helper tasks go with their process."""
    names = list(dict.fromkeys(step.actor for step in explanation.steps))
    actors = sorted(name for name in names if name.rpartition("-")[0] not in names)
    return {actor: ACTOR_INK[number % len(ACTOR_INK)] for number, actor in enumerate(actors)}


def owner_of(name: str, actors: Iterable[str]) -> str:
    """The actor whose lane a task is drawn on: its own, or that of its process."""
    known = set(actors)
    while name not in known and "-" in name:
        name = name.rpartition("-")[0]
    return name


def is_wide(step: Step) -> bool:
    """Whether the step needs room for more than a dot."""
    return step.kind in ("load", "commit") or step.outcome != "ok" or bool(caption(step))


def caption(step: Step) -> str:
    """What stands below a step's dot; "" for most."""
    if step.fault:
        return f"ϟ {step.fault}"
    if step.outcome == "refused":
        return "refused"
    version = step.version.removeprefix("snapshot ")
    if step.kind == "load":
        return f"sees {version}" if version else ""
    if step.kind == "commit":
        return "commit" if step.outcome == "ok" else ""
    return version if step.kind in ("write", "call") else ""


def span_label(span: Span, own: Sequence[Step]) -> str:
    """What stands above an operation's bar: its name, cut to fit, and how it ended. `own` are its own steps."""
    commits = any(step.kind == "commit" for step in own)
    end = f"breaks {span.breaks}" if span.breaks else "acknowledged" if commits and span.outcome == "ok" else ""
    tail = f": {end or ENDS[span.outcome]}"
    head = ("✗ " if span.breaks else "") + span.label
    return svg.clipped(head, SPAN_PX - svg.width_of(tail, LABEL_SIZE), LABEL_SIZE) + tail


def canvas_of(explanation: Explanation, steps: Sequence[Step]) -> Canvas:
    """Give each lane its height and each step its place."""
    inks = actors_of(explanation)
    owners = {step.number: owner_of(step.actor, inks) for step in steps}
    far = _far_sides(steps)
    y, actors, services = TOP + 30, {}, {}
    own = _on_themselves(steps, owners)
    for actor in inks:
        if actor not in own:
            actors[actor], y = y, y + LANE
    y += 10
    for lane in _ordered(far.values()):
        services[lane], y = y, y + LANE
    for actor, lane in own.items():
        actors[actor] = services[lane]
    canvas = Canvas({}, actors, services, inks, owners, far, 0.0, y - LANE / 2 + 14)
    _place(canvas, steps, explanation.spans)
    return canvas


def _far_sides(steps: Sequence[Step]) -> dict[int, str]:
    """The lane of each step's far side: its kind, or where there are a few of a kind, one for each."""
    shared = {step.resource for step in steps if step.lane == "metastore"}
    several = {step.resource for step in steps if step.lane in MANY}
    lanes = {}
    for step in steps:
        if step.lane in MANY and len(shared) > 1 and step.resource in several and len(several) <= MAX_OWN_LANES:
            kind = "metastore" if step.resource in shared else step.lane
            lanes[step.number] = f"{kind} {step.resource}"
        elif step.lane != "clock":
            lanes[step.number] = step.lane
    return lanes


def _ordered(lanes: Iterable[str]) -> list[str]:
    """The lanes: what protocols name first, each kind in its order, then by name."""
    order = {lane: place for place, lane in enumerate(SERVICES)}
    return sorted(set(lanes), key=lambda lane: (order.get(lane.split(" ")[0], -1), lane))


def _on_themselves(steps: Sequence[Step], owners: dict[int, str]) -> dict[str, str]:
    """The actors that only work on themselves, each with the lane that it is called on."""
    far = _far_sides(steps)
    lanes: dict[str, set[str]] = {}
    others: set[str] = set()
    for step in steps:
        owner = owners[step.number]
        if step.number in far:
            lanes.setdefault(owner, set()).add(far[step.number])
        if step.resource != owner:
            others.add(owner)
    return {owner: min(found) for owner, found in lanes.items() if owner not in others and len(found) == 1}


def lane_label(lane: str, resources: Sequence[str]) -> str:
    """A lane of one thing is called as that, unless this is too long or taken for another lane."""
    name = resources[0] if len(resources) == 1 and lane in SERVICES else ""
    if lane == "locks" and name in SERVICES:
        return f"{name} lock"
    return name if 0 < len(name) <= MAX_LABEL else NAMES.get(lane, lane)


def _place(canvas: Canvas, steps: Sequence[Step], spans: Sequence[Span]) -> None:
    """Give each step its x, so far to the right that its labels do not touch those before them."""
    begun = _begun(canvas, steps, spans)
    above: dict[float, float] = {}
    below: dict[float, float] = {}
    names: dict[str, float] = {}
    x, previous = LEFT + 20.0, ""
    for step in steps:
        width = WIDE if is_wide(step) else NARROW
        at = x + (10.0 if previous not in ("", step.actor) else 0.0) + width / 2
        y = canvas.y_of(step)
        words, label = caption(step), begun.get(step.number, "")
        lane = canvas.far.get(step.number, "") if step.kind == "commit" and step.version else ""
        if label:
            at = max(at, above.get(y, 0.0) + GAP_PX + 8)
        if words:
            at = max(at, below.get(y, 0.0) + GAP_PX - 6)
        if lane:
            at = max(at, names.get(lane, 0.0) + GAP_PX - 12)
        if label:
            above[y] = at - 8 + svg.width_of(label, LABEL_SIZE, bold=True)
        if words:
            below[y] = at + 6 + min(CAPTION_PX, svg.width_of(f"✗ {words}", LABEL_SIZE, bold=True))
        if lane:
            names[lane] = at + 12 + svg.width_of(step.version, bold=True)
        canvas.x[step.number] = at
        x, previous = at + width / 2, step.actor
    canvas.end = max([x + 16, *(far + GAP_PX for free in (above, below, names) for far in free.values())])


def _begun(canvas: Canvas, steps: Sequence[Step], spans: Sequence[Span]) -> dict[int, str]:
    """The label of the operation that begins with a step, by the step's number; the window may cut its beginning."""
    found: dict[int, str] = {}
    for span in spans:
        own = own_steps(canvas, span, steps)
        if own:
            found[own[0].number] = span_label(span, own)
    return found


def own_steps(canvas: Canvas, span: Span, steps: Sequence[Step]) -> list[Step]:
    """The steps that an operation's own actor made for it, as far as they are drawn."""
    owner = owner_of(span.actor, canvas.actors)
    return [one for one in steps if span.first <= one.number <= span.last and canvas.owners[one.number] == owner]
