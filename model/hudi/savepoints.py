"""Savepoints: what the table was as of a commit is kept from cleaning until the savepoint is deleted.

    client = SavepointClient(world, config)
    client.savepoint(back=1)            of the commit before the newest one
    client.delete_savepoint()           the newest savepoint
    client.close()

savepoint: the timeline is loaded; the commit must not be older than the earliest instant that the last clean retains,
be it planned or done; the slices as of the commit are listed; INFLIGHT; lock, COMPLETED with the names of their files,
unlock. The instant is the commit's own. Nothing is looked at again under the lock.
Cleaning reads, when it plans, which files savepoints name, and leaves these out of its plan (`model.hudi.cleaning`).
delete: the completed file goes, then the inflight one.

Source: `BaseHoodieWriteClient.savepoint`, `deleteSavepoint`, `SavepointActionExecutor`, `SavepointHelpers`,
`CleanPlanner.getSavepointedDataFiles` (1.2.0); HUDI-5881 (pending cleans), HUDI-7824 (deleted savepoints).

Choices: what a caller names by an instant is counted back from the newest commit by its time, in the timeline that
the client loads; Hudi loads one more for a caller who names none. Of a merge-on-read table the base files alone are
named, for nothing is cleaned there; Hudi names the log files, too.
"""

from collections.abc import Callable, Iterable

from model.hudi import coverage
from model.hudi.active_timeline import ActiveTimeline
from model.hudi.client import HudiClient
from model.hudi.config import HudiConfig
from model.hudi.errors import SavepointRefused, StorageFailed
from model.hudi.file_groups import CleanPlan, CommitMetadata, Group, SavepointMetadata, latest_slices
from model.hudi.names import COMPLETED, INFLIGHT, REPLACE_COMMIT, SAVEPOINT, BaseFile, parse_base_file, text
from model.hudi.observer import UNOBSERVED, Observer
from model.hudi.plans import refuse_lost_plans
from model.hudi.rules import SHIPPED, Rules
from model.hudi.timeline import Instant, Timeline
from model.ports import World


class SavepointClient:
    """A client that makes and deletes savepoints. Raises, from every method: LockFailed, StorageFailed; or as said."""

    def __init__(
        self, world: World, config: HudiConfig, rules: Rules = SHIPPED, *, owner: str = "",
        observer: Observer = UNOBSERVED,
    ) -> None:  # fmt: skip
        self._client = HudiClient(world, config, rules, owner=owner, observer=observer)
        self._timeline: ActiveTimeline = self._client.timeline
        self._world = world
        self._takes_lock = rules.savepoints_take_lock
        self._config, self._rules = config, rules
        self._minds_versions = rules.savepoints_mind_versions

    def savepoint(self, back: int = 0) -> None:
        """Make a savepoint of the newest commit, or of one so many `back`; of the first one, if there are fewer.

        Raises: SavepointRefused, InstantExists, InstantGone, OutcomeUnknown.
        """
        if not self._takes_lock:
            self._make(back, self._client.with_own_lock)
            return
        self._client.transactions.begin()
        try:
            self._make(back, lambda body: body())
        finally:
            self._client.transactions.end()

    def delete_savepoint(self) -> None:
        """Delete the newest savepoint. Raises: SavepointRefused."""
        savepoints = self._timeline.load().savepoints
        if not savepoints:
            raise SavepointRefused("delete savepoint: expected one, there is none")
        self._timeline.delete(savepoints[-1], COMPLETED, INFLIGHT)
        self._world.coverage.hit(coverage.SAVEPOINT_DELETED)

    def close(self) -> None:
        """What every client does in the end."""
        self._client.close()

    def _make(self, back: int, within: Callable[[Callable[[], Instant]], Instant]) -> None:
        """Make it; `within` carries out its completion."""
        seen = self._timeline.load()
        refuse_lost_plans(self._timeline, seen, self._config, self._rules)
        if not seen.completed:
            raise SavepointRefused("savepoint: expected a commit, there is none")
        saved = seen.back(back)
        commit = saved.requested
        self._refuse_cleaned(commit, seen)
        metadata = SavepointMetadata(tuple(self._paths(saved, seen)))
        self._timeline.create_inflight(commit, SAVEPOINT)
        within(lambda: self._timeline.complete(commit, self._client.times.time_ms, metadata, SAVEPOINT))
        self._world.coverage.hit(coverage.SAVEPOINT_MADE)

    def _refuse_cleaned(self, commit: int, seen: Timeline) -> None:
        """Refuse a commit of which the last clean may have deleted files, or will (HUDI-5881)."""
        retained = self._earliest_retained(seen)
        if commit < retained:
            self._world.coverage.hit(coverage.SAVEPOINT_REFUSED)
            raise SavepointRefused(f"savepoint {text(commit)}: expected a commit from {text(retained)} on")

    def _earliest_retained(self, seen: Timeline) -> int:
        """What the last clean retains, by its plan or by what it did; without one, the first commit.

        One that counts slices says nothing of it: what it did is then an empty text, which is before any commit, and
        its plan none, at which Hudi fails (HUDI-9675 looks for a missing text).
        """
        if not seen.cleans:
            return seen.completed[0].requested
        last = seen.cleans[-1]
        read = self._timeline
        plan = read.read_completed(last) if last.is_completed else read.read_requested(last.requested, last.action)
        if not isinstance(plan, CleanPlan):
            raise StorageFailed(f"read clean {text(last.requested)}: expected its plan, it is gone")
        if plan.earliest is not None:
            return plan.earliest
        if self._minds_versions:
            before = [each.requested for each in seen.completed if each.requested <= last.requested]
            return before[-1]
        if not last.is_completed:
            raise SavepointRefused(f"savepoint: expected what clean {text(last.requested)} retains, it does not say")
        return 0

    def _paths(self, commit: Instant, seen: Timeline) -> Iterable[str]:
        """The newest slice of each file group as of the commit (`getLatestFileSlicesBeforeOrOn`)."""
        until = Timeline(tuple([each for each in seen.instants if each.requested <= commit.requested]))
        if self._rules.savepoints_by_completion:
            until = Timeline(tuple([each for each in until.completed if each.visible_at <= commit.visible_at]))
        listing = self._client.metadata.listing()
        for partition, names in listing.partitions(listing.folders()):
            for file in latest_slices(names, until, self._timeline.replaced(until, partition)):
                yield f"{partition}/{file.name}"


def saved_paths(timeline: ActiveTimeline, seen: Timeline) -> frozenset[str]:
    """The files that savepoints name. Raises: StorageFailed."""
    found: list[str] = []
    for savepoint in seen.savepoints:
        metadata = timeline.read_completed(savepoint)
        if not isinstance(metadata, SavepointMetadata):
            raise StorageFailed(f"read savepoint {text(savepoint.requested)}: expected its files, it is gone")
        found += metadata.paths
    return frozenset(found)


def slices_as_of(commit: Instant, commits: Iterable[tuple[Instant, CommitMetadata]]) -> dict[Group, BaseFile]:
    """The slices that a savepoint of a commit has to name, or newer ones: by what had completed when the commit did.

    Of a file group that a commit of an earlier time takes out, however late that completes, there need not be any.
    """
    found: dict[Group, BaseFile] = {}
    for instant, metadata in commits:
        if instant.requested > commit.requested:
            continue
        for stat in metadata.stats if instant.visible_at <= commit.visible_at else ():
            file = parse_base_file(stat.path.rpartition("/")[2])
            if file is not None and (stat.group not in found or found[stat.group].instant < file.instant):
                found[stat.group] = file
    hidden = [
        group
        for instant, metadata in commits
        if instant.requested <= commit.requested and instant.action == REPLACE_COMMIT
        for group in metadata.replaced
    ]
    return {group: file for group, file in found.items() if group not in hidden}
