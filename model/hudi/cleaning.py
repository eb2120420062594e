"""Cleaning: slices that no reader is promised any more are deleted, and whole partitions in which nothing is left.

    cleaner = SliceCleaner(client, storage, rules)
    cleaner.clean(timeline)

plan, without the lock, by the timeline that was loaded when the clean began: the earliest instant to retain, from it
the files of each partition, and the partitions that are empty but for such files; or, as many slices of each file group
as are to stay, the older ones, and all of file groups that were taken out. schedule: lock, new instant,
REQUESTED with the plan, unlock. Then every pending clean, whoever planned it: INFLIGHT, the files are deleted, and the
folders of those partitions with whatever is in them by then; lock, COMPLETED, unlock. Nothing is planned while a clean
is pending, so one that was left behind is carried out first, however late.

Source: `BaseHoodieTableServiceClient.clean`, `scheduleCleaning`; `CleanPlanActionExecutor`, `CleanPlanner`,
`CleanActionExecutor`, `CleanerUtils.getEarliestCommitToRetain` (1.2.0); HUDI-7969.

Choices: any completed write since the last clean lets the next one begin (`hoodie.clean.trigger.max.commits` 1), and
by the default partitions that no write has touched since are left alone (`hoodie.clean.incremental.enabled`), unless a
savepoint was deleted since. Files are deleted one after the other. A partition is its data files: the file that says it
is one is not modelled. All clocks are of one time zone; Hudi writes instants in that of whoever begins them.
"""

from collections.abc import Callable

from model.hudi import coverage
from model.hudi.clean_policies import Policy, earliest_to_retain
from model.hudi.client import HudiClient
from model.hudi.errors import CleanUnended, HudiError, LockFailed
from model.hudi.file_groups import CleanPlan, CommitMetadata
from model.hudi.keys import LATEST_COMMITS
from model.hudi.meanings import DeletesData
from model.hudi.metadata_records import of_clean
from model.hudi.metadata_table import AnyListing
from model.hudi.names import CLEANING, COMMIT, INFLIGHT, REPLACE_COMMIT, BaseFile, parse_base_file, text
from model.hudi.rules import Rules
from model.hudi.savepoints import saved_paths
from model.hudi.storage import TableStorage
from model.hudi.timeline import Instant, Timeline
from model.ports import World


class SliceCleaner:
    """The slices' part of one client's cleaning. Raises: LockFailed, StorageFailed, CleanUnended."""

    def __init__(self, world: World, client: HudiClient, storage: TableStorage, rules: Rules) -> None:
        self._world = world
        self._client = client
        self._storage = storage
        self._timeline = client.timeline
        self._config = client.config
        self._rules = rules

    def may_clean(self, seen: Timeline) -> bool:
        """Whether there can be anything to plan, or to carry out."""
        if self._config.slices_policy == LATEST_COMMITS:
            return bool(seen.cleans) or len(seen.completed) > self._config.commits_retained
        return bool(seen.cleans or seen.completed)

    def clean(self, seen: Timeline) -> None:
        """Plan by the timeline that was seen, if no clean is pending, and carry out what is pending then."""
        if _pending(seen) or self.schedule(seen):
            for clean in _pending(self._timeline.load()):
                self._execute(clean)

    def schedule(self, seen: Timeline) -> bool:
        """Plan by the timeline that was seen, and announce the plan; False if there is nothing to clean."""
        if self._rules.savepoints_take_lock:
            return self._announce(lambda: self._plan(self._timeline.load()))
        plan = self._plan(seen)
        return plan is not None and self._announce(lambda: plan)

    def _announce(self, planned: Callable[[], CleanPlan | None]) -> bool:
        """Announce under the lock what is planned then, if anything is."""
        self._client.transactions.begin()
        try:
            plan = planned()
            if plan is not None:
                self._timeline.create_requested(self._client.times.time_ms(), CLEANING, plan)
        finally:
            self._client.transactions.end()
        return plan is not None

    # -- the plan ------------------------------------------------------------------------------------------------

    def _plan(self, seen: Timeline) -> CleanPlan | None:
        policy, last = self._policy(seen), self._last(seen)
        if policy is None or (last is not None and last.newest == seen.last_completed):
            return None
        listing = self._client.metadata.listing()
        saved, held = self._saved(seen), policy._replace(pending=seen.oldest_pending)
        paths: list[str] = []
        empty: list[str] = []
        for partition, names in listing.partitions(self._partitions(listing, seen, last, policy.earliest)):
            old = policy.old(names)
            if old != held.old(names):
                self._world.coverage.hit(coverage.CLEANED_SEEN)
            paths += self._unsaved([f"{partition}/{name}" for name in old], saved)
            if policy.is_empty(names) and not self._is_kept(partition, saved):
                empty.append(partition)
        if not (paths or empty):
            return None
        newest = seen.last_completed
        assert newest is not None
        return CleanPlan(
            policy.earliest, newest, tuple(paths), tuple(empty), tuple([each.requested for each in seen.savepoints])
        )

    def _policy(self, seen: Timeline) -> Policy | None:
        """What stays; None if everything does."""
        pending = seen.oldest_pending if self._rules.cleaning_minds_pending else None
        if self._config.keeps_versions:
            return Policy(seen, self._hidden(seen), None, self._config.versions_retained, pending)
        earliest = earliest_to_retain(seen, self._config, self._world.clock.now_ms())
        return None if earliest is None else Policy(seen, self._hidden(seen), earliest, pending=pending)

    def _saved(self, seen: Timeline) -> frozenset[str]:
        """The files that savepoints name. Raises: StorageFailed."""
        return saved_paths(self._timeline, seen)

    def _unsaved(self, paths: list[str], saved: frozenset[str]) -> list[str]:
        """Those of the paths that no savepoint names (`isFileSliceExistInSavepointedFiles`)."""
        found = [path for path in paths if path not in saved]
        if len(found) < len(paths):
            self._world.coverage.hit(coverage.SAVEPOINT_RESPECTED)
        return found

    def _is_kept(self, partition: str, saved: frozenset[str]) -> bool:
        """Whether a partition's folder stays for a savepoint; as shipped none does."""
        return self._rules.savepoints_keep_partitions and any(path.startswith(f"{partition}/") for path in saved)

    def _last(self, seen: Timeline) -> CleanPlan | None:
        """What the last completed clean was to do."""
        done = [instant for instant in seen.cleans if instant.is_completed]
        plan = self._timeline.read_completed(done[-1]) if done else None
        return plan if isinstance(plan, CleanPlan) else None

    def _partitions(
        self, listing: AnyListing, seen: Timeline, last: CleanPlan | None, earliest: int | None
    ) -> tuple[str, ...]:
        """The folders of all; after another clean, those that completed writes since its earliest instant have touched.

        All of them, too, if slices are counted, by either of the two, and if a savepoint that the last one knew is no
        more (`isAnySavepointDeleted`).
        """
        there = [each.requested for each in seen.savepoints]
        since = None if last is None or any(each not in there for each in last.savepoints) else last.earliest
        if since is None or earliest is None:
            return listing.folders()
        touched: dict[str, None] = {}
        for instant in seen.completed:
            metadata = self._timeline.read_completed(instant) if since <= instant.requested < earliest else None
            if isinstance(metadata, CommitMetadata):
                touched |= dict.fromkeys(self._touched(instant, metadata))
        return tuple(touched)

    def _touched(self, instant: Instant, metadata: CommitMetadata) -> list[str]:
        """The partitions of a write: of an upsert or an insert into a copy-on-write table those alone in which a file
        group has a slice more by it (`getPartitionsForInstants`, `getWritePartitionPathsWithUpdatedFileGroups`)."""
        all_stats = instant.action != COMMIT or self._config.merge_on_read
        written = [stat.partition for stat in metadata.stats if all_stats or stat.previous is not None]
        return [*written, *[partition for partition, _ in metadata.replaced]]

    def _hidden(self, seen: Timeline) -> dict[str, int]:
        """The file groups that completed replacecommits took out, with their instants."""
        found: dict[str, int] = {}
        for instant in seen.completed:
            metadata = self._timeline.read_completed(instant) if instant.action == REPLACE_COMMIT else None
            if isinstance(metadata, CommitMetadata):
                found |= dict.fromkeys([file_id for _, file_id in metadata.replaced], instant.requested)
        return found

    # -- carrying it out -----------------------------------------------------------------------------------------

    def _execute(self, clean: Instant) -> None:
        """Carry out one plan. What goes wrong but with the lock is only logged; and who never came to ask for the lock
        releases it all the same, whoever has it (`CleanActionExecutor.runClean`, 1.2.0). Raises: LockFailed,
        CleanUnended."""
        entered = False
        try:
            plan = self._begin(clean)
            if plan is not None:
                self._delete(plan)
                self._refuse_empty(clean, plan)
                self._client.transactions.begin(clean.requested)
                entered = True
                record = of_clean(plan, folders=self._rules.cleaning_deletes_folders)
                self._client.metadata.update(clean.requested, record, self._client.times.time_ms)
                self._timeline.complete(clean.requested, self._client.times.time_ms, plan, CLEANING)
                self._world.coverage.hit(coverage.CLEANED)
        except (LockFailed, CleanUnended):
            raise
        except HudiError:
            self._world.coverage.hit(coverage.CLEAN_FAILED)
        finally:
            if entered:
                self._client.transactions.end(clean.requested)
            else:
                self._client.transactions.end_unentered()

    def _begin(self, clean: Instant) -> CleanPlan | None:
        plan = self._timeline.read_requested(clean.requested, CLEANING)
        if clean.state != INFLIGHT:
            self._timeline.to_inflight(clean.requested, CLEANING)
        return plan if isinstance(plan, CleanPlan) else None

    def _delete(self, plan: CleanPlan) -> None:
        for path in plan.paths:
            self._world.notes.intend(DeletesData(_file(path)))
            self._storage.delete(path)
        for partition in plan.partitions if self._rules.cleaning_deletes_folders else ():
            self._delete_partition(partition)

    def _refuse_empty(self, clean: Instant, plan: CleanPlan) -> None:
        """Fail, when all has been deleted, if that were folders alone, and nobody knows an earliest instant that they
        leave (`createEmptyCleanMetadata`): the clean stays for whoever cleans next, and fails again. Raises:
        CleanUnended."""
        if plan.earliest is None and not plan.paths and not self._rules.cleans_folders_alone:
            self._world.coverage.hit(coverage.CLEAN_UNENDED)
            raise CleanUnended(f"clean {text(clean.requested)}: expected files to delete, or an earliest instant")

    def _delete_partition(self, partition: str) -> None:
        """Delete a partition's folder, whatever it holds by now."""
        self._world.notes.intend(DeletesData(None))
        if self._storage.delete(partition):
            self._world.coverage.hit(coverage.PARTITION_DELETED)


def _pending(timeline: Timeline) -> tuple[Instant, ...]:
    return tuple([instant for instant in timeline.cleans if not instant.is_completed])


def _file(path: str) -> BaseFile | None:
    return parse_base_file(path.rpartition("/")[2])
