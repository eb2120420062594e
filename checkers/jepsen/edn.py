"""EDN as Jepsen writes it, read as data: nothing is evaluated, tags are dropped and what they tag is kept.

| EDN | here |
| --- | --- |
| nil, true, false, numbers, "text" | None, bool, int or float, str |
| :keyword, symbol, \\c, 1/2, ##NaN | `Name`, as it stands there |
| vectors and lists, maps, sets | tuple, dict, frozenset |

Source: the specification of EDN (edn-format/edn); Jepsen's histories, whose maps may be tagged #jepsen.history.Op.

Choices:
* A reader of our own: edn_format 0.8.0 refuses tags that it was not told of, names no line of what is wrong, reads
  0.75 MB a CPU-second, and brings ply, pytz and pyRFC3339.
* Depth is bounded, and no level costs a level of Python's stack.
"""

import re
from collections.abc import Iterator
from typing import Any

from checkers.errors import HistoryError
from checkers.text import quoted

MAX_DEPTH = 100
_TOKEN = re.compile(
    r"""(?P<gap>(?:[\s,]++|;[^\n]*+)++)
    |(?P<open>\#?[{]|[\[(])
    |(?P<close>[\])}])
    |"(?P<text>(?:[^"\\]++|\\.)*+)"
    |(?P<drop>\#_)
    |(?P<tag>\#(?!\#)[^\s,;()\[\]{}"]++)
    |(?P<atom>\\(?:[A-Za-z0-9]++|.)|[^\s,;()\[\]{}"\\]++)""",
    re.VERBOSE | re.DOTALL,
)
_INTEGER = re.compile(r"[+-]?[0-9]{1,4000}N?")
_FLOAT = re.compile(r"[+-]?[0-9]{1,400}(?:\.[0-9]{0,400})?(?:[eE][+-]?[0-9]{1,9})?M?")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPED = {"t": "\t", "r": "\r", "n": "\n", "b": "\b", "f": "\f"}
_WORDS = {"nil": None, "true": True, "false": False}
_CLOSES = {"[": "]", "(": ")", "{": "}", "#{": "}"}


class Name(str):
    """A keyword, a symbol or another word: not the text that is written alike."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Name) and str.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__


class _Open:
    """A collection that has not been closed: its bracket, where it stands, what is in it, and forms to be dropped."""

    __slots__ = ("at", "bracket", "drops", "items")

    def __init__(self, bracket: str, at: int) -> None:
        self.bracket = bracket
        self.at = at
        self.items: list[Any] = []
        self.drops = 0

    def add(self, value: Any) -> None:
        if self.drops:
            self.drops -= 1
        else:
            self.items.append(value)


def forms(text: str) -> Iterator[tuple[int, Any]]:
    """The forms of `text`, each with the number of the line on which it ends, from 1.

    Raises: HistoryError, naming the line.
    """
    top = _Open("", 0)
    stack = [top]
    at, line, counted = 0, 1, 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise _wrong(text, at, "EDN", quoted(text[at : at + 40].split("\n", 1)[0], 40))
        _take(token, stack, text)
        at = token.end()
        if top.items:
            line += text.count("\n", counted, at)
            counted = at
            yield line, top.items.pop()
    if len(stack) > 1:
        raise _wrong(text, stack[-1].at, f"a {_CLOSES[stack[-1].bracket]!r} for this {stack[-1].bracket!r}", "no end")


def _take(token: re.Match[str], stack: list[_Open], text: str) -> None:
    kind, found = token.lastgroup, token[0]
    if kind == "open":
        if len(stack) > MAX_DEPTH:
            raise _wrong(text, token.start(), f"at most {MAX_DEPTH} levels", "a deeper one")
        stack.append(_Open(found, token.start()))
    elif kind == "close":
        if _CLOSES.get(stack[-1].bracket) != found:
            raise _wrong(text, token.start(), "a form", repr(found))
        done = stack.pop()
        stack[-1].add(_closed(done, text))
    elif kind == "text":
        inner = token["text"]
        stack[-1].add(_ESCAPE.sub(_unescaped, inner) if "\\" in inner else inner)
    elif kind == "atom":
        stack[-1].add(_atom(found))
    elif kind == "drop":
        stack[-1].drops += 1


def _closed(done: _Open, text: str) -> Any:
    if done.bracket in "[(":
        return tuple(done.items)
    try:
        if done.bracket == "#{":
            return frozenset(done.items)
        return dict(zip(done.items[::2], done.items[1::2], strict=True))
    except ValueError:
        raise _wrong(text, done.at, "a value for each key of this map", f"{len(done.items)} forms") from None
    except TypeError:
        raise _wrong(text, done.at, "plain keys or members", "a map in their place") from None


def _atom(found: str) -> Any:
    if found in _WORDS:
        return _WORDS[found]
    if _INTEGER.fullmatch(found):
        return int(found.rstrip("N"))
    return float(found.rstrip("M")) if _FLOAT.fullmatch(found) else Name(found)


def _unescaped(found: re.Match[str]) -> str:
    word = found[1]
    return chr(int(word[1:], 16)) if len(word) == 5 else _ESCAPED.get(word, word)


def _wrong(text: str, at: int, expected: str, got: str) -> HistoryError:
    return HistoryError(f"line {text.count(chr(10), 0, at) + 1}", expected, got)
