"""The notification log: one row per change, appended in the transaction of the change, read by every replica.

The sequence row is locked from the first event of a transaction to its end, so the order of ids is the order of
commits, no id becomes visible after a larger one, and a rollback leaves no gap. Without the lock (2.3, HIVE-16886) two
replicas give one id twice.

Source: hive/5; `DbNotificationListener.java`, `ObjectStore.addNotificationEvent`.
"""

from typing import Any

from model.hive.errors import LogGap
from model.hive.rows import NOTIFICATION_LOG, NOTIFICATION_SEQUENCE, Event
from model.ports import Transaction

LOG_ID = "NL_ID"


def append(tx: Transaction, kind: str, **fields: Any) -> Event:
    """Add an event in the running transaction; `fields` are those of `Event`."""
    event_id = next_id(tx)
    tx.put(NOTIFICATION_SEQUENCE, 1, event_id + 1)
    event = Event(event_id, tx.next_value(LOG_ID), kind, **fields)
    tx.put(NOTIFICATION_LOG, (event_id, event.log_id), event)
    return event


def next_id(tx: Transaction) -> int:
    """The next event's id; the sequence row is locked to the end of the transaction. Source: HIVE-16886."""
    following: int | None = tx.lock(NOTIFICATION_SEQUENCE, 1)
    return following or 1


def current_event_id(tx: Transaction) -> int:
    """The id of the last event; 0 if there has been none."""
    following: int | None = tx.get(NOTIFICATION_SEQUENCE, 1)
    return (following or 1) - 1


def read_after(tx: Transaction, position: int, limit: int) -> tuple[Event, ...]:
    """Up to `limit` events with larger ids, in order. A gap is not noticed here (`CachedStore`; HIVE-25796)."""
    return tuple([event for _, event in tx.scan(NOTIFICATION_LOG, (position + 1,), None, limit)])


def reject_gaps(events: tuple[Event, ...], position: int, end: int) -> None:
    """Raise `LogGap` unless the events follow `position` and each other; `end` is the last event that there has been.

    Source: `HiveMetaStoreClient.getNextNotification`.
    """
    expected = position + 1
    if not events and end > position:
        raise LogGap(f"notification log: event after {position}: expected {expected}, got none up to {end} (cleaned)")
    for event in events:
        if event.id != expected:
            what = "cleaned" if event.id > expected else "given twice"
            raise LogGap(f"notification log: event after {expected - 1}: expected {expected}, got {event.id} ({what})")
        expected += 1


def clean(tx: Transaction, before: int) -> int:
    """Delete the events with ids below `before`; returns how many. Source: `CleanerThread`."""
    rows = tx.scan(NOTIFICATION_LOG, None, (before,))
    for key, _ in rows:
        tx.delete(NOTIFICATION_LOG, key)
    return len(rows)
