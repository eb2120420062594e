"""The write step: conflict snapshot, merge bases, index, INFLIGHT, then marker and data file for each file group.

On a merge-on-read table changed rows go into a log file of their file group, without what the group held before: the
index reads base files alone, and a log file's marker is that of a new file. New rows go into base files on either type,
unless rows are in buckets: then all go into a log file of the one file group of their bucket, if it has one; who
begins it writes a base file, and a log file where nobody is blocked, which all call the same.

Source: hudi/2.1 steps 2 to 4; `SparkRDDWriteClient.preWrite`, `BaseSparkCommitActionExecutor.execute`,
`HoodieWriteHandle.createMarkerFile`, `HoodieAppendHandle`, `HoodieSimpleIndex.canIndexLogFiles` (false);
`SparkBucketIndexPartitioner.getBucketInfo`, `BucketIdentifier.newBucketFileIdForNBCC` (1.2.0).

Choices: what changed rows are merged with is read once, when the index is; again, when they are written, only where
somebody may restore, for nobody else takes the newest slice away. Files are written in the order of their partitions,
then of their groups, `tasks` of them side by side: these make their markers one after the other, then compute, then
write. One that is refused ends the others, which have made their markers by then (Spark's tasks do not wait for each
other). A task attempt that fails leaves its marker and file behind under an earlier write token. Data files are written
whole.
"""

from collections.abc import Mapping

from model.hudi import bucket_index, coverage
from model.hudi.active_timeline import ActiveTimeline
from model.hudi.bucket_index import Bucket, begun_alike, begun_alike_before, begun_as, bucket_named, bucket_of
from model.hudi.config import HudiConfig
from model.hudi.errors import StorageFailed, WriteConflict
from model.hudi.file_groups import COMPACT, DELETE_PARTITION, UPSERT, Changes, CommitMetadata, Group, WriteStat, updated
from model.hudi.jobs import Effort, Job, Parts, Slice, added_of, announced, changes_of
from model.hudi.keys import REJECT_UPDATES
from model.hudi.marker_files import Marker
from model.hudi.marker_port import TableMarkers
from model.hudi.meanings import ReadsSlice, Writes
from model.hudi.metadata_table import AnyListing, AnyMetadata
from model.hudi.names import CLUSTERING, COMPACTION, LOG_COMPACTION, REPLACE_COMMIT, BaseFile, DataFile, LogFile, text
from model.hudi.plans import groups_in_plans, refuse_deletion, refuse_lost_plans, refuse_update
from model.hudi.rules import Rules
from model.hudi.schemas import refuse_missing
from model.hudi.slices import FileSlice, merged_rows, rows_of, slices_named
from model.hudi.storage import TableStorage
from model.hudi.time_generator import TimeGenerator
from model.hudi.timeline import Timeline
from model.hudi.transactions import TransactionManager
from model.hudi.views import slices_seen
from model.hudi.written import Written
from model.ports import Body, World


class DataWriter:
    """Writes the data files of one client's instants."""

    def __init__(
        self, world: World, metadata: AnyMetadata, storage: TableStorage, timeline: ActiveTimeline,
        markers: TableMarkers, transactions: TransactionManager, times: TimeGenerator, config: HudiConfig,
        rules: Rules,
    ) -> None:  # fmt: skip
        self._world = world
        self._times = times
        self._metadata = metadata
        self._transactions = transactions
        self._listing: AnyListing | None = None
        self._storage = storage
        self._timeline = timeline
        self._markers = markers
        self._rules = rules
        self._config = config

    def write(self, operation: str, parts: Parts, instant: int, effort: Effort) -> Written:
        """Everything up to the last data file: groups that change, then new ones. Raises: as `HudiClient.upsert`."""
        config = self._config
        start, parts = self._open(instant), bucket_index.parts_of_buckets(parts, config)
        rows, names = tuple([row for _, some in parts for row in some]), dict.fromkeys([name for name, _ in parts])
        looks = operation == UPSERT and not config.appends_to_buckets
        slices = [each for name in names for each in self.slices_with_rows(name, start)] if looks else []
        in_buckets, by_bucket, places = bucket_index.changes_in_buckets, config.bucketed and looks, effort.places
        found = in_buckets(slices, parts, config) if by_bucket else changes_of(slices, parts, places)
        changes, known = found
        asks = config.appends_to_buckets and not bucket_index.begins_alike(config)
        named = [(name, each) for name in names for each in self.slices(name, start)] if asks else []
        buckets = bucket_index.logged_buckets(named, config)
        if self._rules.refuses_newer_merge_base:
            self._refuse_newer(instant, [(each.partition, each.file.file_id, each.newest) for each, _ in changes])
            self._refuse_newer(instant, [(one.partition, each.file_id, each.newest) for one, each in buckets.items()])
        planned = groups_in_plans(self._timeline, start) if config.updates_strategy == REJECT_UPDATES else ()
        if planned:
            refuse_update(self._changed(changes, parts, start), planned, self._world.coverage)
        self._timeline.to_inflight(instant, config.commit_action, announced(operation, changes))
        stats: list[WriteStat] = []
        for merged, added in bucket_index.turns(changes, parts, config):
            for first in range(0, len(merged), effort.tasks):
                beside = merged[first : first + effort.tasks]
                jobs = [self._change(instant, each, change, start) for each, change in beside]
                stats += self._files(instant, jobs, start, effort)
            for partition, some in added:
                if new := added_of(some, known, places):
                    stats += self._files(instant, [self._added(partition, new, instant, start, buckets)], start, effort)
        appends = config.merge_on_read  # without a look at what is there, and to no slice of its own
        unread = dict(rows) if config.appends_to_buckets else known if appends else {}
        before = tuple([(key, known.get(key)) for key, _ in rows if key not in unread]) if operation == UPSERT else ()
        bases = tuple([(each.file.file_id, each.file.version) for each, _ in changes if not appends])
        return Written(operation, tuple(stats), start, start.pending_times(instant), before, bases, rows)

    def _changed(self, changes: list[tuple[Slice, Changes]], parts: Parts, start: Timeline) -> list[Group]:
        """The file groups that a write changes: of rows in buckets, those that there are. Raises: StorageFailed."""
        if self._config.appends_to_buckets:
            asked = [bucket_of(name, rows, self._config) for name, rows in parts]
            return [(each.partition, name) for each in asked for name in self._named(each, start)]
        return [(each.partition, each.file.file_id) for each, _ in changes]

    def replace(self, operation: str, parts: Parts, instant: int, partitions: tuple[str, ...]) -> Written:
        """Write rows into new file groups, and name those of `partitions` that they take the place of: all that were
        visible when the write began. The timeline is loaded but once. Raises: as `HudiClient.overwrite`.

        Source: `SparkInsertOverwriteCommitActionExecutor.getPartitionToReplacedFileIds`,
        `SparkDeletePartitionCommitActionExecutor.execute` (1.2.0).
        """
        start = self._open(instant)
        if operation == DELETE_PARTITION:
            planned = groups_in_plans(self._timeline, start, CLUSTERING, COMPACTION, LOG_COMPACTION)
            refuse_deletion(partitions, planned, self._world.coverage)
        self._timeline.to_inflight(instant, REPLACE_COMMIT, CommitMetadata(operation, ()))
        stats: list[WriteStat] = []
        for partition, rows in parts:
            stats += self._files(instant, [self._begin(partition, rows)], start, Effort())
        replaced = tuple([(name, each) for name in partitions for each in self.slices(name, start)])
        bases = tuple([(each.file_id, each.base.version) for _, each in replaced if each.base])
        rows = tuple([row for _, some in parts for row in some])
        return Written(operation, tuple(stats), start, start.pending_times(instant), (), bases, rows, replaced)

    def rewrite(self, plan: CommitMetadata, instant: int, start: Timeline) -> Written:
        """Write the rows of a plan's slices into one new file group for each partition. Raises: StorageFailed."""
        stats: list[WriteStat] = []
        replaced: list[tuple[str, FileSlice]] = []
        for partition in dict.fromkeys([stat.partition for stat in plan.stats]):
            slices = slices_named([stat for stat in plan.stats if stat.partition == partition])
            rows = tuple(sorted([row for each in slices for row in self._rows(partition, each).items()]))
            stats += self._files(instant, [self._begin(partition, rows)], start, Effort())
            replaced += [(partition, each) for each in slices]
        if any(each.logs for _, each in replaced):
            self._world.coverage.hit(coverage.LOGS_CLUSTERED)
        bases = tuple([(each.file_id, each.base.version) for _, each in replaced if each.base])
        pending = start.pending_times(instant)
        return Written(plan.operation, tuple(stats), start, pending, (), bases, (), tuple(replaced))

    def compact(self, slices: tuple[tuple[str, FileSlice], ...], instant: int, start: Timeline) -> Written:
        """Write the rows of each slice into a base file of its own; no slice is changed. Raises: StorageFailed, also if
        a file of a slice is gone, which is found when the base file has been begun."""
        stats: list[WriteStat] = []
        for partition, each in slices:
            merged = self._merged_slice(partition, each)
            token = self._world.chance.fresh("write token")  # whoever carries a plan out writes files of other names
            job = Job(partition, each.file_id, each.instant, tuple(sorted(merged.items())), token)
            stats += self._files(instant, [job], start, Effort())
            for file in each.files if self._config.restored else ():
                self._refuse_lost(f"{partition}/{file.name}")
        return Written(COMPACT, tuple(stats), start, start.pending_times(instant), (), (), ())

    def append(self, job: Job, instant: int, start: Timeline) -> list[WriteStat]:
        """Write a log file that no row asked for. Raises: StorageFailed."""
        return self._files(instant, [job], start, Effort())

    def _merged_slice(self, partition: str, each: FileSlice) -> dict[str, str]:
        try:
            return self._rows(partition, each)
        except StorageFailed:
            if self._config.restored:
                return {}
            raise

    def _rows(self, partition: str, each: FileSlice) -> dict[str, str]:
        return merged_rows(self._storage, partition, each, by_event_time=self._config.by_event_time)

    def visible(self, partition: str, timeline: Timeline) -> tuple[BaseFile, ...]:
        """The newest base file of each file group that is not hidden. Raises: StorageFailed."""
        return tuple([each.base for each in self.slices(partition, timeline) if each.base])

    def slices(self, partition: str, timeline: Timeline) -> tuple[FileSlice, ...]:
        """The newest slice of each file group that is not hidden. Raises: StorageFailed."""
        if self._listing is None:
            self._listing = self._metadata.listing()
        return slices_seen(self._timeline, self._listing, timeline, partition, self._rules)

    def _open(self, instant: int) -> Timeline:
        """Load the timeline, and then have the table's lock where there is a metadata table, for its services
        (`doInitTable`); plans and columns are read. Raises: LockFailed, StorageFailed, InstantGone, InstantExists,
        SchemaRefused."""
        seen, self._listing = self._timeline.load(), None
        if self._config.metadata:
            self._transactions.begin(instant)
            try:
                self._metadata.perform_services(self._times.time_ms)
            finally:
                self._transactions.end(instant)
        refuse_lost_plans(self._timeline, seen, self._config, self._rules)
        refuse_missing(self._timeline, seen, self._config, self._rules, self._world.coverage)
        return seen

    def slices_with_rows(self, partition: str, timeline: Timeline) -> list[Slice]:
        """The visible slices with their rows: what the simple index reads. Raises: StorageFailed."""
        return [self._slice(partition, each.base, each.logs) for each in self.slices(partition, timeline) if each.base]

    def _slice(self, partition: str, file: BaseFile, logs: tuple[LogFile, ...] = ()) -> Slice:
        newest = max([log.instant for log in logs], default=file.instant)
        return Slice(partition, file, rows_of(self._storage, partition, file), newest)

    def _refuse_newer(self, instant: int, merged: list[tuple[str, str, int]]) -> None:
        """Refuse to merge with a slice that is not older than the write's instant (hudi/5.1). Raises: WriteConflict."""
        for partition, file_id, newest in merged:
            if newest >= instant:
                self._world.coverage.hit(coverage.NEWER_BASE)
                raise WriteConflict(f"write conflict: {partition}/{file_id} is not older than {text(instant)}")

    def _change(self, instant: int, base: Slice, change: Changes, start: Timeline) -> Job:
        if self._config.merge_on_read:
            self._world.coverage.hit(coverage.LOG_WRITTEN)
            return Job(base.partition, base.file.file_id, instant, change, self._token(), appends=True)
        if self._config.restored:  # the slice that the index knew may be gone, or go
            found = [each for each in self.visible(base.partition, start) if each.file_id == base.file.file_id]
            if not found:
                raise StorageFailed(f"write {base.partition}/{base.file.file_id}: expected a slice, it is gone")
            return Job(base.partition, base.file.file_id, found[0].instant, change, self._token(), merges=found[0])
        rows = updated(base.held, change)
        return Job(base.partition, base.file.file_id, base.file.instant, rows, self._token())

    def _added(
        self, partition: str, rows: Changes, instant: int, start: Timeline, buckets: Mapping[Bucket, FileSlice]
    ) -> Job:  # fmt: skip
        """Where rows go that belong to no file group that the index knows, or to that of their bucket's log files."""
        bucket = bucket_of(partition, rows, self._config)
        if bucket_index.begins_alike(self._config):
            file_id = next(iter(self._named(bucket, start)), "") or self._begun_alike(bucket, start)
        elif bucket in buckets:
            file_id = buckets[bucket].file_id
        else:
            return self._begin(partition, rows)
        self._world.coverage.hit(coverage.LOG_WRITTEN)
        return Job(partition, file_id, instant, rows, self._token(), appends=True)

    def _named(self, bucket: Bucket, start: Timeline) -> list[str]:
        """The visible file groups of a bucket."""
        names = [each.file_id for each in self.slices(bucket.partition, start)]
        return [name for name in names if bucket_named(bucket.partition, name, self._config) == bucket]

    def _begun_alike(self, bucket: Bucket, start: Timeline) -> str:
        """What the file group of a bucket is called by who begins it, be that hidden by now or not (#19793)."""
        if self._rules.deleted_bucket_keeps_name:
            return begun_alike(bucket.number)
        before = begun_alike_before(bucket.number, self._timeline.replaced(start, bucket.partition))
        if before:
            self._world.coverage.hit(coverage.BUCKET_BEGUN_ANEW)
        return begun_alike(bucket.number, before)

    def _begin(self, partition: str, rows: Changes) -> Job:
        """A new file group."""
        number = self._world.chance.fresh("file group")
        bucketed = self._config.bucketed
        name = begun_as(number, bucket_of(partition, rows, self._config).number) if bucketed else f"new{number}"
        return Job(partition, name, None, rows, self._token())

    def _token(self) -> int:
        return self._world.chance.fresh("write token") if self._rules.salted_file_names else 0

    def _files(self, instant: int, jobs: list[Job], start: Timeline, effort: Effort) -> list[WriteStat]:
        """What tasks side by side write."""
        stats: list[WriteStat] = []
        for attempt in range(effort.attempts):
            files = [job.file(instant, attempt) for job in jobs]
            self._mark(instant, jobs, files, start)
            if effort.work_ms:
                self._world.clock.sleep_ms(effort.work_ms)
            stats = [
                WriteStat(job.partition, job.file_id, f"{job.partition}/{file.name}", job.previous)
                for job, file in zip(jobs, files, strict=True)
            ]
            for job, file, stat in zip(jobs, files, stats, strict=True):
                body = self._merged(job)
                self._world.notes.intend(Writes(file))
                self._storage.create(stat.path, body)
                self._refuse_gone(job)
        return stats

    def _merged(self, job: Job) -> Body:
        """What a data file holds."""
        if job.merges is None:
            return job.content
        self._world.notes.intend(ReadsSlice(job.merges))
        return updated(self._storage.read(f"{job.partition}/{job.merges.name}") or (), job.rows)

    def _refuse_gone(self, job: Job) -> None:
        """Fail if the slice is gone that a file is merged with when the file has been begun. Raises: StorageFailed."""
        if job.merges:
            self._refuse_lost(f"{job.partition}/{job.merges.name}")

    def _refuse_lost(self, path: str) -> None:
        if not self._storage.exists(path):
            raise StorageFailed(f"read {path}: expected the file of a visible slice, it is gone")

    def _mark(self, instant: int, jobs: list[Job], files: list[DataFile], start: Timeline) -> None:
        """Make the markers of all files, and only then be refused: tasks do not wait for each other (hudi/3.3)."""
        wanted = [Marker(job.partition, file, job.kind) for job, file in zip(jobs, files, strict=True)]
        self._markers.mark(instant, wanted, start)
