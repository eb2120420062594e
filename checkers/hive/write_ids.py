"""Write ids name one transaction's work on one table, and lists have what was committed before them.

What a list lacks is not read: neither by a cache, nor by who reads the table's files. Source: hive/1.3, hive/1.5.

Choices: a transaction that nobody was told to have ended owes nothing. Whoever looks for a transaction's rows has its
write id from what the transaction was told, whatever the database knows of it later.
"""

from checkers.finding import T1, T2, Finding, Findings, one_per_shape
from checkers.hive.facts import Written, hive_facts
from checkers.isolation.resolve import Facts


def lists_have_the_committed(facts: Facts) -> Findings:
    """A list of a transaction that began after another one had committed has the other one's write ids."""
    known = hive_facts(facts)
    found: list[Finding] = []
    for reading in known.readings:
        for one in known.written:
            ending = known.ending(one.txn)
            if reading.writes is None or one.table_id != reading.table_id:
                continue
            owed = one.write_id and ending.completed < reading.began and not ending.aborts
            if owed and not reading.writes.has(one.write_id):
                says = (
                    f"{T1} wrote under write id {one.write_id} of {reading.table} in transaction {one.txn}, which had "
                    f"committed when {T2}'s began",
                    f"{T2}'s list ends with {reading.writes.high}, and does not have it",
                )
                found.append(Finding("committed-not-listed", (one.position, reading.position), (), says))
    return one_per_shape(found)


def write_ids_given_once(facts: Facts) -> Findings:
    """No two transactions have one write id of one table."""
    first: dict[tuple[int, int], Written] = {}
    found: list[Finding] = []
    for one in hive_facts(facts).written:
        if not (one.write_id and one.table_id):
            continue
        known = first.setdefault((one.table_id, one.write_id), one)
        if known.txn != one.txn:
            says = (
                f"{T1} and {T2} wrote to one table in transactions {known.txn} and {one.txn}, both under write id "
                f"{one.write_id}",
            )
            found.append(Finding("write-id-given-twice", (known.position, one.position), (), says))
    return one_per_shape(found)
