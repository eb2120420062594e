"""Lists of write ids are those of their transaction's snapshot, whenever they are taken. Source: hive/1.5.

Choices: a snapshot is as old as the begin of its transaction, or as the last update under a lock that may have taken it
anew.
"""

from checkers.finding import T1, T2, Finding, Findings, one_per_shape
from checkers.hive.facts import HiveFacts, Reading, hive_facts
from checkers.isolation.resolve import Facts


def lists_keep_their_snapshot(facts: Facts) -> Findings:
    """No list has the write id of a transaction whose commit was asked for after the list's snapshot was taken."""
    known = hive_facts(facts)
    found: list[Finding] = []
    for reading in known.readings:
        for position, txn, table_id, write_id in known.written:
            if reading.writes is None or txn == reading.txn or table_id != reading.table_id:
                continue
            if reading.writes.has(write_id) and known.ending(txn).invoked > _taken(known, reading):
                says = (
                    f"{T2}'s list has write id {write_id} of {T1}, whose transaction {txn} had not been asked to "
                    f"commit when {T2}'s snapshot was taken",
                )
                found.append(Finding("list-of-another-snapshot", (position, reading.position), (), says))
    return one_per_shape(found)


def _taken(known: HiveFacts, reading: Reading) -> int:
    """The row by which the snapshot had been taken."""
    renewed = [
        update.completed
        for update in known.updates
        if update.kind and update.txn == reading.txn and update.completed < (reading.op.completed or 0)
    ]
    return max([known.began.get(reading.txn, reading.op.completed or 0), *renewed])
