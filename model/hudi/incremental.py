"""Incremental reads: what has come since a consumer read last, who remembers how far he came.

From table version 8 on he asks for what was completed after the last completion time that he has seen: the files that
these commits name, and of their rows those that bear the commit time of one of them. If one of the files is gone, or
one of the commits is archived, the newest slices of the table are read in their place. In version 6 he goes by
requested times. There a write that is pending leaves a hole, which is told (`FAIL`) or waited for (`BLOCK`); or he goes
by when the files of completed instants were written (`USE_TRANSITION_TIME`). Then Hudi still looks into the partitions
of those commits alone that were requested after the time that he has seen, and takes the rows of all that was requested
between his first commit and his last.

Source: `IncrementalQueryAnalyzer.analyze`, `CompletionTimeQueryViewV2`, `HoodieIncrementalRelationV2Trait`,
`HoodieIncrementalRelationV1Trait`, `MergeOnReadIncrementalRelationV1.listFileSplits`,
`BaseHoodieTableFileIndex.findInstantsInRange`, `TimelineUtils.handleHollowCommitIfNeeded` (1.2.0).

Choices: how far he came and what he reads are of one look at the timeline, where Hudi loads it twice and bounds the
second one by the first. Which rows bear a commit time is read from the commits' metadata (`file_groups`). The whole
history is looked up where anybody archives; Hudi reads those of its files that reach into the day before the read.
"""

from collections.abc import Iterable
from typing import NamedTuple

from model.hudi import coverage
from model.hudi.active_timeline import ActiveTimeline
from model.hudi.cleans_since import refuse_cleaned
from model.hudi.config import HudiConfig
from model.hudi.errors import HollowCommit, StorageFailed
from model.hudi.file_groups import CommitMetadata
from model.hudi.keys import BLOCK_AT_HOLES
from model.hudi.meanings import Reads
from model.hudi.metadata_table import metadata_of
from model.hudi.names import (
    COMPLETED,
    INGESTION,
    REQUESTED,
    completed_path,
    requested_path,
    text,
)
from model.hudi.rules import Rules
from model.hudi.slices import FileSlice, file_slices, merged_rows
from model.hudi.storage import TableStorage
from model.hudi.timeline import Instant, Timeline
from model.hudi.views import slices_seen
from model.ports import World

Row = tuple[str, str]
Slices = list[tuple[str, FileSlice]]


class _Came(NamedTuple):
    """A commit that has come, and what it says of itself."""

    instant: Instant
    said: CommitMetadata


class Consumer:
    """Somebody who reads a table again and again. `since`: how far he has come, by the times that he goes by; `newest`:
    the last commit up to which he has come, where there is a hole behind it."""

    def __init__(self, world: World, config: HudiConfig, rules: Rules, since: int) -> None:
        self.since = since
        self.newest: Instant | None = None
        self._storage = TableStorage(world, config)
        self._timeline = ActiveTimeline(world, self._storage, config.layout)
        self._metadata = metadata_of(world, self._storage, config)
        self._config = config
        self._rules = rules
        self._counts = world.coverage
        self._world = world

    def read(self) -> tuple[Row, ...]:
        """The rows that have come since the last read; then he has come so far. Raises: HollowCommit, StorageFailed,
        TableCleaned."""
        seen = self._timeline.load()
        kept = self._without_holes(seen)
        done = [(self._time_of(each), each) for each in kept]
        until = max([self.since, *[at for at, _ in done]])
        archived = self._archived(seen, until) if self._config.archived else []
        came = [*archived, *[self._came(each) for at, each in done if at > self.since]]
        rows = self._rows_of(came, seen, scans=bool(archived)) if came else ()
        refuse_cleaned(self._timeline, seen, self._config, self._rules, self._counts)
        self.since = until
        self.newest = kept[-1] if len(kept) < len(seen.completed) else None
        return rows

    def _archived(self, seen: Timeline, until: int) -> list[_Came]:
        """What has come and is archived by now. Raises: StorageFailed."""
        known = {each.requested for each in seen.completed}
        history = [each for each in self._timeline.history() if each[0].requested not in known]
        return [
            _Came(each, said)
            for each, said in history
            if self.since < each.visible_at <= until and isinstance(said, CommitMetadata)
        ]

    def _without_holes(self, seen: Timeline) -> tuple[Instant, ...]:
        """The completed writes in the order of their requests: those before the first hole, where these are minded.
        Raises: HollowCommit."""
        holes = [each.requested for each in seen.pending if each.action in INGESTION]
        minded = self._config.layout == 1 and not self._config.reads_by_transition
        if not (minded and holes and seen.completed and seen.completed[-1].requested > holes[0]):
            return seen.completed
        self._counts.hit(coverage.HOLLOW)
        if self._config.holes_policy != BLOCK_AT_HOLES:
            raise HollowCommit(f"incremental read: expected no pending write before others, got {text(holes[0])}")
        return tuple([each for each in seen.completed if each.requested < holes[0]])

    def _time_of(self, each: Instant) -> int:
        """The time by which a consumer orders a completed write."""
        return self._written_at(each, COMPLETED) if self._config.reads_by_transition else each.visible_at

    def _written_at(self, each: Instant, state: str) -> int:
        """When the file of a state of an instant was written; in layout 1."""
        path = requested_path(1, each.requested, each.action)
        if state == COMPLETED:
            path = completed_path(1, each.requested, each.action, 0)
        self._world.notes.intend(Reads(each.requested, each.action, state))
        found = self._storage.mtime_ms(path)
        if found is None:
            raise StorageFailed(f"incremental read: expected the age of {path}, it is gone")
        return found

    def _came(self, each: Instant) -> _Came:
        said = self._timeline.read_completed(each)
        if not isinstance(said, CommitMetadata):
            raise StorageFailed(f"incremental read: expected commit {text(each.requested)}, its file is gone")
        return _Came(each, said)

    def _rows_of(self, came: list[_Came], seen: Timeline, *, scans: bool) -> tuple[Row, ...]:
        """The rows that bear a commit time of what came. Raises: StorageFailed."""
        wanted = {row for each in self._bearing(came, seen) for row in each.said.wrote}
        slices = self._slices(came, seen, scans=scans)
        by_event_time = self._config.by_event_time
        found = [merged_rows(self._storage, name, each, by_event_time=by_event_time).items() for name, each in slices]
        return tuple(sorted([row for rows in found for row in rows if row in wanted]))

    def _bearing(self, came: list[_Came], seen: Timeline) -> list[_Came]:
        """Those whose commit times rows may bear: what came, or all from the first of these to the last."""
        self._counts.hit(coverage.NEWS_TOLD)
        first, last = came[0].instant.requested, came[-1].instant.requested
        if any(each.requested > first and each not in [one.instant for one in came] for each in seen.completed):
            self._counts.hit(coverage.LATE_TOLD)
        if not (self._config.reads_by_transition and self._rules.transition_reads_go_by_request):
            return came
        known = {each.instant: each for each in came}
        between = [each for each in seen.completed if first <= each.requested <= last]
        return [known[each] if each in known else self._came(each) for each in between]

    def _slices(self, came: list[_Came], seen: Timeline, *, scans: bool) -> Slices:
        """The slices that are read, with their partitions. Args: `scans`: those of the whole table. Raises:
        StorageFailed."""
        files = [(stat.partition, stat.path) for each in came for stat in each.said.stats]
        if scans or (self._config.layout == 2 and not all(self._storage.exists(path) for _, path in files)):
            self._counts.hit(coverage.NEWS_SCANNED)
            listing = self._metadata.listing()
            return [
                (name, each)
                for name, _ in listing.partitions(listing.folders())
                for each in slices_seen(self._timeline, listing, seen, name, self._rules)
            ]
        found: Slices = []
        for name in self._partitions([name for name, _ in files], seen):
            names = tuple(dict.fromkeys([path.rpartition("/")[2] for folder, path in files if folder == name]))
            replaced = self._timeline.replaced(self._replacing(came, seen), name)
            found += [(name, each) for each in file_slices(names, seen, replaced)]
        return found

    def _partitions(self, written: Iterable[str], seen: Timeline) -> tuple[str, ...]:
        """The partitions that are looked into, of those that were written."""
        every = tuple(dict.fromkeys(written))
        if not (self._config.reads_by_transition and self._rules.transition_reads_go_by_request):
            return every
        later = [each for each in seen.completed if self._written_at(each, REQUESTED) > self.since]
        looked = {stat.partition for each in later for stat in self._came(each).said.stats}
        return tuple([name for name in every if name in looked])

    def _replacing(self, came: list[_Came], seen: Timeline) -> Timeline:
        """The replacements that are known to who looks at the files of what came: of it, or all up to its last one."""
        last = came[-1].instant.requested
        known = [each.instant for each in came] if self._config.layout == 1 else seen.completed
        return Timeline(tuple([each for each in known if each.requested <= last]))
