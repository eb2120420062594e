"""What a live run of sessions on metastores left: plain data."""

from dataclasses import dataclass

from checkers.histories.history import Event
from real_backend.gating.journal import Played
from sim.hive.workload import HiveWorkload


@dataclass(frozen=True, slots=True)
class Variant:
    """Which metastores a run meets.

    `cached`: with the shipped CachedStore, or with none; `timed`: that in its default mode; `replay_writes`: the replay
    of an alter writes the database (R1, as shipped); `passes_expected`: an alter's expected parameter reaches the
    database (R9: not as shipped);
    `synchronized`: the client looks at a replica's answer only if the design's rule lets it; nothing is written back
    then, for the design's caches do not.
    """

    cached: bool = True
    timed: bool = False
    replay_writes: bool = True
    passes_expected: bool = False
    synchronized: bool = False


SHIPPED = Variant()
SHIPPED_REFRESH = Variant(timed=True)
SHIPPED_CAS = Variant(passes_expected=True)
SHIPPED_CAS_NO_REPLAY = Variant(passes_expected=True, replay_writes=False)
NO_CACHE = Variant(cached=False)
SYNCHRONIZED = Variant(synchronized=True, replay_writes=False)


@dataclass(frozen=True, slots=True)
class HiveLiveRun(Played):
    """One run on live metastores, read back at its end.

    `events`: the history in the checkers' terms; `trace`: the steps, with faults and outcomes; `replay_writes`: per
    cached replica, how often a replay wrote the database during the race.
    """

    workload: HiveWorkload
    variant: Variant
    events: tuple[Event, ...]
    trace: tuple[str, ...]
    replay_writes: tuple[tuple[str, int], ...]

    def values(self, actor: str) -> tuple[str | None, ...]:
        """What the reads of one actor were told of the tables' contents, in order."""
        mine = [event for event in self.events if event.process == actor and event.type == "ok"]
        return tuple(read.value for event in mine for read in event.reads if read.key.startswith("table:"))

    def errors(self, actor: str) -> tuple[str, ...]:
        """The classes of the errors that one actor was told, in order."""
        mine = [event for event in self.events if event.process == actor and event.type in ("fail", "info")]
        return tuple((event.error or "").split(":", 1)[0] for event in mine)

    @property
    def content(self) -> dict[str, str | None]:
        """What the database had at the end, by key."""
        final = [
            event for event in self.events if event.process == "r-final" and event.type == "ok" and event.f == "read"
        ]
        return {read.key: read.value for read in final[-1].reads}
