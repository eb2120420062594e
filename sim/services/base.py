"""What every simulated service has: a kernel to suspend callers, and a key of its contents for exhaustive mode."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from sim.kernel import Kernel


class Interner:
    """Small numbers for values: equal values get equal numbers, compared by equality and never by a lossy hash."""

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}

    def __call__(self, value: Hashable) -> int:
        return self._numbers.setdefault(value, len(self._numbers))


class Service:
    """A named collection of immutable values. Writes keep a number per name, so that a state key costs little."""

    def __init__(self, kernel: Kernel, interner: Interner | None = None) -> None:
        self.kernel = kernel
        self._interner = interner
        self._numbers: dict[str, int] = {}

    def _wrote(self, name: str, value: Hashable) -> None:
        if self._interner is not None:
            self._numbers[name] = self._interner(value)

    def _removed(self, name: str) -> None:
        self._numbers.pop(name, None)

    def state_key(self) -> Hashable:
        """The service's contents as a hashable value; needs an interner."""
        return frozenset(self._numbers.items())

    def image(self) -> Any:
        """A copy of the contents, to start another run from."""
        raise NotImplementedError

    def restore(self, image: Any) -> None:
        """Replace the contents by an image."""
        raise NotImplementedError
