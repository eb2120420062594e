"""What may be recorded: calls of the recorder are checked when they are made; a traceback has the caller's line.

The checks are tuned for what is right (a simulated run makes a dozen calls, thousands of runs a second); what is wrong
is looked at a second time, to say what it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from checkers.text import plain

_NONE = type(None)
NAMES = frozenset({int, str, _NONE})
"""The types of versions' names."""
TEXTS = frozenset({str, _NONE})
_VERSIONS = frozenset({int, _NONE})
_LISTS = frozenset({list, tuple})


class RecorderError(ValueError):
    """The recorder was told something that no client can have asked or been told. Correct the call."""

    def __init__(self, call: str, expected: str, got: str) -> None:
        super().__init__(f"record.{call}: expected {expected}, got {plain(got)}")


def check_reads(reads: Any) -> None:
    """Check (key, value) or (key, value, version). Raises: RecorderError."""
    try:
        for key, value, version in reads:
            if key.__class__ is not str or value.__class__ not in TEXTS or version.__class__ not in _VERSIONS:
                raise TypeError
        if reads.__class__ not in _LISTS:
            raise TypeError
    except (TypeError, ValueError):
        _explain("reads", reads, (2, 3))


def check_writes(writes: Any) -> None:
    """Check (key, value). Raises: RecorderError."""
    try:
        for key, value in writes:
            if key.__class__ is not str or value.__class__ not in TEXTS:
                raise TypeError
        if writes.__class__ not in _LISTS:
            raise TypeError
    except (TypeError, ValueError):
        _explain("writes", writes, (2,))


def _explain(what: str, entries: Any, lengths: tuple[int, ...]) -> None:
    shape = "(key, value, version)" if 3 in lengths else "(key, value)"
    if not isinstance(entries, Sequence) or isinstance(entries, str | bytes):
        raise RecorderError(f"{what}", f"a list or tuple of {shape}", said(entries))
    for entry in entries:
        if not isinstance(entry, Sequence) or isinstance(entry, str) or len(entry) not in lengths:
            raise RecorderError(f"{what}", f"entries {shape}", said(entry))
        key, value, version = (*entry, None)[:3]
        if not isinstance(key, str):
            raise RecorderError(f"{what}", f"a key that is text in {shape}", said(key))
        if not isinstance(value, str | None):
            raise RecorderError(f"{what}", f"a value of {key} that is text or None", said(value))
        if isinstance(version, bool) or not isinstance(version, int | None):
            raise RecorderError(f"{what}", f"a version of {key} that is a number or None", said(version))


def check_invocation(process: Any, f: Any, arg: Any) -> None:
    """Check who invokes what. Raises: RecorderError."""
    for name, value in (("process", process), ("f", f)):
        if not isinstance(value, str):
            raise RecorderError("invoke", f"{name} to be text", said(value))
    if not isinstance(arg, str | None):
        raise RecorderError("invoke", "arg to be text or None", said(arg))


def check_completion(start: Any, commit: Any, error: Any, arg: Any) -> None:
    """Check what is known of a completion but its reads and writes. Raises: RecorderError."""
    for name, value in (("start", start), ("commit", commit)):
        if isinstance(value, bool) or not isinstance(value, int | str | None):
            raise RecorderError(name, "a version's number or its name", said(value))
    for name, value in (("error", error), ("arg", arg)):
        if not isinstance(value, str | None):
            raise RecorderError(name, "text", said(value))


def said(value: Any) -> str:
    """A value in a message: what it is, and of which type."""
    return f"{value!r} ({type(value).__name__})"
