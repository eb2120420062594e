"""What is read back of a real Hudi table: its completed writes, rollbacks and restores, and what was not removed."""

from typing import NamedTuple


class Completed(NamedTuple):
    """A completed instant. `completed` is "" in layout 1; `files`: the data files that it says it wrote; `actor`: who
    did (None: not in the run); `schema`: what it says of the table's, as JSON ("": nothing)."""

    requested: str
    completed: str
    action: str
    files: tuple[str, ...]
    actor: str | None
    schema: str = ""

    @property
    def name(self) -> str:
        """Its name as a version of the table."""
        return f"{self.requested}_{self.completed}" if self.completed else self.requested


class Rollback(NamedTuple):
    """A completed rollback: the requested time of its target, and its own completion time."""

    target: str
    completed: str


class Restored(NamedTuple):
    """A restore, pending or completed: its requested time, and those of the writes that it was to roll back.
    `stuck_at`: of a pending one the log compactions among them that are pending as well; `unlisted`: the metadata table
    has no slice that is not later than its savepoint."""

    requested: str
    targets: tuple[str, ...]
    stuck_at: tuple[str, ...] = ()
    unlisted: bool = False


class Left(NamedTuple):
    """What a run did not remove: instants with markers, instants with a heartbeat file, pending instants, a lock."""

    markers: tuple[str, ...]
    heartbeats: tuple[str, ...]
    pending: tuple[str, ...]
    lock: bool
