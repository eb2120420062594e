"""Reading a table: a timeline, the visible slices, their rows, with those of log files merged in.

Source: hudi/1.3, hudi/5; `HoodieTableFileSystemView`. A reader lists files and keeps those whose instant its timeline
shows as completed, so a committed file that is gone is not an error: its group shows the slice before it, which only a
savepoint keeps, or nothing. One that goes
between the list and the read is, and one that the metadata table lists and that is not there.
"""

from typing import NamedTuple

from model.hudi import coverage
from model.hudi.active_timeline import ActiveTimeline
from model.hudi.cleans_since import refuse_cleaned
from model.hudi.config import HudiConfig
from model.hudi.errors import StorageFailed
from model.hudi.file_groups import Group
from model.hudi.jobs import Places
from model.hudi.metadata_table import Listing, metadata_of
from model.hudi.names import BaseFile, text
from model.hudi.plans import refuse_lost_plans
from model.hudi.restore_checks import RestoreChecks
from model.hudi.rules import SHIPPED, Rules
from model.hudi.slices import merged_rows
from model.hudi.storage import TableStorage
from model.hudi.timeline import Instant, Timeline
from model.hudi.views import slices_seen
from model.ports import World


class View(NamedTuple):
    """What a reader saw: rows, a key that several groups hold with several values, and the base files of slices that
    have one; `places` are the file groups that rows are in. `newest` is None for an empty table."""

    timeline: Timeline
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    slices: tuple[tuple[str, BaseFile], ...]
    places: Places = ()

    @property
    def newest(self) -> Instant | None:
        return self.timeline.newest


class Reader:
    """A reader of one table."""

    def __init__(self, world: World, config: HudiConfig, rules: Rules = SHIPPED) -> None:
        self._storage = TableStorage(world, config)
        self._timeline = ActiveTimeline(world, self._storage, config.layout)
        self._metadata = metadata_of(world, self._storage, config)
        self._by_event_time = config.by_event_time
        self._restores = RestoreChecks(world, self._timeline, config, rules)
        self._rules = rules
        self._config = config
        self._counts = world.coverage

    def read(self, partitions: tuple[str, ...] | None = None, *, fenced: bool = True) -> View:
        """All rows as of now; `partitions` if they are known, which the metadata table is asked for if there is one.
        Not `fenced`: whatever is there, also beside a restore, where rules have who reads refused.

        Raises: StorageFailed, RestorePending, TableCleaned.
        """
        timeline = self._timeline.load()
        refuse_lost_plans(self._timeline, timeline, self._config, self._rules)
        self._read_schema(timeline)
        listing = self._metadata.listing()
        if partitions is None or isinstance(listing, Listing):
            partitions = listing.folders()
        rows: dict[str, list[str]] = {}
        slices, places = [], list[tuple[str, Group]]()
        for partition in partitions:
            for each in slices_seen(self._timeline, listing, timeline, partition, self._rules):
                slices += [(partition, each.base)] if each.base else []
                for _ in each.logs:
                    self._counts.hit(coverage.LOGS_MERGED)
                found = merged_rows(self._storage, partition, each, by_event_time=self._by_event_time)
                for key, value in found.items():
                    rows.setdefault(key, []).append(value)
                    places.append((key, (partition, each.file_id)))
        if fenced:
            self._restores.refuse_read(timeline)
            refuse_cleaned(self._timeline, timeline, self._config, self._rules, self._counts)
        read = tuple([(key, tuple(values)) for key, values in sorted(rows.items())])
        return View(timeline, read, tuple(slices), tuple(places))

    def _read_schema(self, timeline: Timeline) -> None:
        """Read the commit that was requested last, which has the schema; only a restore takes one away.

        Source: `ActiveTimelineV2.getLastCommitMetadataWithValidSchema`, by `TableSchemaResolver` (1.2.0). Raises:
        StorageFailed.
        """
        if self._config.restored and timeline.completed:
            last = max(timeline.completed, key=lambda each: each.requested)
            if self._timeline.read_completed(last) is None:
                raise StorageFailed(f"read {text(last.requested)}: expected the commit with the schema, it is gone")
