"""What a seed is about: a few features that are drawn often, where others are left out.

Who draws every feature by itself meets two rare ones together rarely, and those that a race has anyway stand between
them. So a seed may have a focus: draws that have no option but some. It is a way to draw, and no further draw: what
comes of it is a scenario that other draws could have made, and its name makes it again.

Source: Groce, Zhang, Eide, Chen and Regehr, "Swarm testing", ISSTA 2012.

Choices: a focus is written down, and not drawn feature by feature: features that need each other are told together.
One seed in four has none, and draws what it drew before there were any. Each focus has its turn, in an order of its
own each time: none waits long.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from sim.generation.draws import Source, seeded

Settings = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Focus:
    """Features that are looked at together.

    Args: `name` says what they are; `options`: by draw, the texts of the options that it may have, any of them twice to
    be drawn twice as often; a number of a draw without texts stands for itself ("1": one more of a list); a draw that
    has none of them is free; `where`: values of settings, of which a race must have one each; a setting that is free
    has them, too.
    """

    name: str
    options: Mapping[str, tuple[str, ...]]
    where: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def fits(self, settings: Settings) -> bool:
        """Whether a race with these settings pinned can be about it."""
        return all(settings.get(key, values[0]) in values for key, values in self.where.items())


class Focused:
    """The source of a seed that has a focus."""

    def __init__(self, seed: int, focus: Focus) -> None:
        self._numbers, self._options = Random(seed), {**focus.where, **focus.options}

    def __call__(self, name: str, options: int) -> int:
        """Answer a draw whose options have no texts."""
        return self.place(name, [str(number) for number in range(options)])

    def place(self, name: str, texts: Sequence[str]) -> int:
        """Answer a draw whose options have these texts."""
        wanted = self._options.get(name, ())
        places = [place for one in wanted for place, text in enumerate(texts) if text == one]
        return places[self._numbers.randrange(len(places))] if places else self._numbers.randrange(len(texts))

    def takes(self, name: str, text: str) -> bool | None:
        """Whether an option is in a subset of this name: one that is told alone is, of several three in four, and no
        other."""
        wanted = self._options.get(name)
        if wanted is None:
            return None
        return text in wanted and (len(wanted) == 1 or self._numbers.randrange(4) > 0)


def source_of(seed: int, focuses: Sequence[Focus], settings: Settings) -> Source:
    """The source of a seed: of four, three or so have a focus that fits the settings, each as often."""
    fitting: list[Focus | None] = [one for one in focuses if one.fits(settings)]
    turns = [*fitting, *[None] * -(-len(fitting) // 3)]
    if not turns:
        return seeded(seed)
    turn, place = divmod(seed, len(turns))
    Random(f"focus {turn}").shuffle(turns)
    focus = turns[place]
    return seeded(seed) if focus is None else Focused(seed, focus)
