"""A table of real Java that a test changes call by call, without gates."""

import itertools
from typing import Any

from real_backend.iceberg.java_api import NAMESPACE, JavaIceberg
from real_backend.iceberg.java_files import iterate
from real_backend.iceberg.java_specs import update_spec
from real_backend.iceberg.live_run import sorted_rows
from sim.iceberg.workload import Rows, UpdateSpec

FAR_FUTURE_MS = 1 << 52
_NUMBERS = itertools.count(1)


class Loaded:
    """The table as a client loaded it once."""

    def __init__(self, java: JavaIceberg, table: Any) -> None:
        self._java, self._table = java, table

    def append(self, rows: Rows) -> Any:
        """An append of files that are written now, to be committed."""
        update = self._table.newAppend()
        name = f"loaded{next(_NUMBERS)}"
        for file in self._java._files.data_files(self._table.io(), name, rows, self._table.spec()):
            update.appendFile(file)
        return update


class LiveTable:
    """A table with partitions of two ids, and one row."""

    def __init__(self, java: JavaIceberg) -> None:
        self._java, self._jvm, self._catalog = java, java._jvm, java._catalog
        self._name = self._jvm.iceberg.catalog.TableIdentifier.parse(f"{NAMESPACE}.direct{next(_NUMBERS)}")
        files = java._files
        self._catalog.createTable(self._name, files.schema, files.spec(2), self._jvm.java_map({"format-version": "2"}))
        self.loaded().append(((1, "a"),)).commit()

    def _load(self) -> Any:
        return self._catalog.loadTable(self._name)

    def loaded(self) -> Loaded:
        """The table as a client loads it now."""
        return Loaded(self._java, self._load())

    def change_spec(self, width: int) -> None:
        """Partitions of so many ids from now on."""
        table = self._load()
        update_spec(self._jvm, table, table.spec(), UpdateSpec(width)).commit()

    def expire_with_metadata(self) -> None:
        """All snapshots but the newest go, and with them specs that nobody needs."""
        expiry = self._load().expireSnapshots().expireOlderThan(FAR_FUTURE_MS).retainLast(1)
        expiry.cleanExpiredMetadata(True).commit()

    @property
    def specs(self) -> set[int]:
        """The ids of the specs."""
        return {int(each) for each in self._load().specs().keySet()}

    def rows(self) -> Rows:
        """All rows."""
        return self._java._files.rows(self._load())

    def rows_of(self, row_id: int) -> Rows:
        """What a read of this id finds."""
        records = self._jvm.iceberg.data.IcebergGenerics.read(self._load()).where(self._is(row_id)).build()
        return sorted_rows((record.getField("id"), record.getField("v")) for record in iterate(records))

    def delete_where(self, row_id: int) -> None:
        """DELETE of this id, by whole files."""
        self._load().newDelete().deleteFromRowFilter(self._is(row_id)).commit()

    def roll_back(self) -> None:
        """Main goes to the snapshot below its head."""
        table = self._load()
        table.manageSnapshots().rollbackTo(table.currentSnapshot().parentId()).commit()

    def _is(self, row_id: int) -> Any:
        return self._jvm.iceberg.expressions.Expressions.equal("id", row_id)
