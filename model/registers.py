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


@dataclass(frozen=True, slots=True)
class Absent:
    """The value of a register that is not there: never made (`by` 0), or taken away `by` a request of that name."""

    by: int = 0


class Request(Hashable, Protocol):
    """A change to whatever value a register has, with what it requires of it."""

    def applied_to(self, value: Any) -> Any:
        """The new value; the very same one if nothing changes. Raises: `Refused`.

        Args: `value` is `Absent` if the register is not there; so is the new value if it is to be taken away.
        """
        ...


class Register(Protocol):
    """Named compare-and-swap registers: the least that a catalog must be.

    `commit` installs `value` iff the register is still at `expected`, and returns the new version; else `CasLost`.
    `update` applies a request to the newest value, and returns what that has made of it; it raises as the request does.
    `update_all` does so to several registers, each with a request of its own, in one step: to all, or to none.
    `rename` gives a register another name, with all that it has been: what has the old name then is another one.
    A register that is not there cannot be loaded, or committed to but as a new one: `NotFound`.
    `key` is an idempotency key: a service that honours it answers a repeated key with the first answer.
    """

    def load(self, name: str) -> Versioned: ...
    def commit(self, name: str, expected: int, value: Body, key: str | None = None) -> int: ...
    def update(self, name: str, request: Request, key: str | None = None) -> Versioned: ...
    def rename(self, name: str, to: str, key: str | None = None) -> None: ...
    def update_all(
        self, requests: tuple[tuple[str, Request], ...], key: str | None = None
    ) -> tuple[Versioned, ...]: ...
