"""The update threads of a run's caches, as helpers of its gate: each takes a batch, or an event, when it is told to.

A poller is on offer only if there is an event for it. `h2:end` lets it take all that there are; one whose cache cannot
go on is not asked again. A timer is always on offer, as it goes off whatever has come: a schedule names each of its
refreshes, and `h2:end` ends the one that is under way. A cache that is filled in the race is so part by part, always on
offer; one that is restarted loses what its thread was about to do.
"""

import threading
from collections.abc import Sequence
from dataclasses import replace

from real_backend.errors import Abandoned, BackendError, BackendTimeout
from real_backend.gating.gate import Gate, InterpositionPoint
from real_backend.gating.play import END, follow, run_rest
from real_backend.hive.follower import STUCK, Follower
from real_backend.hive.prewarm import Filling
from real_backend.hive.timer import POLL, Timer
from sim.hive.live import PREWARM
from sim.hive.race import process_of
from sim.hive.workload import HiveWorkload
from sim.kernel.schedule import Step

APPLY = "apply"


def of_replica(step: Step, workload: HiveWorkload) -> Step:
    """The step as a live one: in the simulation an update thread that may die alone, or anew, has a name of its own."""
    name = process_of(step.actor)
    return replace(step, actor=name) if name in workload.pollers else step


class Pollers:
    """The pollers' threads: each stands at the gate until the schedule lets it go on.

    Args: `batches`: a poll reads what there is, and applying it is a step of its own; else a poll is one event; `fills`
    has what fills caches in the race, and `cold` names those that are filled at its beginning.
    """

    def __init__(
        self, followers: dict[str, Follower | Timer], *, batches: bool, fills: dict[str, Filling] | None = None,
        cold: Sequence[str] = (),
    ) -> None:  # fmt: skip
        self.followers = followers
        self._fills = fills or {}
        self._cold = cold
        self._restarted: set[str] = set()
        self._batches = batches
        self._threads: list[threading.Thread] = []
        self._stuck: set[str] = set()
        self._over = False

    def is_passable(self, at: InterpositionPoint) -> bool:
        """Whether a step is on offer now: a poll only if there is an event."""
        follower = self.followers[at.actor] if at.operation == POLL else None
        return not isinstance(follower, Follower) or follower.has_next()

    def play(self, gate: Gate, steps: Sequence[Step], *, drains: bool) -> None:
        """Play the steps and run the actors to their ends. Args: `drains`: the pollers then finish the log.

        Raises: `Divergence`, `BackendTimeout`.
        """
        gate.hold_helpers(gate.helpers)
        for name in self.followers:
            thread = threading.Thread(target=self._follow, args=(gate, name), name=f"lakeproof-{name}", daemon=True)
            self._threads.append(thread)
            thread.start()
        try:
            begun = 0
            for place, step in enumerate(steps):
                if step.actor in self.followers and step.operation == END:
                    follow(gate, steps[begun:place])
                    self._drain(gate, step.actor)
                    begun = place + 1
            follow(gate, steps[begun:])
            run_rest(gate)
            for name in self.followers if drains else ():
                self._drain(gate, name)
        finally:
            self._over = True
            gate.free_helpers()

    def _drain(self, gate: Gate, name: str) -> None:
        """Let it take every event that there is, or as many as it can; or end its refresh."""
        timed = isinstance(self.followers[name], Timer)
        while name not in self._stuck and gate.can_go(name):
            at = gate.await_blocked(name)
            if timed and at is not None and at.operation == POLL:
                return
            gate.release(name)

    def _follow(self, gate: Gate, name: str) -> None:
        follower = self.followers[name]
        try:
            if name in self._cold and self._stand(gate, name, PREWARM[0]):
                self._fill(gate, name)
            if isinstance(follower, Timer):
                self._refresh(gate, name, follower)
            else:
                self._take_events(gate, name, follower)
        except Abandoned:
            return
        except BackendTimeout as error:
            gate.abandon(str(error))

    def _take_events(self, gate: Gate, name: str, follower: Follower) -> None:
        while True:
            if not self._stand(gate, name, POLL):
                continue
            if self._batches and not self._over:
                gate.note(name, follower.read())
                if not self._stand(gate, name, APPLY):
                    continue
            if self._over:
                return
            outcome = follower.apply() if self._batches else follower.step()
            if outcome == STUCK:
                self._stuck.add(name)
            gate.note(name, outcome)

    def restart(self, gate: Gate, name: str) -> None:
        """Let a replica's cache be as at the start of a process: its thread stands before the first part of filling it.

        Raises: `BackendError` if that is no step of this run; `BackendTimeout`.
        """
        if PREWARM[0] not in gate.yield_points:
            raise BackendError(f"restart of {name}: expected {PREWARM[0]} among the steps, got {gate.yield_points}")
        gate.put_before(name, PREWARM[0])
        self._fills[name].begin()
        self._restarted.add(name)

    def _stand(self, gate: Gate, name: str, part: str) -> bool:
        """Wait for this step. Returns: whether it is to be made; else the cache has been filled instead."""
        gate.hold(name, part, name)
        if name not in self._restarted:
            return True
        self._fill(gate, name)
        return False

    def _fill(self, gate: Gate, name: str) -> None:
        """Let the cache be filled, the first part of which was released."""
        part = PREWARM[0]
        while part and not self._over:
            self._restarted.discard(name)
            part = self._fills[name].go()
            gate.note(name)
            if part:
                gate.hold(name, part, name)

    def _refresh(self, gate: Gate, name: str, timer: Timer) -> None:
        """Let it go on from part to part; those that are no yield points belong to the part before."""
        part = timer.await_part()
        while True:
            made = self._stand(gate, name, part)
            if self._over:
                return
            if not made:
                part = timer.await_part()
                continue
            part = timer.go()
            while part not in gate.yield_points:
                part = timer.go()
            gate.note(name)

    def end(self) -> None:
        """Wait for the threads. What fills a cache goes on by itself."""
        self._over = True
        for filling in self._fills.values():
            filling.free()
        for thread in self._threads:
            thread.join(10)
