"""Lists of write ids are those of their transaction's snapshot, whenever they are taken. Source: hive/1.5.

Choices: a snapshot is as old as the begin of its transaction, or as the last update under a lock that may have taken it
anew. A commit that was under way at that moment may be in it or not: but in the lists of all tables, or of none.
"""

from checkers.finding import T1, T2, Finding, Findings, one_per_shape
from checkers.hive.facts import HiveFacts, Reading, Written, hive_facts
from checkers.isolation.resolve import Facts


def lists_keep_their_snapshot(facts: Facts) -> Findings:
    """No list has the write id of a transaction whose commit was asked for after the list's snapshot was taken, and no
    two lists of a snapshot have one transaction's writes and lack them."""
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
    return one_per_shape([*found, *_torn(known)])


def _torn(known: HiveFacts) -> list[Finding]:
    """Lists of one transaction, which keeps its snapshot, of which one has what another transaction wrote and another
    one lacks it."""
    renews = {update.txn for update in known.updates if update.kind}
    listed: dict[tuple[int, int], dict[bool, tuple[Written, Reading]]] = {}
    for reading in known.readings:
        if reading.writes is None or not reading.txn or reading.txn in renews:
            continue
        for one in known.written:
            if one.write_id and one.table_id == reading.table_id and one.txn != reading.txn:
                seen = listed.setdefault((reading.txn, one.txn), {})
                seen.setdefault(reading.writes.has(one.write_id), (one, reading))
    return [_in_words(*each[True], *each[False]) for each in listed.values() if len(each) > 1]


def _in_words(one: Written, has: Reading, other: Written, lacks: Reading) -> Finding:
    says = (
        f"{T1}'s list of {has.table} has write id {one.write_id} of transaction {one.txn}; {T2}'s of {lacks.table}, by "
        f"the same snapshot, lacks its write id {other.write_id}",
    )
    return Finding("snapshot-torn", (has.position, lacks.position, one.position), (), says)


def _taken(known: HiveFacts, reading: Reading) -> int:
    """The row by which the snapshot had been taken."""
    renewed = [
        update.completed
        for update in known.updates
        if update.kind and update.txn == reading.txn and update.completed < (reading.op.completed or 0)
    ]
    return max([known.began.get(reading.txn, reading.op.completed or 0), *renewed])
