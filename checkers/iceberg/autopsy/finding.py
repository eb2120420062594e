"""What an autopsy hands back: findings, each with its kind, weight, place, and what to do about it."""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from checkers.text import plain

LOSS, DAMAGE, UNCLEAR, LEFTOVER = "loss", "damage", "unclear", "leftover"
WEIGHTS = {
    LOSS: "a commit that the table had, and has no more",
    DAMAGE: "readers or writers fail, or see what is wrong",
    UNCLEAR: "the files do not say whether anything is lost",
    LEFTOVER: "what nobody needs, and nobody removed",
}


class Finding(NamedTuple):
    """One thing that is wrong. Args: `where` names the file or the snapshot; texts are one line and can be printed."""

    kind: str
    weight: str
    where: str
    what: str
    expected: str
    got: str
    do: str


def listed(words: Collection[object], most: int = 3) -> str:
    """Words in a sentence: "a, b, c and 4 more"."""
    shown = [plain(str(word)) for _, word in zip(range(most), words, strict=False)]
    more = len(words) - len(shown)
    return ", ".join(shown) + (f" and {more:,} more" if more else "")


def sorted_findings(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """The gravest first; equal ones once; of one weight in the order in which they were found."""
    weights = list(WEIGHTS)
    return tuple(sorted(dict.fromkeys(found), key=lambda one: weights.index(one.weight)))
