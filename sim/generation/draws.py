"""Where a generated scenario comes from: a source of draws, each by name, and written down as one character.

    draws = Draws(seeded(7), {"isolation": "serializable"})
    draws.one_of("isolation", ("snapshot", "serializable"))  # pinned
    draws.number("writers", 2, 4)
    draws.text  # "12": what `replayed` makes the same scenario of

Option 0 is always the simplest one, so that a tape of zeros is the smallest scenario, and what is missing is zero.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Protocol, TypeVar, runtime_checkable

T = TypeVar("T")
Source = Callable[[str, int], int]
"""Answers a draw: its name and how many options it has (from 2) give a number below that."""


@runtime_checkable
class ByText(Protocol):
    """A source that is told what the options are called, where they have names."""

    def place(self, name: str, texts: Sequence[str]) -> int:
        """Answer a draw whose options have these texts."""
        ...

    def takes(self, name: str, text: str) -> bool | None:
        """Whether an option is in a subset that is drawn under this name; None: that is drawn as usual."""
        ...


WALKS_APART = 60
"""More walks than a sweep makes of what is searched for defects, and as random, or of as many priorities, as the first
(`walk_of`)."""
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


class PinError(ValueError):
    """A value was pinned that its draw cannot have."""


def seeded(seed: int) -> Source:
    """Make the source of a seed: every option is as likely as the others."""
    numbers = Random(seed)
    return lambda _, options: numbers.randrange(options)


def replayed(text: str) -> Source:
    """Make the source that repeats the draws that `Draws.text` wrote down; after its end every draw is 0.

    Raises: `ValueError` if a character is none that stands for a draw.
    """
    for digit in text:
        if digit not in DIGITS:
            raise ValueError(f"draws: expected characters of 0-9 and a-z, got {digit!r}")
    return _Replay(text)


class _Replay:
    """Answers what a text says, one character a draw."""

    def __init__(self, text: str) -> None:
        self._digits = iter(text)

    def __call__(self, _: str, options: int) -> int:
        return min(DIGITS.index(next(self._digits, "0")), options - 1)


class Draws:
    """Draws from a source, each recorded.

    Args: `source` answers; `pinned` are draws whose value is given, by name: they are recorded as if they were drawn.
    """

    __slots__ = ("_by_text", "_pinned", "_source", "_told", "drawn", "parts")

    def __init__(self, source: Source, pinned: Mapping[str, str] | None = None) -> None:
        self._source = source
        self._by_text: ByText | None = source if isinstance(source, ByText) else None
        self._pinned = pinned or {}
        self._told: dict[str, str | None] = {}
        self.drawn: list[tuple[str, int, int]] = []
        self.parts: list[tuple[int, int]] = []

    @property
    def text(self) -> str:
        """What was drawn, a character each, without the zeros at the end."""
        return "".join([DIGITS[chosen] for _, _, chosen in self.drawn]).rstrip("0")

    def below(self, name: str, options: int, texts: Sequence[str] = ()) -> int:
        """Draw a number below `options` (1 to 36), which may have texts; with one option there is nothing to draw.

        Raises: `ValueError` if there are more options than a character can tell apart.
        """
        if not 1 <= options <= len(DIGITS):
            raise ValueError(f"draw {name}: expected 1 to {len(DIGITS)} options, got {options}")
        if options == 1:
            return 0
        by_text = self._by_text if texts else None
        chosen = by_text.place(name, texts) if by_text is not None else self._source(name, options)
        self.drawn.append((name, options, chosen))
        return chosen

    def pinned(self, name: str) -> str | None:
        """The value that a draw of this name is given; None if it is free."""
        return self._pinned.get(name)

    def told(self, name: str, values: Sequence[str]) -> str | None:
        """The same, for who draws other things by it: written down once, so that a replay without the pin knows it.

        Args: `values` are those that it can be given. No source is asked but one that replays.
        """
        if name not in self._told:
            options = ("", *values)
            said = self._source(name, len(options)) if isinstance(self._source, _Replay) else 0
            known = self._told[name] = self._pinned.get(name, options[said] or None)
            self.drawn.append((f"{name}, pinned", len(options), options.index(known or "")))
        return self._told[name]

    def first_walk(self) -> int:
        """The number of the first walk of what is drawn, which a source that has a focus draws: its scenarios are
        alike, and would all be walked in the same ways. Without one it is 0, whatever is drawn."""
        drawn = self._by_text is not None or isinstance(self._source, _Replay)
        chosen = self._source("walks", len(DIGITS)) if drawn else 0
        self.drawn.append(("walks", len(DIGITS), chosen))
        return WALKS_APART * chosen

    def one_of(self, name: str, options: Sequence[T], instead: str | None = None) -> T:
        """Draw one of several, the simplest first; a pinned one is told by its text, whatever the source says.

        Args: `instead` is what the value is pinned to, if that is not said under its own name.

        Raises: `PinError` if the pinned value is none of them.
        """
        pinned = self._pinned.get(name) if instead is None else instead
        texts = [str(option) for option in options]
        if pinned is None:
            return options[self.below(name, len(options), texts)]
        if pinned not in texts:
            raise PinError(f"{name}: expected {' or '.join(texts)}, got {pinned!r}")
        if len(options) > 1:
            self._source(name, len(options))  # so that the draws after it are those of the source without the pin
            self.drawn.append((name, len(options), texts.index(pinned)))
        return options[texts.index(pinned)]

    def number(self, name: str, least: int, most: int) -> int:
        """Draw a number from `least` to `most`, the least being the simplest."""
        return self.one_of(name, range(least, most + 1))

    def flag(self, name: str) -> bool:
        """Draw whether something is so; no is simpler."""
        return self.one_of(name, ("no", "yes")) == "yes"

    def some(self, name: str, options: Sequence[T], least: int = 1) -> tuple[T, ...]:
        """Draw a subset: each option is in or out, and if too few are in, the first ones are.

        Returns: at least `least` options, in their order.
        """
        chosen = [option for i, option in enumerate(options) if self._takes(name, i, str(option))]
        missing = [option for option in options if option not in chosen][: max(0, least - len(chosen))]
        return tuple([option for option in options if option in chosen or option in missing])

    def _takes(self, name: str, place: int, text: str) -> bool:
        taken = None if self._by_text is None else self._by_text.takes(name, text)
        if taken is None:
            return bool(self.below(f"{name} {place}", 2))
        self.drawn.append((f"{name} {place}", 2, int(taken)))
        return taken

    def list_of(self, name: str, least: int, most: int, make: Callable[[int], T]) -> list[T]:
        """Draw a list: before each element, whether there is another one.

        Args: `least`, `most` bound its length; `make` draws the element of a number from 0.

        Returns: the elements. Where each one's draws stand is kept in `parts`, as (start, end): without them the tape
        makes the same list without that element.
        """
        elements: list[T] = []
        while len(elements) < most:
            start = len(self.drawn)
            more = self.below(f"another of {name}", 2)
            if not more and len(elements) >= least:
                break
            elements.append(make(len(elements)))
            self.parts.append((start, len(self.drawn)))
        return elements
