"""The rows of a table of format 3 on the real Iceberg as Spark SQL reads them: with their ids, and what is amiss."""

from collections.abc import Collection, Mapping
from typing import Any

from model.iceberg.files import Row
from real_backend.iceberg.java_row_ids import row_ids_amiss
from real_backend.jvm.session import Session
from sim.iceberg.kept_ids import IdentifiedRow, Made, findings_of

COLUMNS = "id", "v", "_row_id", "_last_updated_sequence_number"


def identified_rows(session: Session, table: str, snapshot: int) -> list[IdentifiedRow]:
    """The rows of a snapshot. Raises: what Spark throws."""
    read = session.spark.read.option("snapshot-id", str(snapshot)).table(table).select(*COLUMNS)
    return [IdentifiedRow((key, value), row_id, last) for key, value, row_id, last in read.collect()]


def sql_row_ids_amiss(
    session: Session, table: str, metadata: Mapping[str, Any], changed: Collection[Row]
) -> tuple[str, ...] | None:
    """What is wrong with a table's row ids, as sentences; None if its format has none.

    Args: `metadata`: in its JSON form; `changed`: the rows as UPDATE and MERGE leave them. Snapshots of which a file is
    missing are not looked at.
    """
    if metadata["format-version"] < 3:
        return None
    loaded = session.jvm.iceberg.spark.Spark3Util.loadIcebergTable(session.spark._jsparkSession, table)
    found: dict[int, Made] = {}
    for each in metadata["snapshots"]:
        try:
            rows = identified_rows(session, table, each["snapshot-id"])
        except Exception:  # the reader of the rows is told of it
            continue
        parent, first = each.get("parent-snapshot-id"), each.get("first-row-id")
        found[each["snapshot-id"]] = Made(each["sequence-number"], parent, rows, first)
    return (*findings_of(found, changed), *(row_ids_amiss(session.jvm, loaded, metadata) or ()))
