"""What port calls on a Hudi table mean to the protocol; see `model.ports.Notes`. Nothing in the protocol reads them.

Locks of a lock service and waits have no meaning of their own: their steps say by themselves what they are.
"""

from functools import lru_cache
from typing import Any, NamedTuple

from model.hudi.names import BaseFile
from model.hudi.timeline import Timeline


class Enters(NamedTuple):
    """Brings an instant to its next state: looks for the file of the present one, and makes the next, with `body`."""

    instant: int
    action: str
    state: str
    body: Any


class Reads(NamedTuple):
    """Reads what the file of an instant's state says."""

    instant: int
    action: str
    state: str


class TakesBack(NamedTuple):
    """Deletes the file of a state of an instant that is rolled back."""

    instant: int
    action: str
    state: str


class HandlesTemporary(NamedTuple):
    """Writes, or deletes, a file that is to be renamed."""


class SeesTimeline(NamedTuple):
    """Has loaded this timeline."""

    timeline: Timeline


class StartsHeartbeat(NamedTuple):
    """Makes the heartbeat file of a new instant."""

    instant: int


class Beats(NamedTuple):
    """Writes an instant's heartbeat file again, so that it is young."""

    instant: int


class LooksAtHeartbeat(NamedTuple):
    """Asks how old an instant's heartbeat is."""

    instant: int


class Judges(NamedTuple):
    """Takes an instant's writer for dead, or for alive."""

    instant: int
    is_dead: bool


class DeletesHeartbeat(NamedTuple):
    """Deletes an instant's heartbeat file, so that it counts as dead at once."""

    instant: int


class Marks(NamedTuple):
    """Makes the marker of a data file."""

    file: BaseFile


class SurveysMarkers(NamedTuple):
    """Lists the instants that have markers."""


class SeesMarkersOf(NamedTuple):
    """Has found that these other instants have markers."""

    instants: tuple[int, ...]


class LooksForMarkers(NamedTuple):
    """Lists the markers of an instant."""

    instant: int


class SeesMarked(NamedTuple):
    """Has found that an instant marked these files."""

    instant: int
    files: tuple[BaseFile, ...]


class DeletesMarkers(NamedTuple):
    """Deletes all markers of an instant."""

    instant: int


class Writes(NamedTuple):
    """Writes a data file."""

    file: BaseFile


class ReadsSlice(NamedTuple):
    """Reads the rows of a file group's visible slice."""

    file: BaseFile


class DeletesData(NamedTuple):
    """Deletes a data file of a write that is rolled back, or of a task attempt that failed; None: of another name."""

    file: BaseFile | None


class LooksForLock(NamedTuple):
    """Looks whether somebody has the lock file."""


class AsksAgeOfLock(NamedTuple):
    """Asks how old the lock file is."""


class BreaksLock(NamedTuple):
    """Deletes a lock file that is too old."""


class MakesLock(NamedTuple):
    """Takes the lock by making its file."""


class ConfirmsLock(NamedTuple):
    """Looks whether the lock file is there that it has just made."""


class LooksForLockToRelease(NamedTuple):
    """Looks whether there is a lock file to delete."""


class DeletesLock(NamedTuple):
    """Gives the lock back by deleting its file."""


TimelineMeaning = Enters | Reads | TakesBack | HandlesTemporary | SeesTimeline
HeartbeatMeaning = StartsHeartbeat | Beats | LooksAtHeartbeat | Judges | DeletesHeartbeat
MarkerMeaning = Marks | SurveysMarkers | SeesMarkersOf | LooksForMarkers | SeesMarked | DeletesMarkers
DataMeaning = Writes | ReadsSlice | DeletesData
LockMeaning = LooksForLock | AsksAgeOfLock | BreaksLock | MakesLock | ConfirmsLock | LooksForLockToRelease | DeletesLock
HudiMeaning = TimelineMeaning | HeartbeatMeaning | MarkerMeaning | DataMeaning | LockMeaning


@lru_cache(maxsize=1 << 16)
def sees_timeline(timeline: Timeline) -> SeesTimeline:
    """What a listing of the timeline showed; equal listings share it."""
    return SeesTimeline(timeline)


SURVEYS_MARKERS, TEMPORARY = SurveysMarkers(), HandlesTemporary()
