"""The names of a table's files, relative to its base path, and what a name says.

    .hoodie/timeline/000001.commit.requested   000001.inflight   000001_000003.commit      (layout 2, table version 8+)
    .hoodie/000001.commit.requested            000001.inflight   000001.commit             (layout 1)
    .hoodie/.temp/000001/p1/fg1_0-0-0_000001.parquet.marker.MERGE    .hoodie/.heartbeat/000001    .hoodie/lock
    .hoodie/.locks/table_lock.json
    .hoodie/metadata/.hoodie/timeline/1_2.deltacommit   .hoodie/metadata/files/.files-0000-0_1.log.1_0-0-0  (1: 000001)
    .hoodie/.temp/000001/MARKERS.type    .hoodie/.temp/000001/MARKERS0    (markers of the timeline server)
    .hoodie/.temp/000001/p1/BLOOM        .hoodie/.temp/000001/BLOOM0      (Bloom files of the one kind, and the other)
    p1/fg1_0-0-0_000001.parquet          p1/.fg1_000002.log.1_0-0-0               (a base file, and a log file of it)

Source: hudi/1.1, hudi/1.5, hudi/4; `InstantFileNameGeneratorV2`, `FSUtils.makeBaseFileName`, `FSUtils.makeLogFileName`.

Choices: an instant is a number of milliseconds, written with at least six digits where Hudi has a date of 17; it is
compared as a number. A write token is `<salt>-0-<attempt>`: one data file a task, so Hudi's partition and stage numbers
say nothing here; the salt is 0 unless the rules ask for one. Log files have the number 1, as each of a write of table
version 8 and more is new.
"""

import re
from functools import lru_cache
from typing import NamedTuple

META = ".hoodie"
TIMELINE = f"{META}/timeline"
HISTORY = f"{TIMELINE}/history"
TEMP = f"{META}/.temp"
HEARTBEATS = f"{META}/.heartbeat"
LOCK = f"{META}/lock"
COMMITS = f"{META}/.commits"
LOCK_OBJECT = f"{META}/.locks/table_lock.json"
METADATA = f"{META}/metadata"

COMMIT, DELTA_COMMIT, REPLACE_COMMIT = "commit", "deltacommit", "replacecommit"
INGESTION = (COMMIT, DELTA_COMMIT, REPLACE_COMMIT)
"""The actions of who writes rows, or replaces file groups."""
CLUSTERING, COMPACTION, LOG_COMPACTION, ROLLBACK = "clustering", "compaction", "logcompaction", "rollback"
CLEANING, SAVEPOINT, RESTORE = "clean", "savepoint", "restore"
REQUESTED, INFLIGHT, COMPLETED = "requested", "inflight", "completed"
CREATE, MERGE = "CREATE", "MERGE"


def text(instant: int) -> str:
    """An instant as it stands in names."""
    return f"{instant:06d}"


def timeline_folder(layout: int) -> str:
    """Where the instants' files are."""
    return TIMELINE if layout == 2 else META


@lru_cache(maxsize=1 << 14)
def requested_path(layout: int, instant: int, action: str) -> str:
    """The file that announces an instant."""
    return f"{timeline_folder(layout)}/{instant:06d}.{action}.requested"


@lru_cache(maxsize=1 << 14)
def inflight_path(layout: int, instant: int, action: str) -> str:
    """The file that says that an instant's work has begun."""
    middle = "" if action == COMMIT else f".{action}"
    return f"{timeline_folder(layout)}/{instant:06d}{middle}.inflight"


@lru_cache(maxsize=1 << 14)
def completed_path(layout: int, instant: int, action: str, completed: int) -> str:
    """The file that makes an instant visible; in layout 2 its name holds the completion time."""
    when = f"_{completed:06d}" if layout == 2 else ""
    return f"{timeline_folder(layout)}/{instant:06d}{when}.{action}"


def history_path(first: int, last: int) -> str:
    """A file of the history, by the instants that it begins and ends with."""
    return f"{HISTORY}/{first:06d}_{last:06d}.archived"


def claim_path(instant: int) -> str:
    """The file that says that an instant is about to be completed, where commits are decided (a repair)."""
    return f"{COMMITS}/{instant:06d}.claim"


def decision_path(instant: int) -> str:
    """The file that says what becomes of it."""
    return f"{COMMITS}/{instant:06d}.decision"


@lru_cache(maxsize=1 << 14)
def heartbeat_path(instant: int) -> str:
    """The file whose modification time says that an instant's writer is alive."""
    return f"{HEARTBEATS}/{instant:06d}"


@lru_cache(maxsize=1 << 14)
def marker_folder(instant: int, partition: str = "") -> str:
    """The markers of an instant, or those of one partition of it."""
    return f"{TEMP}/{instant:06d}/{partition}" if partition else f"{TEMP}/{instant:06d}"


@lru_cache(maxsize=1 << 14)
def marker_path(instant: int, partition: str, name: str, kind: str) -> str:
    """The marker of a data file named `name`."""
    return f"{TEMP}/{instant:06d}/{partition}/{name}.marker.{kind}"


MARKER_FILE, MARKER_TYPE = "MARKERS", "MARKERS.type"


@lru_cache(maxsize=1 << 14)
def marker_file(instant: int, index: int) -> str:
    """A file that holds markers which the timeline server has made."""
    return f"{TEMP}/{instant:06d}/{MARKER_FILE}{index}"


@lru_cache(maxsize=1 << 14)
def marker_type(instant: int) -> str:
    """The file that says that an instant's markers are the timeline server's."""
    return f"{TEMP}/{instant:06d}/{MARKER_TYPE}"


BLOOM_FILE = "BLOOM"


@lru_cache(maxsize=1 << 14)
def bloom_file(instant: int, beside: str | int) -> str:
    """The Bloom file of an instant's direct markers of a partition, or of one file of its timeline server's markers.

    It is none of `MARKERS*`, all of which a reader that knows no Bloom files takes for markers.
    """
    folder = f"{TEMP}/{instant:06d}"
    return f"{folder}/{beside}/{BLOOM_FILE}" if isinstance(beside, str) else f"{folder}/{BLOOM_FILE}{beside}"


class BaseFile(NamedTuple):
    """A base file by its name: file group, write token, instant."""

    file_id: str
    token: str
    instant: int

    @property
    def name(self) -> str:
        return _name_of(self)

    @property
    def attempt(self) -> int:
        """Which try of its task wrote it, counting from 0."""
        return int(self.token.rpartition("-")[2])

    @property
    def version(self) -> str:
        """What tells it from the other files of its group."""
        return f"{self.token}_{self.instant:06d}"


@lru_cache(maxsize=1 << 14)
def _name_of(file: BaseFile) -> str:
    return f"{file.file_id}_{file.token}_{file.instant:06d}.parquet"


@lru_cache(maxsize=1 << 14)
def parse_base_file(name: str) -> BaseFile | None:
    """The base file of this name; None if it is none."""
    stem, dot, kind = name.partition(".")
    parts = stem.split("_")
    if not dot or kind != "parquet" or len(parts) != 3 or not parts[2].isdigit():
        return None
    return BaseFile(parts[0], parts[1], int(parts[2]))


class LogFile(NamedTuple):
    """A log file by its name: file group, write token, the delta commit that wrote it, and its number."""

    file_id: str
    token: str
    instant: int
    number: int

    @property
    def name(self) -> str:
        return f".{self.file_id}_{self.instant:06d}.log.{self.number}_{self.token}"

    @property
    def attempt(self) -> int:
        """Which try of its task wrote it, counting from 0."""
        return int(self.token.rpartition("-")[2])


DataFile = BaseFile | LogFile
_LOG_NAME = re.compile(r"\.([^_]+)_([0-9]+)\.log\.([0-9]+)_([^.]+)")


@lru_cache(maxsize=1 << 14)
def parse_data_file(name: str) -> DataFile | None:
    """The base file or log file of this name; None if it is neither."""
    log = _LOG_NAME.fullmatch(name)
    if log is None:
        return parse_base_file(name)
    file_id, instant, number, token = log.groups()
    return LogFile(file_id, token, int(instant), int(number))


class InstantFile(NamedTuple):
    """A file of the timeline by its name. `completed` is None in layout 1, and before completion."""

    instant: int
    action: str
    state: str
    completed: int | None


@lru_cache(maxsize=1 << 14)
def parse_instant_file(name: str) -> InstantFile | None:
    """The timeline file of this name; None if it is none (other folders, temporary files)."""
    head, *rest = name.split(".")
    requested, joined, completed = head.partition("_")
    if not requested.isdigit() or not rest or (joined and not completed.isdigit()):
        return None
    if rest[-1] in (REQUESTED, INFLIGHT) and not joined:
        action = rest[0] if len(rest) == 2 else COMMIT
        return InstantFile(int(requested), action, rest[-1], None) if len(rest) <= 2 else None
    if len(rest) > 1:
        return None
    return InstantFile(int(requested), rest[0], COMPLETED, int(completed) if joined else None)


class Role(NamedTuple):
    """What a path is for: kind and the instant that it belongs to (None for the lock and folders of all instants)."""

    kind: str
    instant: int | None


@lru_cache(maxsize=1 << 14)
def role_of(path: str) -> Role:
    """What a path of the table is for, so that a live path can be matched with a simulated one by role and instant.

    Kinds: `requested`, `inflight`, `completed`, `timeline`, `marker`, `markers`, `heartbeat`, `lock`, `data`, `folder`,
    as all that the metadata table has is: live it is made unseen.
    """
    folder, _, name = path.rpartition("/")
    if path == LOCK:
        return Role("lock", None)
    if path in (TIMELINE, META):
        return Role("timeline", None)
    if folder in (TIMELINE, META) and (found := parse_instant_file(name)) is not None:
        return Role(found.state, found.instant)
    if folder == HEARTBEATS and name.isdigit():
        return Role("heartbeat", int(name))
    if path.startswith(f"{TEMP}/"):
        instant = path[len(TEMP) + 1 :].split("/", 1)[0]
        return Role("marker" if ".marker." in name else "markers", int(instant) if instant.isdigit() else None)
    if not path.startswith(f"{META}/") and (file := parse_data_file(name)) is not None:
        return Role("data", file.instant)
    return Role("folder", None)
