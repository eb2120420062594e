"""Two writers of the live study side by side: their tries until both commit, and the order of their first files."""

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

from model.hudi.names import TEMP, TIMELINE
from real_backend.gating.gate import Gate
from real_backend.gating.journal import OK
from real_backend.hudi.exceptions import root_cause
from real_backend.hudi.storage import files_below
from real_backend.hudi.study_figures import Try

HELD_S, POLL_S = 900.0, 0.02


class Race:
    """The tries of two writers, as they end.

    Args: `save` is one try of a writer; a refused one is made again after `between_s`, `tries` times in all;
    `answered` is set at the first answer of any; with `between` a try that is made again comes when nobody else is at
    work, after this call.
    """

    def __init__(
        self,
        save: Callable[[str], None],
        answered: threading.Event,
        tries: int,
        between_s: float,
        between: Callable[[], None] | None = None,
    ) -> None:
        self.tries: list[Try] = []
        self.begun: set[str] = set()
        self.ended: set[str] = set()
        self.at_work: set[str] = set()
        self._installed = time.perf_counter()
        self._save = save
        self._answered = answered
        self._most = tries
        self._between_s = between_s
        self._between = between
        self._stopped = threading.Event()

    def write(self, actor: str) -> None:
        """Try until a try commits, the last one was refused, or the race is stopped."""
        try:
            for number in range(self._most):
                if self._is_stopped_before(number) or self._try(actor) == OK:
                    break
        finally:
            self.ended.add(actor)

    @property
    def left(self) -> set[str]:
        """Writers that were begun and have not ended."""
        return self.begun - self.ended

    def stop(self) -> None:
        """Let no writer begin another try."""
        self._stopped.set()

    def _is_stopped_before(self, number: int) -> bool:
        if self._stopped.wait(self._between_s if number else 0):
            return True
        if number and self._between is not None:
            while self.at_work:
                if self._stopped.wait(POLL_S):
                    return True
            self._between()
        return self._stopped.is_set()

    def _try(self, actor: str) -> str:
        self.at_work.add(actor)
        begun = time.perf_counter()
        try:
            self._save(actor)
            outcome: str = OK
        except Exception as error:
            outcome = root_cause(error)
        self.tries.append(Try(actor, begun - self._installed, time.perf_counter() - self._installed, outcome))
        self._answered.set()
        self.at_work.discard(actor)
        return outcome


class Order(Gate):
    """In place of a gate, where writers make many calls at once: w2's files come after w1's first marker.

    Args: `table` is the table's folder; `held` names w2's partitions, if what happens is not to depend on threads.
    There are as many of w1's, and each writer has a task for each: w2's files come after all of w1's markers, w1's
    files after the first answer of a writer, and no task of w2 is refused before the others have made their markers.
    """

    def __init__(self, table: Path, held: str = "") -> None:
        super().__init__(())
        self.answered = threading.Event()
        self._timeline = table / TIMELINE
        self._markers = table / TEMP
        self._held = frozenset(held)
        self._meeting: dict[str, set[str]] = {}

    def hold(self, actor: str, operation: str, resource: str | None = None, *, reply: bool = False) -> str | None:
        """Wait for the other writer, where the order says so. Raises: `Abandoned`."""
        if self._held and (actor, operation, resource) == ("w1", "create", "data"):
            self._await(self.answered.is_set)
        elif (actor, operation, resource) == ("w2", "create", "inflight"):
            self._await(lambda: self.answered.is_set() or self._has_marked())
        self._raise_if_abandoned()
        return None

    def note(self, actor: str, outcome: str | None = None, version: str | None = None) -> None:
        return None

    def look(self, actor: str, folder: str) -> None:
        """Before a listing: who is about to meet another's marker waits for the tasks beside. Raises: `Abandoned`.

        They have made theirs, or are about to meet one, too. So all that a try can mark is marked when it is refused.
        """
        below = f"/{TEMP}/"
        if actor != "w2" or not folder.startswith(below):  # the table's own files: a lock of Hudi's is held for those
            return
        instant, _, partition = folder.removeprefix(below).partition("/")
        if not partition or partition not in self._marked(instant) or instant == self._newest():
            return
        meeting = self._meeting.setdefault(instant, set())
        meeting.add(partition)
        self._await(lambda: self._held <= meeting.union(*map(self._marked, self._after(instant))))
        self._raise_if_abandoned()

    def _await(self, happened: Callable[[], bool]) -> None:
        deadline = time.monotonic() + HELD_S
        while not happened() and time.monotonic() < deadline:
            self._raise_if_abandoned()
            time.sleep(POLL_S)
        if not happened():
            self.abandon(f"expected the other writer within {HELD_S:g} s, it did not come")

    def _has_marked(self) -> bool:
        return sum(".marker." in name for name in files_below(self._markers)) >= max(1, len(self._held))

    def _marked(self, instant: str) -> set[str]:
        """The partitions in which this instant has a marker."""
        below = os.walk(self._markers / instant)
        return {Path(folder).name for folder, _, names in below if any(".marker." in name for name in names)}

    def _after(self, instant: str) -> list[str]:
        """The instants after this one that have markers."""
        return [name for name in os.listdir(self._markers) if name > instant]

    def _newest(self) -> str:
        """The instant that was requested last: w2's own, while w1 makes one try."""
        return max(name.partition(".")[0] for name in os.listdir(self._timeline) if name.endswith(".requested"))
