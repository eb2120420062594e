"""Compare-and-swap registers with version numbers: the least that a catalog must be.

A register can be told to honour idempotency keys: it then answers a repeated key with the stored first answer, be it a
refusal. How it keeps them: `kept`; `released` where it answered 5xx, whatever it had done by then; `expired` by when
they come again; or `busy`, where the first sending is still under way by then, as far as the service knows, and the
second is answered 409 (`request_in_progress`, in a draft of the specification, apache/iceberg#14196).

Source: the REST catalog's specification, parameter `idempotency-key` (2xx and final 4xx are stored, 5xx are not), and
`CatalogHandlers.withIdempotency` (Iceberg 1.11.0), in which neither body nor table is compared.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeGuard, TypeVar

from model.ports import Absent, AlreadyExists, Body, CasLost, NotFound, Refused, Request, Status, Versioned
from sim.kernel.kernel import Kernel
from sim.kernel.task import CAS, READ
from sim.services.base import Interner, Service, require_immutable

Keys = Literal["kept", "released", "expired", "busy"]
Answer = TypeVar("Answer", Versioned, tuple[Versioned, ...])
Served = Callable[[Request, Any], None]
"""Hears of a request that is applied: it, and what was there before."""


def _nobody(_: Request, __: object) -> None:
    """Nobody hears of it."""


class RegisterService(Service):
    """Implements `model.ports.Register`; steps are `load` and, of an update too, `commit`.

    Keeps all versions (for stale reads) by the names that registers had first, of which `names` says what has which
    name now, where it is another one; and in which `order` registers were changed: those of one step together, from
    the image on. That is for who tells what happened, and no part of the state: nobody can ask for it. `served` does
    what a server does beside in the same step.
    """

    def __init__(
        self, kernel: Kernel, interner: Interner | None = None, *, idempotent: bool = False, keys: Keys = "kept"
    ) -> None:
        super().__init__(kernel, interner)
        self.history: dict[str, list[Versioned]] = {}
        self.idempotent = idempotent
        self.keys = keys
        self.order: list[tuple[str, ...]] = []
        self.names: dict[str, str] = {}
        self.served: Served = _nobody
        self._answers: dict[str, Any] = {}
        kernel.versioned.append(self)

    def load(self, name: str) -> Versioned:
        value: Versioned = self.kernel.call("load", name, READ, self.current, name)
        return value

    def commit(self, name: str, expected: int, value: Body, key: str | None = None) -> int:
        require_immutable(name, value)
        version: int = self._send(key, self._commit, name, expected, value, key)
        return version

    def update(self, name: str, request: Request, key: str | None = None) -> Versioned:
        version: Versioned = self._send(key, self._update, name, request, key)
        return version

    def update_all(self, requests: tuple[tuple[str, Request], ...], key: str | None = None) -> tuple[Versioned, ...]:
        names = "+".join([name for name, _ in requests])
        versions: tuple[Versioned, ...] = self._send(key, self._update_all, names, requests, key)
        return versions

    def rename(self, name: str, to: str, key: str | None = None) -> None:
        self._send(key, self._rename, name, to, key)

    def _send(self, key: str | None, apply: Callable[..., Any], name: str, *rest: Any) -> Any:
        """One step that changes the register."""
        try:
            return self.kernel.call("commit", name, CAS, apply, name, *rest)
        except Status as error:
            self._answered(error, key)
            raise

    def _answered(self, error: Status, key: str | None) -> None:
        """Release the key, which nobody else has, if the service does so after such an answer."""
        if self.keys == "released" and error.code >= 500 and self._answers.pop(key or "", None) is not None:
            self.kernel.hit("key released")
            self._wrote(f"key {key}", "released")

    def current(self, name: str) -> Versioned:
        """The newest version, without a step."""
        return _there(name, self._newest(name))

    def newest(self, name: str) -> int:
        """The number of the newest version, without a step."""
        return self._newest(name).version

    def append(self, name: str, value: Any) -> int:
        """What another service has made of a register, unless it is there; no step. Returns: the newest number."""
        newest = self._newest(name)
        if value is newest.value:
            return newest.version
        return self._store(name, Versioned(newest.version + 1, value)).version

    def _first_name(self, name: str) -> str:
        return self.names.get(name, name)

    def _newest(self, name: str) -> Versioned:
        """The newest version; `Absent` if there is no such register."""
        versions = self.history.get(self._first_name(name))
        return versions[-1] if versions else Versioned(0, Absent())

    def reads(self) -> tuple[Callable[..., Any], ...]:
        """Returns: what applies the reads that have a stale answer."""
        return (self.current,)

    def stale(self, operation: str, name: str) -> Versioned:
        """The version before the newest (the newest if there is only one, or none)."""
        versions = self.history.get(self._first_name(name), ())
        return _there(name, versions[-2:][0] if versions else self._newest(name))

    def _commit(self, name: str, expected: int, value: Any, key: str | None) -> int:
        stored = self._stored(key)
        if stored is not None:
            known: int = stored.version
            return known
        newest = self._newest(name)
        if newest.version != expected:
            _there(name, newest)
            raise self._refused(CasLost(f"register {name}: expected version {expected}, got {newest.version}"), key)
        return self._answer(self._store(name, Versioned(newest.version + 1, value)), key).version

    def _update(self, name: str, request: Request, key: str | None) -> Versioned:
        stored = self._stored(key)
        if stored is not None:
            found: Versioned = stored
            return found
        newest, version = self._newest(name), self._applied(name, request, key)
        if version is newest:
            return version
        self.served(request, newest.value)
        return self._answer(self._store(name, version), key)

    def _rename(self, name: str, to: str, key: str | None) -> None:
        if self._stored(key) is not None:
            return
        found, there = self._newest(name), self._newest(to)
        if isinstance(found.value, Absent):
            raise self._refused(NotFound(f"register {name}: expected one to be renamed, got none"), key)
        if not isinstance(there.value, Absent):
            raise self._refused(AlreadyExists(f"register {to}: expected none, there is one"), key)
        if self._first_name(to) in self.history:  # what had the name goes on as what has it now
            self._put(to, Versioned(there.version + 1, found.value))
            self._put(name, Versioned(found.version + 1, Absent()))
            self.order.append((to, name))
        else:
            if to in self.names:  # no version of a table that had the name before is one of this
                newest = max([versions[-1].version for versions in self.history.values()])
                self._put(name, Versioned(newest + 1, found.value))
            self.names |= {to: self._first_name(name), name: f"{name}, number {len(self.names) + 2}"}
            self._wrote("names", tuple(self.names.items()))
        self._answer(found, key)

    def _update_all(self, _: str, requests: tuple[tuple[str, Request], ...], key: str | None) -> tuple[Versioned, ...]:
        stored = self._stored(key)
        if stored is not None:
            found: tuple[Versioned, ...] = stored
            return found
        made = [(name, self._applied(name, request, key)) for name, request in requests]
        changed = [(name, version) for name, version in made if version is not self._newest(name)]
        for name, version in changed:
            self._put(name, version)
        self.order.append(tuple([name for name, _ in changed]))
        return self._answer(tuple([version for _, version in made]), key)

    def _applied(self, name: str, request: Request, key: str | None) -> Versioned:
        """What a request makes of a register; the newest version itself if nothing changes. Raises: `Refused`."""
        newest = self._newest(name)
        try:
            value = request.applied_to(newest.value)
        except Refused as error:
            raise self._refused(error, key) from None
        return newest if value is newest.value else Versioned(newest.version + 1, value)

    def _stored(self, key: str | None) -> Any:
        """The first answer to this key, if there was one, and it is kept. Raises: `Refused`, if that is the answer."""
        if not self._keeps(key) or key not in self._answers:
            return None
        if self.keys == "busy":
            self.kernel.hit("key in progress")
            raise CasLost(f"key {key}: expected a new one, a request with it is in progress")
        self.kernel.hit("stored reply repeated")
        answer = self._answers[key]
        if isinstance(answer, Refused):
            raise type(answer)(*answer.args)
        return answer

    def _keeps(self, key: str | None) -> TypeGuard[str]:
        return self.idempotent and key is not None and self.keys != "expired"

    def _refused(self, error: Refused, key: str | None) -> Refused:
        """The refusal, kept as the answer to this key."""
        if self._keeps(key):
            self._answers[key] = error
            self._wrote(f"key {key}", (type(error).__name__, str(error)))
        return error

    def _store(self, name: str, version: Versioned) -> Versioned:
        self._put(name, version)
        self.order.append((name,))
        return version

    def _put(self, name: str, version: Versioned) -> None:
        name = self._first_name(name)
        self.history.setdefault(name, []).append(version)
        self._appended(name, version.value)

    def _answer(self, answer: Answer, key: str | None) -> Answer:
        """The answer, kept for this key."""
        if self._keeps(key):
            self._answers[key] = answer
            self._wrote(f"key {key}", _versions(answer))
        return answer

    def _contents(self) -> tuple[dict[str, list[Versioned]], dict[str, Any], dict[str, str]]:
        history = {name: list(versions) for name, versions in self.history.items()}
        return history, dict(self._answers), dict(self.names)

    def _replace(self, contents: tuple[dict[str, list[Versioned]], dict[str, Any], dict[str, str]]) -> None:
        self.history = {name: list(versions) for name, versions in contents[0].items()}
        self.order = []
        self._answers, self.names = dict(contents[1]), dict(contents[2])


def _versions(answer: Versioned | tuple[Versioned, ...]) -> int | tuple[int, ...]:
    return answer.version if isinstance(answer, Versioned) else tuple([one.version for one in answer])


def _there(name: str, version: Versioned) -> Versioned:
    """The version. Raises: `NotFound` if there is no such register by then."""
    if isinstance(version.value, Absent):
        raise NotFound(f"register {name}: expected one, got none; create it with commit(expected=0)")
    return version
