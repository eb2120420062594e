"""What a command reports: the snapshots it worked between, and the rows it read and wrote.

Choices: this is for the history, no part of Iceberg. `reads` and `writes` are logical effects keyed by row id; a value
of None means that the row was absent, or was deleted.
"""

from typing import NamedTuple

Row = tuple[int, str]
Effect = tuple[int, str | None]


class CommandResult(NamedTuple):
    """One command.

    Fields: `start`: snapshot that the command read or was loaded at (None: empty table); `snapshot`: the id that its
    commit carries, also when the outcome is unknown (None: it never came to a commit); `commit`: the same once the
    commit is known to have succeeded; `parent`: the parent of the committed snapshot;
    `took_main`: its commit has left main nowhere; `also`: further snapshots that it has committed, or may have.
    """

    start: int | None
    snapshot: int | None = None
    commit: int | None = None
    parent: int | None = None
    reads: tuple[Effect, ...] = ()
    writes: tuple[Effect, ...] = ()
    took_main: bool = False
    also: tuple[int, ...] = ()
