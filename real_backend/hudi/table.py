"""Making a real Hudi table, and reading everything back that a run left: instants, rows, files, what was not removed.

Choices: names in the table's folders are read with the model's own parser, contents with Hudi's and Spark's readers.
A file that a completed instant names and that does not exist is missing, whether or not a reader notices. In a table of
layout 1 an instant has no completion time: what Hudi then gives for one, the age of its file, orders nothing.
"""

from collections.abc import Collection, Container, Iterable, Mapping
from pathlib import Path
from typing import Any

from model.hudi.config import HudiConfig
from model.hudi.file_groups import CommitMetadata, Group, WriteStat, latest_slices
from model.hudi.keys import METADATA
from model.hudi.metadata_slices import FILES
from model.hudi.names import (
    COMPLETED,
    LOG_COMPACTION,
    REPLACE_COMMIT,
    BaseFile,
    parse_base_file,
    parse_instant_file,
    timeline_folder,
)
from model.hudi.names import METADATA as METADATA_FOLDER
from model.hudi.timeline import Instant, Timeline, parse_timeline
from real_backend.hudi.exceptions import root_cause
from real_backend.hudi.read_back import Completed, Left, Restored, Rollback
from real_backend.jvm.session import Session
from sim.hudi.savepointed import lost_of

NAME = "t"  # every table's, so that a copy of one is another
PAYLOAD = "org.apache.hudi.common.model.OverwriteWithLatestAvroPayload"
Rows = tuple[tuple[str, str], ...]


class LiveTable:
    """One table of the session's warehouse. Args: `config` says of which version it is (None: the newest)."""

    def __init__(self, session: Session, path: Path, config: HudiConfig | None = None) -> None:
        self._session, self.path = session, path
        self._config = config or HudiConfig()

    def create(self) -> None:
        """Make it: key `id`, partition `p`, newest value by `ts`, or in the order of events by itself."""
        java = self._session.jvm.java.org.apache.hudi
        builder = java.common.table.HoodieTableMetaClient.newTableBuilder().setTableType(self._config.table_type)
        builder = builder.setTableName(NAME).setRecordKeyFields("id").setPartitionFields("p")
        if self._config.by_event_time:
            mode = java.common.config.RecordMergeMode.EVENT_TIME_ORDERING
            builder = builder.setOrderingFields("v").setRecordMergeMode(mode)
        else:
            builder = builder.setOrderingFields("ts").setPayloadClassName(PAYLOAD)
        builder = builder.setTableVersion(self._config.table_version)
        builder.initTable(self._storage_configuration(), str(self.path))

    def rows(
        self, *, listed: bool = False, partitions: Collection[str] | None = None
    ) -> tuple[Rows | None, str | None]:  # fmt: skip
        """The rows as Spark reads them now, sorted, duplicates kept; or None and why the table cannot be read.

        A table without a commit on its active timeline has no schema, as that is where it is from: it has no rows.
        Args: `listed`: it lists folders, and does not look into a metadata table; `partitions`: those of these alone.
        """
        try:
            reader = self._session.spark.read.format("hudi").option(METADATA, str(not listed).lower())
            table = reader.load(str(self.path))
            found = table.select("id", "v", "p").collect() if table.columns else []
            kept = [row for row in found if partitions is None or str(row.p) in partitions]
            return tuple(sorted((str(row.id), str(row.v)) for row in kept)), None
        except Exception as error:
            return None, root_cause(error)

    def selected(self, options: Mapping[str, str]) -> tuple[Rows | None, str | None]:
        """The rows that a query of Spark with these options reads now, sorted; or None and why they cannot be read."""
        try:
            table = self._session.spark.read.format("hudi").options(**options).load(str(self.path))
            return tuple(sorted((str(row.id), str(row.v)) for row in table.select("id", "v").collect())), None
        except Exception as error:
            return None, root_cause(error)

    def columns(self) -> tuple[str, ...]:
        """The names of the columns that Spark finds."""
        return tuple(self._session.spark.read.format("hudi").load(str(self.path)).columns)

    def transitions(self) -> tuple[str, ...]:
        """When the completed writes came to their state, as Hudi tells the time of it."""
        done = self._timeline().getCommitsTimeline().filterCompletedInstants().getInstants()
        return tuple([str(each.getCompletionTime()) for each in done])

    def listed(self) -> tuple[str, ...]:
        """The data files that the metadata table lists now. Raises: as Hudi."""
        java = self._session.jvm.java.org.apache.hudi
        context = java.client.common.HoodieSparkEngineContext(self._session.context._jsc)
        enabled = java.common.config.HoodieMetadataConfig.newBuilder().enable(True).build()
        table = java.metadata.HoodieBackedTableMetadata(context, self._meta().getStorage(), enabled, str(self.path))
        path, found = java.storage.StoragePath, list[str]()
        for folder in table.getAllPartitionPaths():
            files = table.getAllFilesInPartition(path(str(self.path), folder))
            found += [f"{folder}/{file.getPath().getName()}" for file in files]
        table.close()
        return tuple(sorted(found))

    def timeline(self) -> Timeline:
        """The timeline as it is now, by the model's parser."""
        return parse_timeline(self._names(timeline_folder(self._config.layout)))

    def visible(self, partition: str) -> tuple[BaseFile, ...]:
        """The base files of a partition that a reader sees now, one for each file group."""
        names, timeline = self._names(partition), self.timeline()
        return latest_slices(names, timeline, self._replaced(timeline, partition))

    def planned(self, instant: str) -> frozenset[str]:
        """The file ids that the pending plan of a clustering names."""
        utils = self._session.jvm.java.org.apache.hudi.common.util.ClusteringUtils
        plans = utils.getAllFileGroupsInPendingClusteringPlans(self._meta())
        found = [(str(one.getKey().getFileId()), str(one.getValue().requestedTime())) for one in plans.entrySet()]
        return frozenset([file_id for file_id, requested in found if requested == instant])

    def slices(self, partitions: Iterable[str]) -> tuple[tuple[str, str], ...]:
        """File id and instant of each slice of these partitions that a reader sees now."""
        return tuple((file.file_id, str(file.instant)) for name in partitions for file in self.visible(name))

    def merged(self, partition: str) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
        """File id, base instant and log files' instants of each slice of a partition, by Hudi's own view, sorted.

        Source: `BaseHoodieTableFileIndex.getActiveTimeline` and `loadFileSlicesForPartitions` (1.2.0).
        """
        java = self._session.jvm.java.org.apache.hudi
        context = java.client.common.HoodieSparkEngineContext(self._session.context._jsc)
        meta = self._meta()
        timeline = meta.getCommitsAndCompactionTimeline().filterCompletedAndCompactionInstants()
        view = java.common.table.view.HoodieTableFileSystemView.fileListingBasedFileSystemView(context, meta, timeline)
        last = timeline.lastInstant().get().requestedTime()
        found = []
        for one in view.getLatestMergedFileSlicesBeforeOrOn(partition, last).toArray():
            logs = tuple([str(log.getDeltaCommitTime()) for log in reversed(one.getLogFiles().toArray())])
            found.append((str(one.getFileId()), str(one.getBaseInstantTime()), logs))
        return tuple(sorted(found))

    def completed(self, makers: Mapping[str, str]) -> tuple[Completed, ...]:
        """The completed writes in the order in which readers see them.

        Args: `makers`: actor by name, or by requested time.
        """
        archived, active = self._meta().getArchivedTimeline(), self._timeline()
        archived.loadCompletedInstantDetailsInMemory()
        found = self._written(archived, makers) + self._written(active, makers)
        found += self._completed_again(active, makers, {one.name for one in found})
        return tuple(sorted(found, key=lambda instant: (instant.completed, instant.requested)))

    def _written(self, timeline: Any, makers: Mapping[str, str]) -> list[Completed]:
        instants = timeline.getCommitsTimeline().filterCompletedInstants().getInstants()
        return [self._read(timeline, instant, makers) for instant in instants]

    def _completed_again(self, timeline: Any, makers: Mapping[str, str], known: Container[str]) -> list[Completed]:
        """What has a completed file and is not `known`: of an instant that has two, Hudi's timeline shows one."""
        again = [instant for instant in self.timeline().completed if instant.name not in known]
        if not again:
            return []
        state = self._session.jvm.java.org.apache.hudi.common.table.timeline.HoodieInstant.State.COMPLETED
        make = self._meta().getInstantGenerator().createNewInstant
        made = [make(state, one.action, str(one.requested), str(one.completed)) for one in again]
        return [self._read(timeline, instant, makers) for instant in made]

    def _read(self, timeline: Any, instant: Any, makers: Mapping[str, str]) -> Completed:
        requested = str(instant.requestedTime())
        replaces = str(instant.getAction()) == REPLACE_COMMIT
        metadata = (timeline.readReplaceCommitMetadata if replaces else timeline.readCommitMetadata)(instant)
        files = tuple(sorted(str(path) for path in metadata.getFileIdAndRelativePaths().values()))
        completed = str(instant.getCompletionTime()) if self._config.layout == 2 else ""
        maker = makers.get(f"{requested}_{completed}", makers.get(requested))
        schema = str(metadata.getMetadata("schema") or "")
        return Completed(requested, completed, str(instant.getAction()), files, maker, schema)

    def _replaced(self, timeline: Timeline, partition: str) -> frozenset[str]:
        """The file ids of a partition that completed replacecommits name, by Hudi's reader of their metadata."""
        if all(instant.action != REPLACE_COMMIT for instant in timeline.completed):
            return frozenset()
        java, found = self._timeline(), list[str]()
        for instant in java.getCompletedReplaceTimeline().getInstants():
            named = java.readReplaceCommitMetadata(instant).getPartitionToReplaceFileIds().get(partition)
            found += [str(file_id) for file_id in named or ()]
        return frozenset(found)

    def rollbacks(self) -> tuple[Rollback, ...]:
        """The completed rollbacks, in completion order."""
        timeline = self._timeline().getRollbackTimeline().filterCompletedInstants()
        found = []
        for instant in timeline.getInstants():
            targets = timeline.readRollbackMetadata(instant).getCommitsRollback()
            found += [Rollback(str(target), str(instant.getCompletionTime())) for target in targets]
        return tuple(sorted(found, key=lambda rollback: rollback.completed))

    def restores(self) -> tuple[Restored, ...]:
        """The restores, the oldest first."""
        meta = self._meta()
        plan_of = self._session.jvm.java.org.apache.hudi.table.action.restore.RestoreUtils.getRestorePlan
        pending = {str(each.requested) for each in self.timeline().pending if each.action == LOG_COMPACTION}
        found = []
        for instant in meta.getActiveTimeline().getRestoreTimeline().getInstants():
            plan = plan_of(meta, instant)
            targets = [str(target.getCommitTime()) for target in plan.getInstantsToRollback()]
            stuck = [] if instant.isCompleted() else [target for target in targets if target in pending]
            unlisted = not instant.isCompleted() and self._is_unlisted(str(plan.getSavepointToRestoreTimestamp()))
            found.append(Restored(str(instant.requestedTime()), tuple(targets), tuple(stuck), unlisted))
        return tuple(found)

    def _is_unlisted(self, savepoint: str) -> bool:
        """Whether all base files of the metadata table are of later instants."""
        files = [name for name in self._names(f"{METADATA_FOLDER}/{FILES}") if name.endswith(".hfile")]
        return bool(files) and all(name.rpartition("_")[2].partition(".")[0] > savepoint for name in files)

    def missing(self, instants: tuple[Completed, ...]) -> tuple[str, ...]:
        """Data files that completed instants of the active timeline name and that do not exist, though no clean was to
        delete them."""
        active = {str(each.requested) for each in self.timeline().completed}
        named = [file for instant in instants if instant.requested in active for file in instant.files]
        gone = [file for file in named if not (self.path / file).is_file()]
        cleaned = self.cleaned() if gone else ()
        return tuple([file for file in gone if file.rpartition("/")[2] not in cleaned])

    def unkept(self) -> tuple[str, ...] | None:
        """What is wrong with savepoints, as `sim.hudi.savepointed` says it; None if there is no savepoint."""
        saved = self._saved()
        if not saved:
            return None
        commits = self._commits()
        told = [lost_of(instant, paths, commits, lambda path: (self.path / path).is_file()) for instant, paths in saved]
        return tuple([text for each in told for text in each])

    def saved(self) -> tuple[str, ...]:
        """The data files that savepoints name."""
        return tuple([path for _, paths in self._saved() for path in paths])

    def _saved(self) -> list[tuple[int, tuple[str, ...]]]:
        """The commit of each savepoint, and the data files that it names."""
        timeline, found = self._timeline(), []
        for each in timeline.getSavePointTimeline().filterCompletedInstants().getInstants():
            named = timeline.readSavepointMetadata(each).getPartitionMetadata()
            paths = [f"{name}/{file}" for name in named for file in named[name].getSavepointDataFile()]
            found.append((int(each.requestedTime()), tuple(paths)))
        return found

    def _commits(self) -> list[tuple[Instant, CommitMetadata]]:
        """The completed writes of the active timeline, as the model has them: the files of each, what it took out."""
        found = []
        for one in self._written(self._timeline(), {}):
            stats = [(path.rpartition("/")[0], parse_base_file(path.rpartition("/")[2]), path) for path in one.files]
            written = [WriteStat(folder, file.file_id, path, None) for folder, file, path in stats if file is not None]
            instant = Instant(int(one.requested), one.action, COMPLETED, int(one.completed) if one.completed else None)
            found.append((instant, CommitMetadata("", tuple(written), self._taken_out(one))))
        return found

    def _taken_out(self, one: Completed) -> tuple[Group, ...]:
        """The file groups that a completed replacecommit names."""
        if one.action != REPLACE_COMMIT:
            return ()
        timeline = self._timeline()
        replaces = timeline.getCompletedReplaceTimeline().getInstants()
        (instant,) = [each for each in replaces if str(each.requestedTime()) == one.requested]
        named = timeline.readReplaceCommitMetadata(instant).getPartitionToReplaceFileIds()
        return tuple([(str(folder), str(file_id)) for folder in named for file_id in named[folder]])

    def cleaned(self) -> frozenset[str]:
        """The names of the files that cleans were to delete, by their plans."""
        meta = self._meta()
        plan_of = self._session.jvm.java.org.apache.hudi.common.util.CleanerUtils.getCleanerPlan
        plans = [plan_of(meta, instant) for instant in meta.getActiveTimeline().getCleanerTimeline().getInstants()]
        named = [files for plan in plans for files in plan.getFilePathsToBeDeletedPerPartition().values()]
        return frozenset([str(file.getFilePath()).rpartition("/")[2] for files in named for file in files])

    def left(self) -> Left:
        """What should be gone when nobody is at work any more."""
        names = self._names(timeline_folder(self._config.layout))
        timeline = [file for name in names if (file := parse_instant_file(name)) is not None]
        completed = {file.instant for file in timeline if file.state == COMPLETED}
        pending = {str(file.instant) for file in timeline if file.instant not in completed}
        return Left(
            self._names(".hoodie/.temp"),
            self._names(".hoodie/.heartbeat"),
            tuple(sorted(pending)),
            (self.path / ".hoodie" / "lock").exists(),
        )

    def _names(self, folder: str) -> tuple[str, ...]:
        where: Path = self.path / folder
        return tuple(sorted(each.name for each in where.iterdir())) if where.is_dir() else ()

    def _timeline(self) -> Any:
        return self._meta().getActiveTimeline()

    def _meta(self) -> Any:
        java = self._session.jvm.java.org.apache.hudi
        builder = java.common.table.HoodieTableMetaClient.builder().setConf(self._storage_configuration())
        return builder.setBasePath(str(self.path)).build()

    def _storage_configuration(self) -> object:
        java = self._session.jvm.java.org.apache.hudi
        return java.storage.hadoop.HadoopStorageConfiguration(self._session.context._jsc.hadoopConfiguration())
