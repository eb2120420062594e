"""The port to named registers: the least that a catalog must be.

Part of `model.ports`, from which its names are to be imported.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Protocol

Body = Hashable


@dataclass(frozen=True, slots=True)
class Versioned:
    """A register's `value` with the `version` to name in the next compare-and-swap; 0 = never written."""

    version: int
    value: Any


class Request(Hashable, Protocol):
    """A change to whatever value a register has, with what it requires of it."""

    def applied_to(self, value: Any) -> Any:
        """The new value; the very same one if nothing changes. Raises: `Refused`."""
        ...


class Register(Protocol):
    """Named compare-and-swap registers: the least that a catalog must be.

    `commit` installs `value` iff the register is still at `expected`, and returns the new version; else `CasLost`.
    `update` applies a request to the newest value, and returns what that has made of it; it raises as the request does.
    `key` is an idempotency key: a service that honours it answers a repeated key with the first answer.
    """

    def load(self, name: str) -> Versioned: ...
    def commit(self, name: str, expected: int, value: Body, key: str | None = None) -> int: ...
    def update(self, name: str, request: Request, key: str | None = None) -> Versioned: ...
