"""What may go wrong between a session and a metastore, in a metastore's update thread, and in the notification log.

The log keeps its order as long as writers lock its sequence row (hive/5). In 2.3 they do not (HIVE-16886): a change
whose transaction reads the row beside another one's gives its event an id that there is already (`log-duplicate`), or
one below what has been read meanwhile (`log-reorder`; the sequence goes back, too, for the last one to write it wins).
Events that are older than their time to live are deleted, read or not (`log-gap`). A follower asks for ids larger than
the last that it read, so that an event with an id that it has passed is never seen. As shipped it does not look for
gaps, and in the reference only for missing ids, which is what a client's own reader does (HIVE-25796).

Choices: the log is cleaned, at a poll, up to the one event that this poll would have read. Ids are drawn wrongly where
a call of a session is one step: not where each statement of its transaction is.
"""

from __future__ import annotations

from sim.hive.live import CALLS, RENAME_PARTITION
from sim.world.fault_spaces import CALL_CHANGE, CALL_READ, STOPS_AT_CHANGES, Port, wide
from sim.world.scenario import FaultSpace

READS = ("get_open_txns", "get_table", "get_partitions", "get_valid_write_ids")
CALLED = (*[name for name in CALLS if name not in READS], RENAME_PARTITION)
CHANGES = ("open_txn", "record_update", "rename_write_ids", *CALLED)
METASTORES = Port("metastore calls", dict.fromkeys(READS, CALL_READ) | dict.fromkeys(CHANGES, CALL_CHANGE))
UPDATE_THREADS = Port("polls", dict.fromkeys(("poll", "apply"), STOPS_AT_CHANGES))
"""A log that cannot be read is read at the next poll: only its replica's death tells."""
UNLOCKED, CLEANED = ("log-duplicate", "log-reorder"), "log-gap"
NOTIFICATION_LOG = Port(
    "the notification log",
    dict.fromkeys(("open_txn", *CALLED), UNLOCKED) | {"poll": (CLEANED,)},
)
NO_FAULTS = FaultSpace()
ANY_FAULT = wide(METASTORES, UPDATE_THREADS, without={"resend": "what was done is then refused"})
"""One fault of any kind at any step of any process."""
