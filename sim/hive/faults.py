"""What may go wrong between a session and a metastore, and in a metastore's update thread: spaces of faults."""

from __future__ import annotations

from sim.hive.live import CALLS
from sim.world.fault_spaces import CALL_CHANGE, CALL_READ, STOPS_AT_CHANGES, Port, wide
from sim.world.scenario import FaultSpace

READS = ("get_open_txns", "get_table", "get_partitions", "get_valid_write_ids")
CHANGES = ("open_txn", "record_update", "rename_write_ids", *[name for name in CALLS if name not in READS])
METASTORES = Port("metastore calls", dict.fromkeys(READS, CALL_READ) | dict.fromkeys(CHANGES, CALL_CHANGE))
UPDATE_THREADS = Port("polls", dict.fromkeys(("poll", "apply"), STOPS_AT_CHANGES))
"""A log that cannot be read is read at the next poll: only its replica's death tells."""
NO_FAULTS = FaultSpace()
ANY_FAULT = wide(METASTORES, UPDATE_THREADS, without={"resend": "what was done is then refused"})
"""One fault of any kind at any step of any process."""
