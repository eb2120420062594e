"""Early conflict detection with direct markers (RFC-56): look for others before a data file is written.

Per data file: which instants are alive (a smaller one, with a marker folder and a fresh heartbeat), do they have a
marker of this file group, and, if asked for, has any write completed since this one began that changed it. Then the
marker is made. The simple strategy takes no lock; the transactional one takes a lock of the file group, which in the
document covers the check and the marker and in the shipped code only the check (F-4). The Bloom strategy is the simple
one, with a Bloom file of each partition's markers that is asked before they are listed (`bloom.py`).

Source: RFC-56, "[1] Check Marker Conflict" and "[2] Check Commit Conflict" (five steps); hudi/3.3 to hudi/3.6;
`SimpleDirectMarkerBasedDetectionStrategy`, `SimpleTransactionDirectMarkerBasedDetectionStrategy`, `MarkerUtils`.

Choices: another's markers are listed in one call; Hudi looks whether the folder exists first, and fails the write if it
is gone by the time of the listing. An instant whose heartbeat cannot be read is not a candidate, as shipped. A pending
replacecommit or compaction that a write knew of when it began is no candidate, and one of its own looks at nobody
(`WriteMarkers`, 1.2.0). The timeline server's checker makes no such difference here, and no generated race asks it to.
"""

from contextlib import ExitStack

from model.hudi import coverage
from model.hudi.active_timeline import ActiveTimeline
from model.hudi.bloom import BloomFiles
from model.hudi.config import HudiConfig
from model.hudi.errors import EarlyConflict, HudiError, LockFailed, StorageFailed
from model.hudi.file_groups import CommitMetadata
from model.hudi.heartbeats import Heartbeats
from model.hudi.keys import TRANSACTIONAL_DIRECT
from model.hudi.locks import MutexProvider
from model.hudi.markers import DirectMarkers, marked_file
from model.hudi.meanings import SURVEYS_MARKERS, SeesMarkersOf
from model.hudi.names import BLOOM_FILE, TEMP, DataFile, text
from model.hudi.observer import HOLD, MADE, MARK, Observer
from model.hudi.rules import Rules
from model.hudi.storage import TableStorage
from model.hudi.timeline import Instant, Timeline
from model.ports import World


class EarlyDetection:
    """Makes markers for one client, checking for conflicts first if that is switched on."""

    def __init__(
        self, world: World, storage: TableStorage, heartbeats: Heartbeats, timeline: ActiveTimeline,
        config: HudiConfig, rules: Rules, observer: Observer,
    ) -> None:  # fmt: skip
        self._world = world
        self._storage = storage
        self._heartbeats = heartbeats
        self._timeline = timeline
        self._rules = rules
        self._observer = observer
        self._enabled = config.early_detection and config.multi_writer
        self._locks = config.detection == TRANSACTIONAL_DIRECT
        self._checks_commits = config.check_commit_conflict
        self._lock_wait_ms = config.lock_wait_ms
        self._blooms = BloomFiles(storage, config, rules, world.coverage) if config.blooms else None

    def mark(self, instant: int, partition: str, file: DataFile, kind: str, before: Timeline) -> None:
        """Check (`before`: the timeline from before the write) and make the marker.

        Raises: EarlyConflict, LockFailed, StorageFailed.
        """
        markers = DirectMarkers(self._storage, instant)
        if not self._enabled or instant in before.pending_unchecked:
            markers.create(partition, file, kind)
            return
        lock = self._lock_of(partition, file.file_id)
        about = f"{text(instant)} {partition}/{file.file_id}"
        with lock:
            span = self._observer.began(MARK, about)
            try:
                self._check(instant, partition, file.file_id, before)
                self._release_before_marker(lock)
                self._make(markers, partition, file, kind, about)
            except HudiError as error:
                self._observer.ended(span, str(error))
                raise
            self._observer.ended(span)

    def _make(self, markers: DirectMarkers, partition: str, file: DataFile, kind: str, about: str) -> None:
        """Make the marker, and the Bloom file that tells of it in the order of the rules. Raises: StorageFailed."""
        if self._blooms is not None and self._blooms.before_marker:
            self._blooms.add(markers.instant, partition, (file.file_id,))
        span = self._observer.began(MADE, about)
        try:
            markers.create(partition, file, kind)
        except StorageFailed as error:
            self._observer.ended(span, str(error))
            raise
        self._observer.ended(span)
        if self._blooms is not None and not self._blooms.before_marker:
            self._blooms.add(markers.instant, partition, (file.file_id,))

    def _lock_of(self, partition: str, file_id: str) -> ExitStack:
        """What is released at the end: the lock of a file group's markers, or nothing with the simple strategy.

        Source: RFC-56: "only one writer can check and create the corresponding marker file at the same time".
        """
        held = ExitStack()
        if self._locks:
            lock = MutexProvider(self._world.coordinator, f"{partition}/{file_id}", self._lock_wait_ms)
            if not lock.try_lock():
                raise LockFailed(f"lock {lock.name}: expected it within {self._lock_wait_ms} ms, it is held")
            held.callback(lock.unlock)
            held.callback(self._observer.ended, self._observer.began(HOLD, lock.name))
        return held

    def _release_before_marker(self, lock: ExitStack) -> None:
        """Release the lock between check and marker (F-4), unless it covers both, as RFC-56 says."""
        if not self._rules.marker_lock_covers_creation:
            lock.close()

    def _check(self, instant: int, partition: str, file_id: str, before: Timeline) -> None:
        self._world.coverage.hit(coverage.EARLY_CHECK)
        for other in self._others(instant):
            if (
                other not in before.pending_unchecked
                and self._comes_first(other, instant)
                and self._is_alive(other)
                and self._has_marker(other, partition, file_id)
            ):
                self._world.coverage.hit(coverage.EARLY_CONFLICT_BY_MARKER)
                raise EarlyConflict(f"early conflict: {partition}/{file_id} is being written by {text(other)}")
        if self._checks_commits:
            self._check_commits(instant, partition, file_id, before)

    def _others(self, own: int) -> tuple[int, ...]:
        """The other instants that have markers."""
        self._world.notes.intend(SURVEYS_MARKERS)
        others = tuple([other for other in map(int, self._storage.list(TEMP)) if other != own])
        self._world.notes.learn(SeesMarkersOf(others))
        return others

    def _comes_first(self, other: int, own: int) -> bool:
        """Whether an instant is one to give way to: a smaller one (RFC-56, F-15)."""
        if other < own or not self._rules.early_smaller_instants_only:
            return True
        self._world.coverage.hit(coverage.EARLY_SKIPPED_LARGER)
        return False

    def _is_alive(self, other: int) -> bool:
        """Whether an instant's heartbeat says that its writer is at work (hudi/3.5)."""
        try:
            alive = not self._heartbeats.is_expired(other)
        except StorageFailed:
            alive = False
        if not alive:
            self._world.coverage.hit(coverage.EARLY_SKIPPED_DEAD)
        return alive

    def _has_marker(self, other: int, partition: str, file_id: str) -> bool:
        if self._blooms is None:
            names = DirectMarkers(self._storage, other).names(partition)
            return any(self._is_marker_of(name, file_id) for name in names)
        if not self._blooms.may_tell_of(other, partition, (file_id,)):
            return False
        names = DirectMarkers(self._storage, other).names(partition)
        found = any(self._is_marker_of(name, file_id) for name in names if name != BLOOM_FILE)
        if not found:
            self._blooms.in_vain()
        return found

    def _is_marker_of(self, marker: str, file_id: str) -> bool:
        """Whether a marker is of this file group: its name has the id somewhere in it (F-8)."""
        if self._rules.early_matches_substring:
            return file_id in marker
        file = marked_file(marker)
        return file is not None and file.file_id == file_id

    def _check_commits(self, own: int, partition: str, file_id: str, before: Timeline) -> None:
        """The document's five steps; like the shipped code it compares file ids without their partitions."""
        for instant in self._timeline.load().completed:
            if self._is_known(instant, own, before):
                continue
            try:
                metadata = self._timeline.read_completed(instant)
            except StorageFailed:
                continue  # as shipped: what cannot be read has changed nothing
            if isinstance(metadata, CommitMetadata) and any(stat.file_id == file_id for stat in metadata.stats):
                self._world.coverage.hit(coverage.EARLY_CONFLICT_BY_COMMIT)
                changed = f"{partition}/{file_id} was changed by {text(instant.requested)}"
                raise EarlyConflict(f"early conflict: {changed} since the write began")

    def _is_known(self, instant: Instant, own: int, before: Timeline) -> bool:
        """Whether a completed write is no news: it was there when this one began, which is before it looked (F-15)."""
        if self._rules.early_commits_since_instant:
            return instant.visible_at <= own
        return instant.requested in before.completed_times
