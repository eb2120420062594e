"""The markers of a table as one client has them: direct ones, or those of its embedded timeline server.

Who writes, commits, rolls back or cleans up asks for markers here, and does not know of which type they are.

Source: hudi/3.3, hudi/4; `WriteMarkersFactory`, `WriteMarkers`, `MarkerBasedRollbackUtils.getAllMarkerPaths`.

Choices: all clients of a table have one type of markers, so a client with direct ones does not look for `MARKERS.type`.
"""

from collections.abc import Sequence
from typing import Protocol

from model.hudi import coverage
from model.hudi.active_timeline import ActiveTimeline
from model.hudi.checker import AsyncChecker
from model.hudi.config import HudiConfig
from model.hudi.early import EarlyDetection
from model.hudi.errors import EarlyConflict, HudiError, StorageFailed
from model.hudi.heartbeats import Heartbeats
from model.hudi.keys import SERVER_MARKERS
from model.hudi.marker_files import CUT, Marker, read_marker_files, refuse_cut, type_of
from model.hudi.marker_server import MarkerServer
from model.hudi.markers import DirectMarkers, marked_path
from model.hudi.meanings import LooksForMarkers
from model.hudi.names import MARKER_FILE, DataFile, marker_folder, text
from model.hudi.observer import MARK, Observer
from model.hudi.rules import Rules
from model.hudi.storage import TableStorage
from model.hudi.timeline import Timeline
from model.ports import Coverage, World


class TableMarkers(Protocol):
    """What a client does with markers. Every method raises StorageFailed if the storage does not answer.

    `mark` checks for conflicts and makes markers, for tasks side by side, that do not wait for each other (`before`:
    the timeline from before the write); it raises EarlyConflict or LockFailed when all have been tried. `files` are a
    partition's files that a writer's own instant has marked, `paths` all that somebody's has; `delete` says whether
    there was anything to delete; `stop` ends what goes on in the background.
    """

    def mark(self, instant: int, wanted: Sequence[Marker], before: Timeline) -> None: ...
    def files(self, instant: int, partition: str) -> tuple[DataFile, ...]: ...
    def paths(self, instant: int) -> tuple[str, ...]: ...
    def delete(self, instant: int) -> bool: ...
    def stop(self) -> None: ...


class DirectTableMarkers:
    """A file for each marker, made by the task itself."""

    def __init__(self, storage: TableStorage, early: EarlyDetection, rules: Rules, counts: Coverage) -> None:
        self._storage = storage
        self._early = early
        self._rules = rules
        self._coverage = counts

    def mark(self, instant: int, wanted: Sequence[Marker], before: Timeline) -> None:
        refused: EarlyConflict | None = None
        for partition, file, kind in wanted:
            try:
                self._early.mark(instant, partition, file, kind, before)
            except EarlyConflict as conflict:
                refused = refused or conflict
        if refused is not None:
            raise refused

    def files(self, instant: int, partition: str) -> tuple[DataFile, ...]:
        return DirectMarkers(self._storage, instant).files(partition)

    def paths(self, instant: int) -> tuple[str, ...]:
        """What a rollback goes by: without a type file what is listed, and if that fails what a server has written."""
        try:
            marked = DirectMarkers(self._storage, instant).everywhere()
        except StorageFailed:
            if not self._rules.unlisted_markers_are_servers:
                raise
            self._coverage.hit(coverage.MARKERS_UNLISTED)
            return servers_paths(self._storage, instant, self._rules)
        return tuple([marked_path(partition, file, self._rules) for partition, file in marked])

    def delete(self, instant: int) -> bool:
        return DirectMarkers(self._storage, instant).delete_all()

    def stop(self) -> None:
        """Nothing goes on in the background."""


class ServerTableMarkers:
    """Markers of the client's embedded timeline server."""

    def __init__(
        self, storage: TableStorage, server: MarkerServer, direct: DirectTableMarkers, spans: Observer | None,
        rules: Rules,
    ) -> None:  # fmt: skip
        self._storage = storage
        self._server = server
        self._direct = direct
        self._spans = spans
        self._rules = rules

    def mark(self, instant: int, wanted: Sequence[Marker], before: Timeline) -> None:
        spans, requests = [], []
        for marker in wanted:
            if self._spans is not None:
                spans.append(self._spans.began(MARK, f"{text(instant)} {'/'.join(marker.group)}"))
            requests.append(self._server.ask(instant, marker, before.completed_times))
        answers = self._server.answers(requests)
        for span, answer in zip(spans, answers, strict=False):
            assert self._spans is not None
            self._spans.ended(span, str(answer) if answer is not None else None)
        _raise_first(answers)

    def files(self, instant: int, partition: str) -> tuple[DataFile, ...]:
        return tuple([marker.file for marker in self._server.markers(instant) if marker.partition == partition])

    def paths(self, instant: int) -> tuple[str, ...]:
        """What a rollback goes by: the type file says where markers are; without it, what there is.

        What it says has to be a type (`MarkerType.valueOf`). Raises: StorageFailed, also then.
        """
        said = type_of(self._storage, instant)
        if said not in ("", SERVER_MARKERS):
            return refuse_cut(self._storage, instant, f"a type, got {said!r}", self._rules)
        if said or self._may_have_files(instant):
            return servers_paths(self._storage, instant, self._rules)
        return self._direct.paths(instant)

    def _may_have_files(self, instant: int) -> bool:
        """Whether there is a marker file, or as shipped none can be looked for."""
        self._storage.notes.intend(LooksForMarkers(instant))
        try:
            names = self._storage.list(marker_folder(instant))
        except StorageFailed:
            if not self._rules.unlisted_markers_are_servers:
                raise
            return True
        return any(name.startswith(MARKER_FILE) for name in names)

    def delete(self, instant: int) -> bool:
        return self._server.delete(instant)

    def stop(self) -> None:
        self._server.stop()


def servers_paths(storage: TableStorage, instant: int, rules: Rules) -> tuple[str, ...]:
    """The data files in a server's marker files.

    What stands behind the last dot of a line is the kind of its marker: of a part of a line it is none
    (`MarkerBasedRollbackStrategy.getRollbackRequests`, 1.2.0). Raises: StorageFailed, also then.
    """
    files = read_marker_files(storage, instant)
    every = [marker for markers in files.values() for marker in markers]
    if any(marker.kind == CUT for marker in every):
        return refuse_cut(storage, instant, "the kind of each, one line ends before it", rules)
    return tuple([marked_path(marker.partition, marker.file, rules) for marker in every])


def _raise_first(answers: list[HudiError | None]) -> None:
    for answer in answers:
        if answer is not None:
            raise answer


def table_markers(
    world: World, storage: TableStorage, heartbeats: Heartbeats, timeline: ActiveTimeline, config: HudiConfig,
    rules: Rules, observer: Observer,
) -> TableMarkers:  # fmt: skip
    """A client's markers, of the type that its settings name, with early detection if they ask for it."""
    early = EarlyDetection(world, storage, heartbeats, timeline, config, rules, observer)
    direct = DirectTableMarkers(storage, early, rules, world.coverage)
    if config.marker_type != SERVER_MARKERS:
        return direct
    checker = None
    if config.early_detection and config.multi_writer:
        checker = AsyncChecker(world, storage, heartbeats, timeline, config, rules, observer)
    server = MarkerServer(world, storage, config, rules, checker)
    return ServerTableMarkers(storage, server, direct, observer if checker is not None else None, rules)
