"""Rows in the order of events: the larger value of a row counts, whoever wrote it, and whenever that was committed.

Source: Hudi's documentation, record mergers, `EVENT_TIME_ORDERING`; RFC-66.

Choices: a row's value is its own ordering value, compared as text. A restore takes back what was committed before it,
in rows that it changes: whoever reads from its beginning on may find that gone, and what it puts back counts. Whether
what is read was committed at all is another property's (`no-aborted-reads`), and so is what an unknown outcome has
left.
"""

from checkers.finding import T1, T2, Finding, Findings, one_per_shape
from checkers.histories.history import OK, SETUP
from checkers.isolation.resolve import Facts
from checkers.text import plain

_ROW, _RESTORE = "row:", "restore"


def events_in_order(facts: Facts) -> Findings:
    """No read shows of a row a smaller value than one that was acknowledged before it began, and none shows two."""
    found: list[Finding] = []
    for at, op in enumerate(facts.ops):
        for key, value, _ in op.reads if op.f == "read" and op.type == OK else ():
            if not key.startswith(_ROW):
                continue
            newest, writer = _newest(facts, key, op.invoked, _taken_back(facts, key, op.completed))
            if "|" in (value or ""):
                found.append(Finding("row-twice", (at,), (), (f"{T1} saw {plain(key)} = {value}",)))
            elif newest > (value or ""):
                says = f"{T1} had written {plain(key)} = {newest}, and {T2} saw {value or 'nothing'}"
                found.append(Finding("older-event-read", (writer, at), (), (says,)))
    return one_per_shape(found)


def _newest(facts: Facts, key: str, before: int, since: int) -> tuple[str, int]:
    """The largest value of a row that was acknowledged before a moment, of no version before `since`, and the operation
    that wrote it."""
    told = [
        (write.value, position)
        for position, op in enumerate(facts.ops)
        if op.type == OK and (op.process == SETUP or (op.completed is not None and op.completed < before))
        if op.commit is None or op.commit >= since
        for write in op.writes
        if write.key == key and write.value is not None
    ]
    return max(told, default=("", 0))


def _taken_back(facts: Facts, key: str, before: int | None) -> int:
    """The version of the last restore that changes a row and has begun before a moment; 0 if there is none."""
    found = [
        op.commit
        for op in facts.ops
        if op.f == _RESTORE and op.commit is not None and before is not None and op.invoked < before
        if any(write.key == key for write in op.writes)
    ]
    return max(found, default=0)
