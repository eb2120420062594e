"""Two writers of the live study side by side: their tries until both commit, and the order of their first files."""

import threading
import time
from collections.abc import Callable
from pathlib import Path

from real_backend.gating.gate import Gate
from real_backend.gating.journal import OK
from real_backend.hudi.exceptions import root_cause
from real_backend.hudi.storage import files_below
from real_backend.hudi.study_figures import Try

HELD_S, POLL_S = 900.0, 0.02


class Race:
    """The tries of two writers, as they end.

    Args: `save` is one try of a writer; a refused one is made again after `between_s`, `tries` times in all;
    `answered` is set at the first answer of any.
    """

    def __init__(self, save: Callable[[str], None], answered: threading.Event, tries: int, between_s: float) -> None:
        self.tries: list[Try] = []
        self.ended: set[str] = set()
        self._installed = time.perf_counter()
        self._save = save
        self._answered = answered
        self._most = tries
        self._between_s = between_s
        self._stopped = threading.Event()

    def write(self, actor: str) -> None:
        """Try until a try commits, the last one was refused, or the race is stopped."""
        for number in range(self._most):
            if self._stopped.wait(self._between_s if number else 0) or self._try(actor) == OK:
                break
        self.ended.add(actor)

    def stop(self) -> None:
        """Let no writer begin another try."""
        self._stopped.set()

    def _try(self, actor: str) -> str:
        begun = time.perf_counter()
        try:
            self._save(actor)
            outcome: str = OK
        except Exception as error:
            outcome = root_cause(error)
        self.tries.append(Try(actor, begun - self._installed, time.perf_counter() - self._installed, outcome))
        self._answered.set()
        return outcome


class Order(Gate):
    """In place of a gate, where writers make many calls at once: w2's files come after w1's first marker.

    Args: `markers` is the folder of all markers; `held`: w1's files come after the first answer of a writer.
    """

    def __init__(self, markers: Path, held: bool) -> None:
        super().__init__(())
        self.answered = threading.Event()
        self._markers = markers
        self._held = held

    def hold(self, actor: str, operation: str, resource: str | None = None, *, reply: bool = False) -> str | None:
        if self._held and (actor, operation, resource) == ("w1", "create", "data"):
            self.answered.wait(HELD_S)
        while (actor, operation, resource) == ("w2", "create", "inflight") and not self.answered.wait(POLL_S):
            if any(".marker." in name for name in files_below(self._markers)):
                break
        return None

    def note(self, actor: str, outcome: str | None = None, version: str | None = None) -> None:
        return None
