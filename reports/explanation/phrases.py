"""Words that every renderer uses: rows, lists, faults, files."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from checkers.finding import shown
from checkers.text import plain
from checkers.words import key_words, value_words
from model.ports import PortError
from sim.kernel.fault_kinds import STATUSES

SHOWN = 4
_FAULTS = {
    "drop-before": "the connection closes before it is applied",
    "drop-after": "it is applied, but the connection closes before the answer",
    "late": "the connection closes; it may be applied later",
    "resend": "it is applied, and the transport sends it a second time",
    "stale": "the answer is the value before the newest",
    "crash": "the process dies before it is applied",
    "crash-after": "it is applied, and the process dies",
    "pause": "the process stands still first",
    "partition": "the process is cut off from here on, and it is not applied",
    "clock-step": "the clock of the process jumps ahead first",
    "clock-step-back": "the clock of the process jumps back first",
    "clock-fast": "the clock of the process goes fast from here on",
    "clock-slow": "the clock of the process goes slow from here on",
    "torn": "the file is made, nothing is written into it, and the connection closes",
    "torn-crash": "the file is made, nothing is written into it, and the process dies",
    "log-gap": "the event that it would read next is deleted from the log first",
    "log-duplicate": "its event gets the id of the one before it",
    "log-reorder": "its event gets an id below that of the one before it",
}


def fault_text(fault: str) -> str:
    """What a fault of a port call means, as a clause."""
    status = STATUSES.get(fault)
    if status is None:
        return _FAULTS.get(fault, f"fault {fault}")
    answer = f"the answer is {status.code}" + (" with a time to wait" if status.retry else "")
    return f"it is applied, but {answer}" if status.applied else f"{answer}, and it is not applied"


def listed(items: Iterable[str], at_most: int = SHOWN) -> str:
    """ "a, b and c"; what is beyond `at_most` is counted."""
    texts = list(items)
    if len(texts) > at_most:
        texts = [*texts[: at_most - 1], f"{len(texts) - at_most + 1} more"]
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}" if texts else "nothing"


def rows_text(rows: Sequence[tuple[int, str]]) -> str:
    """ "row 1 = 'a' and row 2 = 'b'"."""
    return listed(f"row {key} = {value!r}" for key, value in rows)


def key_text(key: str) -> str:
    """A history's key for people: "row:1" is "row 1"."""
    return plain(key_words(key)).replace("row:", "row ", 1)


def seen_text(key: str, value: str | None) -> str:
    """ "row 1 = 'a'", "row 1 absent", or "file group fg1 is the slice of instant 000001"."""
    if value is None:
        return f"{key_text(key)} absent"
    text = value_words(key, shown(value))
    return f"{key_text(key)} {'=' if text == shown(value) else 'is'} {text}"


def is_refusal(outcome: Any) -> bool:
    """Whether a traced outcome is the name of a port error, or of a protocol's own kind of one."""
    return isinstance(outcome, str) and outcome in _names_of(PortError)


def _names_of(error: type[PortError]) -> Iterator[str]:
    yield error.__name__
    for kind in error.__subclasses__():
        yield from _names_of(kind)
