"""What may go wrong between a session and a metastore, and in a metastore's update thread."""

from __future__ import annotations

from sim.hive.live import CALLS
from sim.world.fault_spaces import CALL_CHANGE, CALL_READ, STOPS_AT_CHANGES, Port
from sim.world.scenario import FaultSpace

READS = ("get_open_txns", "get_table", "get_partitions", "get_valid_write_ids")
METASTORES = Port("metastore calls", {
    "open_txn": CALL_CHANGE,
    "get_valid_write_ids": CALL_READ,
    "record_update": CALL_CHANGE,
    **{name: CALL_READ if name in READS else CALL_CHANGE for name in CALLS},
})  # fmt: skip
UPDATE_THREADS = Port("polls", dict.fromkeys(("poll", "apply"), STOPS_AT_CHANGES))
"""A log that cannot be read is read at the next poll: only its replica's death tells."""

__all__ = ["METASTORES", "UPDATE_THREADS", "FaultSpace"]
