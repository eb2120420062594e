"""The files in which the timeline server keeps an instant's markers, read from the storage.

`MARKERS<i>` has a line for each marker, `<partition>/<data file>.marker.<kind>`; `MARKERS.type` says whose they are.
Each is written over as a whole, which is not atomic: who reads one meanwhile gets an error, and who reads one whose
writer died meanwhile finds nothing, or a part that ends within a line (where it had more than 8 KB to write).

Source: hudi/3.7, hudi/4; `MarkerUtils`, `MarkerBasedRollbackUtils`.

Choices: a file's body is the tuple of its markers. An instant's marker folder is listed without a look whether it
exists, for a folder that is gone lists as empty; a file that is gone by the time of its reading cannot be read.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from model.hudi import coverage
from model.hudi.errors import StorageFailed
from model.hudi.file_groups import Group
from model.hudi.keys import SERVER_MARKERS
from model.hudi.meanings import LooksForMarkers, SeesMarked
from model.hudi.names import MARKER_FILE, MARKER_TYPE, DataFile, marker_folder, marker_type, text
from model.hudi.rules import Rules
from model.hudi.storage import TableStorage
from model.ports import Coverage

CUT = ""
"""The kind of a marker whose line is not there to its end."""
CUT_TYPE = SERVER_MARKERS[:-2]
"""What `MARKERS.type` says that is not there to its end."""


class Marker(NamedTuple):
    """One marker: a data file that an instant may write."""

    partition: str
    file: DataFile
    kind: str

    @property
    def path(self) -> str:
        """The data file."""
        return f"{self.partition}/{self.file.name}"

    @property
    def group(self) -> Group:
        return self.partition, self.file.file_id

    @property
    def line(self) -> str:
        """The marker as it stands in its file."""
        return f"{self.path}.marker.{self.kind}"


Markers = tuple[Marker, ...]


@lru_cache(maxsize=1 << 14)
def text_before_underscore(line: str) -> str:
    """What the shipped code compares: partition and file id, unless one of them has an underscore (F-6), or the file is
    a log file, whose name begins with a dot (F-7). Source: `MarkerUtils.makerToPartitionAndFileID`."""
    return line.split("_", 1)[0]


def compared(marker: Marker, rules: Rules) -> str:
    """What two markers have in common if they are of one file group."""
    return text_before_underscore(marker.line) if rules.marker_group_by_underscore else "/".join(marker.group)


def type_of(storage: TableStorage, instant: int) -> str:
    """What `MARKERS.type` says of an instant's markers; "" without that file, and if it is empty. Raises:
    StorageFailed.

    Source: `MarkerUtils.readMarkerType`, whose callers take nothing for direct ones.
    """
    storage.notes.intend(LooksForMarkers(instant))
    path = marker_type(instant)
    if not storage.exists(path):
        return ""
    storage.notes.intend(LooksForMarkers(instant))
    return str(storage.read(path) or "")


def refuse_cut(storage: TableStorage, instant: int, what: str, rules: Rules) -> tuple[str, ...]:
    """What a rollback goes by where it cannot tell what is marked: as shipped nothing, for it fails each time.

    Returns: the files that the instant has written, by listing all. Raises: StorageFailed.
    """
    if rules.cut_markers_stop_rollbacks:
        raise StorageFailed(f"markers of {text(instant)}: expected {what}")
    return storage.files_of(instant)


Picks = Callable[[int, tuple[str, ...]], bool]
"""Whether a marker file is to be read: its number, and the names of all files in its folder."""


def read_marker_files(
    storage: TableStorage, instant: int, *, tolerant: Coverage | None = None, picks: Picks | None = None
) -> dict[int, Markers]:
    """What is in each `MARKERS<i>` of an instant, by number; only those that are picked, if somebody picks.

    Raises: StorageFailed if the folder cannot be listed, or one of the files not be read; who counts those in
    `tolerant` takes them for empty ones.
    """
    storage.notes.intend(LooksForMarkers(instant))
    found: dict[int, Markers] = {}
    names = storage.list(marker_folder(instant))
    for name in names:
        if name == MARKER_TYPE or not name.startswith(MARKER_FILE):
            continue
        if picks is not None and not picks(int(name[len(MARKER_FILE) :]), names):
            continue
        storage.notes.intend(LooksForMarkers(instant))
        try:
            body = storage.read_existing(f"{marker_folder(instant)}/{name}")
        except StorageFailed:
            if tolerant is None:
                raise
            tolerant.hit(coverage.MARKER_FILE_UNREADABLE)
            body = ()
        markers: Markers = body or ()
        storage.notes.learn(SeesMarked(instant, tuple([marker.file for marker in markers])))
        found[int(name[len(MARKER_FILE) :])] = markers
    if not found and picks is None:
        storage.notes.learn(SeesMarked(instant, ()))
    return found
