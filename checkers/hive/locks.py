"""Whether locks keep out whom they are to keep out. Source: hive/1.6; `CheckLockFunction` 4.0.1, its query.

A lock of a transaction is held from its answer to the moment at which an end of the transaction is asked for, by its
session or by the house keeper: it may be held for longer, which nobody can tell, and then says nothing.

Choices: tables, partitions and databases go by their names, and what has another one in it is locked with it; but a
shared read of a database keeps it from being dropped, and is in the way of nothing else. A lock is of the name that it
was asked for, and, of a table with write ids, of the name that the table gets while it is held (`OnRenameFunction`): it
keeps out whoever asks for that one later. The old name is nobody's from the moment on at which the rename was asked
for; so are those of the tables of a database that gets another name, whose locks are followed no further. A session
that is not granted another lock aborts its transaction: what it holds is over when it asks.
"""

from collections.abc import Mapping
from itertools import combinations
from typing import NamedTuple

from checkers.finding import T1, T2, Finding, Findings, one_per_shape
from checkers.histories.history import Op
from checkers.hive.facts import NEVER, HiveFacts, hive_facts, words_of
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
    name: str
    kind: str
    since: int
    until: int
    asked: int
    later: bool = False


def locks_exclude(facts: Facts) -> Findings:
    """No two transactions hold locks of one thing at once that keep each other out."""
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
        for kind, name in _parts(words):
            held = Held(position, txn, name, kind, op.completed, until, op.invoked)
            found += [held._replace(until=min(until, _given_away(held, facts))), *_renamed(held, known)]
    return found


def _parts(words: Mapping[str, str]) -> list[tuple[str, str]]:
    """The kinds and the names of what an operation has locked."""
    if "parts" not in words:
        return [(words["kind"], words["table"])]
    return [(kind, name) for kind, _, name in [part.partition("@") for part in words["parts"].split(",")]]


def _given_away(held: Held, facts: Facts) -> int:
    """The row at which somebody asks for another name for the locked table, unless its locks do not follow it: one
    without write ids; or for its database, unless no table is renamed. A request that waits goes with the table, too.
    """
    later = [op for op in facts.ops if op.completed is None or op.completed > held.asked]
    return min([op.invoked for op in later if _renames(op, _table(held.name))], default=NEVER)


def _renames(op: Op, table: str) -> bool:
    words = words_of(op)
    if op.f == "rename-database":
        return words.get("database") == table.partition(".")[0] and words.get("tables") != "0"
    return op.f == "rename" and words.get("table") == table and words.get("wid") != "0"


def _renamed(held: Held, known: HiveFacts) -> list[Held]:
    """The lock under the name that its table has got since."""
    for change in known.changes:
        done = change.op.completed or 0
        before = words_of(change.op).get("table", "")
        its = before == _table(held.name) and held.since < done < held.until
        if change.op.f == "rename" and change.write_id and its:
            name = held.name.replace(before, change.name, 1)
            return [held._replace(name=name, since=done, later=True)]
    return []


def _table(name: str) -> str:
    """The table that a lock is of, or of a partition of which; of a database there is none ("default")."""
    return name.partition("/")[0]


def _overlap(one: str, other: str) -> bool:
    """Whether both are one thing, or one has the other in it."""
    inner, outer = (one, other) if len(one) > len(other) else (other, one)
    return inner == outer or inner.startswith(outer + ("/" if "." in outer else "."))


def _for_existence(one: Held, other: Held) -> bool:
    """Whether one is a shared read of a database, and the other one of something in it."""
    return any(a.kind == "shared-read" and "." not in a.name and "." in b.name for a, b in ((one, other), (other, one)))


def _locks(op: Op) -> bool:
    """Whether it is an update under a lock."""
    return op.f == "update" and "kind" in words_of(op)


def _clash(one: Held, other: Held) -> bool:
    kinds = sorted((one.kind, other.kind), key=WEAKER_FIRST.index)
    if one.txn == other.txn or not _overlap(one.name, other.name) or tuple(kinds) in TOGETHER:
        return False
    if _for_existence(one, other):
        return False
    if (one.later and other.asked < one.since) or (other.later and one.asked < other.since):
        return False
    return max(one.since, other.since) < min(one.until, other.until)


def _both(one: Held, other: Held) -> Finding:
    of = one.name if one.name == other.name else f"{one.name} and of {other.name}"
    says = (
        f"{T1} and {T2} were both granted a lock of {of}, {one.kind} to transaction {one.txn} and {other.kind} "
        f"to transaction {other.txn}, and neither had asked for its end",
    )
    return Finding("both-hold-the-lock", (one.position, other.position), (), says)
