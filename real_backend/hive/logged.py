"""A row of the live notification log, its message, and what a truncate leaves there: two events, of one change.

The first one has the mark of a truncate and comes before the change, in a transaction of its own; the second one comes
with it, as any alter's. A truncate that is refused leaves the first one alone (`model.hive.truncates`).
Source: `HMSHandler.alterTableStatsForTruncate`, `HiveAlterHandler.alterTable` 4.0.1.
"""

import base64
import gzip
import json
from collections.abc import Sequence
from typing import Any, NamedTuple

TABLE_PARAMETERS, PARTITION_VALUES, PARTITION_PARAMETERS = "9", "1", "7"
ALTERS = ("ALTER_TABLE", "ALTER_PARTITION")


class LoggedEvent(NamedTuple):
    """One row of the notification log; `message` as it is stored."""

    id: int
    kind: str
    database: str | None
    table: str | None
    message: str = ""


def message_of(row: LoggedEvent) -> dict[str, Any]:
    """What a row says."""
    message: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(row.message)))
    return message


def truncates(row: LoggedEvent) -> bool:
    """Whether it is the first event of a truncate's change."""
    return row.kind in ALTERS and str(message_of(row).get("isTruncateOp")).lower() == "true"


def without_repeats(rows: Sequence[LoggedEvent]) -> list[LoggedEvent]:
    """The rows with one for each change of a truncate, its first."""
    kept: list[LoggedEvent] = []
    announced: tuple[str, ...] = ()
    for row in rows:
        if announced and (row.kind, f"{row.database}.{row.table}") == announced[:2]:
            changes, announced = _changed(row) == announced[2:], ()
            if changes and not truncates(row):
                continue
        kept.append(row)
        if truncates(row):
            announced = (row.kind, f"{row.database}.{row.table}", *_changed(row))
    return kept


def _changed(row: LoggedEvent) -> tuple[str, ...]:
    """Which partition an alter is of, and what is its content, or the table's."""
    message = message_of(row)
    if row.kind == "ALTER_PARTITION":
        found = json.loads(message["partitionObjAfterJson"])
        return *found[PARTITION_VALUES]["lst"][2:], entries_of(found[PARTITION_PARAMETERS])["v"]
    return (entries_of(json.loads(message["tableObjAfterJson"])[TABLE_PARAMETERS])["v"],)


def entries_of(field: dict[str, Any]) -> dict[str, str]:
    """A Thrift map in JSON: key type, value type, size, entries."""
    entries: dict[str, str] = field["map"][3]
    return entries
