"""Time travel: the table as of an instant, by the slices that are left of it.

Who asks is refused where a write is pending that was requested by then, or where the last clean says that it retains
later commits alone: the last one that is completed, so that one that is under way has deleted what nobody is refused
for. A clean that counts slices says nothing of commits, so nobody is refused for it: what it has deleted of the
instant's slices is not read, and its rows are missing. Nor is anybody refused by a clean that is archived.

Source: `TimelineUtils.validateTimestampAsOf`, `AbstractTableFileSystemView.getLatestMergedFileSlicesBeforeOrOn`
(1.2.0); HUDI-6834.

Choices: which commit is asked for, and what it is read by, are of one look at the timeline, where who asks Hudi for a
commit before the newest one has looked at it before. What is archived is not looked up: it is taken for committed.
"""

from model.hudi import coverage
from model.hudi.active_timeline import ActiveTimeline
from model.hudi.cleans_since import refuse_cleaned
from model.hudi.config import HudiConfig
from model.hudi.errors import TimeTravelRefused
from model.hudi.file_groups import CleanPlan
from model.hudi.metadata_table import metadata_of
from model.hudi.names import CLEANING, INGESTION, parse_data_file, text
from model.hudi.rules import Rules
from model.hudi.slices import file_slices, merged_rows
from model.hudi.storage import TableStorage
from model.hudi.timeline import Instant, Timeline
from model.ports import World

Rows = tuple[tuple[str, str], ...]


class TimeTravel:
    """Somebody who reads one table as of an instant, or of later ones."""

    def __init__(self, world: World, config: HudiConfig, rules: Rules, as_of: int) -> None:
        self._storage = TableStorage(world, config)
        self._timeline = ActiveTimeline(world, self._storage, config.layout)
        self._metadata = metadata_of(world, self._storage, config)
        self._config = config
        self._counts = world.coverage
        self._rules = rules
        self._as_of = as_of

    def read(self, partitions: tuple[str, ...]) -> Rows:
        """The rows of these partitions. Raises: TimeTravelRefused, StorageFailed, TableCleaned."""
        return self._read(partitions, self._timeline.load(), self._as_of)

    def read_back(self, partitions: tuple[str, ...], back: int) -> tuple[Instant, Rows]:
        """The newest commit, or the one so many before it, if it is not before the instant; and the rows as of that.
        Raises: as `read`; IndexError if there is none."""
        seen = self._timeline.load()
        kept = Timeline(tuple([each for each in seen.instants if each.requested >= self._as_of]))
        asked = kept.back(back)
        return asked, self._read(partitions, seen, asked.requested)

    def _read(self, partitions: tuple[str, ...], seen: Timeline, as_of: int) -> Rows:
        self._refuse(seen, as_of)
        then = self._then(seen, as_of)
        found: list[tuple[str, str]] = []
        listing = self._metadata.listing()
        for name in partitions:
            names, timeline = self._within(listing.list(name), seen, then, as_of)
            for each in file_slices(names, timeline, self._timeline.replaced(then, name)):
                found += merged_rows(self._storage, name, each, by_event_time=self._config.by_event_time).items()
        refuse_cleaned(self._timeline, seen, self._config, self._rules, self._counts)
        self._counts.hit(coverage.TRAVELLED)
        return tuple(sorted(found))

    def _then(self, seen: Timeline, as_of: int) -> Timeline:
        """What is read by: what was requested by then, whenever it was completed."""
        return Timeline(tuple([each for each in seen.instants if each.requested <= as_of]))

    def _within(
        self, names: tuple[str, ...], seen: Timeline, then: Timeline, as_of: int
    ) -> tuple[tuple[str, ...], Timeline]:  # fmt: skip
        """The files that may be read, and the timeline that says which are committed: if all that was requested by then
        is archived, files that are as old are taken for committed."""
        if then.completed or not self._config.archived:
            return names, then
        files = [(name, parse_data_file(name)) for name in names]
        return tuple([name for name, file in files if file is not None and file.instant <= as_of]), seen

    def _refuse(self, seen: Timeline, as_of: int) -> None:
        """Raises: TimeTravelRefused."""
        holes = [each.requested for each in seen.pending if each.action in INGESTION and each.requested <= as_of]
        done = [each.requested for each in seen.cleans if each.is_completed]
        plan = self._timeline.read_requested(done[-1], CLEANING) if done else None
        retained = self._retained(plan, as_of) if isinstance(plan, CleanPlan) else as_of
        if self._rules.time_travel_minds_history and seen.completed:
            retained = max(retained, seen.completed[0].requested)
        if holes or retained > as_of:
            self._counts.hit(coverage.TRAVEL_REFUSED)
            why = f"no write pending, got {text(holes[0])}" if holes else f"what is retained, from {text(retained)} on"
            raise TimeTravelRefused(f"read as of {text(as_of)}: expected {why}")

    def _retained(self, plan: CleanPlan, as_of: int) -> int:
        """The earliest commit that a clean says, or is taken to say, that it retains."""
        if plan.earliest is not None:
            return plan.earliest
        return plan.newest if self._rules.time_travel_minds_versions else as_of
