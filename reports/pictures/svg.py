"""The few SVG shapes that the pictures are made of: plain strings, fixed precision, no styles from outside.

Choices: colours are attributes, which every viewer knows; the colours for dark screens stand in a style sheet inside
the picture, which only such a screen asks for. So a picture looks right by itself and inside a page.
"""

from collections.abc import Iterable
from html import escape

from checkers.text import plain

INK, FAINT, PAPER, BOX, RULE = "#1d2129", "#6b7280", "#ffffff", "#f3f5f8", "#c9cdd5"
BLUE, BROWN, VIOLET, TEAL, WINE, SLATE = "#1f4e9e", "#8a4b08", "#5b2a86", "#0f6b62", "#8c1d40", "#445566"
RED, ORANGE, GREEN = "#b3261e", "#a85f00", "#2e7d32"
DARK = {
    INK: "#e6e8ee", FAINT: "#9aa1af", PAPER: "#171a20", BOX: "#262b35", RULE: "#464d5a", BLUE: "#86b4ff",
    BROWN: "#e3a869", VIOLET: "#c8a2f2", TEAL: "#62cabd", WINE: "#f292ad", SLATE: "#aab9c8", RED: "#ff8a80",
    ORANGE: "#ffb74d", GREEN: "#84cc88",
}  # fmt: skip
"""What each colour becomes on a dark screen."""
FONT = "font-family='ui-sans-serif,Helvetica,Arial,sans-serif'"
WIDTHS = {"'|ijlI.,:; ": 0.36, 'ft()[]/!-rJ"*': 0.45, "mwMWOQGCDHNU@%+=<>~_": 0.82, "ABEFKLPRSTVXYZ&?": 0.7}
OTHER_WIDTH, FOREIGN_WIDTH, BOLD_WIDTH = 0.63, 1.0, 1.1
_WIDTH_OF = {character: width for characters, width in WIDTHS.items() for character in characters}
MAX_TITLE = 300


def number(value: float) -> str:
    """A coordinate with one decimal; never "-0"."""
    text = f"{value:.1f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def text(
    x: float, y: float, words: str, *, size: int = 12, anchor: str = "middle", ink: str = INK, bold: bool = False,
    halo: bool = False, room: float | None = None,
) -> str:  # fmt: skip
    """One line of text with its baseline at `y`.

    Args: with a `halo` it stays readable over a line; what does not fit into `room` (px) is cut, and its whole is a
    tooltip.
    """
    look = " font-weight='600'" if bold else ""
    look += f" stroke='{PAPER}' stroke-width='4' paint-order='stroke'" if halo else ""
    at = f"x='{number(x)}' y='{number(y)}'"
    words = plain(words, MAX_TITLE)
    shown = words if room is None else clipped(words, room, size, bold)
    whole = f"<title>{escape(words)}</title>" if shown != words else ""
    start = f"<text {at} font-size='{size}' text-anchor='{anchor}' fill='{ink}'{look}>"
    return f"{start}{escape(shown)}{whole}</text>"


def title_text(words: str) -> str:
    """What a tooltip says: escaped, and not longer than a screen can show."""
    return escape(plain(words, MAX_TITLE))


def box(x: float, y: float, width: float, height: float, *, fill: str = BOX, edge: str = FAINT) -> str:
    """A rectangle with round corners, (x, y) its upper left corner."""
    at = f"x='{number(x)}' y='{number(y)}' width='{number(width)}' height='{number(height)}'"
    return f"<rect {at} rx='6' fill='{fill}' stroke='{edge}'/>"


def line(
    x1: float, y1: float, x2: float, y2: float, *, ink: str = FAINT, width: float = 1, dashed: bool = False
) -> str:
    """A straight line."""
    dash = " stroke-dasharray='3 4'" if dashed else ""
    ends = f"x1='{number(x1)}' y1='{number(y1)}' x2='{number(x2)}' y2='{number(y2)}'"
    return f"<line {ends} stroke='{ink}' stroke-width='{number(width)}'{dash}/>"


def cross(x: float, y: float, arm: float, *, ink: str, width: float) -> str:
    """A cross whose arms reach `arm` px from its middle."""
    return line(x - arm, y - arm, x + arm, y + arm, ink=ink, width=width) + line(
        x - arm, y + arm, x + arm, y - arm, ink=ink, width=width
    )


def dot(x: float, y: float, radius: float, fill: str, edge: str | None = None) -> str:
    """A disc."""
    at = f"cx='{number(x)}' cy='{number(y)}' r='{number(radius)}'"
    return f"<circle {at} fill='{fill}'" + (f" stroke='{edge}'/>" if edge else "/>")


def width_of(words: str, size: int = 12, bold: bool = False) -> float:
    """A generous estimate of a text's width in px: DejaVu Sans, the widest font that a page is likely to get."""
    wide = sum(_WIDTH_OF.get(one, OTHER_WIDTH if one.isascii() else FOREIGN_WIDTH) for one in words)
    return wide * size * (BOLD_WIDTH if bold else 1.0)


def clipped(words: str, room: float, size: int = 12, bold: bool = False) -> str:
    """As much of the words as fits into `room` px, with "…" for the rest."""
    if width_of(words, size, bold) <= room:
        return words
    kept = words
    while kept and width_of(f"{kept}…", size, bold) > room:
        kept = kept[:-1]
    return f"{kept.rstrip()}…"


def dark_style(body: str) -> str:
    """The style sheet that gives the colours of `body` their counterparts on dark screens."""
    rules = [
        f"[{name}='{light}']{{{name}:{dark}}}"
        for light, dark in DARK.items()
        for name in ("fill", "stroke")
        if f"{name}='{light}'" in body
    ]
    return f"<style>@media (prefers-color-scheme: dark) {{{''.join(rules)}}}</style>"


def document(width: float, height: float, title: str, parts: Iterable[str]) -> str:
    """A whole picture on paper of its own, readable by itself or inside a page."""
    size = f"width='{number(width)}' height='{number(height)}' viewBox='0 0 {number(width)} {number(height)}'"
    paper = f"<rect width='{number(width)}' height='{number(height)}' fill='{PAPER}'/>"
    body = "\n".join([f"<title>{title_text(title)}</title>", paper, *parts])
    return f"<svg xmlns='http://www.w3.org/2000/svg' role='img' {size} {FONT}>\n{dark_style(body)}{body}\n</svg>\n"
