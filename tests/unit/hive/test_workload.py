"""A workload that cannot be is refused when it is made, and the message names the argument."""

from dataclasses import replace
from typing import Any

import pytest

from model.hive import FIXED, SHIPPED
from sim.hive.bounds import bounds_of, variant_of
from sim.hive.lock_statements import Lock, LockSet, TimeOut
from sim.hive.workload import Alter, Begin, Create, Get, HiveSession, HiveTable, HiveWorkload, PutPartition, Update

T = "default.t"
THREE: Any = 3
READ: Any = "read"
ONE_NAME: Any = "default.t"
ONE_PART: Any = (("d=1",),)
NO_TUPLE: Any = Get(T)
TEXTS: Any = ("get",)
GOOD = HiveSession("w1", "h1", (Get(T),))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Get("t"), r"Get: table: expected a name as in 'default\.t', got 't'"),
        (lambda: Alter(T, THREE), r"Alter: value: expected a text, got 3"),
        (lambda: Begin(ONE_NAME), r"Begin: tables: expected a tuple, got 'default\.t'"),
        (lambda: PutPartition(T, "", "p"), r"PutPartition: partition: expected a text, got ''"),
        (lambda: Get(T, "h 1"), r"Get: at: expected a name without spaces, got 'h 1'"),
        (lambda: Lock(T, READ), r"Lock: kind: expected one of shared-read, shared-write, .*, got 'read'"),
        (lambda: LockSet(()), r"LockSet: parts: expected what is locked, got nothing"),
        (lambda: LockSet(((READ, T),)), r"LockSet: parts: expected a kind out of .* got \('read', 'default.t'\)"),
        (lambda: LockSet((("exclusive", "t/d=1"),)), r"LockSet: parts: expected a name as .* got 't/d=1'"),
        (lambda: TimeOut(""), r"TimeOut: session: expected a text, got ''"),
        (lambda: HiveWorkload((HiveSession("w1", "h1", (TimeOut("w9"),)),)), r"sessions that time out: .* got 'w9'"),
        (lambda: HiveTable(T, "v0", True, ONE_PART), r"table default\.t: partitions: expected \(name, value\)"),
        (lambda: HiveSession("w1", "h1", NO_TUPLE), r"session w1: statements: expected a tuple"),
        (lambda: HiveSession("w1", "h1", TEXTS), r"session w1: statements: expected a statement, got 'get'"),
        (lambda: HiveWorkload(()), r"HiveWorkload: expected sessions and replicas, got none"),
        (lambda: HiveWorkload((GOOD, GOOD)), r"sessions and replicas: expected each once, got 'w1' twice"),
        (lambda: HiveWorkload((GOOD,), cold=("h1",)), r"HiveWorkload: cold: expected one of h2, got 'h1'"),
        (lambda: HiveWorkload((GOOD,), pollers=("h9",)), r"HiveWorkload: pollers: expected one of h1, h2, got 'h9'"),
        (lambda: HiveWorkload((HiveSession("w1", "h9", ()),)), r"session w1: home and at: expected one of h1, h2, got"),
        (lambda: HiveWorkload((HiveSession("w1", "h1", (Get(T, "h9"),)),)), r"session w1: home and at: .*'h9'"),
        (lambda: HiveWorkload((HiveSession("w1", "h1", (Alter(T, "v0"),)),)), r"values of a table .* twice"),
    ],
)
def test_what_cannot_be_is_refused_by_the_arguments_name(make, message):
    """One line: which argument, expected, got."""
    with pytest.raises(ValueError, match=message) as raised:
        make()
    assert "\n" not in str(raised.value)


def test_bounds_are_read_off_the_workload_and_the_rules():
    """Replicas, sessions, statements, tables, the variant, and the settings that it needs."""
    sessions = (HiveSession("w1", "h1", (Begin((T,)), Update(T))), HiveSession("r1", "h2", (Get(T),), False))
    assert bounds_of(HiveWorkload(sessions), FIXED, drains=True) == (
        "2 replicas, 2 sessions, at most 2 statements each, 1 table at the start, no lists from r1, "
        "hive.txn.xlock.write off; the reference"
    )
    one = HiveWorkload((HiveSession("w1", "h1", (Create(T, "v1"),)),), (), ("h1",), ("h1",), ("h1",))
    assert bounds_of(one, SHIPPED, drains=False) == (
        "1 replica, 1 session, at most 1 statement each, 0 tables at the start, h1 started in the race, "
        "h1 may stop before the log's end; CachedStore 4.0 with metastore.cache.can.use.event on"
    )


def test_a_variant_without_a_name_is_told_by_what_differs():
    """From the reference."""
    assert variant_of(replace(FIXED, read_rule="none", batch=2)) == "the reference but for read_rule=none, batch=2"
