"""Commits that a lost lock cannot spoil: each is decided by one file that is made once. Ours; nobody has it.

    claim(instant)     .hoodie/.commits/<instant>.claim; then of each claim of others that has not completed:
                       .hoodie/.commits/<instant>.decision, which refuses it, unless there is one
    complete(...)      .hoodie/.commits/<instant>.decision, with what is completed and when; then the completed file

A decision is made on the condition that there is none. So a write whose lock was taken over is refused by whoever
claims after it, however late its own decision comes; and who finds it decided makes its completed file, and is then
compared with it. Of two that claim, the later one settles the earlier before it looks for conflicts: commits are in an
order, and the lock is only there so that two do not refuse each other.

Source: none; it stands for the fencing token that RFC-91 does without (G-8), where a storage knows no tokens.

Choices: what is fenced is a commit that is compared with others; whoever rolls back settles all claims as well. Times
are drawn under the lock, and so is what a clean or a savepoint plans: that is not fenced. A claim and its decision
stay; with the instant they could be archived.
"""

from contextlib import suppress
from typing import NamedTuple

from model.hudi import coverage
from model.hudi.active_timeline import ActiveTimeline
from model.hudi.errors import InstantExists, OutcomeUnknown, StorageFailed, WriteConflict
from model.hudi.meanings import Enters
from model.hudi.names import COMMITS, claim_path, decision_path, text
from model.hudi.rules import Rules
from model.hudi.storage import TableStorage
from model.hudi.timeline import Instant
from model.ports import AlreadyExists, Body, PortError, Refused, World

CLAIM = ".claim"


class Decision(NamedTuple):
    """What becomes of a claim. `done`: the completed instant; None: it is refused."""

    done: Instant | None
    body: Body = None


class DecidedTimeline(ActiveTimeline):
    """One client's hand on a timeline whose commits are decided."""

    __slots__ = ("_claimed",)

    def __init__(self, world: World, storage: TableStorage, layout: int) -> None:
        super().__init__(world, storage, layout)
        self._claimed: set[int] = set()

    def claim(self, instant: int) -> None:
        """Say that an instant is about to be completed, and settle what others have claimed. Raises: StorageFailed."""
        self._storage.create(claim_path(instant), None)
        self._claimed.add(instant)
        self.settle(instant)

    def settle(self, own: int | None = None) -> None:
        """Refuse every claim of others that is not decided, and complete what is. Raises: StorageFailed."""
        claims = [int(name[: -len(CLAIM)]) for name in self._storage.list(COMMITS) if name.endswith(CLAIM)]
        done = self.load().completed_times
        for instant in claims:
            if instant != own and instant not in done:
                self._settle(instant)

    def _settle(self, instant: int) -> None:
        path = decision_path(instant)
        try:
            self._storage.files.create(path, Decision(None))
        except AlreadyExists:
            decision = self._storage.read(path)
        except PortError as error:
            raise StorageFailed(f"create {path}: expected an acknowledgement, got {error}") from error
        else:
            self._world.coverage.hit(coverage.CLAIM_REFUSED)
            return
        if decision.done is not None:
            self._world.coverage.hit(coverage.COMMIT_FINISHED)
            done = decision.done
            with suppress(InstantExists):
                self._create(self._path(done, done.state), Enters(instant, done.action, done.state, decision.body))

    def _make_visible(self, done: Instant, state: Enters) -> None:
        """Decide what was claimed, and only then complete it. Raises: as the base; WriteConflict."""
        if done.requested not in self._claimed:
            super()._make_visible(done, state)
            return
        self._decide(done, state.body)
        with suppress(InstantExists):  # somebody has met the decision, and was faster
            super()._make_visible(done, state)

    def _decide(self, done: Instant, body: Body) -> None:
        path = decision_path(done.requested)
        try:
            self._storage.files.create(path, Decision(done, body))
        except AlreadyExists:
            self._world.coverage.hit(coverage.COMMIT_FENCED)
            raise WriteConflict(
                f"write conflict: the lock of {text(done.requested)} was taken over: {path} refuses it"
            ) from None
        except Refused as error:
            raise StorageFailed(f"create {path}: expected an acknowledgement, got {error}") from error
        except PortError as error:
            raise OutcomeUnknown(f"create {path}: expected an acknowledgement, got {error}", done.name) from error


def timeline_for(world: World, storage: TableStorage, layout: int, rules: Rules) -> ActiveTimeline:
    """A client's hand on the timeline, by the rules."""
    return (DecidedTimeline if rules.commits_are_decided else ActiveTimeline)(world, storage, layout)
