"""Ages of a real table's snapshots, which were made a moment ago."""

import json
from typing import Any

from real_backend.jvm.jvm import Jvm
from sim.iceberg.ages import time_before
from sim.iceberg.aging import in_order


def put_ages(jvm: Jvm, operations: Any, ages_h: tuple[float, ...], now_ms: int) -> None:
    """Give a table's snapshots ages, by the metadata's JSON: a builder would not take what is ahead of this clock.

    Args: `operations`: the table's; `ages_h`: of each snapshot, oldest first. In format 1 these have no numbers, and
    stand in the order in which they were made. Source: `sim.iceberg.aging`.
    """
    base, parser = operations.refresh(), jvm.iceberg.TableMetadataParser
    told: dict[str, Any] = json.loads(str(parser.toJson(base)))
    snapshots = sorted(told["snapshots"], key=lambda each: int(each.get("sequence-number", 0)))
    for snapshot, age_h in zip(snapshots, ages_h, strict=True):
        snapshot["timestamp-ms"] = time_before(age_h, now_ms)
    made_ms = {each["snapshot-id"]: each["timestamp-ms"] for each in snapshots}
    head_ms, log = made_ms[told["current-snapshot-id"]], told["snapshot-log"]
    for entry, logged_ms in zip(log, in_order([made_ms[each["snapshot-id"]] for each in log]), strict=True):
        entry["timestamp-ms"] = logged_ms
    told["last-updated-ms"] = max(now_ms, head_ms)
    operations.commit(base, parser.fromJson(json.dumps(told)))
