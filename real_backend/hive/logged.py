"""A row of the live notification log, its message, and what a truncate leaves there: two events, of one change.

The first one has the mark of a truncate and comes before the change, in a transaction of its own; the second one comes
with it, as any alter's. Source: `HMSHandler.alterTableStatsForTruncate`, `HiveAlterHandler.alterTable` 4.0.1.
"""

import base64
import gzip
import json
from collections.abc import Sequence
from typing import Any, NamedTuple

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
    repeated = ""
    for row in rows:
        if repeated and f"{row.database}.{row.table}" == repeated:
            repeated = ""
            continue
        kept.append(row)
        repeated = f"{row.database}.{row.table}" if truncates(row) else repeated
    return kept
