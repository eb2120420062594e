"""Early conflict detection with markers of the timeline server: a checker that comes by, and a flag (RFC-56's default).

The first marker of an instant starts the checker: after an initial delay, and then once a period, it compares what this
server has made and was asked for with the marker files of smaller instants that are alive, and, if asked for, with what
has completed since. A conflict raises a flag; whoever asks for a marker is refused when it is up, and so is who waits
for one when the server gets to it. Between two passes nobody looks: a conflict is found late, or at the commit.

With RFC-56's Bloom strategy a pass reads only those marker files whose Bloom files say that it may be in them.

Source: RFC-56, AsyncTimelineMarkerEarlyConflictDetectionStrategy and BloomAsyncTimelineMarker...; hudi/3.7;
`AsyncTimelineServerBasedDetectionStrategy`, `MarkerBasedEarlyConflictDetectionRunnable`,
`MarkerUtils.getCandidateInstants`, `MarkerHandler.createMarker` (1.2.0).

Choices: the snapshot of what has completed is a load of the timeline, where Hudi takes it from the server's view. The
refusal names the conflict that the checker logs. Closing a client ends a pass that is under way, which would change
nothing any more. As with direct markers there are no table services, whose instants would be no candidates.
"""

from collections.abc import Callable

from model.hudi import coverage
from model.hudi.active_timeline import ActiveTimeline
from model.hudi.bloom import BloomFiles
from model.hudi.config import HudiConfig
from model.hudi.errors import StorageFailed
from model.hudi.file_groups import CommitMetadata
from model.hudi.heartbeats import Heartbeats
from model.hudi.marker_files import Marker, Markers, compared, read_marker_files
from model.hudi.meanings import SURVEYS_MARKERS, EndsChecker, LooksForMarkers, SeesMarkersOf
from model.hudi.names import BLOOM_FILE, TEMP, marker_folder, text
from model.hudi.observer import WATCH, Observer
from model.hudi.rules import Rules
from model.hudi.storage import TableStorage
from model.ports import Coverage, TaskHandle, World

LOOKS, LOOK_AGAIN_MS = 3, 1_000
"""How often a batch looks, and after how long again, if it cannot read what it looks for."""


class Watch:
    """The passes for one instant. `made` and `queued` give what the server has made for it, and was asked for.

    Attributes: `known` are the requested times of what had completed before; `retired`: another instant is watched now.
    """

    __slots__ = ("instant", "known", "made", "queued", "retired", "span", "task")

    def __init__(
        self, instant: int, known: frozenset[int], made: Callable[[], Markers], queued: Callable[[], Markers]
    ) -> None:
        self.instant = instant
        self.known = known
        self.made = made
        self.queued = queued
        self.retired = False
        self.span = 0
        self.task: TaskHandle | None = None


class AsyncChecker:
    """The checker of one timeline server. `flag` is the conflict that it has found, in words; None: none yet."""

    def __init__(
        self, world: World, storage: TableStorage, heartbeats: Heartbeats, timeline: ActiveTimeline,
        config: HudiConfig, rules: Rules, observer: Observer,
    ) -> None:  # fmt: skip
        self._world = world
        self._storage = storage
        self._heartbeats = heartbeats
        self._timeline = timeline
        self._config = config
        self._rules = rules
        self._observer = observer
        self._blooms = BloomFiles(storage, config, rules, world.coverage) if config.blooms else None
        self._watch: Watch | None = None
        self._instant: int | None = None
        self.flag: str | None = None

    def watch(
        self, instant: int, before: frozenset[int], made: Callable[[], Markers], queued: Callable[[], Markers]
    ) -> None:
        """Watch an instant from its first marker on, and no other one any more.

        Args: `before` are the requested times of what had completed before the write began. Raises: StorageFailed.
        """
        if self._instant == instant:
            return
        self._instant = instant
        at_marker = self._config.check_commit_conflict and self._rules.server_snapshot_at_first_marker
        known = self._timeline.load().completed_times if at_marker else before
        self._retire()
        self.flag = None
        watch = self._watch = Watch(instant, known, made, queued)
        about = f"{text(instant)} {self._config.detector_delay_ms} {self._config.detector_period_ms}"
        watch.span = self._observer.began(WATCH, f"{about} {'commits' if self._config.check_commit_conflict else ''}")
        watch.task = self._world.tasks.spawn("checker", lambda: self._run(watch))

    def look_for(self, asked: Markers) -> None:
        """A pass for the markers of a batch (a repair), once more a second later if one of others is being written.

        Raises: StorageFailed if it still is.
        """
        watch = self._watch
        assert watch is not None
        for _ in range(LOOKS - 1):
            try:
                self._look(watch, asked)
            except StorageFailed:
                self._world.clock.sleep_ms(LOOK_AGAIN_MS)
            else:
                return
        self._look(watch, asked)

    def stop(self) -> None:
        """What closing the server does."""
        if self._watch is not None and self._watch.task is not None:
            self._watch.task.cancel()
        self._retire()

    def _retire(self) -> None:
        """Let no further pass begin; one that is under way goes on (F-10)."""
        if self._watch is not None and not self._watch.retired:
            self._watch.retired = True
            self._observer.ended(self._watch.span)

    def _run(self, watch: Watch) -> None:
        """Make passes at a fixed rate, until one cannot read what it looks for (F-9)."""
        clock = self._world.clock
        due_ms = clock.now_ms() + self._config.detector_delay_ms
        while True:
            clock.sleep_ms(max(0, due_ms - clock.now_ms()))
            due_ms += self._config.detector_period_ms
            if watch.retired:
                return
            try:
                self._look(watch)
            except StorageFailed:
                if self._ends_after_failure(watch):
                    return

    def _ends_after_failure(self, watch: Watch) -> bool:
        """Whether a pass that failed is the last one: its exception ends the schedule, and nobody is told (F-9)."""
        if self._rules.unreadable_markers_end_checker:
            self._world.notes.learn(EndsChecker(watch.instant))
            self._world.coverage.hit(coverage.CHECKER_ENDED)
        return self._rules.unreadable_markers_end_checker

    def _look(self, watch: Watch, asked: Markers = ()) -> None:
        """One pass, or a look of who asks for markers, which takes no file for empty that it cannot read. Raises:
        StorageFailed."""
        if self.flag is not None:
            return
        self._storage.notes.intend(LooksForMarkers(watch.instant))
        exists, queued = self._storage.exists(marker_folder(watch.instant)), (*watch.queued(), *asked)
        if not exists and not queued:
            return
        self._world.coverage.hit(coverage.CHECKER_PASS)
        own = {compared(marker, self._rules): marker for marker in (*watch.made(), *queued)}
        skips = not (asked or self._rules.unreadable_markers_end_checker)
        says = self._find_marker(watch.instant, own, self._world.coverage if skips else None)
        if says is not None:
            self._world.coverage.hit(coverage.EARLY_CONFLICT_BY_MARKER)
        elif self._config.check_commit_conflict:
            says = self._find_commit(watch.known, own)
            if says is not None:
                self._world.coverage.hit(coverage.EARLY_CONFLICT_BY_COMMIT)
        if says is not None and (self._rules.retired_checker_raises_flag or not watch.retired):
            self.flag = says

    def _find_marker(self, instant: int, own: dict[str, Marker], tolerant: Coverage | None) -> str | None:
        """A marker of a file group of our own by an instant to give way to, in words. Raises: StorageFailed."""
        self._world.notes.intend(SURVEYS_MARKERS)
        others = tuple([other for other in map(int, self._storage.list(TEMP)) if other != instant])
        self._world.notes.learn(SeesMarkersOf(others))
        self._timeline.load()  # for pending compactions and clustering, which are no candidates
        candidates = [other for other in others if self._comes_first(other, instant) and self._is_alive(other)]
        found = None
        for other in candidates:  # all are read before anything is compared
            for marker in self._markers_of(other, own, tolerant):
                mine = own.get(compared(marker, self._rules))
                if mine is not None and found is None:
                    found = f"{'/'.join(mine.group)} is being written by {text(other)}"
        return found

    def _markers_of(self, other: int, own: dict[str, Marker], tolerant: Coverage | None) -> Markers:
        """Another's markers: all, or those in the files that its Bloom files pick out. Raises: StorageFailed."""
        picks = None if self._blooms is None else lambda index, names: self._picks(other, index, names, own)
        files = read_marker_files(self._storage, other, tolerant=tolerant, picks=picks)
        found = tuple([marker for markers in files.values() for marker in markers])
        if self._blooms is not None and files and not any(compared(marker, self._rules) in own for marker in found):
            self._blooms.in_vain()
        return found

    def _picks(self, other: int, index: int, names: tuple[str, ...], own: dict[str, Marker]) -> bool:
        """Whether the Bloom file of a marker file says that it may be in our way; `names` are those of all files."""
        assert self._blooms is not None
        if f"{BLOOM_FILE}{index}" not in names:
            return self._blooms.missing(other)
        return self._blooms.may_tell_of(other, index, own)

    def _comes_first(self, other: int, own: int) -> bool:
        """Whether an instant is one to give way to: a smaller one (RFC-56, F-15)."""
        if other < own or not self._rules.early_smaller_instants_only:
            return True
        self._world.coverage.hit(coverage.EARLY_SKIPPED_LARGER)
        return False

    def _is_alive(self, other: int) -> bool:
        """Whether an instant's heartbeat says that its writer is at work; one that cannot be read says no
        (hudi/3.5)."""
        try:
            alive = not self._heartbeats.is_expired(other)
        except StorageFailed:
            alive = False
        if not alive:
            self._world.coverage.hit(coverage.EARLY_SKIPPED_DEAD)
        return alive

    def _find_commit(self, known: frozenset[int], own: dict[str, Marker]) -> str | None:
        """A commit of a file group of our own that was not there before, in words. Raises: StorageFailed."""
        for instant in self._timeline.load().completed:
            if instant.requested in known:
                continue
            try:
                metadata = self._timeline.read_completed(instant)
            except StorageFailed:
                continue  # as shipped: what cannot be read has changed nothing
            for stat in metadata.stats if isinstance(metadata, CommitMetadata) else ():
                theirs = stat.file_id if self._rules.server_commit_check_by_text else "/".join(stat.group)
                mine = own.get(theirs)
                if mine is not None:
                    changed = f"{'/'.join(mine.group)} was changed by {text(instant.requested)}"
                    return f"{changed} since the write began"
        return None
