"""One Hudi write client whose calls are separate steps: start, write, commit, close.

Choices: the records go in as Avro through `SparkRDDWriteClient`, not through a DataFrame, for a DataFrame write is one
step. The statuses that `upsert` returns are lazy: collecting them is what writes the files. They are collected in one
task, so that an actor makes one storage call at a time.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from model.hudi.names import COMMIT
from real_backend.errors import BackendError
from real_backend.hudi.exceptions import NothingPlanned
from real_backend.hudi.second_process import Process
from real_backend.hudi.table import NAME

SCHEMA = (
    '{{"type":"record","name":"row","namespace":"lakeproof","fields":[{{"name":"id","type":"string"}},'
    '{{"name":"p","type":"string"}},{{"name":"v","type":"string"}},{{"name":"ts","type":"long"}}{more}]}}'
)
COLUMN = ',{{"name":"{name}","type":["null","string"],"default":null}}'
Record = tuple[str, str, str]
"""Key, partition, value."""
Located = tuple[str, str, str, str]
"""Where a row has been read: key, partition, file id, instant."""


class SplitClient:
    """A client on the table at `path`. Its calls belong to the thread that makes them.

    Args: `columns` are those of its schema beside the table's first ones, each of which has the row's value.
    """

    def __init__(
        self, session: Process, path: str, options: Mapping[str, str], columns: tuple[str, ...] = ()
    ) -> None:  # fmt: skip
        self._session = session
        self._columns = columns
        self._schema = SCHEMA.format(more="".join([COLUMN.format(name=name) for name in columns]))
        self._java = session.jvm.java
        self._context = session.context._jsc
        hudi = self._java.org.apache.hudi
        builder = hudi.config.HoodieWriteConfig.newBuilder().withPath(path).withSchema(self._schema).forTable(NAME)
        config = builder.withProps(session.jvm.java_map(options)).build()
        self._client = hudi.client.SparkRDDWriteClient(
            hudi.client.common.HoodieSparkEngineContext(self._context), config
        )
        self._statuses: Any = None
        self._replaced: Any = None
        self._compacted: Any = None
        self._action = COMMIT
        self.instant: str | None = None

    def start(self, action: str = COMMIT) -> str:
        """Take an instant and announce it."""
        self._action = action
        self.instant = str(self._client.startCommit(action))
        return self.instant

    def upsert(self, records: tuple[Record, ...], ordering: int) -> int:
        """Write markers and data files; returns how many files. `ordering` decides between two values of one key."""
        return self._write("upsert", records, ordering)

    def upsert_located(self, records: tuple[Record, ...], places: tuple[Located, ...], ordering: int) -> int:
        """As `upsert`, into the file groups in which the rows have been read: no index is asked."""
        known = {key: (partition, value) for key, partition, value in records}
        asked = [(key, *known[key]) for key, *_ in places]
        return self._collect(self._client.upsertPreppedRecords(self._rdd(asked, ordering, places), self.instant))

    def delete_located(self, places: tuple[Located, ...]) -> int:
        """Delete rows from the file groups in which they have been read."""
        model, made = self._java.org.apache.hudi.common.model, self._java.java.util.ArrayList()
        for place in places:
            payload = model.EmptyHoodieRecordPayload()
            made.add(self._at(model.HoodieAvroRecord(model.HoodieKey(*place[:2]), payload), place))
        return self._collect(self._client.deletePrepped(self._context.parallelize(made, 1), self.instant))

    def delete(self, keys: tuple[tuple[str, str], ...]) -> int:
        """Delete the rows of these keys and partitions, wherever the index finds them."""
        made = self._java.java.util.ArrayList()
        for key in keys:
            made.add(self._java.org.apache.hudi.common.model.HoodieKey(*key))
        return self._collect(self._client.delete(self._context.parallelize(made, 1), self.instant))

    def insert(self, records: tuple[Record, ...], ordering: int) -> int:
        """As `upsert`, without looking for the keys."""
        return self._write("insert", records, ordering)

    def bulk_insert(self, records: tuple[Record, ...], ordering: int) -> int:
        """As `insert`, by the operation for first loads."""
        return self._write("bulkInsert", records, ordering)

    def overwrite(self, records: tuple[Record, ...], ordering: int, *, whole_table: bool) -> int:
        """Write files, and name the file groups of their partitions, or of all, that they replace."""
        operation = "insertOverwriteTable" if whole_table else "insertOverwrite"
        return self._replace(getattr(self._client, operation)(self._rdd(records, ordering), self.instant))

    def delete_partition(self, partition: str) -> int:
        """Name the file groups of a partition as replaced, by nothing."""
        partitions = self._java.java.util.ArrayList()
        partitions.add(partition)
        return self._replace(self._client.deletePartitions(partitions, self.instant))

    def commit(self) -> None:
        """Make the write visible."""
        option = self._java.org.apache.hudi.common.util.Option.empty()
        more = () if self._replaced is None else (self._action, self._replaced, option)
        if not self._client.commit(self.instant, self._statuses, option, *more):
            raise BackendError(f"commit {self.instant}: expected true or an exception, got false")

    def schedule_clustering(self) -> str:
        """Plan to write the file groups of each partition anew; returns the instant. Raises: NothingPlanned."""
        return self._schedule("scheduleClustering")

    def cluster(self, instant: str) -> None:
        """Carry out a plan, and commit it."""
        self._client.cluster(instant, True)

    def schedule_compaction(self) -> str:
        """Plan to compact what has log files; returns the instant. Raises: NothingPlanned."""
        return self._schedule("scheduleCompaction")

    def compact(self, instant: str) -> int:
        """Carry out a plan, up to its commit; returns how many files.

        Its tasks run when somebody looks at what they wrote. If one fails, its heartbeat ends, as where Hudi looks
        itself (`compact` with `shouldComplete`).
        """
        self.instant = instant
        self._compacted = self._client.compact(instant)
        try:
            return len(self._compacted.getWriteStatuses().coalesce(1).collect())
        except Exception:
            self._client.getTableServiceClient().getHeartbeatClient().stop(instant)
            raise

    def commit_compaction(self) -> None:
        """Make it visible."""
        self._client.commitCompaction(
            self.instant, self._compacted, self._java.org.apache.hudi.common.util.Option.empty()
        )

    def schedule_log_compaction(self) -> str:
        """Plan to compact log files where there are enough; returns the instant. Raises: NothingPlanned."""
        return self._schedule("scheduleLogCompaction")

    def compact_logs(self, instant: str) -> int:
        """Carry out such a plan, up to its commit; returns how many files."""
        self.instant = instant
        self._compacted = self._client.logCompact(instant)
        return len(self._compacted.getWriteStatuses().coalesce(1).collect())

    def commit_log_compaction(self) -> None:
        """Make it visible."""
        self._client.commitLogCompaction(
            self.instant, self._compacted, self._java.org.apache.hudi.common.util.Option.empty()
        )

    def clean(self) -> None:
        """Roll back what failed writers left, and clean."""
        self._client.clean()

    def schedule_cleaning(self) -> None:
        """Plan a clean, and carry it out not."""
        hudi = self._java.org.apache.hudi.common
        self._client.scheduleTableService(hudi.util.Option.empty(), hudi.model.TableServiceType.CLEAN)

    def savepoint(self, instant: str) -> None:
        """Make a savepoint of the commit with this instant."""
        self._client.savepoint(instant, NAME, "")

    def delete_savepoint(self) -> None:
        """Delete the newest savepoint."""
        self._client.deleteSavepoint()

    def archive(self) -> None:
        """Move old completed instants out of the active timeline."""
        self._client.archive()

    def open_to_archive(self) -> Callable[[], int]:
        """Open the table; who calls what is returned archives by what was there then."""
        hudi, config, context = self._java.org.apache.hudi, self._client.getConfig(), self._client.getEngineContext()
        table = hudi.table.HoodieSparkTable.create(config, context)
        archiver = hudi.client.timeline.versioning.v2.TimelineArchiverV2(config, table)
        return lambda: int(archiver.archiveIfRequired(context, True))

    def restore(self, instant: str | None) -> None:
        """Take the table back to the savepoint of the commit with this instant; None: to the newest one."""
        self._client.restoreToSavepoint(*([] if instant is None else [instant]))

    def close(self) -> None:
        """Stop the timers and give back what the lock manager has."""
        self._client.close()

    def _schedule(self, call: str) -> str:
        planned = getattr(self._client, call)(self._java.org.apache.hudi.common.util.Option.empty())
        if not planned.isPresent():
            raise NothingPlanned(f"{call}: expected a plan, got none")
        self.instant = str(planned.get())
        return self.instant

    def _write(self, operation: str, records: tuple[Record, ...], ordering: int) -> int:
        return self._collect(getattr(self._client, operation)(self._rdd(records, ordering), self.instant))

    def _replace(self, result: Any) -> int:
        self._replaced = result.getPartitionToReplaceFileIds()
        return self._collect(result.getWriteStatuses())

    def _collect(self, lazy: Any) -> int:
        statuses = lazy.coalesce(1).collect()
        errors = [status for status in statuses if status.hasErrors()]
        if errors:
            raise BackendError(f"write {self.instant}: expected no record to fail, got {len(errors)} files with errors")
        self._statuses = self._context.parallelize(statuses, 1)
        return len(statuses)

    def _at(self, record: Any, place: Located) -> Any:
        """The record with where it has been read."""
        record.setCurrentLocation(self._java.org.apache.hudi.common.model.HoodieRecordLocation(place[3], place[2]))
        return record

    def _rdd(self, records: Sequence[Record], ordering: int, places: tuple[Located, ...] = ()) -> Any:
        java, model = self._java, self._java.org.apache.hudi.common.model
        schema = java.org.apache.avro.Schema.Parser().parse(self._schema)
        made = java.java.util.ArrayList()
        for number, (key, partition, value) in enumerate(records):
            row = java.org.apache.avro.generic.GenericData.Record(schema)
            named = [("id", key), ("p", partition), ("v", value), *[(name, value) for name in self._columns]]
            for name, content in (*named, ("ts", java.java.lang.Long(ordering))):
                row.put(name, content)
            payload = model.OverwriteWithLatestAvroPayload(row, java.java.lang.Long(ordering))
            record = model.HoodieAvroRecord(model.HoodieKey(key, partition), payload)
            made.add(self._at(record, places[number]) if places else record)
        return self._context.parallelize(made, 1)
