"""The gate: actors of a live system are blocked at named steps, and a schedule lets exactly one of them run at a time.

An interposition point is (actor, operation, resource), apply or reply, in the simulator's vocabulary. Whatever
intercepts a live system's calls (a REST server, a `TableOperations`, a storage layer, a lock provider, a proxy, a
poller's watermark) calls `hold` on the actor's own thread, is blocked there, and goes on when the schedule releases it.
The scheduling side awaits, releases and fails. Nothing here knows what an operation does.

`release` returns only when that actor is blocked again or finished, so between two steps nothing else of the system
moves. Calls of actors that the gate does not know (`setup`, a reader of ours) pass freely, as do operations outside of
the yield points.

A step that waits for another actor (a lock that is held) is not on offer: `passable` says which are. A helper is a
task of an actor's own that never ends, such as a timer: its calls pass freely until `hold_helpers` names it; from then
on the schedule releases them one by one, or leaves them where they stand, to the end of the run.

Choices: an actor is launched when it is first awaited. Every wait has an end; a run that is given up lets all blocked
calls end in `Abandoned`.
"""

import threading
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace

from real_backend.errors import Abandoned, BackendTimeout
from sim.kernel.schedule import Divergence

WAIT_S = 60.0
HELD_AT_MOST_S = 1800.0  # others may need many steps meanwhile; only a schedule's side that died takes longer
EVERY = ("*",)


@dataclass(frozen=True, slots=True)
class InterpositionPoint:
    """Where an actor stands: before an operation is applied, or (`reply`) before its answer is sent."""

    actor: str
    operation: str
    resource: str | None = None
    reply: bool = False

    def __str__(self) -> str:
        resource = f"({self.resource})" if self.resource is not None else ""
        return f"{self.actor}.{self.operation}{resource}{'/reply' if self.reply else ''}"


@dataclass(frozen=True, slots=True)
class Passed:
    """A step that was released: with which fault, what came of it, and which version it saw or made."""

    at: InterpositionPoint
    fault: str | None = None
    outcome: str | None = None
    version: str | None = None

    def __str__(self) -> str:
        step = f"{self.at.actor}.{self.at.operation}{'/reply' if self.at.reply else ''}"
        return step + (f"!{self.fault}" if self.fault else "") + (f"={self.outcome}" if self.outcome else "")


class Gate:
    """Holds the calls of `actors`; see the module's text.

    Args: `launch` starts an actor (called once, when it is first wanted; it must return at once); `yield_points` names
    the operations that are steps; `faults` says whether this gate's system can commit a fault at an operation;
    `split_replies` makes replies steps of their own; `passable` says whether a step is on offer now; `helpers` names
    the tasks that never end, whose every step must be followed by `note`; `timeout_s` bounds every wait.
    """

    def __init__(
        self,
        actors: Iterable[str],
        launch: Callable[[str], None] | None = None,
        *,
        yield_points: Collection[str] = EVERY,
        faults: Callable[[str, str], bool] = lambda operation, fault: False,
        split_replies: bool = False,
        passable: Callable[[InterpositionPoint], bool] = lambda at: True,
        helpers: Iterable[str] = (),
        timeout_s: float = WAIT_S,
    ) -> None:
        self.actors = tuple(actors)
        self.helpers = tuple(helpers)
        self.yield_points = tuple(yield_points)
        self.can_fault = faults
        self.split_replies = split_replies
        self.timeout_s = timeout_s
        self._passable = passable
        self._held: frozenset[str] = frozenset()
        self._passing: set[str] = set()
        self._launch = launch
        self._changed = threading.Condition()
        self._launched: set[str] = set()
        self._blocked: dict[str, InterpositionPoint] = {}
        self._released: dict[str, str | None] = {}
        self._done: set[str] = set()
        self._trace: list[Passed] = []
        self._abandoned: str | None = None

    # The actor's side.

    def hold(self, actor: str, operation: str, resource: str | None = None, *, reply: bool = False) -> str | None:
        """Stop here until released. Returns the fault that the caller is to commit, or None.

        Raises: `Abandoned` if the run was given up, or is over for a helper.
        """
        if actor not in self.actors + self.helpers or not self._is_step(operation, reply):
            return None
        at = InterpositionPoint(actor, operation, resource, reply)
        with self._changed:
            if actor in self.helpers and actor not in self._held:
                return None
            if actor in self._blocked:
                self._give_up(f"{at}: expected one call of an actor at a time, but it stands at {self._blocked[actor]}")
            self._raise_if_abandoned()
            self._blocked[actor] = at
            self._changed.notify_all()
            if not self._changed.wait_for(lambda: self._may_go(actor), HELD_AT_MOST_S):
                self._give_up(f"{at}: expected to be released within {HELD_AT_MOST_S:g} s, was forgotten")
            self._raise_if_abandoned()
            fault = self._released.pop(actor, None)
            at = self._blocked.pop(actor)
            if actor in self.helpers:
                if actor not in self._held:
                    raise Abandoned(f"{at}: the run is over")
                self._passing.add(actor)
            self._trace.append(Passed(at, fault))
            return fault

    def note(self, actor: str, outcome: str | None = None, version: str | None = None) -> None:
        """Say what came of the step that this actor passed last: its outcome, the version that it saw or made."""
        with self._changed:
            self._passing.discard(actor)
            self._changed.notify_all()
            for index in range(len(self._trace) - 1, -1, -1):
                if self._trace[index].at.actor == actor:
                    self._trace[index] = replace(self._trace[index], outcome=outcome, version=version)
                    return

    def put_before(self, helper: str, operation: str) -> None:
        """Let a helper that is blocked, of whatever step, be blocked before this one: what it was to do has gone."""
        self.await_blocked(helper)
        with self._changed:
            self._blocked[helper] = replace(self._blocked[helper], operation=operation, reply=False)

    def finish(self, actor: str) -> None:
        """Say that this actor will take no further step."""
        with self._changed:
            self._done.add(actor)
            self._changed.notify_all()

    # The schedule's side.

    def await_blocked(self, actor: str) -> InterpositionPoint | None:
        """Launch the actor if it is new, wait until it is blocked, and return where; None if it has finished.

        Raises: `BackendTimeout` if it does neither in time.
        """
        if actor not in self.actors + self.helpers:
            raise Divergence(f"wanted {actor}, expected an actor out of {', '.join(self.actors + self.helpers)}")
        if actor not in self._launched and actor not in self.helpers:
            self._launched.add(actor)
            if self._launch is not None:
                self._launch(actor)
        with self._changed:
            standing = self._changed.wait_for(lambda: self._is_standing(actor), self.timeout_s)
            self._raise_if_abandoned()
            if not standing:
                waited = f"{self.timeout_s:g} s"
                raise BackendTimeout(
                    f"{actor}: expected a step or its end within {waited}, got neither; {self._where()}"
                )
            return None if actor in self._done else self._blocked[actor]

    def release(self, actor: str, fault: str | None = None) -> None:
        """Let the blocked actor go on, with this fault if any; return when it is blocked again or finished.

        A helper's step is over when its operation is. Raises: `Divergence` if the step is not on offer.
        """
        at = self.await_blocked(actor)
        if at is None:
            raise Divergence(f"{actor} has finished; {self.where()}")
        if not self._passable(at):
            raise Divergence(f"{at} waits for another actor; {self.where()}")
        if fault is not None and not self.can_fault(at.operation, fault):
            raise Divergence(f"{at}!{fault}: this live system cannot commit the fault {fault} at {at.operation}")
        with self._changed:
            self._released[actor] = fault
            self._changed.notify_all()
        if actor in self.helpers:
            self._await_passed(actor)
        else:
            self.await_blocked(actor)

    def _await_passed(self, helper: str) -> None:
        with self._changed:
            if not self._changed.wait_for(lambda: self._has_passed(helper), self.timeout_s):
                raise BackendTimeout(f"{helper}: expected its step to end in {self.timeout_s:g} s; {self._where()}")
            self._raise_if_abandoned()

    def can_go(self, actor: str) -> bool:
        """Whether the actor's next step is on offer; waits until it is blocked there (or has finished: then not)."""
        at = self.await_blocked(actor)
        return at is not None and self._passable(at)

    def hold_helpers(self, helpers: Iterable[str]) -> None:
        """From now on these helpers are blocked at their steps."""
        with self._changed:
            self._held = frozenset(helpers)

    def free_helpers(self) -> None:
        """Let helpers pass freely; what those that are blocked were about to do does not happen."""
        with self._changed:
            self._held = frozenset()
            self._changed.notify_all()

    def fail(self, actor: str, fault: str) -> None:
        """Release the blocked actor into a fault."""
        self.release(actor, fault)

    def abandon(self, reason: str) -> None:
        """Give the run up: every blocked and every later call of an actor ends in `Abandoned`."""
        with self._changed:
            if self._abandoned is None:
                self._abandoned = reason
            self._changed.notify_all()

    @property
    def trace(self) -> tuple[Passed, ...]:
        """The steps passed so far, in order."""
        with self._changed:
            return tuple(self._trace)

    @property
    def unfinished(self) -> tuple[str, ...]:
        """Actors that have not finished, in their order."""
        with self._changed:
            return tuple(actor for actor in self.actors if actor not in self._done)

    @property
    def running(self) -> tuple[str, ...]:
        """Actors that were launched and have not finished."""
        with self._changed:
            return tuple(actor for actor in self.actors if actor in self._launched and actor not in self._done)

    def where(self) -> str:
        """Who stands where, for messages."""
        with self._changed:
            return self._where()

    def _where(self) -> str:
        known = self.actors + self.helpers
        blocked = ", ".join(str(self._blocked[actor]) for actor in known if actor in self._blocked)
        done = ", ".join(actor for actor in self.actors if actor in self._done)
        made = " ".join(map(str, self._trace))
        return f"blocked: {blocked or 'nobody'}; finished: {done or 'nobody'}; so far: {made or 'nothing'}"

    def _is_step(self, operation: str, reply: bool) -> bool:
        return (self.yield_points == EVERY or operation in self.yield_points) and (self.split_replies or not reply)

    def _may_go(self, actor: str) -> bool:
        freed = actor in self.helpers and actor not in self._held
        return freed or actor in self._released or self._abandoned is not None

    def _has_passed(self, helper: str) -> bool:
        going = helper in self._released or helper in self._passing
        return not going or self._abandoned is not None

    def _is_standing(self, actor: str) -> bool:
        blocked = actor in self._blocked and actor not in self._released
        return blocked or actor in self._done or self._abandoned is not None

    def _give_up(self, reason: str) -> None:
        self._abandoned = self._abandoned or reason
        self._changed.notify_all()

    def _raise_if_abandoned(self) -> None:
        if self._abandoned is not None:
            raise Abandoned(self._abandoned)
