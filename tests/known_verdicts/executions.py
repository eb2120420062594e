"""Executions whose verdicts follow from how they were made: a small multi-version store, and anomalies planted into it.

The store runs clients in a random order under one of three rules. One transaction at a time keeps every property.
Checking at the commit that nothing that was read or written has changed keeps all of them too, for a reader stands at
its start. First committer wins keeps snapshot isolation, in real time, and all below it.

An anomaly is a handful of transactions on keys of its own, appended to an execution of the first or second kind: what
it breaks and what it leaves whole is known from the literature.
"""

import random
from typing import Any, NamedTuple

from checkers.histories.history import Event, History, Read, Write
from tests.known_verdicts.axioms import LEVELS, ORDERS

SERIAL, OPTIMISTIC, SNAPSHOT = "one at a time", "checked at commit", "first committer wins"
EVERY = tuple(f"{order}{level}" for order in ORDERS for level in LEVELS)
UP_TO_SNAPSHOT = tuple(name for name in EVERY if not name.endswith("serializable"))
SESSIONS = ("monotonic-reads", "read-your-writes", "monotonic-writes", "writes-follow-reads", "session-guarantees")


class Done(NamedTuple):
    """A transaction: who, from which version, which version it made (None = none), what it read and wrote, its end."""

    process: str
    start: int
    commit: int | None
    reads: tuple[tuple[str, str | None], ...]
    writes: tuple[tuple[str, str], ...] = ()
    kind: str = "ok"


class Planted(NamedTuple):
    """Groups of transactions that run at the same time; `breaks` and `keeps` are properties of the whole history."""

    groups: tuple[tuple[Done, ...], ...]
    breaks: tuple[str, ...]
    keeps: tuple[str, ...]


def execution(rng: random.Random, rule: str) -> tuple[list[tuple[Done, ...]], int]:
    """The transactions of a run of the store, one group each unless they overlapped, and its newest version."""
    keys, newest = [f"k{number}" for number in range(rng.randint(1, 6))], 0
    store: list[dict[str, tuple[int, str | None]]] = [dict.fromkeys(keys, (0, "0"))]
    groups: list[tuple[Done, ...]] = []
    for _ in range(rng.randint(1, 12)):
        together = 1 if rule == SERIAL else rng.randint(1, 3)
        group, begun = [], newest
        for number in range(together):
            read = rng.sample(keys, rng.randint(0, len(keys)))
            wrote = rng.sample(keys, rng.randint(0, min(3, len(keys))))
            seen = tuple([(key, store[begun][key][1]) for key in read])
            changed = {key for key in keys if store[newest][key][0] > begun}
            refused = bool(changed & {*wrote}) or bool(rule == OPTIMISTIC and wrote and changed & {*read})
            made = newest + 1 if wrote and not refused else None
            writes = tuple([(key, f"{newest + 1}.{len(groups)}.{number}") for key in wrote])
            group.append(Done(f"c{number}", begun, made, seen, writes, "fail" if refused else "ok"))
            if made is not None:
                newest = made
                store.append({**store[-1], **{key: (newest, value) for key, value in writes}})
        groups.append(tuple(group))
    return groups, newest


def history(groups: list[tuple[Done, ...]], newest: int, keys: tuple[str, ...] = (), lineage: bool = True) -> History:
    """The events of transactions, group after group; those of one group all begin before one of them ends."""
    known = dict.fromkeys([*keys, *[key for group in groups for one in group for key, _ in (*one.reads, *one.writes)]])
    rows: list[tuple[Any, ...]] = [("setup", "ok", 0, None, 0, (), tuple([Write(key, "0") for key in known]))]
    makers = {0: 0}
    number = 0
    for group in groups:
        ends = []
        for one in group:
            number += 1
            rows.append((one.process, "invoke", number, None, None, (), ()))
            reads = tuple([Read(*read) for read in one.reads])
            writes = tuple([Write(*write) for write in one.writes])
            ends.append((one.process, one.kind, number, one.start, one.commit, reads, writes))
            if one.commit is not None:
                makers[one.commit] = number
        rows += sorted(ends, key=lambda row: (row[4] is None, row[4] or 0))
    for version in range(newest + 1) if lineage else ():
        rows.append(("lineage", "version", makers[version], None, version, (), ()))
    return History(
        Event(index, 0, process, kind, op, "txn", None, start, commit, reads=reads, writes=writes,
              error="conflict" if kind == "fail" else None)
        for index, (process, kind, op, start, commit, reads, writes) in enumerate(rows)
    )  # fmt: skip


def plants(at: int) -> dict[str, Planted]:
    """Anomalies by name, to follow version `at`; they write p, q and nothing else."""
    one, two = at + 1, at + 2
    from_snapshot = ("parallel-snapshot-isolation", "snapshot-isolation", "serializable")
    blind = Done("d1", at, one, (), (("p", "1"), ("q", "1")))
    return {
        "lost update": Planted(
            ((Done("d1", at, one, (("p", "0"),), (("p", "1"),)), Done("d2", at, two, (("p", "0"),), (("p", "2"),))),),
            ("no-lost-update", *from_snapshot), ("read-committed", "read-atomic", "causal", "prefix", *SESSIONS),
        ),
        "write skew": Planted(
            ((Done("d1", at, one, (("p", "0"),), (("q", "1"),)), Done("d2", at, two, (("q", "0"),), (("p", "2"),))),),
            ("no-write-skew", "serializable"), (*UP_TO_SNAPSHOT, *SESSIONS),
        ),
        "long fork": Planted(
            (
                (Done("d1", at, one, (), (("p", "1"),)), Done("d2", at, two, (), (("q", "2"),))),
                (Done("r1", two, None, (("p", "1"), ("q", "0"))), Done("r2", two, None, (("p", "0"), ("q", "2")))),
            ),
            ("no-long-fork", "prefix", "snapshot-isolation", "serializable"),
            ("causal", "parallel-snapshot-isolation", *SESSIONS),
        ),
        "fractured read": Planted(
            ((blind,), (Done("r1", one, None, (("p", "1"), ("q", "0"))),)),
            ("read-atomic", "causal", "prefix", *from_snapshot), ("read-committed", "no-lost-update", *SESSIONS),
        ),
        "missed cause": Planted(
            (
                (Done("d1", at, one, (), (("p", "1"),)),),
                (Done("d2", one, two, (("p", "1"),), (("q", "2"),)),),
                (Done("r1", two, None, (("q", "2"), ("p", "0"))),),
            ),
            ("causal", "prefix", *from_snapshot), ("read-committed", "read-atomic", "no-lost-update"),
        ),
        "aborted read": Planted(
            ((Done("d1", at, None, (), (("p", "1"),), "fail"),), (Done("r1", at, None, (("p", "1"),)),)),
            ("no-aborted-reads", *EVERY), ("no-lost-update",),
        ),
        "read from nowhere": Planted(
            ((blind,), (Done("r1", one, None, (("p", "9"),)),)), ("no-aborted-reads", *EVERY), ("no-lost-update",)
        ),
        "own write missed": Planted(
            ((blind,), (Done("d1", at, None, (("p", "0"),)),)),
            ("read-your-writes", "session-guarantees", *(f"strong-session-{level}" for level in LEVELS[1:])),
            ("monotonic-reads", *LEVELS),
        ),
        "backwards": Planted(
            ((blind,), (Done("r1", one, None, (("p", "1"),)),), (Done("r1", at, None, (("p", "0"),)),)),
            ("monotonic-reads", "session-guarantees", *(f"strong-session-{level}" for level in LEVELS[2:])),
            ("read-your-writes", "strong-session-read-atomic", *LEVELS),
        ),
        "behind the clock": Planted(
            ((blind,), (Done("r1", at, None, (("p", "0"),)),)),
            tuple(f"strong-{level}" for level in LEVELS[1:]), (*LEVELS, *SESSIONS, "strong-read-committed"),
        ),
    }  # fmt: skip
