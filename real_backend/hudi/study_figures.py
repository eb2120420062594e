"""What a run of the live study came to: its tries, and its files. A row of the study's table."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from real_backend.gating.journal import OK
from sim.search.study import Cell

WRITERS = ("w1", "w2")
EARLY = "HoodieEarlyConflictDetectionException"
MB = 1_000_000
COLUMNS = (
    "case", "detection", "refusals", "first refusal", "false alarms", "files written", "MB written",
    "files thrown away", "MB thrown away", "seconds from conflict to refusal", "seconds to both commits",
    "seconds of refused tries", "seconds of all tries",
)  # fmt: skip


class Try(NamedTuple):
    """One try of a writer, in seconds since the run began; `outcome` is "ok" or what its client was told."""

    actor: str
    begun_s: float
    ended_s: float
    outcome: str

    @property
    def told(self) -> str:
        """The name of the exception, or "ok"."""
        return self.outcome.split(":", 1)[0]


@dataclass(frozen=True, slots=True)
class Measured:
    """One run: all tries in the order of their ends, and the data files of all of them."""

    overlap: int
    detection: str
    tries: tuple[Try, ...]
    files: int
    size_bytes: int
    wasted_files: int
    wasted_bytes: int
    to_refusal_s: float | None

    @property
    def refused(self) -> tuple[Try, ...]:
        """The tries that did not commit."""
        return tuple(each for each in self.tries if each.outcome != OK)

    @property
    def false_alarms(self) -> int:
        """Early refusals of tries during which the other writer was not at work."""
        return sum(each.told == EARLY and not any(self._meet(each, other) for other in self.tries)
                   for each in self.refused)  # fmt: skip

    @property
    def to_commits_s(self) -> float | None:
        """From the first call to the later commit; None if a writer gave up."""
        ended = [each.ended_s for each in self.tries if each.outcome == OK]
        return max(ended) - min(each.begun_s for each in self.tries) if len(ended) == len(WRITERS) else None

    @property
    def cells(self) -> tuple[Cell, ...]:
        """A row of the table."""
        first = self.refused[0] if self.refused else None
        return (
            f"{self.overlap} % shared", self.detection, len(self.refused),
            first and f"{first.actor}, {first.told}", self.false_alarms, self.files, round(self.size_bytes / MB, 1),
            self.wasted_files, round(self.wasted_bytes / MB, 1), _tenths(self.to_refusal_s), _tenths(self.to_commits_s),
            _tenths(seconds_of(self.refused)), _tenths(seconds_of(self.tries)),
        )  # fmt: skip

    @staticmethod
    def _meet(one: Try, other: Try) -> bool:
        return one.actor != other.actor and one.begun_s < other.ended_s and other.begun_s < one.ended_s


def seconds_of(tries: Iterable[Try]) -> float:
    """How long writers were at work in these, each with its threads."""
    return sum(each.ended_s - each.begun_s for each in tries)


def _tenths(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 1)
