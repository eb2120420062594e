"""One bad input: a command line, the files that it finds in its folder, and the exit codes that are an answer to it."""

from collections.abc import Collection, Mapping
from random import Random
from typing import NamedTuple

REFUSED = (64, 65)
ANSWERED = (0, 1, 2, 4, 64, 65)


class Case(NamedTuple):
    """`files` are contents by relative path; `codes` are those that may come of it."""

    name: str
    arguments: tuple[str, ...]
    files: Mapping[str, bytes]
    codes: Collection[int] = REFUSED


CONTROL = "\x1b[2J\x00\x07\u202e\u2028<script>alert(1)</script>|`*\\"
LONG = "x" * 1_000_000


def damaged(random: Random, content: bytes) -> bytes:
    """The content with something cut, flipped, doubled or put in."""
    place = random.randrange(len(content)) if content else 0
    length = random.choice((1, 4, 64, 1_000))
    return random.choice(
        (
            content[:place],
            content[place:],
            content[:place] + content[place + length :],
            content[:place] + random.randbytes(length) + content[place + length :],
            content[:place] + content[place : place + length] * 3 + content[place + length :],
            content[:place] + bytes([content[place] ^ 1 << random.randrange(8)]) + content[place + 1 :]
            if content
            else b"\0",
        )
    )
