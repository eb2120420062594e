"""A live metastore's calls of statistics, as `model.hive` makes them: of one column they say which value is highest.

Choices: what the model has as text is live a number that is made of its letters, of which there may be seven.
"""

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from hive_metastore import ttypes as wire

from model.hive.errors import NoSuchTable
from model.hive.lists import ValidWriteIdList
from model.hive.replica import Aggregate, Request, Told
from model.hive.rows import Event
from real_backend.hive.client import split_name
from real_backend.hive.names import as_number, as_text
from real_backend.hive.truncate_calls import LiveTruncates

ENGINE, COLUMN, CATALOG = "hive", "id", "hive"


class LiveStatistics(LiveTruncates):
    """One actor's view of one metastore, with the statistics of its tables."""

    def update_statistics(
        self, name: str, value: str, write_id: int, writes: ValidWriteIdList | None, table_id: int | None = None,
        partition: str = "",
    ) -> Event:  # fmt: skip
        """Say what the statistics of the table's column are, or of its partition's. Raises: `NoSuchTable`."""
        database, table = split_name(self._names.live(name))
        described = wire.ColumnStatisticsDesc(
            not partition, database, table, _name_of(partition) if partition else None, catName=CATALOG
        )
        request = wire.SetPartitionsStatsRequest(
            [wire.ColumnStatistics(described, [_of_column(value)], engine=ENGINE)], engine=ENGINE,
            writeId=write_id or -1, validWriteIdList=self._list(Request(name, 0, writes)),
        )  # fmt: skip
        if partition:
            self._call(lambda calls: calls.update_partition_column_statistics_req(request))
        else:
            self._call(lambda calls: calls.update_table_column_statistics_req(request))
        return self._event(write_id)

    def delete_statistics(
        self, name: str, table_id: int | None = None, partition: str = "", *, unnamed: bool = False
    ) -> Event:  # fmt: skip
        """Delete the statistics of the table's column, or of its partition's, or `unnamed` of all columns.

        Raises: `NoSuchTable`, `Transactional`.
        """
        database, table = split_name(self._names.live(name))
        column = None if unnamed else COLUMN
        if partition:
            part = _name_of(partition)
            self._call(lambda calls: calls.delete_partition_column_statistics(database, table, part, column, ENGINE))
        else:
            self._call(lambda calls: calls.delete_table_column_statistics(database, table, column, ENGINE))
        row = self._backing.table(self._names.live(name))
        if row is None:
            raise NoSuchTable(f"table {name}: expected one, the database has none")
        made = self._backing.content_events(self._names.databases, self._began)
        self._names.deleted[made[-1].id] = self._names.incarnation(row), partition
        return self._event()

    def get_statistics(self, request: Request, partition: str = "") -> Told:
        """What may be used of a table's statistics, or its partition's. Raises: `NoSuchTable`."""
        database, table = split_name(self._names.live(request.name))
        how = {"catName": CATALOG, "validWriteIdList": self._list(request), "engine": ENGINE}
        if partition:
            of_parts = wire.PartitionsStatsRequest(database, table, [COLUMN], [_name_of(partition)], **how)
            told = self._call(lambda calls: calls.get_partitions_statistics_req(of_parts).partStats)
            found: list[Any] = next(iter(told.values()), [])
        else:
            asked = wire.TableStatsRequest(database, table, [COLUMN], **how)
            found = self._call(lambda calls: calls.get_table_statistics_req(asked).tableStats)
        value = as_text(found[0].statsData.longStats.highValue) if found else None
        if self._source == "cache":
            return Told(self._table(request.name, self._cached_now(request)), value, "cache")
        row = self._backing.table(self._names.live(request.name))
        if row is None:
            raise NoSuchTable(f"table {request.name}: expected one, the database has none")
        return Told(self._stored(request.name, row).table, value, "database")

    def get_aggregate(self, request: Request, partitions: Sequence[str]) -> Aggregate:
        """The statistics of some partitions together; nobody tells who has answered.

        Raises: `NoAggregate`, `NoSuchTable`.
        """
        database, table = split_name(self._names.live(request.name))
        asked = wire.PartitionsStatsRequest(
            database, table, [COLUMN], [_name_of(one) for one in partitions], catName=CATALOG,
            validWriteIdList=self._list(request), engine=ENGINE,
        )  # fmt: skip
        told = self._call(lambda calls: calls.get_aggr_stats_for(asked))
        value = as_text(told.colStats[0].statsData.longStats.highValue) if told.colStats else None
        row = self._backing.table(self._names.live(request.name))
        if row is None:  # a cache has answered
            cached = self._table(request.name, self._cached_now(request))
            return Aggregate(cached, value, int(told.partsFound), "cache")
        return Aggregate(self._stored(request.name, row).table, value, int(told.partsFound), "database")


def _name_of(partition: str) -> str:
    return f"p={quote(partition, safe='')}"


def _of_column(value: str) -> Any:
    data = wire.LongColumnStatsData(lowValue=0, highValue=as_number(value), numNulls=0, numDVs=1)
    return wire.ColumnStatisticsObj(COLUMN, "int", wire.ColumnStatisticsData(longStats=data))
