"""What every simulated service has: a kernel to suspend callers, and a key of its contents for exhaustive mode."""

from __future__ import annotations

from collections.abc import Hashable
from reprlib import repr as _shown
from typing import Any

from sim.kernel.errors import SimulationError
from sim.kernel.kernel import Kernel

MUTABLE = frozenset({list, dict, set, bytearray})
WHAT = "a text, a number, a tuple, a frozen dataclass"


class Interner:
    """Small numbers for values: equal values get equal numbers, compared by equality and never by a lossy hash."""

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}

    def __call__(self, value: Hashable) -> int:
        try:
            return self._numbers.setdefault(value, len(self._numbers))
        except TypeError as error:
            raise SimulationError(
                f"state: expected values that cannot change ({WHAT}), got one within {_shown(value)}: {error}"
            ) from None


def require_immutable(where: str, value: object) -> None:
    """Raise `ValueError` if a service is handed a `value`, for `where`, that its caller can still change.

    It looks at the outermost value alone, which costs next to nothing; exhaustive search meets the rest.
    """
    if value.__class__ in MUTABLE:
        raise ValueError(f"{where}: expected a value that cannot change ({WHAT}), got {_shown(value)}")


class Service:
    """A named collection of immutable values. Writes keep a number per name, so that a state key costs little."""

    def __init__(self, kernel: Kernel, interner: Interner | None = None) -> None:
        self.kernel = kernel
        self._interner = interner
        self._numbers: dict[str, int] = {}
        self._key: int | None = None

    def _wrote(self, name: str, value: Hashable) -> None:
        if self._interner is not None:
            self._numbers[name] = self._interner(value)
            self._key = None

    def _appended(self, name: str, value: Hashable) -> None:
        """Like `_wrote`, where older versions matter too: to stale reads, and to who reads the lineage at the end."""
        if self._interner is not None:
            self._wrote(name, (self._numbers.get(name), value))

    def _removed(self, name: str) -> None:
        self._numbers.pop(name, None)
        self._key = None

    def state_key(self) -> Hashable:
        """The service's contents as a hashable value; needs an interner."""
        if self._key is None:
            assert self._interner is not None
            self._key = self._interner(frozenset(self._numbers.items()))
        return self._key

    def image(self) -> Any:
        """A copy of the contents, to start another run from. Taken and restored under one interner."""
        return self._contents(), dict(self._numbers)

    def restore(self, image: Any) -> None:
        """Replace the contents by an image."""
        contents, numbers = image
        self._replace(contents)
        self._numbers, self._key = dict(numbers), None

    def crashed(self, process: str) -> None:
        """A process has died: let go of what it held."""

    def paused(self, process: str, duration_ms: int) -> None:
        """A process begins to stand still: let go of what it is not to have that long."""

    def _contents(self) -> Any:
        raise NotImplementedError

    def _replace(self, contents: Any) -> None:
        raise NotImplementedError
