"""A vector of Hudi's own tests, and how a script of words is played."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from model.hudi.errors import HudiError

WORD = re.compile(r"(?:(?P<who>\w+)\.)?(?P<what>[\w-]+)(?:\((?P<argument>[^)]*)\))?(?:=(?P<wanted>\S+))?")


class Vector(NamedTuple):
    """One line of the file."""

    number: str
    source: str
    upstream: str
    kind: str
    given: str
    script: str


def play(script: str, do: Callable[[str, str, str], Any]) -> list[str]:
    """Do each word of a script; compare what it gives (an error's name, a value) with what stands behind `=`."""
    found = []
    for word in script.split():
        match = WORD.fullmatch(word)
        assert match is not None, word
        try:
            value = do(match["who"] or "", match["what"], match["argument"] or "")
        except HudiError as error:
            value = type(error).__name__
        got = "ok" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
        if got != (match["wanted"] or "ok"):
            found.append(f"{word}: got {got}")
    return found
