"""Which scenarios a command line means: names, files, patterns such as 'hudi/*', everything of a protocol.

Choices: a pattern stands for names of built-in scenarios, and must fit one; a scenario that is named twice is taken
once.
"""

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path

from checkers.text import quoted
from lakeproof.errors import UsageProblem
from lakeproof.protocols import scenarios
from lakeproof.scenarios import Found, find

_WILD = re.compile(r"[*?\[]")


def selected(arguments: Iterable[str], protocol: str | None = None) -> list[Found]:
    """What the arguments name, of `protocol` alone if it is given; without arguments, all of it.

    Raises: `UsageProblem` if an argument names nothing, or names a file beside a protocol; `BadInput` as `find`.
    """
    found: dict[tuple[Path | None, str], Found] = {}
    for argument in tuple(arguments) or ("*",):
        for one in _meant(argument, protocol):
            found.setdefault((one.file, one.scenario.name), one)
    return list(found.values())


def _meant(argument: str, protocol: str | None) -> list[Found]:
    if argument.endswith(".py"):
        if protocol is not None:
            raise UsageProblem(f"--protocol {protocol}: expected built-in scenarios beside it, got the file {argument}")
        return list(find(argument))
    if not _WILD.search(argument) and protocol is None:
        return list(find(argument))
    fitting = [Found(one) for name, one in scenarios(protocol).items() if fnmatchcase(name, argument)]
    if not fitting:
        among = f" of protocol {protocol}" if protocol is not None else ""
        raise UsageProblem(f"scenario {quoted(argument)}: expected a pattern that fits a built-in name{among}")
    return fitting
