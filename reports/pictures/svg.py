"""The few SVG shapes that the pictures are made of: plain strings, fixed precision, no styles from outside."""

from collections.abc import Iterable
from html import escape

INK, FAINT, PAPER, BOX = "#1d2129", "#8a909c", "#ffffff", "#f3f5f8"
FONT = "font-family='ui-sans-serif,Helvetica,Arial,sans-serif'"
CHARACTER_PX = 6.7


def number(value: float) -> str:
    """A coordinate with one decimal; never "-0"."""
    text = f"{value:.1f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def text(
    x: float,
    y: float,
    words: str,
    *,
    size: int = 12,
    anchor: str = "middle",
    ink: str = INK,
    bold: bool = False,
    halo: bool = False,
) -> str:
    """One line of text with its baseline at `y`; with a `halo` it stays readable over a line."""
    look = " font-weight='600'" if bold else ""
    look += f" stroke='{PAPER}' stroke-width='4' paint-order='stroke'" if halo else ""
    at = f"x='{number(x)}' y='{number(y)}'"
    return f"<text {at} font-size='{size}' text-anchor='{anchor}' fill='{ink}'{look}>{escape(words)}</text>"


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


def width_of(words: str) -> float:
    """A generous estimate of a text's width at size 12."""
    return len(words) * CHARACTER_PX


def document(width: float, height: float, title: str, parts: Iterable[str]) -> str:
    """A whole picture on white paper, readable on its own or inside a page."""
    size = f"width='{number(width)}' height='{number(height)}' viewBox='0 0 {number(width)} {number(height)}'"
    paper = f"<rect width='{number(width)}' height='{number(height)}' fill='{PAPER}'/>"
    body = "\n".join([f"<title>{escape(title)}</title>", paper, *parts])
    return f"<svg xmlns='http://www.w3.org/2000/svg' role='img' {size} {FONT}>\n{body}\n</svg>\n"
