"""Exit codes, and the errors that end a command with one line.

| code | meaning |
| --- | --- |
| 0 | as expected: the verdict is the one that the scenario expects |
| 1 | a property is violated that was expected to hold (or holds where a violation was expected) |
| 2 | unknown: a budget was used up, a counter stayed zero, or a live system was not there |
| 4 | nondeterminism: two runs of one seed, or a run and its replay, differ |
| 64 | usage: the command line names an option, a scenario or a file that does not exist |
| 65 | bad input: a scenario, schedule, history or run folder cannot be read or followed |
| 70 | internal error: our own fault |
| 129, 130, 143 | ended by SIGHUP, by Ctrl-C, by SIGTERM, as a shell counts |
| 141 | whoever read the output has gone, as a shell counts |

Where several scenarios are run, the gravest code wins: 4, 1, 2, 0.
"""

from collections.abc import Iterable
from typing import ClassVar

from checkers import text as outside

AS_EXPECTED, VIOLATED, UNKNOWN, NONDETERMINISM, USAGE, BAD_INPUT, INTERNAL = 0, 1, 2, 4, 64, 65, 70
INTERRUPTED, HUNG_UP, TERMINATED, NO_READER = 130, 129, 143, 141
_GRAVEST_FIRST = (INTERNAL, BAD_INPUT, USAGE, NONDETERMINISM, VIOLATED, UNKNOWN)


class CommandError(Exception):
    """A command cannot go on; the message is one line. Subclasses say whose fault it is."""

    code: ClassVar[int] = INTERNAL


class UsageProblem(CommandError):
    """The command line names something that is not there. Correct the command line."""

    code = USAGE


class BadInput(CommandError):
    """A file was found but is not what it has to be. Correct the file that the message names."""

    code = BAD_INPUT


class Mismatch(CommandError):
    """Two runs that must be equal are not. Look for time, randomness or shared state in the scenario's code."""

    code = NONDETERMINISM


def gravest(codes: Iterable[int]) -> int:
    """The exit code of several results together: a failure outranks an unknown, and an unknown outranks success."""
    found = list(codes)
    return next((code for code in _GRAVEST_FIRST if code in found), AS_EXPECTED)


def one_line(text: object) -> str:
    """Any message as one line that a terminal shows as it is: control characters escaped, what is long clipped."""
    try:
        said = str(text)
    except Exception:  # an error of a JVM that has ended asks it for its text
        said = type(text).__name__
    return outside.plain(" ".join(said.split()), outside.LINE_CHARACTERS)


def meant(name: str, known: Iterable[str]) -> str:
    """What was probably meant by a name, for the end of an error: "; did you mean iceberg?", "" if nothing is close."""
    from difflib import get_close_matches  # for who has mistyped something

    close = get_close_matches(name, list(known), 1, 0.6)
    return f"; did you mean {close[0]}?" if close else ""
