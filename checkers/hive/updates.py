"""Updates of rows: that the first committer wins, that locked ones build on each other, that conflicts are real.

An update of a table, or of partitions of it, is an operation `update`. One that was made under a lock says so (`kind`),
with its write id, the session's list by then, and the partitions that it changed.

Source: hive/1.6; `CommitTxnFunction`, `DriverTxnHandler.isValidTxnListState`, HIVE-26472 (the write id).

Choices: two updates are of one place if they are of one table (by its name, where an id is not known) and of one
partition, or neither of any: the metastore compares no more. While nobody knows whether an update was made, no conflict
is called unfounded. A transaction that was aborted may have been so before it had its lock: it owes nothing.
"""

from checkers.finding import T1, T2, Finding, Findings, one_per_shape
from checkers.hive.facts import NEVER, HiveFacts, Update, hive_facts
from checkers.isolation.resolve import Facts

CONFLICT = "write conflict"
EXCLUSIVE = "excl-write"


def first_committer_wins(facts: Facts) -> Findings:
    """Two transactions that updated one place do not both commit if each began before the other committed."""
    known = hive_facts(facts)
    found: list[Finding] = []
    for place, second in enumerate(known.updates):
        for first in known.updates[:place]:
            if _of_one_place(first, second) and _overlap(known, first.txn, second.txn):
                says = (
                    f"{T1} and {T2} updated {first.table} in transactions {first.txn} and {second.txn}; both committed",
                )
                found.append(Finding("both-committed", (first.position, second.position), (), says))
    return one_per_shape(found)


def _of_one_place(first: Update, second: Update) -> bool:
    if not _of_one_table(first, second) or first.txn == second.txn:
        return False
    return bool(set(first.partitions) & set(second.partitions)) or not (first.partitions or second.partitions)


def _of_one_table(first: Update, second: Update) -> bool:
    if first.table_id and second.table_id:
        return first.table_id == second.table_id
    return first.table == second.table


def _overlap(known: HiveFacts, one: int, other: int) -> bool:
    """Whether both committed, and each had begun before the other's commit was asked for."""
    endings = known.ending(one), known.ending(other)
    if any(ending.aborts or ending.completed == NEVER for ending in endings):
        return False
    return known.began.get(one, NEVER) < endings[1].invoked and known.began.get(other, NEVER) < endings[0].invoked


def updates_build_on_each_other(facts: Facts) -> Findings:
    """An update under a lock that keeps others out has every committed update before it in its list, and a write id
    above theirs: else what they changed is lost, or comes back."""
    known = hive_facts(facts)
    found: list[Finding] = []
    locked = [update for update in known.updates if update.kind == EXCLUSIVE and update.writes is not None]
    for second in locked:
        for first in locked:
            after = first.completed < second.completed and not known.ending(second.txn).aborts
            if not after or not _of_one_place(first, second) or not _committed(known, first):
                continue
            assert second.writes is not None
            under = (
                f"{T1} changed {first.table} under write id {first.write_id}, and committed before {T2} had its lock"
            )
            ops = (first.position, second.position)
            if not second.writes.has(first.write_id):
                found.append(Finding("update-not-seen", ops, (), (f"{under}; {T2}'s list lacks it",)))
            elif second.write_id < first.write_id:
                found.append(
                    Finding("write-id-too-low", ops, (), (f"{under}; {T2}'s own is lower: {second.write_id}",))
                )
    return one_per_shape(found)


def _committed(known: HiveFacts, update: Update) -> bool:
    ending = known.ending(update.txn)
    return not ending.aborts and ending.completed < NEVER


def conflicts_have_a_rival(facts: Facts) -> Findings:
    """A commit that is refused for a write conflict has somebody to conflict with, in the same place."""
    known = hive_facts(facts)
    if any(op.f == "update" and op.type == "info" for op in facts.ops):
        return []
    found: list[Finding] = []
    for position, op in enumerate(facts.ops):
        if op.f != "commit" or op.type != "fail" or CONFLICT not in (op.error or ""):
            continue
        mine = [
            one for one in known.updates if one.process == op.process and known.ending(one.txn).invoked == op.invoked
        ]
        rivals = [other for one in mine for other in known.updates if _of_one_place(one, other)]
        if not any(_may_have_committed(known, other, op.completed or NEVER) for other in rivals):
            says = (f"{T1} was refused for a write conflict; nobody else had changed what its transaction has",)
            found.append(Finding("conflict-with-nobody", (position,), (), says))
    return one_per_shape(found)


def _may_have_committed(known: HiveFacts, update: Update, before: int) -> bool:
    ending = known.ending(update.txn)
    return not ending.aborts and ending.invoked < before
