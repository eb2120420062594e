"""Who waited for whose lock, read from the traced calls of a run.

A lock is asked for by the ports' `lock` and `try_lock`, or is a file on the lane of the locks that is created; it is
given back by `unlock`, or by deleting the file, which takes it from whoever has it.

Choices:
* Locks are granted in the order in which they were asked for. A lease that runs out is no step: who goes on with other
  work has been granted the lock, and those before him have lost it.
* A client that the lock service makes wait inside its call has no step before it is granted: nobody sees it wait.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from reports.record import Step

LOCKS, CLOCK = "locks", "clock"
ASK, GIVE_BACK = ("lock", "try_lock", "create"), ("unlock", "delete")
BY_ID = ("check_lock", "unlock")  # their resource is the number of a request, not the lock's name


class Wait(NamedTuple):
    """`client` waited for `holder` from step `first` to step `last` (numbers of the trace, both inclusive)."""

    client: str
    holder: str
    lock: str
    first: int
    last: int


@dataclass(slots=True)
class _Queues:
    """Each lock's clients, its holder first; what each client asked for last; who waits for whom now."""

    queues: dict[str, list[str]] = field(default_factory=dict)
    asked: dict[str, str] = field(default_factory=dict)
    waiting: dict[str, Wait] = field(default_factory=dict)
    over: list[Wait] = field(default_factory=list)

    def see(self, step: Step, lock: str) -> None:
        """Let a call to the lock service happen."""
        queue = self.queues.setdefault(lock, [])
        if step.operation in GIVE_BACK:
            self.queues[lock] = [] if step.operation == "delete" else [who for who in queue if who != step.actor]
            self.end(step.actor)
        elif step.operation in ASK and step.outcome == "ok" and step.actor not in queue:
            self.asked[step.actor] = lock
            self.queues[lock] = [step.actor] if step.operation == "create" else [*queue, step.actor]
        if (queue := self.queues[lock]) and queue[0] != step.actor and step.operation not in GIVE_BACK:
            self.wait(step, lock, queue[0])
        elif queue:
            self.end(step.actor)

    def wait(self, step: Step, lock: str, holder: str) -> None:
        """Note that the step's client waits, still or from now on."""
        now = self.waiting.get(step.actor)
        if now is None or (now.holder, now.lock) != (holder, lock):
            self.end(step.actor)
            now = Wait(step.actor, holder, lock, step.number, step.number)
        self.waiting[step.actor] = now._replace(last=step.number)

    def end(self, client: str) -> None:
        """Note that a client waits no longer."""
        if client in self.waiting:
            self.over.append(self.waiting.pop(client))

    def goes_on(self, client: str) -> None:
        """A client that queued for a lock does other work: it has it."""
        if client in self.waiting and client in (queue := self.queues[self.waiting[client].lock]):
            del queue[: queue.index(client)]
        self.end(client)


def waits(steps: Iterable[Step]) -> tuple[list[str], list[Wait]]:
    """Find out who waited. Returns: the clients that used locks, and their waits, both in the order of the steps."""
    queues = _Queues()
    clients: dict[str, None] = {}
    for step in steps:
        if step.lane == LOCKS and step.operation != "heartbeat":
            lock = queues.asked.get(step.actor) if step.operation in BY_ID else None
            clients.setdefault(step.actor)
            queues.see(step, lock or step.resource)
        elif step.lane not in (LOCKS, CLOCK):
            queues.goes_on(step.actor)
    for client in clients:
        queues.end(client)
    return list(clients), sorted(queues.over, key=lambda wait: wait.first)
