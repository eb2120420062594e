"""The embedded timeline server's markers: requests wait for the next batch, whose worker rewrites one `MARKERS<i>`.

    request -> [queue of its instant] -> dispatcher, once an interval -> worker -> MARKERS<i>, whole -> answer

A dispatcher hands all that waits for an instant to one worker, with a marker file that no other worker has, in turns.
The worker looks at the checker's flag for each marker, adds the rest to what it remembers of that file, makes
`MARKERS.type` if it is the first, writes the file anew and answers. What an instant's markers are is what the server
remembers, which it reads from the storage when it meets an instant for the first time. With RFC-56's Bloom strategy it
writes a Bloom file beside each marker file (`bloom.py`).

Source: hudi/3.7, hudi/4; `MarkerHandler`, `MarkerDirState`, `MarkerCreationDispatchingRunnable`,
`BatchedMarkerCreationRunnable`, `TimelineServerBasedWriteMarkers` (1.2.0).

Choices: tasks reach the server of their own process without a network between them. The dispatcher is played by who
asks, when its next tick is due; ticks that would find nothing are left out. A request that is never answered fails
after the client's timeout, once. With an interval of 0, which no user can set, a batch is written at once, by who asks.
"""

from contextlib import suppress
from typing import Any

from model.hudi import coverage
from model.hudi.bloom import BloomFiles
from model.hudi.checker import AsyncChecker
from model.hudi.config import HudiConfig
from model.hudi.errors import EarlyConflict, HudiError, StorageFailed
from model.hudi.keys import SERVER_MARKERS
from model.hudi.marker_files import Marker, Markers, compared, read_marker_files
from model.hudi.meanings import DeletesMarkers, LooksForMarkers, OpensMarkers, SaysMarkerType, WritesMarkers
from model.hudi.names import marker_file, marker_folder, marker_type, text
from model.hudi.rules import Rules
from model.hudi.storage import TableStorage
from model.ports import Promise, TaskHandle, World

NO_ANSWER = object()


class Request:
    """A task's wish for a marker. `promise` is given None when it is made, what refuses it, or NO_ANSWER."""

    __slots__ = ("marker", "promise", "refused")

    def __init__(self, marker: Marker, promise: Promise) -> None:
        self.marker = marker
        self.promise = promise
        self.refused: HudiError | None = None


class MarkerFolder:
    """What the server remembers of an instant: the markers in each of its files, and who waits for one."""

    __slots__ = ("_busy", "_last", "files", "has_type", "instant", "lost", "waiting")

    def __init__(self, instant: int, threads: int, files: dict[int, Markers], has_type: bool) -> None:
        self.instant = instant
        self.files = files
        self.has_type = has_type
        self.waiting: list[Request] = []
        self.lost = 0
        self._busy = [False] * threads
        self._last = -1

    @property
    def markers(self) -> Markers:
        return tuple([marker for markers in self.files.values() for marker in markers])

    def next_file(self) -> int | None:
        """Take the next file that no worker has, in turns; None if there is none."""
        count = len(self._busy)
        for index in [(self._last + 1 + step) % count for step in range(count)]:
            if not self._busy[index]:
                self._busy[index], self._last = True, index
                return index
        return None

    def give_back(self, index: int) -> None:
        """Let other workers have a file again."""
        self._busy[index] = False

    def is_stuck(self) -> bool:
        """Whether every file has been kept by a worker that failed (up to 1.2.0)."""
        return self.lost == len(self._busy)


class MarkerServer:
    """The server of one client's process. `checker` is there if conflicts are to be detected early."""

    def __init__(
        self, world: World, storage: TableStorage, config: HudiConfig, rules: Rules, checker: AsyncChecker | None
    ) -> None:
        self._world = world
        self._storage = storage
        self._rules = rules
        self._threads = config.marker_batch_threads
        self._batch_ms = config.marker_batch_ms
        self._timeout_ms = 1_000 * config.server_timeout_s
        self._checker = checker
        self._blooms = BloomFiles(storage, config, rules, world.coverage) if config.blooms else None
        self._folders: dict[int, MarkerFolder] = {}
        self._helpers: list[TaskHandle] = []
        self._first_ms: int | None = None

    # -- what clients ask for ------------------------------------------------------------------------

    def ask(self, instant: int, marker: Marker, before: frozenset[int]) -> Request:
        """Ask for a marker; `before` is what had completed before the write began."""
        request = Request(marker, self._world.tasks.promise())
        if self._checker is not None:
            with suppress(StorageFailed):  # as shipped: then this instant is not watched
                self._checker.watch(instant, before, lambda: self.markers(instant), lambda: self._queued(instant))
            self._look_at_flag(request)
        if request.refused is None:
            try:
                self._folder(instant).waiting.append(request)
            except StorageFailed as error:
                request.refused = error
        if request.refused is not None:
            request.promise.give(request.refused)
        if self._first_ms is None:
            self._first_ms = self._world.clock.now_ms()
        return request

    def answers(self, requests: list[Request]) -> list[HudiError | None]:
        """Wait for the answers: None for a marker that is made, else what refuses it."""
        while any(folder.waiting for folder in self._folders.values()):
            if self._batch_ms:
                self._world.clock.sleep_ms(self._until_tick_ms())
            self._hand_out()
        told: list[HudiError | None] = []
        for request in requests:
            answer: Any = request.promise.wait()
            if answer is NO_ANSWER:
                self._world.clock.sleep_ms(self._timeout_ms)
                answer = StorageFailed(f"marker {request.marker.line}: expected an answer in {self._timeout_ms} ms")
            told.append(answer)
        return told

    def markers(self, instant: int) -> Markers:
        """The markers of an instant, as far as they have been made. Raises: StorageFailed."""
        return self._folder(instant).markers

    def delete(self, instant: int) -> bool:
        """Delete the markers of an instant; False if there were none. Raises: StorageFailed."""
        folder = self._folder(instant)
        self._storage.notes.intend(DeletesMarkers(instant))
        existed = self._storage.delete(marker_folder(instant))
        folder.files.clear()
        del self._folders[instant]
        return existed

    def stop(self) -> None:
        """What closing the client does: nothing is dispatched, written or checked any more."""
        for helper in self._helpers:
            helper.cancel()
        if self._checker is not None:
            self._checker.stop()

    # -- what it remembers ------------------------------------------------------------------------

    def _queued(self, instant: int) -> Markers:
        folder = self._folders.get(instant)
        return tuple([request.marker for request in folder.waiting]) if folder is not None else ()

    def _folder(self, instant: int) -> MarkerFolder:
        """What is remembered of an instant; read from the storage at first (`syncMarkersFromFileSystem`)."""
        if instant not in self._folders:
            files = {index: markers for index, markers in read_marker_files(self._storage, instant).items() if markers}
            self._storage.notes.intend(LooksForMarkers(instant))
            has_type = self._storage.exists(marker_type(instant))
            self._folders[instant] = MarkerFolder(instant, self._threads, files, has_type)
        return self._folders[instant]

    # -- dispatcher and workers ------------------------------------------------------------------------

    def _until_tick_ms(self) -> int:
        """How long it is to the next tick; ticks are at a fixed rate from the first request on."""
        assert self._first_ms is not None
        return self._batch_ms - (self._world.clock.now_ms() - self._first_ms) % self._batch_ms

    def _hand_out(self) -> None:
        """Give what waits to a worker, with a file for each instant (`MarkerCreationDispatchingRunnable.run`)."""
        work: list[tuple[MarkerFolder, list[Request], int]] = []
        for folder in self._folders.values():
            if not folder.waiting:
                continue
            index = folder.next_file()
            if index is not None:
                work.append((folder, folder.waiting, index))
                folder.waiting = []
            elif folder.is_stuck():
                _answer(folder.waiting, NO_ANSWER)
                folder.waiting = []
        if work and self._batch_ms:
            self._helpers.append(self._world.tasks.spawn("markers", lambda: self._process_all(work)))
        elif work:
            self._process_all(work)

    def _process_all(self, work: list[tuple[MarkerFolder, list[Request], int]]) -> None:
        for folder, requests, index in work:
            try:
                self._process(folder, requests, index)
            except StorageFailed as error:
                self._fail(folder, requests, index, error)

    def _process(self, folder: MarkerFolder, requests: list[Request], index: int) -> None:
        """Make the markers of a batch (`MarkerDirState.processMarkerCreationRequests`). Raises: StorageFailed."""
        if self._checker is not None and self._rules.server_looks_before_marker:
            self._checker.look_for(tuple([request.marker for request in requests]))
        known = set(folder.markers)
        new: list[Marker] = []
        for request in requests:
            if request.marker in known:
                request.refused = EarlyConflict(f"marker {request.marker.line}: expected none, there is one")
                continue
            self._look_at_flag(request)
            if request.refused is None:
                known.add(request.marker)
                new.append(request.marker)
        folder.files[index] = (*folder.files.get(index, ()), *new)
        if not folder.has_type:
            self._write_type(folder)
        if new:
            self._flush(folder, index)
        folder.give_back(index)
        for request in requests:
            request.promise.give(request.refused)

    def _look_at_flag(self, request: Request) -> None:
        """Refuse a request if a conflict is known."""
        flag = self._checker.flag if self._checker is not None else None
        if flag is not None:
            self._world.coverage.hit(coverage.MARKER_REFUSED)
            request.refused = EarlyConflict(f"early conflict: {flag}")

    def _write_type(self, folder: MarkerFolder) -> None:
        """Say whose markers they are (`writeMarkerTypeToFile`). Raises: StorageFailed."""
        self._storage.notes.intend(SaysMarkerType(folder.instant))
        self._storage.create(marker_type(folder.instant), SERVER_MARKERS)
        folder.has_type = True

    def _flush(self, folder: MarkerFolder, index: int) -> None:
        """Write a file anew, and its Bloom file in the order of the rules. Raises: StorageFailed."""
        if self._blooms is None:
            self._flush_markers(folder, index)
            return
        told = [compared(marker, self._rules) for marker in folder.files[index]]
        if self._blooms.before_marker:
            self._blooms.add(folder.instant, index, told)
        self._flush_markers(folder, index)
        if not self._blooms.before_marker:
            self._blooms.add(folder.instant, index, told)

    def _flush_markers(self, folder: MarkerFolder, index: int) -> None:
        """Write a file anew (`flushMarkersToFile`); that its closing failed is swallowed. Raises: StorageFailed."""
        markers, path = folder.files[index], marker_file(folder.instant, index)
        self._storage.notes.intend(OpensMarkers(folder.instant, index))
        self._storage.overwrite(path)
        self._storage.notes.intend(WritesMarkers(folder.instant, index, tuple([one.file for one in markers])))
        try:
            self._storage.close(path, markers)
        except StorageFailed:
            if not self._rules.unwritten_markers_are_hidden:
                raise
            self._world.coverage.hit(coverage.MARKERS_LOST)
        else:
            self._world.coverage.hit(coverage.MARKERS_WRITTEN)

    def _fail(self, folder: MarkerFolder, requests: list[Request], index: int, error: StorageFailed) -> None:
        """A batch could not be written: its requests are never answered and the file is kept; from #19368 on they fail,
        and what was not written is forgotten."""
        if self._rules.unwritten_markers_are_hidden:
            folder.lost += 1
            self._world.coverage.hit(coverage.MARKERS_UNANSWERED)
            _answer(requests, NO_ANSWER)
            return
        asked = [request.marker for request in requests]
        folder.files[index] = tuple([marker for marker in folder.files[index] if marker not in asked])
        folder.give_back(index)
        _answer(requests, StorageFailed(f"markers of {text(folder.instant)}: {error}"))


def _answer(requests: list[Request], answer: object) -> None:
    for request in requests:
        request.promise.give(answer)
