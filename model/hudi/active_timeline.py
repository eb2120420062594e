"""Moving instants from state to state: assert that the present state's file exists, then create the next one's.

The assertion is a plain look, not a compare-and-swap. Between the look and the create anything may happen.

Source: hudi/1.2, hudi/1.3; `ActiveTimelineV2.transitionStateToComplete`, `createCompleteFileInMetaPath`,
`ActiveTimelineV1.transitionState`.
"""

from collections.abc import Callable
from typing import Any

from model.hudi import coverage
from model.hudi.errors import InstantGone, OutcomeUnknown, StorageFailed
from model.hudi.file_groups import Archived, CommitMetadata
from model.hudi.meanings import TEMPORARY, Enters, Reads, SeesTimeline, TakesBack
from model.hudi.names import (
    COMMIT,
    COMPLETED,
    HISTORY,
    INFLIGHT,
    REPLACE_COMMIT,
    REQUESTED,
    completed_path,
    inflight_path,
    parse_data_file,
    requested_path,
    timeline_folder,
)
from model.hudi.storage import TableStorage
from model.hudi.timeline import WRITES, Instant, Timeline, parse_timeline
from model.ports import Body, Unanswered, World


class ActiveTimeline:
    """One client's hand on the timeline."""

    __slots__ = ("_layout", "_storage", "_world")

    def __init__(self, world: World, storage: TableStorage, layout: int) -> None:
        self._world = world
        self._storage = storage
        self._layout = layout

    def load(self) -> Timeline:
        """The timeline as it is now. Raises: StorageFailed."""
        timeline = parse_timeline(self._storage.list(timeline_folder(self._layout)))
        self._world.notes.learn(SeesTimeline(timeline))
        return timeline

    def create_requested(self, instant: int, action: str = COMMIT, body: Body = None) -> None:
        """Announce an instant. Raises: InstantExists, StorageFailed."""
        self._create(requested_path(self._layout, instant, action), Enters(instant, action, REQUESTED, body))

    def create_inflight(self, instant: int, action: str) -> None:
        """Begin what is not announced: a savepoint. Raises: InstantExists, StorageFailed."""
        self._create(inflight_path(self._layout, instant, action), Enters(instant, action, INFLIGHT, None))

    def delete(self, instant: Instant, *states: str) -> bool:
        """Delete the files of these states of an instant, one after the other; False if the last was not there.

        Raises: StorageFailed.
        """
        there = False
        for state in states:
            self._world.notes.intend(TakesBack(instant.requested, instant.action, state))
            there = self._storage.delete(self._path(instant, state))
        return there

    def revert(self, instant: Instant, begun: Instant) -> bool:
        """Take back the completed file of an instant, whose other files are made anew if they are gone; False if it was
        not there.

        Args: `begun`: the instant as it was announced, which has another action if it is a compaction. Raises:
        StorageFailed.
        """
        for state in (REQUESTED, INFLIGHT):
            path = self._path(begun, state)
            if not self._storage.exists(path):
                self._world.notes.intend(Enters(begun.requested, begun.action, state, None))
                self._storage.create(path, None)
        return self.delete(instant, COMPLETED)

    def write_history(self, path: str, archived: Archived) -> None:
        """Write what is archived into a file of its own. Raises: StorageFailed."""
        self._world.notes.intend(TEMPORARY)
        self._storage.create(path, archived)

    def to_inflight(self, instant: int, action: str = COMMIT, body: Body = None) -> None:
        """Begin its work. Raises: InstantGone, InstantExists, StorageFailed."""
        state = Enters(instant, action, INFLIGHT, body)
        self._assert_present(requested_path(self._layout, instant, action), state)
        self._create(inflight_path(self._layout, instant, action), state)

    def complete(
        self, instant: int, time_ms: Callable[[], int], body: Body, action: str = COMMIT, begun: str = ""
    ) -> Instant:  # fmt: skip
        """Make it visible, in layout 2 at a time that is drawn when its state has been looked at.

        Args: `begun`: its action until now, where that is another one. Raises: InstantGone, InstantExists,
        StorageFailed; OutcomeUnknown.
        """
        state = Enters(instant, action, COMPLETED, body)
        self._assert_present(inflight_path(self._layout, instant, begun or action), state)
        completed = time_ms() if self._layout == 2 else 0
        done = Instant(instant, action, COMPLETED, completed if self._layout == 2 else None)
        self._make_visible(done, state)
        return done

    def _make_visible(self, done: Instant, state: Enters) -> None:
        path = self._path(done, COMPLETED)
        try:
            self._storage.create_immutable(path, state)
        except Unanswered as error:
            raise OutcomeUnknown(f"create {path}: expected an acknowledgement, got {error}", done.name) from error

    def claim(self, instant: int) -> None:
        """What comes before the look for conflicts; as shipped nothing (`decided_commits.py`)."""

    def settle(self) -> None:
        """What comes before a rollback is planned; as shipped nothing."""

    def read_completed(self, instant: Instant) -> Any:
        """The metadata of a completed instant; None if its file is gone. Raises: StorageFailed."""
        path = completed_path(self._layout, instant.requested, instant.action, instant.completed or 0)
        self._world.notes.intend(Reads(instant.requested, instant.action, COMPLETED))
        return self._storage.read(path)

    def replaced(self, timeline: Timeline, partition: str) -> frozenset[str]:
        """The file ids of a partition that completed replacecommits took out, whenever their files were written.

        Source: `AbstractTableFileSystemView.resetFileGroupsReplaced`, `isFileGroupReplaced` (1.2.0): by file id, for
        good. Raises: StorageFailed.
        """
        found: list[str] = []
        for instant in timeline.completed:
            metadata = self.read_completed(instant) if instant.action == REPLACE_COMMIT else None
            groups = metadata.replaced if isinstance(metadata, CommitMetadata) else ()
            found += [file_id for name, file_id in groups if name == partition]
        return frozenset(found)

    def committed_files(self, timeline: Timeline, partition: str) -> tuple[str, ...]:
        """The names of a partition's files that completed writes made, from their metadata. Raises: StorageFailed."""
        names: dict[str, None] = {}
        for instant in timeline.completed:
            metadata = self.read_completed(instant)
            for stat in metadata.stats if isinstance(metadata, CommitMetadata) else ():
                if stat.partition == partition:
                    names[stat.path.rpartition("/")[2]] = None
        return tuple(names)

    def committed_at_all(self, timeline: Timeline, names: tuple[str, ...]) -> tuple[str, ...]:
        """The files of a listing without those that are older than the timeline, and of no instant of the history.

        A repair: `containsOrBeforeTimelineStarts` takes all that is older for completed. Raises: StorageFailed.
        """
        files = [(name, parse_data_file(name)) for name in names]
        older = {file.instant for _, file in files if file is not None and timeline.is_before_start(file.instant)}
        archived = self._archived() if older else frozenset()
        kept = [name for name, file in files if file is None or file.instant not in older - archived]
        if len(kept) < len(names):
            self._world.coverage.hit(coverage.LEFT_OUT)
        return tuple(kept)

    def _archived(self) -> frozenset[int]:
        """The instants of the history."""
        return frozenset([instant.requested for instant, _ in self.history()])

    def history(self) -> tuple[tuple[Instant, object], ...]:
        """The writes that are archived, and what each says of itself. Raises: StorageFailed."""
        bodies = [self._storage.read(f"{HISTORY}/{name}") for name in self._storage.list(HISTORY)]
        every = [each for body in bodies if isinstance(body, Archived) for each in body.instants]
        return tuple([each for each in every if each[0].action in WRITES])

    def is_announced(self, instant: Instant) -> bool:
        """Whether the file with which an instant was announced is there. Raises: StorageFailed."""
        self._world.notes.intend(Reads(instant.requested, instant.action, REQUESTED))
        return self._storage.exists(self._path(instant, REQUESTED))

    def read_requested(self, instant: int, action: str) -> Any:
        """The plan of a pending instant; None if its file is gone. Raises: StorageFailed."""
        self._world.notes.intend(Reads(instant, action, REQUESTED))
        return self._storage.read(requested_path(self._layout, instant, action))

    def read_inflight(self, instant: int, action: str) -> Any:
        """What an inflight instant says that it will write; None if its file is gone. Raises: StorageFailed."""
        self._world.notes.intend(Reads(instant, action, INFLIGHT))
        return self._storage.read(inflight_path(self._layout, instant, action))

    def _path(self, instant: Instant, state: str) -> str:
        if state == COMPLETED:
            return completed_path(self._layout, instant.requested, instant.action, instant.completed or 0)
        path = requested_path if state == REQUESTED else inflight_path
        return path(self._layout, instant.requested, instant.action)

    def _create(self, path: str, state: Enters) -> None:
        try:
            self._storage.create_immutable(path, state)
        except Unanswered as error:
            raise StorageFailed(f"create {path}: expected an acknowledgement, got {error}") from error

    def _assert_present(self, path: str, following: Enters) -> None:
        """Look for the file of the state before the following one (hudi/1.2). Raises: InstantGone."""
        self._world.notes.intend(following)
        if not self._storage.exists(path):
            self._world.coverage.hit(coverage.INSTANT_GONE)
            raise InstantGone(f"{path}: expected the instant in this state, its file is gone")
