"""A live metastore's calls of statistics, as `model.hive` makes them: of one column they say which value is highest.

Choices: what the model has as text is live a number that is made of its letters, of which there may be seven.
"""

from typing import Any

from hive_metastore import ttypes as wire

from model.hive.errors import NoSuchTable
from model.hive.lists import ValidWriteIdList
from model.hive.replica import Request, Told
from model.hive.rows import Event
from real_backend.hive.client import split_name
from real_backend.hive.names import as_number, as_text
from real_backend.hive.replica import LiveReplica

ENGINE, COLUMN, CATALOG = "hive", "id", "hive"


class LiveStatistics(LiveReplica):
    """One actor's view of one metastore, with the statistics of its tables."""

    def update_statistics(
        self, name: str, value: str, write_id: int, writes: ValidWriteIdList | None, table_id: int | None = None
    ) -> Event:
        """Say what the statistics of the table's column are. Raises: `NoSuchTable`."""
        database, table = split_name(self._names.live(name))
        described = wire.ColumnStatisticsDesc(isTblLevel=True, dbName=database, tableName=table, catName=CATALOG)
        request = wire.SetPartitionsStatsRequest(
            [wire.ColumnStatistics(described, [_of_column(value)], engine=ENGINE)], engine=ENGINE,
            writeId=write_id or -1, validWriteIdList=self._list(Request(name, 0, writes)),
        )  # fmt: skip
        self._call(lambda calls: calls.update_table_column_statistics_req(request))
        return self._event(write_id)

    def get_statistics(self, request: Request) -> Told:
        """What may be used of a table's statistics. Raises: `NoSuchTable`."""
        database, table = split_name(self._names.live(request.name))
        asked = wire.TableStatsRequest(
            database, table, [COLUMN], catName=CATALOG, validWriteIdList=self._list(request), engine=ENGINE
        )
        found = self._call(lambda calls: calls.get_table_statistics_req(asked).tableStats)
        value = as_text(found[0].statsData.longStats.highValue) if found else None
        if self._source == "cache":
            return Told(self._table(request.name, self._cached_now(request)), value, "cache")
        row = self._backing.table(self._names.live(request.name))
        if row is None:
            raise NoSuchTable(f"table {request.name}: expected one, the database has none")
        return Told(self._stored(request.name, row).table, value, "database")


def _of_column(value: str) -> Any:
    data = wire.LongColumnStatsData(highValue=as_number(value), numNulls=0, numDVs=1)
    return wire.ColumnStatisticsObj(COLUMN, "int", wire.ColumnStatisticsData(longStats=data))
