"""A run as a space-time diagram: a lane per actor and per far side, time to the right, every step a dot.

The table's lane shows its versions; a line from an actor's dot to it is a load or a commit. Refusals are crosses,
faults are flashes, an operation that was answered wrongly is red. The numbers along the top are those of the sentences.

Choices: lines are drawn first and words last, so that no line goes through a word. Plain SVG by string, the same bytes
every time.
"""

from collections.abc import Sequence
from itertools import zip_longest

from reports.pictures import svg
from reports.pictures.final_read import final_read, height_of, width_of
from reports.pictures.lanes import (
    CAPTION_PX,
    LABEL_SIZE,
    LEFT,
    TOP,
    VERSIONED,
    Canvas,
    canvas_of,
    caption,
    is_wide,
    lane_label,
    own_steps,
    owner_of,
    span_label,
)
from reports.record import Explanation, Row, Span, Step

REFUSED, FAULT = svg.RED, svg.ORANGE
MAX_DRAWN = 160
NUMBER_PX = 20.0  # numbers that would lie closer are left out; the next one is enough to count from


def spacetime(
    explanation: Explanation, rows: Sequence[Row] = (), title: str = "the run", broken: Sequence[str] = ()
) -> str:
    """The explanation's steps as a self-contained SVG. `rows` adds what the final read saw, `broken` what broke."""
    steps, before = _window(_without_waiting(explanation.steps))
    if not steps:
        return ""
    canvas = canvas_of(explanation, steps)
    canvas.bottom = max(canvas.bottom, TOP + height_of(rows, broken))
    _lanes(canvas, steps)
    for span in explanation.spans:
        _span(canvas, span, steps)
    _sentences(canvas, steps)
    wrong = {span.last for span in explanation.spans if span.breaks}
    for step in steps:
        _step(canvas, step, step.number in wrong)
    _versions(canvas, steps)
    if rows:
        canvas.words += final_read(rows, canvas.end, TOP, canvas.bottom, broken)
    if before:
        words = f"{before} earlier steps left out"
        canvas.words.append(svg.text(LEFT, canvas.bottom + 4, words, anchor="start", ink=svg.FAINT))
    drawn = [*canvas.lines, *canvas.marks, *canvas.words]
    return svg.document(canvas.end + width_of(rows, broken), canvas.bottom + 16, title, drawn)


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


def _lanes(canvas: Canvas, steps: Sequence[Step]) -> None:
    room, taken = LEFT - 14, set(canvas.services.values())
    for actor, y in canvas.actors.items():
        if y not in taken:
            canvas.lines.append(svg.line(LEFT, y, canvas.end, y, dashed=True))
            ink = canvas.inks[actor]
            canvas.words.append(svg.text(LEFT - 10, y + 4, actor, anchor="end", bold=True, ink=ink, room=room))
    for lane, y in canvas.services.items():
        canvas.lines.append(svg.line(LEFT, y, canvas.end, y, ink=svg.RULE, width=1.5))
        named = list(dict.fromkeys(step.resource for step in steps if canvas.far.get(step.number) == lane))
        canvas.words.append(svg.text(LEFT - 10, y + 4, lane_label(lane, named), anchor="end", room=room))


def _span(canvas: Canvas, span: Span, steps: Sequence[Step]) -> None:
    """An operation: a pale bar with its label above."""
    actor = owner_of(span.actor, canvas.actors)
    drawn = own_steps(canvas, span, steps)
    if not drawn:
        return
    left, right = canvas.x[drawn[0].number] - 10, canvas.x[drawn[-1].number] + 10
    y, ink = canvas.actors[actor], REFUSED if span.breaks else canvas.inks[actor]
    size = f"x='{svg.number(left)}' y='{svg.number(y - 7)}' width='{svg.number(right - left)}' height='14'"
    edge = f" stroke='{REFUSED}' stroke-width='1.5'" if span.breaks else ""
    canvas.lines.append(f"<rect {size} rx='7' fill='{ink}' fill-opacity='0.16'{edge}/>")
    inks = {"ok": ink, "fail": REFUSED, "info": FAULT}
    label, bold = span_label(span, drawn), bool(span.breaks)
    words = svg.text(left + 2, y - 12, label, size=LABEL_SIZE, anchor="start", ink=inks[span.outcome], bold=bold,
                     halo=True)  # fmt: skip
    whole = svg.title_text(f"{span.actor}: {span.label}: {span.outcome}")
    canvas.words.append(words.replace("</text>", f"<title>{whole}</title></text>"))


def _sentences(canvas: Canvas, steps: Sequence[Step]) -> None:
    """The numbers of the sentences, each over its steps."""
    groups: dict[int, list[Step]] = {}
    for step in steps:
        if step.sentence:
            groups.setdefault(step.sentence, []).append(step)
    drawn = -NUMBER_PX
    for number, group in groups.items():
        left, right = canvas.x[group[0].number], canvas.x[group[-1].number]
        ink = canvas.ink_of(group[0])
        canvas.lines.append(svg.line(left - 6, TOP - 16, right + 6, TOP - 16, ink=ink, width=2))
        middle = (left + right) / 2
        if middle - drawn >= NUMBER_PX:
            canvas.words.append(svg.text(middle, TOP - 22, str(number), size=LABEL_SIZE, ink=ink, bold=True))
            drawn = middle


def _step(canvas: Canvas, step: Step, wrong: bool) -> None:
    x, y = canvas.x[step.number], canvas.y_of(step)
    ink = REFUSED if wrong else canvas.ink_of(step)
    far = canvas.services.get(canvas.far.get(step.number, ""), y)
    title = f"<title>{svg.title_text(_tooltip(step))}</title>"
    if far != y:
        line_ink = REFUSED if step.outcome == "refused" else FAULT if step.fault else ink
        canvas.lines.append(
            svg.line(x, y, x, far, ink=line_ink, width=1.6 if is_wide(step) else 0.7, dashed=step.kind == "read")
        )
        canvas.marks.append(f"<g>{title}{_far_mark(step, x, far, ink)}</g>")
    ring = svg.dot(x, y, 9, "none", REFUSED) if wrong else ""
    canvas.marks.append(f"<g>{title}{ring}{svg.dot(x, y, 5 if is_wide(step) else 3, ink)}</g>")
    words = caption(step)
    if words:
        said = REFUSED if step.outcome == "refused" else FAULT if step.fault else ink
        bold = bool(step.fault) or wrong
        words = svg.text(x + 6, y + 19, ("✗ " if wrong else "") + words, size=LABEL_SIZE, anchor="start", ink=said,
                         bold=bold, halo=True, room=CAPTION_PX)  # fmt: skip
        canvas.words.append(words)


def _tooltip(step: Step) -> str:
    what = f"{step.number}. {step.actor}.{step.operation}({step.resource})"
    return f"{what}: {step.outcome}" + (f", fault {step.fault}" if step.fault else "") + f"; at {step.time_ms} ms"


def _far_mark(step: Step, x: float, y: float, ink: str) -> str:
    if step.outcome == "refused" or step.outcome == "not applied":
        return svg.cross(x, y, 6, ink=REFUSED, width=2.4)
    if step.kind == "delete":
        return svg.cross(x, y, 4, ink=REFUSED, width=1.6)
    if step.kind == "commit":
        around = ((x, y - 8), (x + 8, y), (x, y + 8), (x - 8, y))
        corners = " ".join(f"{svg.number(a)},{svg.number(b)}" for a, b in around)
        return f"<polygon points='{corners}' fill='{ink}'/>"
    return svg.dot(x, y, 3, ink if step.kind == "write" else svg.PAPER, ink)


def _versions(canvas: Canvas, steps: Sequence[Step]) -> None:
    """The names of the table's versions, each from the commit that made it onwards."""
    own = [step for step in steps if step.lane in VERSIONED and step.outcome == "ok" and step.version]
    made = [step for step in own if step.kind == "commit"]
    seen = next((step for step in own if step.kind == "load"), None)
    if seen and (not made or seen.version != made[0].version):
        y = canvas.services[canvas.far[seen.number]]
        canvas.words.append(svg.text(LEFT + 6, y - 8, seen.version, anchor="start", bold=True, halo=True))
    for step, following in zip_longest(made, made[1:]):
        ink, at, y = canvas.ink_of(step), canvas.x[step.number], canvas.services[canvas.far[step.number]]
        until = canvas.x[following.number] - 8 if following else canvas.end
        canvas.lines.append(svg.line(at, y, until, y, ink=ink, width=3))
        name = step.version.removeprefix("snapshot ")
        canvas.words.append(svg.text(at + 12, y + 18, name, anchor="start", bold=True, ink=ink, halo=True))
