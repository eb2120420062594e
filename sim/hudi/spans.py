"""Spans of a Hudi race as operations: holding the lock, an instant's life, checking for a marker."""

from __future__ import annotations

from checkers.histories.recorder import Recorder

NO_SPAN = -1


class SpanRecorder:
    """Implements `model.hudi.observer.Observer` for one actor: spans of the asked kinds become operations.

    Those of one kind that are open at once have processes of their own: `w1/mark`, `w1/mark-2`.
    """

    __slots__ = ("_actor", "_kinds", "_open", "_record")

    def __init__(self, record: Recorder, actor: str, kinds: frozenset[str]) -> None:
        self._record = record
        self._actor = actor
        self._kinds = kinds
        self._open: dict[int, str] = {}

    def began(self, what: str, about: str) -> int:
        if what not in self._kinds:
            return NO_SPAN
        process, count = f"{self._actor}/{what}", 1
        while process in self._open.values():
            count += 1
            process = f"{self._actor}/{what}-{count}"
        number = self._record.invoke(process, what, about)
        self._open[number] = process
        return number

    def ended(self, number: int, error: str | None = None) -> None:
        if number == NO_SPAN:
            return
        del self._open[number]
        if error is None:
            self._record.ok(number)
        else:
            self._record.fail(number, error)
