"""What a Hudi run has come to, as far as it has been told: whose instant, lock file and file is whose, what is visible.

Choices: a beat that finds its file gone makes it again, and it is still its writer's. What was there before the run is
nobody's.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from model.hudi import meanings as means
from model.hudi.file_groups import CommitMetadata, Group, RollbackPlan
from model.hudi.metadata_slices import OfMetadata
from model.hudi.names import CLEANING, CLUSTERING, COMPACTION, COMPLETED, LOG_COMPACTION, REQUESTED, RESTORE
from reports.explanation.renderer import NOT_APPLIED, Traced

MAKES = (
    means.Enters | means.HandlesTemporary | means.StartsHeartbeat | means.Beats | means.Marks | means.Writes
    | means.MakesLock | means.SaysMarkerType | means.OpensMarkers | means.WritesMarkers
    | means.OpensBloom | means.WritesBloom | OfMetadata
)  # fmt: skip
LOOKS = ("exists", "list", "mtime", "read")
PLANNED = {
    CLEANING: "cleaning", CLUSTERING: "clustering", COMPACTION: "a compaction", LOG_COMPACTION: "a log compaction",
    RESTORE: "a restore",
}  # fmt: skip
"""The services that are planned before they are carried out, in words."""


class Slice(NamedTuple):
    """A committed slice of a file group."""

    group: Group
    instant: int


def is_applied(row: Traced) -> bool:
    """Whether the step did what it says."""
    return not row.is_reply and row.outcome == "ok" and row.value not in (NOT_APPLIED, False)


class HudiState:
    """Facts of the run before the step that is told next."""

    def __init__(self, rows: Sequence[Traced]) -> None:
        self._actors = frozenset(row.actor for row in rows)
        self._two_step = any(row.call == "open-w" for row in rows)
        self.writers: dict[int, str] = {}
        self.makers: dict[str, str] = {}
        self.current: dict[str, int] = {}
        self.completed: set[int] = set()
        self.slices: dict[str, Slice] = {}
        self.let_go: set[str] = set()
        self.targets: dict[int, int] = {}
        self.plans: set[int] = set()

    def meaning(self, row: Traced) -> Any:
        """What the step means, as far as the protocol knew in the end; None if it did not say."""
        return row.meanings[-1] if row.meanings else None

    def process(self, actor: str) -> str:
        """The process of a task, which is named after it."""
        while (before := actor.rpartition("-")[0]) in self._actors:
            actor = before
        return actor

    def writer(self, instant: int) -> str:
        """Who writes an instant."""
        return self.writers.get(instant, "its writer")

    def is_own(self, row: Traced, instant: int) -> bool:
        """Whether the instant is the one that the actor is at work on; those of its earlier tries are others."""
        process = self.process(row.actor)
        return self.writers.get(instant) == process and self.current.get(process) == instant

    def is_rolled_back(self, instant: int) -> bool:
        """Whether a rollback of it has been scheduled."""
        return instant in self.targets.values()

    def creates(self, row: Traced) -> bool:
        """Whether the step makes a file; a create in two steps is a look first."""
        looks = row.call in (*LOOKS, "delete") or (self._two_step and row.call == "create")
        return not looks and isinstance(self.meaning(row), MAKES)

    def learn(self, row: Traced) -> None:
        """Take note of a step that has been told."""
        meaning, process = self.meaning(row), self.process(row.actor)
        looks = isinstance(meaning, means.LooksForLockToRelease | means.LooksWhoseLockToRelease)
        gone = looks and row.value in (False, "NotFound")
        if not row.is_reply and (gone or isinstance(meaning, means.DeletesLock)):
            self.let_go.add(process)
        if row.call == "delete" and is_applied(row):
            self.makers.pop(row.resource, None)
            self.slices.pop(row.resource, None)
        if not self.creates(row) or not is_applied(row):
            return
        self.makers[row.resource] = process
        match meaning:
            case means.MakesLock():
                self.let_go.discard(process)
            case means.StartsHeartbeat(instant) | means.Beats(instant):
                self._begins(instant, process)
            case means.Enters(instant, action, state, body):
                self._enters(instant, state, body, process)
                if action in (COMPACTION, LOG_COMPACTION):
                    self.plans.add(instant)

    def _enters(self, instant: int, state: str, body: Any, process: str) -> None:
        if state == REQUESTED:
            self._begins(instant, process)
        if isinstance(body, RollbackPlan):
            self.targets[instant] = body.target
        if state == COMPLETED:
            self.completed.add(instant)
            if isinstance(body, CommitMetadata):
                self.slices |= {stat.path: Slice(stat.group, instant) for stat in body.stats}

    def _begins(self, instant: int, process: str) -> None:
        self.writers.setdefault(instant, process)
        self.current[process] = instant

    def hidden_by(self, instant: int, body: CommitMetadata) -> tuple[Slice, ...]:
        """The committed slices that are of larger instants than a commit's own, and so what readers see."""
        newest = [
            max((one for one in self.slices.values() if one.group == stat.group), key=_instant, default=None)
            for stat in body.stats
        ]
        return tuple(one for one in newest if one is not None and one.instant > instant)


def _instant(one: Slice) -> int:
    return one.instant
