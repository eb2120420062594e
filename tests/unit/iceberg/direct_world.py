"""The ports over plain Python objects, with one call at a time: for unit tests, without a simulator.

`Services` is what all actors share; `actor(services, name, number)` is the world as one of them sees it. A call of an
actor can be told to go wrong, or to be preceded by something else: `plan[("commit", 1)] = "500-after"` (a fault of the
schedule language), or a function to run just before the call is applied. Helper tasks run while their owner sleeps.
An actor that runs in a greenlet of its own stops before every load and commit (`interleavings.explore`).
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from greenlet import getcurrent, greenlet

from model.ports import (
    Absent,
    AlreadyExists,
    CasLost,
    ConnectionLost,
    Meaning,
    NotFound,
    PortError,
    Request,
    Status,
    Versioned,
    World,
)
from tests.unit.iceberg.direct_folders import Folders
from tests.unit.iceberg.direct_locks import Locks
from tests.unit.iceberg.direct_tables import Tables

Planned = str | Callable[[], Any]
EACH = 0
"""In the place of a number: each call of the operation of which nothing else is planned."""


@dataclass
class Services:
    """Everything outside the actors."""

    objects: dict[str, Any] = field(default_factory=dict)
    registers: dict[str, list[Versioned]] = field(default_factory=dict)
    answers: dict[str, Versioned] = field(default_factory=dict)
    tables: dict[str, dict[str, str]] = field(default_factory=dict)
    leases: list[tuple[int, str, int, str]] = field(default_factory=list)
    lease_ms: int = 300_000
    locks_made: int = 0
    now_ms: int = 0
    deleted: list[str] = field(default_factory=list)
    trace: list[str] = field(default_factory=list)
    coverage: Counter[str] = field(default_factory=Counter)
    tasks: list[greenlet] = field(default_factory=list)
    helpers: list[tuple[int, greenlet]] = field(default_factory=list)
    folders: dict[str, dict[int, Any]] = field(default_factory=dict)
    hints: dict[str, int] = field(default_factory=dict)
    replaces: bool = False
    dropped: int = 0
    outcomes: dict[Any, str] = field(default_factory=dict)
    served: Callable[[Any, Any], None] = lambda _, __: None

    def remove(self, path: str) -> None:
        """A server deletes a file."""
        self.deleted.append(path)
        self.objects.pop(path, None)

    def catalog_trace(self) -> str:
        """The loads, looks and commits so far, as the schedule language names them."""
        return " ".join(step for step in self.trace if step.split(".")[1].split("!")[0] in ("load", "look", "commit"))


def reply(fault: str) -> PortError:
    """What the caller gets from a fault such as `503-after-retry`."""
    if fault.startswith("drop"):
        return ConnectionLost(fault)
    code = int(fault[:3])
    return CasLost(fault) if code == 409 else Status(code, 1000 if fault.endswith("retry") or code == 429 else None)


class _Actor:
    def __init__(self, services: Services, name: str, number: int, plan: dict[tuple[str, int], Planned]) -> None:
        self.s = services
        self.name = name
        self.plan = plan
        self.calls: Counter[str] = Counter()
        self.ids: Counter[str] = Counter()
        self.base = 100 * number

    def call(self, operation: str, apply: Callable[[], Any], stale: Callable[[], Any] | None = None) -> Any:
        me = getcurrent()
        if operation in ("load", "commit") and me.parent is not None and me not in self.s.tasks:
            me.parent.switch(False)
        self.calls[operation] += 1
        planned = self.plan.get((operation, self.calls[operation]), self.plan.get((operation, EACH)))
        if callable(planned):
            planned()
            planned = None
        self.s.trace.append(f"{self.name}.{operation}")
        if planned is None:
            return apply()
        self.s.trace[-1] += f"!{planned}"
        if planned == "stale" and stale is not None:
            return stale()
        if planned == "resend":
            apply()
            return apply()
        if "after" in planned:
            apply()
        raise reply(planned)


class _Store(_Actor):
    def put(self, path: str, body: Any) -> None:
        self.call("put", lambda: self.s.objects.__setitem__(path, body))

    def put_if_absent(self, path: str, body: Any) -> None:
        if path in self.s.objects:
            raise AlreadyExists(path)
        self.put(path, body)

    def get(self, path: str) -> Any:
        def apply() -> Any:
            if path not in self.s.objects:
                raise NotFound(path)
            return self.s.objects[path]

        return self.call("get", apply)

    def exists(self, path: str) -> bool:
        return bool(self.call("exists", lambda: path in self.s.objects))

    def delete(self, path: str) -> None:
        def apply() -> None:
            self.s.deleted.append(path)
            if self.s.objects.pop(path, None) is None:
                raise NotFound(path)

        self.call("delete", apply)

    def list(self, prefix: str) -> tuple[str, ...]:
        return tuple(self.call("list", lambda: sorted(p for p in self.s.objects if p.startswith(prefix))))


class _Register(_Actor):
    def load(self, name: str) -> Versioned:
        def apply() -> Versioned:
            return self._there(name, self._newest(name))

        value: Versioned = self.call("load", apply, lambda: self.s.registers[name][-2])
        return value

    def _newest(self, name: str) -> Versioned:
        versions = self.s.registers.get(name)
        return versions[-1] if versions else Versioned(0, Absent())

    def _there(self, name: str, version: Versioned) -> Versioned:
        if isinstance(version.value, Absent):
            raise NotFound(name)
        return version

    def commit(self, name: str, expected: int, value: Any, key: str | None = None) -> int:
        def apply(newest: Versioned) -> Any:
            if newest.version != expected:
                self._there(name, newest)
                raise CasLost(f"expected {expected}, got {newest.version}")
            return value

        return self._store(name, apply, key).version

    def update(self, name: str, request: Request, key: str | None = None) -> Versioned:
        def made(newest: Versioned) -> Any:
            value = request.applied_to(newest.value)
            self.s.served(request, newest.value)
            return value

        return self._store(name, made, key)

    def rename(self, name: str, to: str, key: str | None = None) -> None:
        def apply() -> None:
            self._there(name, self._newest(name))
            if not isinstance(self._newest(to).value, Absent):
                raise AlreadyExists(to)
            self.s.registers[to] = self.s.registers.pop(name)

        self.call("commit", apply)

    def _store(self, name: str, made: Callable[[Versioned], Any], key: str | None) -> Versioned:
        def apply() -> Versioned:
            if key in self.s.answers:
                return self.s.answers[key]
            newest, versions = self._newest(name), self.s.registers.setdefault(name, [])
            value = made(newest)
            if value is newest.value:
                return newest
            versions.append(Versioned(newest.version + 1, value))
            if key is not None:
                self.s.answers[key] = versions[-1]
            return versions[-1]

        answer: Versioned = self.call("commit", apply)
        return answer


class _Host(_Actor):
    """Clock, chance, tasks and coverage of one actor."""

    def now_ms(self) -> int:
        return self.s.now_ms

    def sleep_ms(self, duration_ms: int) -> None:
        wake = self.s.now_ms + duration_ms
        me = getcurrent()
        if me in self.s.tasks and me.parent is not None:
            self.s.helpers.append((wake, me))
            me.parent.switch()
            return
        while self.s.helpers and min(at for at, _ in self.s.helpers) <= wake:
            due = min(self.s.helpers, key=lambda helper: helper[0])
            self.s.helpers.remove(due)
            self.s.now_ms = max(self.s.now_ms, due[0])
            due[1].switch()
        self.s.now_ms = max(self.s.now_ms, wake)

    def below(self, name: str, bound: int) -> int:
        return 0

    def fresh(self, kind: str) -> int:
        self.ids[kind] += 1
        return self.base + self.ids[kind]

    def hit(self, name: str) -> None:
        self.s.coverage[name] += 1

    def intend(self, meaning: Meaning) -> None:
        """Nobody explains these runs."""

    learn = intend

    def spawn(self, name: str, body: Callable[[], None]) -> "_Helper":
        task = greenlet(body)
        self.s.tasks.append(task)
        task.switch()
        return _Helper(self, task)


class _Helper:
    def __init__(self, host: _Host, task: greenlet) -> None:
        self._host, self._task = host, task

    def cancel(self) -> None:
        self._host.s.helpers = [helper for helper in self._host.s.helpers if helper[1] is not self._task]


def actor(services: Services, name: str, number: int, plan: dict[tuple[str, int], Planned] | None = None) -> World:
    """The world of one actor; `number` makes its identifiers its own."""
    plan = {} if plan is None else plan
    host = _Host(services, name, number, plan)
    store, register = (kind(services, name, number, plan) for kind in _PORTS)
    folders, metastore = Folders(register, services), Tables(register, services)
    locks = Locks(register, services)
    return World(store, register, metastore, locks, host, host, host, host, host, folders=folders)  # type: ignore[arg-type]


_PORTS = (_Store, _Register)
