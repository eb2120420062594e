"""Whether locks keep out whom they are to keep out. Source: hive/1.6; `CheckLockFunction` 4.0.1, its query.

A lock of a transaction is held from its answer to the moment at which an end of the transaction is asked for, by its
session or by the house keeper: it may be held for longer, which nobody can tell, and then says nothing.

Choices: tables alone, by their names. A lock is of the name that it was asked for, and, of a table with write ids, of
the name that the table gets while it is held (`OnRenameFunction`): it keeps out whoever asks for that one later. A
session that is not granted another lock aborts its transaction: what it holds is over when it asks.
"""

from itertools import combinations
from typing import NamedTuple

from checkers.finding import T1, T2, Finding, Findings, one_per_shape
from checkers.histories.history import Op
from checkers.hive.facts import HiveFacts, hive_facts, words_of
from checkers.isolation.resolve import Facts

TOGETHER = frozenset(
    [("shared-read", "shared-read"), ("shared-read", "shared-write"), ("shared-read", "excl-write"),
     ("shared-write", "shared-write")]
)  # fmt: skip
"""The kinds, the weaker first, that two transactions may hold of one table at once."""
WEAKER_FIRST = ("shared-read", "shared-write", "excl-write", "exclusive")


class Held(NamedTuple):
    """A lock that was granted. `since`, `until`: the rows between which it is held for certain; `asked`: where it was
    asked for; `later`: it keeps out those alone who ask later than `since`."""

    position: int
    txn: int
    table: str
    kind: str
    since: int
    until: int
    asked: int
    later: bool = False


def locks_exclude(facts: Facts) -> Findings:
    """No two transactions hold locks of one table at once that keep each other out."""
    held = _held(facts, hive_facts(facts))
    return one_per_shape([_both(one, other) for one, other in combinations(held, 2) if _clash(one, other)])


def _held(facts: Facts, known: HiveFacts) -> list[Held]:
    asked = [(position, op) for position, op in enumerate(facts.ops) if op.f == "lock" or _locks(op)]
    found: list[Held] = []
    for position, op in asked:
        words = words_of(op)
        if op.type != "ok" or op.completed is None:
            continue
        refused = [
            other.invoked
            for _, other in asked
            if (other.process, other.type == "ok") == (op.process, False) and other.invoked > op.invoked
        ]
        txn = int(words["txn"])
        until = min([known.ending(txn).invoked, *refused])
        held = Held(position, txn, words["table"], words["kind"], op.completed, until, op.invoked)
        found += [held, *_renamed(held, known)]
    return found


def _renamed(held: Held, known: HiveFacts) -> list[Held]:
    """The lock under the name that its table has got since."""
    for change in known.changes:
        done = change.op.completed or 0
        before = words_of(change.op).get("table")
        if change.op.f == "rename" and change.write_id and before == held.table and held.since < done < held.until:
            return [held._replace(table=change.name, since=done, later=True)]
    return []


def _locks(op: Op) -> bool:
    """Whether it is an update under a lock."""
    return op.f == "update" and "kind" in words_of(op)


def _clash(one: Held, other: Held) -> bool:
    kinds = sorted((one.kind, other.kind), key=WEAKER_FIRST.index)
    if one.txn == other.txn or one.table != other.table or tuple(kinds) in TOGETHER:
        return False
    if (one.later and other.asked < one.since) or (other.later and one.asked < other.since):
        return False
    return max(one.since, other.since) < min(one.until, other.until)


def _both(one: Held, other: Held) -> Finding:
    says = (
        f"{T1} and {T2} were both granted a lock of {one.table}, {one.kind} to transaction {one.txn} and {other.kind} "
        f"to transaction {other.txn}, and neither had asked for its end",
    )
    return Finding("both-hold-the-lock", (one.position, other.position), (), says)
