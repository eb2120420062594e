"""Libraries that a command's own start does without, although they are installed.

Choices: pyarrow imports pandas wherever that is, which takes as long as a small search. Nothing of ours needs it but
PySpark's tasks. A user's own file may import what it likes: `let_in` is called before it is executed.
"""

import sys
from collections.abc import Sequence
from types import ModuleType

ABSENT = frozenset({"pandas"})


class _Finder:
    """Finds nothing, and says so for those that are to be absent."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:
        if name in ABSENT:
            raise ModuleNotFoundError(f"{name} is kept out of this command", name=name)


def keep_out() -> None:
    """Let `ABSENT` look as if they were not installed."""
    sys.meta_path.insert(0, _Finder())


def let_in() -> None:
    """Let them be imported again."""
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, _Finder)]
