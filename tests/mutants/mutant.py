"""What a mutant is: a protocol with one check broken, which a checker or a vector must notice."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

Patch = tuple[object, str, object]
"""Owner, attribute, replacement."""


@dataclass(frozen=True)
class Mutant:
    """One damage to a protocol's code.

    Args: `why` says what goes wrong; `base` is the rules variant that the patches damage.
    """

    name: str
    why: str
    patches: tuple[Patch, ...]
    base: Any = None

    @contextmanager
    def alive(self) -> Iterator[None]:
        """Apply all patches; the end of the block undoes them, also after a failure."""
        with ExitStack() as undone:
            for owner, attribute, replacement in self.patches:
                undone.enter_context(patch.object(owner, attribute, replacement))
            yield
