"""A violation as a picture: a cycle as boxes on a circle, anything else as bars over the versions of the table.

Choices:
* Own layout: witnesses are few (cycles are minimal), and a picture must come out the same everywhere, byte for byte.
* Edges bend outwards, to their left, so the two of a pair never lie on each other.
"""

from collections.abc import Iterable, Sequence
from math import cos, hypot, pi, sin

from checkers.histories.history import FINAL, History, Op
from checkers.isolation.graph import RT, RW, SO, WR, WW, Edge
from checkers.isolation.lineage import Lineage
from checkers.isolation.resolve import UNBORN, Facts, Seen
from checkers.text import plain
from checkers.verdict import Violation
from checkers.words import argument_words, short_words
from reports.pictures import svg

COLOURS = {WW: svg.BLUE, WR: svg.GREEN, RW: svg.RED, SO: svg.FAINT, RT: svg.FAINT}
BOX_HEIGHT, MARGIN, LANE, COLUMN = 46.0, 24.0, 54.0, 130.0
ARC_SHARE, LABEL_GAP = 0.16, 14.0
LABEL_PX, CAPTION_PX, TITLE_SIZE = 460.0, 320.0, 14
MAX_KEY, MAX_VALUE, MAX_SHOWN = 30, 24, 2
Point = tuple[float, float]
Labels = tuple[str, str]
Marks = list[tuple[int, str]]


def picture(violation: Violation, history: History) -> str:
    """`violation` of `history` as a self-contained SVG."""
    ops = {op.id: (position, op) for position, op in enumerate(history.ops)}
    witnesses = [ops[number] for number in violation.ops]
    title = f"{violation.property}: {violation.anomaly}"
    if violation.cycle:
        return _circle(title, violation, witnesses, Lineage(history).made)
    return _lanes(title, witnesses, Facts(history))


def _labels(op: Op, versions: list[int]) -> Labels:
    who = "final read" if op.process == FINAL else f"{op.f} {argument_words(op.arg or '')}".strip()
    known = [op.process] if op.process != FINAL else []
    known += [f"read v{op.start}"] if op.start is not None else []
    known += [f"made v{', v'.join(map(str, versions))}"] if versions else [op.type] if op.type != "ok" else []
    return who, " · ".join(known)


def _width_of(labels: list[Labels]) -> float:
    """What the labels need, at most `LABEL_PX`: longer ones are cut, and whole as a tooltip."""
    widest = max(max(svg.width_of(upper, bold=True), svg.width_of(lower, 11)) for upper, lower in labels)
    return min(widest, LABEL_PX)


def _document(width: float, height: float, title: str, parts: list[str]) -> str:
    """The picture below its title, at least as wide as that."""
    head = svg.text(MARGIN, MARGIN + 4, title, size=TITLE_SIZE, anchor="start", bold=True)
    wide = max(width, svg.width_of(title, TITLE_SIZE, bold=True) + 2 * MARGIN)
    return svg.document(wide, height, title, [head, *parts])


def _circle(title: str, violation: Violation, witnesses: list[tuple[int, Op]], made: dict[int, list[int]]) -> str:
    count = len(witnesses)
    labels = [_labels(op, made.get(at, [])) for at, op in witnesses]
    width = _width_of(labels) + 24
    radius = max(150.0, width * 0.5 + 110.0, count * width * 0.2)
    height = 110.0 if count == 2 else 1.3 * radius
    middle = (MARGIN + radius + width / 2, MARGIN + 44 + BOX_HEIGHT / 2 + height / 2)
    places = {}
    for number, op in enumerate(violation.ops):
        angle = pi + 2 * pi * number / count
        places[op] = (middle[0] + radius * cos(angle), middle[1] + height / 2 * sin(angle))
    parts = []
    for edge in violation.cycle:
        parts += _arrow(edge, places[edge.source], places[edge.target], width)
    for (upper, lower), (x, y) in zip(labels, places.values(), strict=True):
        parts.append(svg.box(x - width / 2, y - BOX_HEIGHT / 2, width, BOX_HEIGHT))
        parts.append(svg.text(x, y - 4, upper, bold=True, room=width - 12))
        parts.append(svg.text(x, y + 14, lower, size=11, room=width - 12))
    return _document(2 * middle[0], middle[1] + height / 2 + BOX_HEIGHT / 2 + MARGIN, title, parts)


def _arrow(edge: Edge, source: Point, target: Point, width: float) -> list[str]:
    """An arc between two boxes, with its head and its label."""
    dx, dy = target[0] - source[0], target[1] - source[1]
    length = hypot(dx, dy)
    left = (dy / length, -dx / length)
    bend = ARC_SHARE * length + 24
    middle = ((source[0] + target[0]) / 2 + left[0] * bend, (source[1] + target[1]) / 2 + left[1] * bend)
    start, end = _leave(source, middle, width), _leave(target, middle, width)
    ink = COLOURS[edge.kind]
    dash = " stroke-dasharray='6 4'" if edge.kind == RW else ""
    path = " ".join(svg.number(value) for value in start) + " Q " + " ".join(svg.number(v) for v in (*middle, *end))
    arc = f"<path d='M {path}' fill='none' stroke='{ink}' stroke-width='1.6'{dash}/>"
    top = ((start[0] + end[0]) / 4 + middle[0] / 2, (start[1] + end[1]) / 4 + middle[1] / 2)
    label = (top[0] + left[0] * LABEL_GAP, top[1] + left[1] * LABEL_GAP + 4)
    return [arc, _head(middle, end, ink), svg.text(*label, _reason(edge), size=11, ink=ink, halo=True)]


def _leave(centre: Point, towards: Point, width: float) -> Point:
    """Where the line from a box's centre towards a point leaves the box."""
    dx, dy = towards[0] - centre[0], towards[1] - centre[1]
    share = min((width / 2 + 4) / abs(dx) if dx else 1.0, (BOX_HEIGHT / 2 + 4) / abs(dy) if dy else 1.0)
    return centre[0] + dx * share, centre[1] + dy * share


def _head(before: Point, tip: Point, ink: str) -> str:
    dx, dy = tip[0] - before[0], tip[1] - before[1]
    length = hypot(dx, dy) or 1.0
    ux, uy = dx / length, dy / length
    corners = [
        tip,
        (tip[0] - 9 * ux - 4 * uy, tip[1] - 9 * uy + 4 * ux),
        (tip[0] - 9 * ux + 4 * uy, tip[1] - 9 * uy - 4 * ux),
    ]
    points = " ".join(f"{svg.number(x)},{svg.number(y)}" for x, y in corners)
    return f"<polygon points='{points}' fill='{ink}'/>"


def _reason(edge: Edge) -> str:
    if edge.key is None or edge.before is None:
        return {SO: "so: same session", RT: "rt: completed before"}.get(edge.kind, edge.kind)
    before = "unborn" if edge.before == UNBORN else f"v{edge.before}"
    return f"{edge.kind} {plain(edge.key, MAX_KEY)} {before}" + (f" → v{edge.after}" if edge.kind != WR else "")


def _lanes(title: str, witnesses: list[tuple[int, Op]], facts: Facts) -> str:
    """Bars from the version that an operation read to the one that it made; a dot where it only read."""
    made = facts.lineage.made
    labels = [_labels(op, made.get(at, [])) for at, op in witnesses]
    marks = [_marks(op, made.get(at, []), facts.reads[at]) for at, op in witnesses]
    starts = [op.start for _, op in witnesses if op.start is not None]
    versions = sorted({*starts, *[version for one in marks for version, _ in one]})
    widest = max((svg.width_of(words, 11) for one in marks for _, words in one), default=0.0)
    column = max(COLUMN, min(widest, CAPTION_PX) + 16)
    left = MARGIN + _width_of(labels) + column / 2
    at_x = {version: left + place * column for place, version in enumerate(versions)}
    bottom = MARGIN + 56 + LANE * len(witnesses)
    parts = []
    for version, x in at_x.items():
        name = f"v{version}" if version >= 0 else "never there"
        parts += [svg.text(x, MARGIN + 34, name, ink=svg.FAINT), svg.line(x, MARGIN + 42, x, bottom, dashed=True)]
    for lane, ((_, op), (upper, lower)) in enumerate(zip(witnesses, labels, strict=True)):
        y = MARGIN + 56 + LANE * (lane + 0.5)
        parts.append(svg.text(MARGIN, y - 4, upper, anchor="start", bold=True, room=LABEL_PX))
        parts.append(svg.text(MARGIN, y + 13, lower, anchor="start", size=11, room=LABEL_PX))
        parts += _bar(op, marks[lane], at_x, y, column - 12)
    return _document(left + column * max(len(versions) - 1, 0) + column / 2 + MARGIN, bottom + MARGIN, title, parts)


def _marks(op: Op, versions: list[int], reads: Sequence[Seen]) -> Marks:
    """Where an operation stands, with what it wrote, or saw, there: its versions, else its start, else what it saw."""
    if versions:
        wrote = _listed(
            f"deleted {plain(key, MAX_KEY)}" if value is None else _pair(key, value) for key, value in op.writes
        )
        return [*[(version, "") for version in versions[:-1]], (versions[-1], wrote)]
    if op.start is not None:
        return [(op.start, _listed(_saw(key, value) for key, value, _ in op.reads))]
    seen: dict[int, list[str]] = {}
    for read in reads:
        seen.setdefault(max(read.version, UNBORN), []).append(_saw(read.key, read.value))
    return [(version, _listed(words)) for version, words in seen.items()]


def _listed(words: Iterable[str]) -> str:
    """The first few; the rest is counted."""
    texts = list(words)
    more = f", and {len(texts) - MAX_SHOWN} more" if len(texts) > MAX_SHOWN else ""
    return ", ".join(texts[:MAX_SHOWN]) + more


def _pair(key: str, value: str) -> str:
    return short_words(plain(key, MAX_KEY), plain(value, MAX_VALUE))


def _saw(key: str, value: str | None) -> str:
    return f"saw {f'{plain(key, MAX_KEY)} absent' if value is None else _pair(key, value)}"


def _bar(op: Op, marks: Marks, at_x: dict[int, float], y: float, room: float) -> list[str]:
    """An operation's line from its start through its marks; what stands below a mark covers the lines behind it."""
    ink = COLOURS[WW] if op.writes else COLOURS[RW]
    places = [at_x[version] for version, _ in marks]
    if op.start is not None and op.start in at_x:
        places.insert(0, at_x[op.start])
    parts = [svg.line(places[0], y, places[-1], y, ink=ink, width=4)] if op.writes and places else []
    for version, words in marks:
        x, width = at_x[version], min(room, svg.width_of(words, 11)) + 6
        parts.append(svg.dot(x, y, 5, ink))
        if words:
            size = f"x='{svg.number(x - width / 2)}' y='{svg.number(y + 8)}' width='{svg.number(width)}' height='14'"
            parts.append(f"<rect {size} fill='{svg.PAPER}'/>")
            parts.append(svg.text(x, y + 18, words, size=11, ink=ink, room=room))
    return parts
