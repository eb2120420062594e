"""From a live run to a history: what is the same for every table format."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from checkers.histories.history import FINAL, Read
from checkers.histories.recorder import Name, Recorder
from real_backend.gating.journal import Command


def record_commands(
    recorder: Recorder,
    commands: Iterable[Command],
    describe: Callable[[Any], tuple[str, str]],
    complete: Callable[[Command, int], None],
) -> dict[int, int]:
    """Record the commands' invocations and completions in the order in which they happened.

    Args: `describe` gives a statement's name and argument; `complete` records the end of a command that was answered.
    Returns: the operation's number by the command's place, `invoked`.
    """
    moments = [(command.invoked, command, True) for command in commands]
    moments += [(command.completed, command, False) for _, command, _ in moments if command.completed is not None]
    numbers: dict[int, int] = {}
    for _, command, begins in sorted(moments, key=lambda moment: moment[0]):
        if begins:
            words = describe(command.statement)
            numbers[command.invoked] = recorder.invoke(command.actor, *words, command.invoked_ms)
        else:
            complete(command, numbers[command.invoked])
    return numbers


def record_final_read(
    recorder: Recorder, start: Name, values: Mapping[str, str | None] | str, time_ms: int | None = None
) -> None:
    """Record the last read of everything.

    Args: `values` by key, a key that was ever mentioned and is not there is absent; or why nothing can be read.
    """
    if isinstance(values, str):
        recorder.read(FINAL, start, (), f"unreadable: {values}", time_ms)
        return
    known = dict.fromkeys(recorder.keys()) | dict(values)
    recorder.read(FINAL, start, tuple(Read(key, value) for key, value in known.items()), None, time_ms)


def joined(rows: Iterable[tuple[int | str, str]]) -> dict[str, str]:
    """Row key to value; the values of duplicates are joined by "|"."""
    found: dict[str, list[str]] = {}
    for key, value in rows:
        found.setdefault(f"row:{key}", []).append(value)
    return {key: "|".join(sorted(values)) for key, values in found.items()}
