"""Where a scenario is played: a fresh kernel, its services, the recorder, and the actors added by `start`."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Protocol, TypeVar

from checkers.histories.history import SETUP, Event
from checkers.histories.recorder import Name, Recorder
from model.ports import World
from sim.kernel.faults import Faults
from sim.kernel.kernel import Kernel
from sim.kernel.task import Task
from sim.services.base import Interner, Service
from sim.services.locks import LockTable
from sim.services.metastore import MetastoreService
from sim.services.register import Keys, RegisterService
from sim.services.store import ObjectStore
from sim.world.checks import require_task
from sim.world.world import Services, make_world

AnyService = TypeVar("AnyService", bound=Service)


class Terms(Protocol):
    """What a scenario says of the world that it is played in."""

    @property
    def lease_ms(self) -> int: ...
    @property
    def idempotent(self) -> bool: ...
    @property
    def keys(self) -> Keys: ...
    @property
    def may_be_stale(self) -> bool: ...


class Simulation:
    """One run's world. `prepared` is what the scenario's `prepare` returned; `places[i]` is how many steps stood
    in the trace when event i was recorded; `left` is what its `finish` found that a live system is compared with.

    Args: `terms` are the scenario's; `kernel` runs the tasks; `interner` numbers values where state keys are needed;
    `numbered` is how many processes `prepare` had: their identifiers are taken.
    """

    def __init__(self, terms: Terms, kernel: Kernel, interner: Interner | None = None, numbered: int = 0) -> None:
        self.kernel = kernel
        self.places: list[int] = []
        self.record = Recorder(_stamping(kernel, self.places))
        self.services = Services(
            ObjectStore(kernel, interner, may_be_stale=terms.may_be_stale),
            RegisterService(kernel, interner, idempotent=terms.idempotent, keys=terms.keys),
            MetastoreService(kernel, interner),
            LockTable(kernel, interner, lease_ms=terms.lease_ms),
        )
        self.prepared: Any = None
        self.ordinals: dict[Name, int] = {}
        self.left: Any = None
        self._interner = interner
        self._numbered = numbered
        self._seen: dict[str, int] = {}
        self._order = self._ordered = 0
        self._worlds: dict[str, World] = {}
        self._restarts: dict[str, Callable[[], None]] = {}
        self._attached: dict[str, Service] = {}
        self._attached_images: dict[str, Any] = {}
        kernel.on_crash = self._crashed
        kernel.on_pause = self._paused
        if interner is not None:
            kernel.observe = self._observe

    def world(self, process: str, clock_offset_ms: int = 0, **ports: Any) -> World:
        """The ports of a process, with more `ports` by name, or other ones; the same object each time in a run.

        Args: `process` is its name; `clock_offset_ms` how far its clock is ahead of the simulation's.

        Returns: its world.

        Raises: `ValueError` if the process has a world already, with another clock.
        """
        if process not in self._worlds:
            number = self._numbered + len(self._worlds) + 1
            self._worlds[process] = make_world(self.kernel, self.services, process, number, clock_offset_ms, **ports)
        world = self._worlds[process]
        if clock_offset_ms and world.clock.offset_ms != clock_offset_ms:  # type: ignore[attr-defined]
            raise ValueError(f"world of {process}: expected its clock to be set at the first call, before `actor`")
        return world

    def attach(self, name: str, make: Callable[[Kernel, Interner | None], AnyService]) -> AnyService:
        """A service that only some scenarios have, called `name`; what `make` makes when it is first asked for in a
        run.

        Returns: the service, from the prepared image if that has it.
        """
        if name not in self._attached:
            self._attached[name] = service = make(self.kernel, self._interner)
            if name in self._attached_images:
                service.restore(self._attached_images[name])
        return self._attached[name]  # type: ignore[return-value]  # a name stands for one type of service

    def actor(self, name: str, body: Callable[[], None], *, restart: Callable[[], None] | None = None) -> None:
        """Add a main task called `name`, run up to its first port call.

        Args: `body` is what it does; `restart` what its process does after a crash (None: nothing).

        Raises: `ValueError` if no schedule can spell the name, or one of them is no function.
        """
        require_task(name, body)
        self.world(name)  # numbered in the order of the actors, whatever the schedule
        if restart is not None:
            require_task(name, restart)
            self._restarts[name] = restart
        self.kernel.start(name, body)

    def state_key(self, faults: Faults | None) -> Hashable:
        """Returns: everything that the rest of the run and its verdict depend on (exhaustive mode; needs an interner).

        Args: `faults` is the run's source of faults, if it has one.

        What a task has in its memory follows from what its process has observed, in order: replies, wake-ups and
        readings of the clock. The order in which tasks were started or became ready changes nothing. Parts are
        numbered, because a large exploration keeps millions of keys.
        """
        services, kernel, number = self.services, self.kernel, self._interner
        assert number is not None
        ready = [number((call.name, call.due_ms, number(call.args))) for call in kernel.ready]
        unfinished = frozenset([task.name for task in kernel.tasks if not task.finished])
        attached = frozenset([(name, service.state_key()) for name, service in self._attached.items()])
        return (
            services.store.state_key(), services.register.state_key(), services.metastore.state_key(),
            number(services.locks.state_key()), number(attached),
            tuple(sorted([number(seen) for seen in self._seen.items()])), tuple(sorted(ready)), number(unfinished),
            kernel.now, number(kernel.timers()), number(faults.key(kernel) if faults is not None else None),
            self._order_key(),
        )  # fmt: skip

    def history(self, why: str | None = None) -> tuple[Event, ...]:
        """Close the run's history; call it once, at the end.

        Args: `why` is what became of the operations that have no outcome (None: their processes died).

        Returns: its events, in order.
        """
        if why is None:
            self.record.close()
        else:
            self.record.close(why)
        return self.record.events(self.ordinals or self._first_alone())

    def _first_alone(self) -> dict[Name, int] | None:
        """The places of names where no lineage was told: the first version is 0 by its own name, and no other is known.

        Without a name of its own for it, the program uses places; then there is nothing to replace (None).
        """
        first = next((row[7] for row in self.record.rows if row[0] == SETUP), 0)
        return None if first == 0 else {first: 0}

    @property
    def processes(self) -> int:
        """How many processes have had a world."""
        return self._numbered + len(self._worlds)

    def image(self) -> tuple[Any, ...]:
        """Returns: the services' contents, to start runs from."""
        services = self.services
        return (
            services.store.image(), services.register.image(), services.metastore.image(), services.locks.image(),
            {name: service.image() for name, service in self._attached.items()},
        )  # fmt: skip

    def restore(self, image: tuple[Any, ...]) -> None:
        """Start from an `image`."""
        services = self.services
        services.store.restore(image[0])
        services.register.restore(image[1])
        services.metastore.restore(image[2])
        services.locks.restore(image[3])
        self._attached_images = image[4]

    def _order_key(self) -> int:
        """A number for the order of the client events so far."""
        assert self._interner is not None
        for *known, reads, writes, error in self.record.rows[self._ordered :]:
            row = (self._order, *known, tuple(map(tuple, reads)), tuple(map(tuple, writes)), error)
            self._order = self._interner(row)
        self._ordered = len(self.record.rows)
        return self._order

    def _observe(self, task: Task, what: Hashable) -> None:
        assert self._interner is not None
        before = self._seen.get(task.process, 0)  # tasks of a process share memory: one observation history
        self._seen[task.process] = self._interner((before, task.name, what))

    def _paused(self, process: str, duration_ms: int) -> None:
        for service in self._attached.values():
            service.paused(process, duration_ms)

    def _crashed(self, process: str) -> None:
        for service in self._attached.values():
            service.crashed(process)
        restart = self._restarts.get(process)
        if restart is not None:
            self.kernel.start(f"{process}-restarted", restart, process=process)


def _stamping(kernel: Kernel, places: list[int]) -> Callable[[], int]:
    """The clock of a recorder; whenever an event is recorded, its place in the trace is added to `places`."""

    append, trace = places.append, kernel.trace

    def now_ms() -> int:
        append(len(trace))
        now: int = kernel._now
        return now

    return now_ms
