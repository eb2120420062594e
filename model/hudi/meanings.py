"""What port calls on a Hudi table mean to the protocol; see `model.ports.Notes`. Nothing in the protocol reads them.

Locks of a lock service and waits have no meaning of their own: their steps say by themselves what they are.
"""

from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from model.hudi.names import DataFile
from model.hudi.timeline import Timeline

Kind = TypeVar("Kind", bound=tuple[Any, ...])


def shared(kind: type[Kind]) -> type[Kind]:
    """Make equal meanings one object: every run of a search has the same ones, and looking one up costs less."""
    kind.__new__ = lru_cache(maxsize=1 << 14)(kind.__new__)  # type: ignore[method-assign,assignment]
    return kind


@shared
class Enters(NamedTuple):
    """Brings an instant to its next state: looks for the file of the present one, and makes the next, with `body`."""

    instant: int
    action: str
    state: str
    body: Any


@shared
class Reads(NamedTuple):
    """Reads what the file of an instant's state says."""

    instant: int
    action: str
    state: str


@shared
class TakesBack(NamedTuple):
    """Deletes the file of a state of an instant that is rolled back."""

    instant: int
    action: str
    state: str


@shared
class HandlesTemporary(NamedTuple):
    """Writes, or deletes, a file that is to be renamed."""


@shared
class SeesTimeline(NamedTuple):
    """Has loaded this timeline."""

    timeline: Timeline


@shared
class StartsHeartbeat(NamedTuple):
    """Makes the heartbeat file of a new instant."""

    instant: int


@shared
class Beats(NamedTuple):
    """Writes an instant's heartbeat file again, so that it is young."""

    instant: int


@shared
class LooksAtHeartbeat(NamedTuple):
    """Asks how old an instant's heartbeat is."""

    instant: int


@shared
class EndsTimer(NamedTuple):
    """Has tried to beat, and will not again; nobody is told."""

    instant: int


@shared
class Judges(NamedTuple):
    """Takes an instant's writer for dead, or for alive."""

    instant: int
    is_dead: bool


@shared
class DeletesHeartbeat(NamedTuple):
    """Deletes an instant's heartbeat file, so that it counts as dead at once."""

    instant: int


@shared
class Marks(NamedTuple):
    """Makes the marker of a data file."""

    file: DataFile


@shared
class SurveysMarkers(NamedTuple):
    """Lists the instants that have markers."""


@shared
class SeesMarkersOf(NamedTuple):
    """Has found that these other instants have markers."""

    instants: tuple[int, ...]


@shared
class LooksForMarkers(NamedTuple):
    """Lists the markers of an instant."""

    instant: int


@shared
class SeesMarked(NamedTuple):
    """Has found that an instant marked these files."""

    instant: int
    files: tuple[DataFile, ...]


@shared
class DeletesMarkers(NamedTuple):
    """Deletes all markers of an instant."""

    instant: int


@shared
class SaysMarkerType(NamedTuple):
    """Makes the file that says that an instant's markers are those of the timeline server."""

    instant: int


@shared
class OpensMarkers(NamedTuple):
    """Begins to write a file of an instant's markers anew: until it is closed nobody can read it."""

    instant: int
    number: int


@shared
class WritesMarkers(NamedTuple):
    """Writes a file of an instant's markers as a whole."""

    instant: int
    number: int
    files: tuple[DataFile, ...]


@shared
class OpensBloom(NamedTuple):
    """Begins to write a Bloom file of an instant's markers anew: until it is closed nobody can read it."""

    instant: int


@shared
class WritesBloom(NamedTuple):
    """Writes a Bloom file of an instant's markers as a whole."""

    instant: int


@shared
class AsksBloom(NamedTuple):
    """Reads a Bloom file of an instant's markers."""

    instant: int


@shared
class BloomSays(NamedTuple):
    """Has learnt from a Bloom file whether an instant may have marked what is asked for."""

    instant: int
    maybe: bool


@shared
class EndsChecker(NamedTuple):
    """Could not read what it looked for, and will not look again; nobody is told."""

    instant: int


@shared
class Writes(NamedTuple):
    """Writes a data file."""

    file: DataFile


@shared
class ReadsSlice(NamedTuple):
    """Reads rows of a file group's visible slice."""

    file: DataFile


@shared
class DeletesData(NamedTuple):
    """Deletes a data file of no use: of a failed attempt, a write that is rolled back, an old slice; None: a folder, or
    a file of another name."""

    file: DataFile | None


@shared
class LooksForLock(NamedTuple):
    """Looks whether somebody has the lock file."""


@shared
class AsksAgeOfLock(NamedTuple):
    """Asks how old the lock file is, and before that which one it is."""


@shared
class BreaksLock(NamedTuple):
    """Deletes a lock file that is too old."""


@shared
class MakesLock(NamedTuple):
    """Takes the lock by making its file."""


@shared
class ConfirmsLock(NamedTuple):
    """Looks whether the lock file is there that it has just made."""


@shared
class LooksForLockToRelease(NamedTuple):
    """Looks whether there is a lock file to delete."""


@shared
class LooksWhoseLockToRelease(NamedTuple):
    """Reads who made the lock file."""


@shared
class DeletesLock(NamedTuple):
    """Gives the lock back by deleting its file."""


@shared
class LooksAtLockObject(NamedTuple):
    """Reads the object of the storage-based lock."""


@shared
class TakesLockObject(NamedTuple):
    """Takes the lock by writing its object, if nobody has meanwhile."""


@shared
class RenewsLockObject(NamedTuple):
    """Puts off the end of the lock that it holds."""


@shared
class ExpiresLockObject(NamedTuple):
    """Gives the lock back by writing that it has expired."""


TimelineMeaning = Enters | Reads | TakesBack | HandlesTemporary | SeesTimeline
HeartbeatMeaning = StartsHeartbeat | Beats | EndsTimer | LooksAtHeartbeat | Judges | DeletesHeartbeat
ServerMeaning = SaysMarkerType | OpensMarkers | WritesMarkers | EndsChecker
BloomMeaning = OpensBloom | WritesBloom | AsksBloom | BloomSays
MarkersOfOne = LooksForMarkers | SeesMarked | DeletesMarkers
MarkerMeaning = Marks | SurveysMarkers | SeesMarkersOf | MarkersOfOne | ServerMeaning | BloomMeaning
DataMeaning = Writes | ReadsSlice | DeletesData
LockRelease = LooksForLockToRelease | LooksWhoseLockToRelease | DeletesLock
LockObjectMeaning = LooksAtLockObject | TakesLockObject | RenewsLockObject | ExpiresLockObject
LockMeaning = LooksForLock | AsksAgeOfLock | BreaksLock | MakesLock | ConfirmsLock | LockRelease | LockObjectMeaning
HudiMeaning = TimelineMeaning | HeartbeatMeaning | MarkerMeaning | DataMeaning | LockMeaning


SURVEYS_MARKERS, TEMPORARY = SurveysMarkers(), HandlesTemporary()
