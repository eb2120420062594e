"""A violation as a picture: a cycle as boxes on a circle, anything else as bars over the versions of the table.

Choices:
* Own layout: witnesses are few (cycles are minimal), and a picture must come out the same everywhere, byte for byte.
* Edges bend outwards, to their left, so the two of a pair never lie on each other.
"""

from math import cos, hypot, pi, sin

from checkers.histories.history import FINAL, History, Op
from checkers.isolation.graph import RT, RW, SO, WR, WW, Edge
from checkers.isolation.lineage import Lineage
from checkers.isolation.resolve import UNBORN
from checkers.verdict import Violation
from checkers.words import short_words
from reports.pictures import svg

COLOURS = {WW: "#1f4e9e", WR: "#2e7d32", RW: "#b3261e", SO: "#6b7280", RT: "#6b7280"}
BOX_HEIGHT, MARGIN, LANE, COLUMN = 46.0, 24.0, 54.0, 130.0
ARC_SHARE, LABEL_GAP = 0.16, 14.0
Point = tuple[float, float]


def picture(violation: Violation, history: History) -> str:
    """`violation` of `history` as a self-contained SVG."""
    ops = {op.id: (position, op) for position, op in enumerate(history.ops)}
    witnesses = [ops[number] for number in violation.ops]
    made = Lineage(history).made
    title = f"{violation.property}: {violation.anomaly}"
    if violation.cycle:
        return _circle(title, violation, witnesses, made)
    return _lanes(title, witnesses, made)


def _labels(number: int, op: Op, versions: list[int]) -> tuple[str, str]:
    who = "final read" if op.process == FINAL else f"{op.f} {op.arg or ''}".strip()
    known = [op.process] if op.process != FINAL else []
    known += [f"read v{op.start}"] if op.start is not None else []
    known += [f"made v{', v'.join(map(str, versions))}"] if versions else [op.type] if op.type != "ok" else []
    return f"T{number}  {who if len(who) <= 34 else who[:33] + '…'}", " · ".join(known)


def _circle(title: str, violation: Violation, witnesses: list[tuple[int, Op]], made: dict[int, list[int]]) -> str:
    count = len(witnesses)
    labels = [_labels(number, op, made.get(at, [])) for number, (at, op) in enumerate(witnesses, 1)]
    width = max(svg.width_of(words) for pair in labels for words in pair) + 24
    radius = max(150.0, width * 0.5 + 110.0, count * width * 0.2)
    height = 110.0 if count == 2 else 1.3 * radius
    middle = (MARGIN + radius + width / 2, MARGIN + 44 + BOX_HEIGHT / 2 + height / 2)
    places = {}
    for number, op in enumerate(violation.ops):
        angle = pi + 2 * pi * number / count
        places[op] = (middle[0] + radius * cos(angle), middle[1] + height / 2 * sin(angle))
    parts = [svg.text(MARGIN, MARGIN + 4, title, size=14, anchor="start", bold=True)]
    for edge in violation.cycle:
        parts += _arrow(edge, places[edge.source], places[edge.target], width)
    for (upper, lower), (x, y) in zip(labels, places.values(), strict=True):
        parts.append(svg.box(x - width / 2, y - BOX_HEIGHT / 2, width, BOX_HEIGHT))
        parts.append(svg.text(x, y - 4, upper, bold=True))
        parts.append(svg.text(x, y + 14, lower, size=11))
    return svg.document(2 * middle[0], middle[1] + height / 2 + BOX_HEIGHT / 2 + MARGIN, title, parts)


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
    return f"{edge.kind} {edge.key} {before}" + (f" → v{edge.after}" if edge.kind != WR else "")


def _lanes(title: str, witnesses: list[tuple[int, Op]], made: dict[int, list[int]]) -> str:
    """Bars from the version that an operation read to the one that it made; a dot where it only read."""
    labels = [_labels(number, op, made.get(at, [])) for number, (at, op) in enumerate(witnesses, 1)]
    starts = [op.start for _, op in witnesses if op.start is not None]
    versions = sorted(dict.fromkeys([*starts, *[v for at, _ in witnesses for v in made.get(at, [])]]))
    left = MARGIN + max(svg.width_of(words) for pair in labels for words in pair) + COLUMN / 2
    at_x = {version: left + column * COLUMN for column, version in enumerate(versions)}
    bottom = MARGIN + 56 + LANE * len(witnesses)
    parts = [svg.text(MARGIN, MARGIN + 4, title, size=14, anchor="start", bold=True)]
    for version, x in at_x.items():
        parts += [
            svg.text(x, MARGIN + 34, f"v{version}", ink=svg.FAINT),
            svg.line(x, MARGIN + 42, x, bottom, dashed=True),
        ]
    for lane, ((position, op), (upper, lower)) in enumerate(zip(witnesses, labels, strict=True)):
        y = MARGIN + 56 + LANE * (lane + 0.5)
        parts.append(svg.text(MARGIN, y - 4, upper, anchor="start", bold=True))
        parts.append(svg.text(MARGIN, y + 13, lower, anchor="start", size=11))
        parts += _bar(op, made.get(position, []), at_x, y)
    return svg.document(left + COLUMN * max(len(versions) - 1, 0) + COLUMN, bottom + MARGIN, title, parts)


def _bar(op: Op, versions: list[int], at_x: dict[int, float], y: float) -> list[str]:
    parts = []
    if versions:
        start = at_x[op.start] if op.start is not None else at_x[versions[0]]
        parts.append(svg.line(start, y, at_x[versions[-1]], y, ink=COLOURS[WW], width=4))
        wrote = ", ".join(
            f"deleted {key}" if value is None else short_words(key, value) for key, value in op.writes[:2]
        )
        parts += [_dot(at_x[version], y, COLOURS[WW]) for version in versions]
        parts.append(svg.text(at_x[versions[-1]], y + 18, wrote, size=11, ink=COLOURS[WW], halo=True))
    elif op.start is not None:
        saw = ", ".join(
            f"saw {f'{key} absent' if value is None else short_words(key, value)}" for key, value, _ in op.reads[:2]
        )
        parts += [
            _dot(at_x[op.start], y, COLOURS[RW]),
            svg.text(at_x[op.start], y + 18, saw, size=11, ink=COLOURS[RW], halo=True),
        ]
    return parts


def _dot(x: float, y: float, ink: str) -> str:
    return f"<circle cx='{svg.number(x)}' cy='{svg.number(y)}' r='5' fill='{ink}'/>"
