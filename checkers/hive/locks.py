"""Whether locks keep out whom they are to keep out. Source: hive/1.6; `CheckLockFunction` 4.0.1, its query.

A lock of a transaction is held from its answer to the moment at which an end of the transaction is asked for, by its
session or by the house keeper: it may be held for longer, which nobody can tell, and then says nothing.

Choices: tables alone, by their names; a lock names what it was asked for, and does not follow a rename. A session that
is not granted another lock aborts its transaction: what it holds is over when it asks.
"""

from itertools import combinations
from typing import NamedTuple

from checkers.finding import T1, T2, Finding, Findings, one_per_shape
from checkers.hive.facts import HiveFacts, hive_facts, words_of
from checkers.isolation.resolve import Facts

TOGETHER = frozenset(
    [("shared-read", "shared-read"), ("shared-read", "shared-write"), ("shared-read", "excl-write"),
     ("shared-write", "shared-write")]
)  # fmt: skip
"""The kinds, the weaker first, that two transactions may hold of one table at once."""
WEAKER_FIRST = ("shared-read", "shared-write", "excl-write", "exclusive")


class Held(NamedTuple):
    """A lock that was granted. `since`, `until`: the rows between which it is held for certain."""

    position: int
    txn: int
    table: str
    kind: str
    since: int
    until: int


def locks_exclude(facts: Facts) -> Findings:
    """No two transactions hold locks of one table at once that keep each other out."""
    held = _held(facts, hive_facts(facts))
    return one_per_shape([_both(one, other) for one, other in combinations(held, 2) if _clash(one, other)])


def _held(facts: Facts, known: HiveFacts) -> list[Held]:
    asked = [(position, op) for position, op in enumerate(facts.ops) if op.f == "lock"]
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
        found.append(Held(position, txn, words["table"], words["kind"], op.completed, until))
    return found


def _clash(one: Held, other: Held) -> bool:
    kinds = sorted((one.kind, other.kind), key=WEAKER_FIRST.index)
    if one.txn == other.txn or one.table != other.table or tuple(kinds) in TOGETHER:
        return False
    return max(one.since, other.since) < min(one.until, other.until)


def _both(one: Held, other: Held) -> Finding:
    says = (
        f"{T1} and {T2} were both granted a lock of {one.table}, {one.kind} to transaction {one.txn} and {other.kind} "
        f"to transaction {other.txn}, and neither had asked for its end",
    )
    return Finding("both-hold-the-lock", (one.position, other.position), (), says)
